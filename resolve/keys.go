package resolve

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A number in a text is one of two things. A count, a price, a date or a time says how much or when; it changes from day to day,
// and the text stays the same text. A key says which: the number of an order, of an invoice, of a seat. A text with another key is
// about another thing, however equal the rest.

// keyNumber is a number without separators, of at least three digits, perhaps with a sign or letters before it: the number
// of an order, not a price, date, time or count.
var keyNumber = regexp.MustCompile(`^(?:[#№]|[A-Z]{1,4}[- ]?)?\d{3,}$`)

var (
	numbered = regexp.MustCompile(`^[^\d]*\pL[^\d(\[€$£¥]*\d+$`) // words that end in a whole number ("Order 1001", "Seat 12")
	year     = regexp.MustCompile(`^(?:19|20)\d\d$`)
	dateLike = regexp.MustCompile(`^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}$|^\d{1,2}[-/.]\d{1,2}[-/.](?:\d{2}|\d{4})$`)
	compound = regexp.MustCompile(`^\d+(?:[-/]\d+)+$`) // "2024-001", "12/2024"
	longPart = regexp.MustCompile(`\d{3,}`)
	coded    = regexp.MustCompile(`^\p{Latin}[\p{Latin}_./-]*\d[\p{Latin}\d_./-]*$`) // "INV-1041-A", "report-1.pdf"
	version  = regexp.MustCompile(`^[vV]\d+(?:\.\d+)*$|^[xX]\d+$`)                   // and "x3", three times
	seated   = regexp.MustCompile(`^\d+[A-Z]$`)                                      // "12A"
	oneMonth = regexp.MustCompile(`(?i)^(?:` + monthNames + `)[,.]? (?:19|20)\d\d$|^(?:19|20)\d\d年\d{1,2}月$|^\d{1,2}[/.](?:19|20)\d\d$`)
	counter  = regexp.MustCompile(`^[件条條个個项項名人次页頁位种種元円年月日枚点点]`)
	whole    = regexp.MustCompile(`^\d+$`)
	ordinal  = regexp.MustCompile(`(?i)^\d+(?:st|nd|rd|th)$`)
	// A noun whose number says which one ("Room 12").
	designator = regexp.MustCompile(`(?i)^(?:room|floor|gate|table|seat|row|unit|apartment|flat|suite|house|building|block|level|lane|platform|track|line|bus|train|flight|` +
		`dock|bay|bed|ward|box|locker|desk|station|terminal|order|invoice|ticket|case|account|customer|user|player|team|group|class|lesson|chapter|part|volume|step|number|no|nr|` +
		`zimmer|raum|tisch|platz|haus|gleis|linie|bestellung|rechnung|konto|kunde|kapitel|teil|schritt|nummer|` +
		`chambre|salle|porte|quai|ligne|vol|commande|facture|compte|client|chapitre|numéro|habitación|mesa|puerta|línea|pedido|factura|cuenta|cliente|capítulo|número)$`)
	// In Chinese, Japanese and Korean: a number after the sign of ordinals, or before a word for one of many. A day of a month is a date.
	cjkKey = regexp.MustCompile(`第\d+|(^|[^月\d])\d+ ?(?:号|號|栋|幢|楼|樓|层|層|室|座|期|班|番|階|丁目|호|층|번)`)
	number = regexp.MustCompile(`\d+`)
)

// keys lists the keys of a normalised text in their order.
func keys(text string) []string {
	text = strings.TrimLeft(text, "<>")
	if strings.IndexFunc(text, unicode.IsDigit) < 0 {
		return nil
	}
	if oneMonth.MatchString(text) {
		return []string{text} // a calendar that shows another month has other days
	}
	words := strings.Fields(text)
	if keyNumber.MatchString(text) || numbered.MatchString(text) && !version.MatchString(words[len(words)-1]) {
		return []string{text[strings.IndexFunc(text, unicode.IsDigit):]}
	}
	var out []string
	for _, m := range cjkKey.FindAllString(text, -1) {
		out = append(out, number.FindString(m))
	}
	for i, word := range words {
		bare := strings.TrimFunc(word, func(r rune) bool { return unicode.IsPunct(r) && r != '#' })
		if sign := strings.TrimLeft(bare, "#№"); sign != bare && whole.MatchString(sign) {
			out = append(out, sign)
			continue
		}
		// It comes after a word, and not as in "2 of 10".
		after := i > 0 && isWord(words[i-1]) && (i < 2 || !whole.MatchString(words[i-2]))
		// Nothing comes after it, or a stop.
		ends := i == len(words)-1 || !strings.HasSuffix(word, bare)
		bracketed := strings.HasPrefix(word, "(") || strings.HasPrefix(word, "[") // as counts are written
		switch {
		case i+1 < len(words) && counter.MatchString(words[i+1]): // "共 1041 件"
		case ordinal.MatchString(bare) && !monthBeside(words, i):
			out = append(out, bare)
		case whole.MatchString(bare) && i > 0 && designator.MatchString(words[i-1]):
			out = append(out, bare)
		case bracketed || dateLike.MatchString(bare) || version.MatchString(bare):
		case coded.MatchString(bare), seated.MatchString(bare) && after:
			out = append(out, bare)
		case compound.MatchString(bare) && longPart.MatchString(bare) && after:
			out = append(out, bare)
		case whole.MatchString(bare) && after && !year.MatchString(bare) && (ends || len(bare) > 3):
			out = append(out, bare)
		}
	}
	return out
}

// monthBeside reports whether a word stands beside the name of a month ("4th of May" too).
func monthBeside(words []string, i int) bool {
	near := words[max(0, i-1):min(len(words), i+3)]
	return slices.ContainsFunc(near, months.MatchString)
}

// isWord reports whether a word consists of letters, so that a number after it may belong to it.
func isWord(word string) bool {
	return word != "" && strings.IndexFunc(word, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '-' && r != '\'' && r != '’'
	}) < 0
}

// softKey is what two texts have in common that say the same: all but counts, prices, dates and times.
func softKey(t string) string {
	s, _ := Soften(t)
	for _, k := range keys(t) {
		s += "\x00" + k
	}
	return s
}

// softSame reports whether two texts are the same, or differ only in numbers and dates beside words that are not keys.
func softSame(a, b string) bool {
	return a == b || softKey(a) == softKey(b) && !meaningless(a)
}

// contradicts reports whether two texts are the same but for their keys, so that they are about two things of a kind.
func contradicts(a, b string) bool {
	x, y := keys(a), keys(b)
	if len(x) == 0 || len(y) == 0 || slices.Equal(x, y) {
		return false
	}
	s, _ := Soften(a)
	t, _ := Soften(b)
	return s == t
}

// meaningless reports whether a text says nothing once its volatile parts are gone ("€12.50", "3").
func meaningless(s string) bool {
	soft, _ := Soften(s)
	return strings.IndexFunc(soft, unicode.IsLetter) < 0
}
