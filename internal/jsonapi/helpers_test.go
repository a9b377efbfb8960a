package jsonapi

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// thing is a resource with one field of each kind.
type thing struct {
	id                        Identity
	text, blob                string
	words                     []string
	number                    int
	float                     float64
	flag                      bool
	inner                     part
	parts                     []part
	one                       Linkage
	hasOne                    bool
	many                      Refs
	finished, resolved, found bool
}

type part struct{ name string }

// thingModel is the Model of things.
type thingModel struct{}

func (thingModel) Members(v any, to *Members) {
	switch v := v.(type) {
	case *thing:
		to.Add("text", &v.text)
		to.Add("words", &v.words)
		to.Add("number", &v.number)
		to.Add("float", &v.float)
		to.Add("flag", &v.flag)
		to.Add("inner", &v.inner)
		to.Add("parts", &v.parts)
		to.AddAs("blob", &v.blob, func(d *Decoder, at any) { *at.(*string) = string(d.Raw()) })
	case *part:
		to.Add("name", &v.name)
	}
}

func (thingModel) Relationships(v any, to *Members) {
	if v, ok := v.(*thing); ok {
		to.AddAs("one", v, func(d *Decoder, at any) { at.(*thing).one, at.(*thing).hasOne = d.ReadOne() })
		to.Add("many", &v.many)
	}
}

func (thingModel) Reader(at any) (read func(*Decoder, any), skipsNull bool) {
	_, skipsNull = at.(*string)
	return readThing, skipsNull
}

func readThing(d *Decoder, at any) {
	switch at := at.(type) {
	case *string:
		*at, _ = d.String()
	case *[]string:
		*at = d.Strings()
	case *int:
		*at, _ = d.Int()
	case *float64:
		*at, _ = d.Float()
	case *bool:
		*at, _ = d.Bool()
	case *Refs:
		*at, _ = d.ReadMany()
	}
}

func (thingModel) Finish(v any, id Identity) { v.(*thing).id, v.(*thing).finished = id, true }

func (thingModel) Resolve(v any, relationships []any, ix *Index) {
	t := v.(*thing)
	t.resolved, t.found = len(relationships) == 2, ix.Lookup(t.one.Ref) != nil
}

type unregistered struct {
	id                        Identity
	attributes, relationships string
}

func things() *Registry {
	r := NewRegistry(thingModel{}, func(id Identity, attributes, relationships []byte) any {
		return &unregistered{id, string(attributes), string(relationships)}
	})
	r.Register(new(thing), "thing", "thingy")
	return r
}

// decode reads a document of things.
func decode(body string, o Options) ([]*thing, *Document, []Warning, error) {
	var warnings []Warning
	o.Types, o.Report = things(), func(w Warning) { warnings = append(warnings, w) }
	items, doc, err := Decode[thing]([]byte(body), o)
	return items, doc, warnings, err
}

// value calls read with a decoder that is at value, and requires that it reads exactly the value.
func value[V any](t *testing.T, value string, read func(*Decoder) V) (V, []string) {
	t.Helper()
	var problems []string
	d := &Decoder{types: things(), lastType: &noType, report: func(w Warning) { problems = append(problems, w.Problem) }}
	d.scan.data = []byte("[" + value + ",1234]")
	var got V
	elements := 0
	require.True(t, d.Array(func() {
		if elements++; elements == 1 {
			got = read(d)
			return
		}
		n, ok := d.Int()
		require.True(t, ok)
		require.Equal(t, 1234, n, "the value was not read to its end, or too far")
	}))
	require.Equal(t, 2, elements)
	require.NoError(t, d.Err())
	return got, problems
}
