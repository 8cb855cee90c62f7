package act

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// pickPage is a field with a list of suggestions, walked with the arrow keys; mark says how the page shows where it is.
func pickPage(mark, rest string) string {
	return `<input id=b role=combobox aria-controls=l><ul id=l role=listbox class=autocomplete></ul><script>
window.seen=[];let at=-1;const names=['Cadiz','Cork','Faro'],field=document.querySelector('#b'),list=document.querySelector('#l');
function draw(){list.innerHTML=names.map((n,i)=>'<li role=option id=o'+i+'>'+n).join('')}
function mark(){` + mark + `}
field.onkeydown=e=>{if(e.key==='ArrowDown'){at=(at+1)%names.length;mark()}else if(e.key==='Enter')seen.push(list.children.length?names[at]:field.value)}
` + rest + `</script>`
}

func TestPickByKeys(t *testing.T) {
	tests := []struct{ name, html, want string }{
		{"active descendant", pickPage(`field.setAttribute('aria-activedescendant','o'+at)`, "draw()"), "Cork"},
		{"selected", pickPage(`[...list.children].forEach((o,i)=>o.setAttribute('aria-selected',i===at))`, "draw()"), "Cork"},
		{"class", pickPage(`[...list.children].forEach((o,i)=>o.className=i===at?'item is-highlighted':'item')`, "draw()"), "Cork"},
		{"written into the field", pickPage(`field.value=names[at]`, "draw()"), "Cork"},
		{"first one marked already", pickPage(`field.setAttribute('aria-activedescendant','o'+at)`, "draw();at=0;mark()"), "Cork"},
		{"late list", pickPage(`field.setAttribute('aria-activedescendant','o'+at)`, "setTimeout(draw,300)"), "Cork"},
		{"no list", pickPage("", "field.value='Co'"), "Co"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tb := open(t, tt.html)
			if _, err := PickByKeys(tb.wait(6*time.Second), tb.el("#b"), "Cork"); err != nil {
				t.Fatal(err)
			}
			if got := tb.eval("seen.join()"); got != tt.want {
				t.Errorf("the page took %q, want %q", got, tt.want)
			}
		})
	}
}

func TestPickByKeysStops(t *testing.T) {
	tests := []struct{ name, html, option string }{
		{"not offered", pickPage(`field.setAttribute('aria-activedescendant','o'+at)`, "draw()"), "Bergen"},
		{"nothing shows where it is", pickPage("", "draw()"), "Cork"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tb := open(t, tt.html)
			_, err := PickByKeys(tb.wait(2*time.Second), tb.el("#b"), tt.option)
			var missing *OptionMissing
			if !errors.As(err, &missing) {
				t.Fatalf("error %v, want an option that is missing", err)
			}
			if have := strings.Join(missing.Have, ","); have != "Cadiz,Cork,Faro" {
				t.Errorf("the list offers %q", have)
			}
			if got := tb.eval("seen.join()"); got != "" {
				t.Errorf("the page took %q", got)
			}
		})
	}
}
