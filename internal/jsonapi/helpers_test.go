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
	many                      []Ref
	finished, resolved, found bool
}

type part struct{ name string }

func partMembers() *Members[*part] {
	return NewMembers(NewField("name", func(d *Decoder, p *part) { p.name, _ = d.String() }))
}

func thingType() *Type[*thing] {
	members := partMembers()
	return NewType(Spec[*thing]{
		Identify: func(v *thing, id Identity) { v.id = id },
		Finish:   func(v *thing) { v.finished = true },
		Attributes: []Field[*thing]{
			NewField("text", func(d *Decoder, v *thing) { v.text, _ = d.String() }),
			NewField("words", func(d *Decoder, v *thing) { v.words = d.Strings() }),
			NewField("number", func(d *Decoder, v *thing) { v.number, _ = d.Int() }),
			NewField("float", func(d *Decoder, v *thing) { v.float, _ = d.Float() }),
			NewField("flag", func(d *Decoder, v *thing) { v.flag, _ = d.Bool() }),
			NewField("inner", func(d *Decoder, v *thing) { ReadObject(d, members, &v.inner) }),
			NewField("parts", func(d *Decoder, v *thing) { v.parts = ReadList(d, members) }),
			NewField("blob", func(d *Decoder, v *thing) { v.blob = string(d.Raw()) }),
		},
		Relationships: []Field[*thing]{
			NewRelationship("one", func(d *Decoder, v *thing) { v.one, v.hasOne = d.ReadOne() }, nil,
				func(ix *Index, v *thing) { v.resolved, v.found = true, ix.Lookup(v.one.Ref) != nil }),
			NewField("many", func(d *Decoder, v *thing) { v.many, _ = d.ReadMany() }),
		},
	})
}

type unregistered struct {
	id                        Identity
	attributes, relationships string
}

func things() *Registry {
	r := NewRegistry(func(id Identity, attributes, relationships []byte) any {
		return &unregistered{id, string(attributes), string(relationships)}
	})
	Register(r, thingType(), "thing", "thingy")
	return r
}

// decode reads a document of things.
func decode(body string, o Options) ([]*thing, *Document, []Warning, error) {
	var warnings []Warning
	o.Types, o.Report = things(), func(w Warning) { warnings = append(warnings, w) }
	items, doc, err := Decode([]byte(body), thingType(), o)
	return items, doc, warnings, err
}

// value calls read with a decoder that is at value, and requires that it reads exactly the value.
func value[V any](t *testing.T, value string, read func(*Decoder) V) (V, []string) {
	t.Helper()
	var problems []string
	d := &Decoder{types: things(), report: func(w Warning) { problems = append(problems, w.Problem) }}
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
