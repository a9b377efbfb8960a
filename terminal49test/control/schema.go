package control

import (
	"encoding/json"
	"reflect"
	"sync"

	"github.com/go-freight/terminal49/terminal49test/internal/forms"
)

// Schema returns the JSON Schema of a command. Its definition "world" is that of a request that
// makes a world.
func Schema() []byte { return schema() }

var schema = sync.OnceValue(func() []byte {
	s := &forms.Schemas{Definitions: forms.Object{}}
	lines := forms.Object{}
	for name, c := range commands {
		lines[name] = s.Of(c.form)
	}
	s.Definitions["command"] = forms.OneMember(lines, "A command: a request has one or several, a file of a scenario has one a line.")
	s.Definitions["world"] = s.Struct(reflect.TypeFor[worldForm]())
	text, err := json.MarshalIndent(forms.Object{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "The simulator of Terminal49, from outside",
		"$ref": "#/$defs/command", "$defs": s.Definitions,
	}, "", "  ")
	if err != nil {
		panic("control: the schema cannot be written: " + err.Error())
	}
	return append(text, '\n')
})

func init() {
	forms.Enumerate(webhooksRecorded, webhooksDelivered, webhooksNotSent)
	forms.ReadWith(readNothing)
	forms.Describe[nothing](func(s *forms.Schemas) forms.Object {
		return forms.Object{"anyOf": []forms.Object{{"const": true}, {"type": "object", "additionalProperties": false}}}
	})
}
