package axtree

import (
	"encoding/json"
	"strings"
)

// What follows the name of a node line, each with its leading space.
const (
	ctxOpen         = " [ctx: "
	hostOpen        = " [→ "
	placeholderOpen = " placeholder="
	valueOpen       = " ="
	hoverOpen       = " [hover first: "
	markOpen        = " ⟵ step "
)

var fieldStates = []string{"empty", "filled", "default", "unknown"}

// maxTries bounds how often one line is looked at again: for the end of a context text, which may itself contain "]",
// and for the next known part after an unknown one. It keeps hostile lines linear.
const maxTries = 32

// parseNode reads one node line without its indentation:
//
//	[@eN ]ROLE[ "NAME"][ [ctx: TEXT]][ [→ HOST]][ [empty|filled|default|unknown]][ placeholder="…"][ ="VALUE"]
//	[ [hover first: A | B]] and any number of ⟵ step N: OP[: DETAIL]
//
// It is false for a line that is not a node. Unknown parts after the name are passed over.
func parseNode(text string) (Node, bool) {
	var n Node
	ref, rest, hasRef := cutRef(text)
	n.Ref = ref
	n.Role, rest = cutRole(rest)
	if n.Role == "" {
		return Node{}, false
	}
	named := false
	if strings.HasPrefix(rest, ` "`) {
		if name, after, ok := jsonString(rest[1:]); ok && (after == "" || after[0] == ' ') {
			n.Name, rest, named = name, after, true
		}
	}
	known := n.attributes(rest)
	if !hasRef && !named && rest != "" && !known {
		return Node{}, false
	}
	return n, true
}

// cutRef takes a reference ("@e12 ") from the head of a line.
func cutRef(text string) (ref, rest string, ok bool) {
	if !strings.HasPrefix(text, "@") {
		return "", text, false
	}
	ref, rest, ok = strings.Cut(text[1:], " ")
	number := strings.TrimLeft(ref, "abcdefghijklmnopqrstuvwxyz")
	if !ok || number == ref || !digits(number) {
		return "", text, false
	}
	return ref, rest, true
}

// cutRole takes a role from the head of a line; it is empty when there is none.
func cutRole(text string) (role, rest string) {
	end := 0
	for end < len(text) {
		c := text[end]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (end == 0 || !('0' <= c && c <= '9' || c == '-' || c == '_')) {
			break
		}
		end++
	}
	if end < len(text) && text[end] != ' ' {
		return "", text
	}
	return text[:end], text[end:]
}

// attributes reads everything behind the name into n. It reports whether it begins with something known.
func (n *Node) attributes(s string) (known bool) {
	contextDue := true
	for try := 0; s != "" && try < maxTries; {
		rest, ok := n.attribute(s)
		if !ok && contextDue {
			rest, ok = n.context(s)
			contextDue = !ok
		}
		if ok {
			known = known || try == 0
			s = rest
			continue
		}
		try++
		next := strings.IndexByte(s[1:], ' ')
		if next < 0 {
			break
		}
		s = s[1+next:]
	}
	return known
}

// context reads " [ctx: TEXT]". The text is raw and may contain "]", so its end is the first "]" behind which the whole
// line makes sense; when there is none, the first that ends a word.
func (n *Node) context(s string) (rest string, ok bool) {
	text, ok := strings.CutPrefix(s, ctxOpen)
	if !ok {
		return "", false
	}
	word := -1
	for from, try := 0, 0; try < maxTries; try++ {
		i := strings.IndexByte(text[from:], ']')
		if i < 0 {
			break
		}
		end := from + i
		from = end + 1
		after := text[from:]
		if after != "" && after[0] != ' ' {
			continue
		}
		if word < 0 {
			word = end
		}
		if understood(after) {
			word = end
			break
		}
	}
	if word < 0 {
		return "", false
	}
	n.Ctx = text[:word]
	return text[word+1:], true
}

// understood reports whether s is nothing but known parts of a line behind a context.
func understood(s string) bool {
	var n Node
	for ok := true; s != ""; {
		if s, ok = n.attribute(s); !ok {
			return false
		}
		n.Marks = n.Marks[:0] // only their being there counts
	}
	return true
}

// attribute reads one part of the line other than a context.
func (n *Node) attribute(s string) (rest string, ok bool) {
	if text, ok := strings.CutPrefix(s, hostOpen); ok {
		end, ok := closing(text, " ")
		if !ok {
			return "", false
		}
		n.Host = text[:end]
		return text[end+1:], true
	}
	if text, ok := strings.CutPrefix(s, placeholderOpen); ok {
		n.Placeholder, rest, ok = jsonString(text)
		return rest, ok
	}
	if text, ok := strings.CutPrefix(s, valueOpen); ok {
		value, rest, ok := jsonString(text)
		if ok {
			n.Value, n.HasValue = value, true
		}
		return rest, ok
	}
	if text, ok := strings.CutPrefix(s, hoverOpen); ok {
		end, ok := closing(text, markOpen)
		if !ok {
			return "", false
		}
		return text[end+1:], true
	}
	if text, ok := strings.CutPrefix(s, markOpen); ok {
		mark, rest, ok := parseMark(text)
		if ok {
			n.Marks = append(n.Marks, mark)
		}
		return rest, ok
	}
	if text, ok := strings.CutPrefix(s, " ["); ok {
		for _, state := range fieldStates {
			if rest, ok := strings.CutPrefix(text, state+"]"); ok {
				n.Field = state
				return rest, true
			}
		}
	}
	return "", false
}

// closing returns the place of the first "]" that ends the text or has next behind it.
func closing(text, next string) (int, bool) {
	if i := strings.Index(text, "]"+next); i >= 0 {
		return i, true
	}
	return len(text) - 1, strings.HasSuffix(text, "]")
}

// parseMark reads the note of a step behind its " ⟵ step ": `3: fill: "text"`. The detail is a JSON string; a raw one
// goes on to the next note.
func parseMark(s string) (m Mark, rest string, ok bool) {
	step, rest, ok := strings.Cut(s, ": ")
	if !ok || !digits(step) || len(step) > 9 {
		return Mark{}, "", false
	}
	m.Step = number(step)
	op := strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyz_")
	m.Op, rest = rest[:len(rest)-len(op)], op
	if m.Op == "" || rest != "" && !strings.HasPrefix(rest, ": ") && !strings.HasPrefix(rest, markOpen) {
		return Mark{}, "", false
	}
	detail, ok := strings.CutPrefix(rest, ": ")
	if !ok {
		return m, rest, true
	}
	if text, after, ok := jsonString(detail); ok && (after == "" || strings.HasPrefix(after, markOpen)) {
		m.Detail = text
		return m, after, true
	}
	end := strings.Index(detail, markOpen)
	if end < 0 {
		end = len(detail)
	}
	m.Detail = detail[:end]
	return m, detail[end:], true
}

// jsonString reads a JSON string literal from the head of s.
func jsonString(s string) (value, rest string, ok bool) {
	if s == "" || s[0] != '"' {
		return "", s, false
	}
	escaped := false
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			escaped = true
			i++
		case '"':
			literal := s[:i+1]
			if !escaped {
				return literal[1:i], s[i+1:], true
			}
			value, ok = unescape(literal)
			return value, s[i+1:], ok
		}
	}
	return "", s, false
}

func unescape(literal string) (value string, ok bool) {
	err := json.Unmarshal([]byte(literal), &value)
	return value, err == nil
}
