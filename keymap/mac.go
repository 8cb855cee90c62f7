package keymap

import "slices"

// shortcut is a chord by its physical key, as macOS keeps its bindings.
type shortcut struct {
	mods Modifiers
	code string
}

// macBindings are the editing shortcuts of macOS: the standard key bindings of its text system and the items of an Edit
// menu, each with the editing commands of the browser that it stands for. Bindings that insert text are not here, because the
// text of the key does that; nor are those for which the browser has no command.
var macBindings = map[shortcut][]string{
	{Meta, "KeyA"}:         {"selectAll"},
	{Meta, "KeyC"}:         {"copy"},
	{Meta, "KeyX"}:         {"cut"},
	{Meta, "KeyV"}:         {"paste"},
	{Meta, "KeyZ"}:         {"undo"},
	{Shift | Meta, "KeyZ"}: {"redo"},
	{Alt | Shift | Meta, "KeyV"}: {
		"pasteAndMatchStyle",
	},

	{0, "Backspace"}:            {"deleteBackward"},
	{Shift, "Backspace"}:        {"deleteBackward"},
	{Alt, "Backspace"}:          {"deleteWordBackward"},
	{Alt | Shift, "Backspace"}:  {"deleteWordBackward"},
	{Ctrl, "Backspace"}:         {"deleteBackwardByDecomposingPreviousCharacter"},
	{Ctrl | Shift, "Backspace"}: {"deleteBackwardByDecomposingPreviousCharacter"},
	{Ctrl | Alt, "Backspace"}:   {"deleteWordBackward"},
	{Meta, "Backspace"}:         {"deleteToBeginningOfLine"},
	{0, "Delete"}:               {"deleteForward"},
	{Shift, "Delete"}:           {"deleteForward"},
	{Alt, "Delete"}:             {"deleteWordForward"},
	{Ctrl, "KeyH"}:              {"deleteBackward"},
	{Ctrl | Alt, "KeyH"}:        {"deleteWordBackward"},
	{Ctrl, "KeyD"}:              {"deleteForward"},
	{Ctrl, "KeyK"}:              {"deleteToEndOfParagraph"},
	{Ctrl, "KeyY"}:              {"yank"},
	{Ctrl, "KeyT"}:              {"transpose"},

	{0, "ArrowLeft"}:             {"moveLeft"},
	{Shift, "ArrowLeft"}:         {"moveLeftAndModifySelection"},
	{Alt, "ArrowLeft"}:           {"moveWordLeft"},
	{Alt | Shift, "ArrowLeft"}:   {"moveWordLeftAndModifySelection"},
	{Ctrl, "ArrowLeft"}:          {"moveToLeftEndOfLine"},
	{Ctrl | Shift, "ArrowLeft"}:  {"moveToLeftEndOfLineAndModifySelection"},
	{Meta, "ArrowLeft"}:          {"moveToLeftEndOfLine"},
	{Shift | Meta, "ArrowLeft"}:  {"moveToLeftEndOfLineAndModifySelection"},
	{0, "ArrowRight"}:            {"moveRight"},
	{Shift, "ArrowRight"}:        {"moveRightAndModifySelection"},
	{Alt, "ArrowRight"}:          {"moveWordRight"},
	{Alt | Shift, "ArrowRight"}:  {"moveWordRightAndModifySelection"},
	{Ctrl, "ArrowRight"}:         {"moveToRightEndOfLine"},
	{Ctrl | Shift, "ArrowRight"}: {"moveToRightEndOfLineAndModifySelection"},
	{Meta, "ArrowRight"}:         {"moveToRightEndOfLine"},
	{Shift | Meta, "ArrowRight"}: {"moveToRightEndOfLineAndModifySelection"},
	{0, "ArrowUp"}:               {"moveUp"},
	{Shift, "ArrowUp"}:           {"moveUpAndModifySelection"},
	{Alt, "ArrowUp"}:             {"moveBackward", "moveToBeginningOfParagraph"},
	{Alt | Shift, "ArrowUp"}:     {"moveParagraphBackwardAndModifySelection"},
	{Ctrl, "ArrowUp"}:            {"scrollPageBackward"},
	{Meta, "ArrowUp"}:            {"moveToBeginningOfDocument"},
	{Shift | Meta, "ArrowUp"}:    {"moveToBeginningOfDocumentAndModifySelection"},
	{0, "ArrowDown"}:             {"moveDown"},
	{Shift, "ArrowDown"}:         {"moveDownAndModifySelection"},
	{Alt, "ArrowDown"}:           {"moveForward", "moveToEndOfParagraph"},
	{Alt | Shift, "ArrowDown"}:   {"moveParagraphForwardAndModifySelection"},
	{Ctrl, "ArrowDown"}:          {"scrollPageForward"},
	{Meta, "ArrowDown"}:          {"moveToEndOfDocument"},
	{Shift | Meta, "ArrowDown"}:  {"moveToEndOfDocumentAndModifySelection"},

	{0, "Home"}:         {"scrollToBeginningOfDocument"},
	{Shift, "Home"}:     {"moveToBeginningOfDocumentAndModifySelection"},
	{0, "End"}:          {"scrollToEndOfDocument"},
	{Shift, "End"}:      {"moveToEndOfDocumentAndModifySelection"},
	{0, "PageUp"}:       {"scrollPageBackward"},
	{Shift, "PageUp"}:   {"movePageUpAndModifySelection"},
	{Alt, "PageUp"}:     {"movePageUp"},
	{0, "PageDown"}:     {"scrollPageForward"},
	{Shift, "PageDown"}: {"movePageDownAndModifySelection"},
	{Alt, "PageDown"}:   {"movePageDown"},

	// The Emacs bindings.
	{Ctrl, "KeyA"}:               {"moveToBeginningOfParagraph"},
	{Ctrl | Shift, "KeyA"}:       {"moveToBeginningOfParagraphAndModifySelection"},
	{Ctrl, "KeyE"}:               {"moveToEndOfParagraph"},
	{Ctrl | Shift, "KeyE"}:       {"moveToEndOfParagraphAndModifySelection"},
	{Ctrl, "KeyB"}:               {"moveBackward"},
	{Ctrl | Shift, "KeyB"}:       {"moveBackwardAndModifySelection"},
	{Ctrl | Alt, "KeyB"}:         {"moveWordBackward"},
	{Ctrl | Alt | Shift, "KeyB"}: {"moveWordBackwardAndModifySelection"},
	{Ctrl, "KeyF"}:               {"moveForward"},
	{Ctrl | Shift, "KeyF"}:       {"moveForwardAndModifySelection"},
	{Ctrl | Alt, "KeyF"}:         {"moveWordForward"},
	{Ctrl | Alt | Shift, "KeyF"}: {"moveWordForwardAndModifySelection"},
	{Ctrl, "KeyP"}:               {"moveUp"},
	{Ctrl | Shift, "KeyP"}:       {"moveUpAndModifySelection"},
	{Ctrl, "KeyN"}:               {"moveDown"},
	{Ctrl | Shift, "KeyN"}:       {"moveDownAndModifySelection"},
	{Ctrl, "KeyV"}:               {"movePageDown"},
	{Ctrl | Shift, "KeyV"}:       {"movePageDownAndModifySelection"},
}

// macCommands returns the editing commands that macOS sends for the chord; nil when it sends none.
func macCommands(k Key, mods Modifiers) []string {
	return slices.Clone(macBindings[shortcut{mods, k.Code}])
}
