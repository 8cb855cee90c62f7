package main

import (
	"fmt"
	"strings"
)

// A page of a flow is a form with some rows of a list below it. Its controls are numbered: ten fields, five lists, five
// buttons.
const (
	fields  = 10
	lists   = 5
	buttons = 5
)

var colours = []string{"Amber", "Blue", "Coral", "Denim"}

// formHTML is a page with the form and n rows.
func formHTML(rows int) string {
	var b strings.Builder
	b.WriteString(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Order form</title></head><body><main><h1>Order form</h1><form onsubmit="return false">`)
	for i := 1; i <= fields; i++ {
		fmt.Fprintf(&b, `<p><label>%s <input></label></p>`, fieldName(i))
	}
	for i := 1; i <= lists; i++ {
		fmt.Fprintf(&b, `<p><label>%s <select><option>None</option>`, listName(i))
		for _, c := range colours {
			fmt.Fprintf(&b, `<option>%s</option>`, c)
		}
		b.WriteString(`</select></label></p>`)
	}
	for i := 1; i <= buttons; i++ {
		fmt.Fprintf(&b, `<button type="button" onclick="o.textContent='%s'">%s</button> `, message(i), buttonName(i))
	}
	b.WriteString(`</form><p id="o" role="status"></p><ul>`)
	for i := range rows {
		fmt.Fprintf(&b, `<li><span>Row %d</span> <button>Open %d</button></li>`, i, i)
	}
	b.WriteString(`</ul></main></body></html>`)
	return b.String()
}

func fieldName(i int) string  { return "Field " + letters(i) }
func listName(i int) string   { return "Colour " + letters(i) }
func buttonName(i int) string { return "Add " + letters(i) }
func message(i int) string    { return "Added " + letters(i) }

// letters names a thing without digits, which a replay would take for something that may change.
func letters(i int) string {
	return []string{"alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliett"}[(i-1)%10]
}

// formLines are the lines of the form in a page text. values are what the fields and lists hold.
func formLines(refs *refs, values map[string]string, said string, rows int) []string {
	out := []string{`main`, `  heading "Order form"`, `    StaticText "Order form"`}
	for i := 1; i <= fields; i++ {
		name := fieldName(i)
		state := "[empty]"
		if v := values[name]; v != "" {
			state = fmt.Sprintf("[filled] =%q", v)
		}
		out = append(out, `  paragraph`, fmt.Sprintf(`    StaticText %q`, name), fmt.Sprintf(`    %s textbox %q %s`, refs.of("textbox", name), name, state))
	}
	for i := 1; i <= lists; i++ {
		name := listName(i)
		v := values[name]
		if v == "" {
			v = "None"
		}
		out = append(out, `  paragraph`, fmt.Sprintf(`    StaticText %q`, name), fmt.Sprintf(`    %s combobox %q =%q`, refs.of("combobox", name), name, v))
	}
	for i := 1; i <= buttons; i++ {
		out = append(out, fmt.Sprintf(`  %s button %q`, refs.of("button", buttonName(i)), buttonName(i)))
	}
	out = append(out, `  status`)
	if said != "" {
		out = append(out, fmt.Sprintf(`    StaticText %q`, said))
	}
	out = append(out, `  list`)
	for i := range rows {
		button := fmt.Sprintf("Open %d", i)
		out = append(out, `    listitem`, fmt.Sprintf(`      StaticText "Row %d"`, i), fmt.Sprintf(`      %s button %q`, refs.of("button", button), button))
	}
	return out
}

// pointerHTML is a page whose items react to the pointer and whose field reacts to keys.
func pointerHTML() string {
	var b strings.Builder
	b.WriteString(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Keys</title></head><body><main><h1>Keys</h1>`)
	for i := 1; i <= 5; i++ {
		fmt.Fprintf(&b, `<p><button onmouseenter="o.textContent='Over %s'">Item %s</button></p>`, letters(i), letters(i))
	}
	for i := 1; i <= 5; i++ {
		fmt.Fprintf(&b, `<p><label>Key %s <input onkeydown="o.textContent='Pressed %s'"></label></p>`, letters(i), letters(i))
	}
	b.WriteString(`<p id="o" role="status"></p></main></body></html>`)
	return b.String()
}

func pointerLines(refs *refs, said string) []string {
	out := []string{`main`, `  heading "Keys"`, `    StaticText "Keys"`}
	for i := 1; i <= 5; i++ {
		name := "Item " + letters(i)
		out = append(out, `  paragraph`, fmt.Sprintf(`    %s button %q`, refs.of("button", name), name))
	}
	for i := 1; i <= 5; i++ {
		name := "Key " + letters(i)
		out = append(out, `  paragraph`, fmt.Sprintf(`    StaticText %q`, name), fmt.Sprintf(`    %s textbox %q [empty]`, refs.of("textbox", name), name))
	}
	out = append(out, `  status`)
	if said != "" {
		out = append(out, fmt.Sprintf(`    StaticText %q`, said))
	}
	return out
}

// chapterHTML is page i of a book of n: a text and a link to the next one.
func chapterHTML(i int) string {
	return fmt.Sprintf(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Chapter %d</title></head><body><main><h1>Chapter %d</h1><p>The text of the chapter.</p>`+
		`<a href="chapter-%d.html">Next chapter</a></main></body></html>`, i, i, i+1)
}

func chapterLines(refs *refs, i int) []string {
	return []string{
		`main`, fmt.Sprintf(`  heading "Chapter %d"`, i), fmt.Sprintf(`    StaticText "Chapter %d"`, i), `  paragraph`, `    StaticText "The text of the chapter."`,
		fmt.Sprintf(`  %s link "Next chapter"`, refs.of("link", "Next chapter")),
	}
}

// framesHTML is a page with frames at the given addresses.
func framesHTML(addresses []string) string {
	var b strings.Builder
	b.WriteString(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Frames</title></head><body><main><h1>Frames</h1>`)
	for i, a := range addresses {
		fmt.Fprintf(&b, `<iframe title="Part %s" src="%s" width="300" height="110"></iframe> `, letters(i+1), a)
	}
	b.WriteString(`</main></body></html>`)
	return b.String()
}

// partHTML is the document of a frame.
func partHTML(i int) string {
	return fmt.Sprintf(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Part</title></head><body><label>Note %s <input></label> `+
		`<button onclick="o.textContent='Kept %s'">Keep %s</button><p id="o" role="status"></p></body></html>`, letters(i), letters(i), letters(i))
}

func framesLines(refs *refs, values map[string]string, kept int) []string {
	out := []string{`main`, `  heading "Frames"`, `    StaticText "Frames"`}
	for i := 1; i <= frames; i++ {
		note, keep := "Note "+letters(i), "Keep "+letters(i)
		state := "[empty]"
		if v := values[note]; v != "" {
			state = fmt.Sprintf("[filled] =%q", v)
		}
		out = append(out, fmt.Sprintf(`  Iframe "Part %s"`, letters(i)), fmt.Sprintf(`    StaticText %q`, note),
			fmt.Sprintf(`    %s textbox %q %s`, refs.of("textbox", note), note, state), fmt.Sprintf(`    %s button %q`, refs.of("button", keep), keep), `    status`)
		if i <= kept {
			out = append(out, fmt.Sprintf(`      StaticText "Kept %s"`, letters(i)))
		}
	}
	return out
}
