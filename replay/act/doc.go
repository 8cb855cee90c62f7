// Package act does what a person would do to one element of a page: click it, point at it, fill it, choose from it,
// press a key on it.
//
// The element has been found already; what is left is to wait until a person could act on it, and then to act as a
// person would: with input at the level of the browser, so that the page sees trusted events. Every action waits for
// what it needs and for no more.
//
//	click   visible, standing still, enabled, and on top at the point that is pressed
//	hover   visible, standing still, and on top
//	fill    visible, enabled, editable, and able to take the focus
//	select  visible, enabled, with its options there and enabled
//	press   able to take the focus
//
// Visible means drawn with a size and not hidden; an opacity of zero is visible. Standing still means the same box in
// two animation frames. Enabled follows the native controls (fieldsets too) and aria-disabled on any ancestor.
//
// The checks run as one function in an isolated world of the element's frame, so that the page can neither see nor
// change them. Between the last check and the press a listener stands guard: the press goes through to the page only
// when it meets the element. If the page moved something else under the pointer in that moment, the page never sees
// the press, and the wait goes on. An element in a frame is checked in every frame around it.
//
// The context's deadline is the limit of the waiting. When it passes, the error is a [NotReady] with the state that
// was seen last. An element that is gone is a [Stale] at once, so that the caller can look for it again. What is
// typed never appears in an error or a note.
package act
