package terminal49

import (
	"strings"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// ProvidedData tells which facts a terminal or shipping line reports, by the wire name of the fact, such as
// "pickup_lfd" or "holds_at_pod_terminal". Use it to tell "no holds" from "this terminal does not report holds".
type ProvidedData map[string]Provided

// Provided is what is known about one fact.
type Provided struct {
	Reported bool   // the terminal or line reports this fact
	Notes    string // remarks for people; "" if none
}

func provided[T any](name string, at func(*T) *ProvidedData) jsonapi.Field[T] {
	return jsonapi.Field[T]{Name: name, Read: func(d *jsonapi.Decoder, v *T) {
		if d.Null() {
			return
		}
		data := ProvidedData{}
		if !d.Object(func(key []byte) {
			fact, isNote := strings.CutSuffix(string(key), "_notes")
			p := data[fact]
			if isNote {
				p.Notes, _ = d.String()
			} else {
				p.Reported, _ = d.Bool()
			}
			data[fact] = p
		}) {
			return
		}
		*at(v) = data
	}}
}
