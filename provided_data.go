package terminal49

import (
	"strings"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// ProvidedData lists the attributes that a terminal or shipping line reports, by wire name, such as
// "pickup_lfd" or "holds_at_pod_terminal". Use it to distinguish "no holds" from "this terminal
// does not report holds".
type ProvidedData map[string]Provided

// Provided describes whether a terminal or shipping line reports an attribute.
type Provided struct {
	Reported bool   // the terminal or line reports the attribute
	Notes    string // human-readable remarks; "" if there are none
}

//go:noinline
func providedDataField[P any](name string, at func(P) *ProvidedData) jsonapi.Field[P] {
	return jsonapi.UntypedField[P](name, func(d *jsonapi.Decoder, v any) {
		if d.Null() {
			return
		}
		data := ProvidedData{}
		if !d.Object(func(key []byte) {
			attribute, isNote := strings.CutSuffix(string(key), "_notes")
			p := data[attribute]
			if isNote {
				p.Notes, _ = d.String()
			} else {
				p.Reported, _ = d.Bool()
			}
			data[attribute] = p
		}) {
			return
		}
		*at(v.(P)) = data
	})
}
