package jsonapi

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDecode(t *testing.T) {
	items, doc, warnings, err := decode(`{
		"data":[{"id":"1","type":"thing","links":{"self":"/things/1","other":1},"attributes":{"text":"a"},
			"relationships":{"one":{"data":{"type":"other","id":"9"}}}},{"id":"2","type":"thing"}],
		"included":[{"type":"other","id":"9","attributes":{"x":1}},{"id":"3","type":"thingy"}],
		"links":{"self":"s","current":"c","first":"f","prev":null,"next":"n","last":"l","odd":{}},
		"meta":{"size":2,"total":"5","pagination":{"records":5}},"jsonapi":{"version":"1.0"}}`, Options{})
	require.NoError(t, err)
	require.Empty(t, warnings)
	require.Len(t, items, 2)
	require.Equal(t, Identity{Type: "thing", ID: "1", Self: "/things/1"}, items[0].id)
	require.True(t, items[0].finished)
	require.True(t, items[0].found)
	require.False(t, items[1].found)
	require.Equal(t, Links{"s", "c", "f", "", "n", "l"}, doc.Links)
	require.Equal(t, Meta{2, 5}, doc.Meta)
	require.True(t, doc.HasData)
	require.Same(t, items[0], doc.Index.Lookup(Ref{"thing", "1"}))
	require.Equal(t, "3", doc.Index.Lookup(Ref{"thingy", "3"}).(*thing).id.ID)
	require.Equal(t, `{"x":1}`, doc.Index.Lookup(Ref{"other", "9"}).(*unregistered).attributes)
	require.Nil(t, doc.Index.Lookup(Ref{"thing", "9"}))
	require.True(t, doc.Index.Has("other"))
	require.False(t, doc.Index.Has("nothing"))
}

func TestDecode_WithoutData(t *testing.T) {
	for body, hasData := range map[string]bool{`{"data":null}`: false, `{"data":[]}`: true} {
		items, doc, _, err := decode(body, Options{})
		require.NoError(t, err)
		require.Empty(t, items)
		require.Equal(t, hasData, doc.HasData)
		require.Equal(t, Meta{-1, -1}, doc.Meta)
		require.Nil(t, doc.Index.Lookup(Ref{"thing", "1"}), "an empty index is usable")
		require.False(t, doc.Index.Has("thing"))
	}
	for _, body := range []string{`{}`, `{"meta":{}}`, `[]`, `7`, `"x"`, `null`} {
		_, _, _, err := decode(body, Options{})
		require.ErrorIs(t, err, ErrNotDocument, body)
	}
}

// The index of a document that is returned without one is used again, and nothing of it remains.
// Source: JSON:API 1.0, compound documents: an included resource is one that the
// document itself carries.
func TestDecode_UnindexedFindsOnlyItsOwnResources(t *testing.T) {
	const first = `{"data":{"type":"thing","id":"1","relationships":{"one":{"data":{"type":"thing","id":"2"}}}}%s}`
	for range 20 {
		for included, want := range map[string]bool{`,"included":[{"type":"thing","id":"2"}]`: true, "": false} {
			items, doc, _, err := decode(fmt.Sprintf(first, included), Options{Unindexed: true})
			require.NoError(t, err)
			require.Nil(t, doc.Index)
			require.Equal(t, want, items[0].found)
			items, doc, _, err = decode(fmt.Sprintf(first, included), Options{ItemsOnly: true})
			require.NoError(t, err)
			require.Nil(t, doc)
			require.Equal(t, want, items[0].found)
		}
	}
}

func TestIndex_PrefersThePrimaryThenTheFirst(t *testing.T) {
	items, doc, _, err := decode(`{"included":[{"type":"thing","id":"1"},{"type":"x","id":"1","attributes":1},{"type":"x","id":"1","attributes":2}],
		"data":{"type":"thing","id":"1"}}`, Options{})
	require.NoError(t, err)
	require.Same(t, items[0], doc.Index.Lookup(Ref{"thing", "1"}))
	require.Equal(t, "1", doc.Index.Lookup(Ref{"x", "1"}).(*unregistered).attributes)
}

func TestDecode_ItemsKeepTheirAddress(t *testing.T) {
	body := []byte(`{"data":[`)
	for i := range 100 {
		if i > 0 {
			body = append(body, ',')
		}
		body = append(body, `{"type":"thing","id":"`...)
		body = append(body, byte('0'+i/10), byte('0'+i%10))
		body = append(body, `"}`...)
	}
	items, doc, _, err := decode(string(body)+`]}`, Options{})
	require.NoError(t, err)
	require.Len(t, items, 100)
	for _, item := range items {
		require.Same(t, item, doc.Index.Lookup(Ref{"thing", item.id.ID}))
	}
}

// The members of a JSON object have no order (RFC 8259, section 4).
func TestDecode_ReadsMembersInAnyOrder(t *testing.T) {
	registry := things()
	for _, members := range []string{
		`"text":"a","number":1,"flag":true,"inner":{"name":"n"}`, `"number":1,"text":"a","inner":{"name":"n"},"flag":true`,
		`"text":null,"inner":{"name":"n"},"odd":{},"flag":true,"number":1,"text":"a"`, ` "flag" : true , "inner":{"name":"n"},"number":1,"text":"a"`,
	} {
		for range 2 { // the second time with the order that was read before
			items, _, err := Decode[thing]([]byte(`{"data":[{"type":"thing","id":"1","attributes":{`+members+`}}]}`), Options{Types: registry})
			require.NoError(t, err, members)
			require.Equal(t, thing{
				id: items[0].id, text: "a", number: 1, flag: true, inner: part{"n"}, finished: true, resolved: true,
			}, *items[0], members)
		}
	}
}

// Included resources are the same with their type behind their other members, whatever the type of
// the resource before is: the members of a JSON object have no order.
func TestDecode_ReadsMembersBeforeTheType(t *testing.T) {
	const thing, other = `"type":"thing"`, `"type":"other"`
	parts := []string{
		`"attributes":{"text":"a","number":1,"words":["b"],"parts":[{"name":"p"},{}]}`, `"attributes":{"text":{},"number":"x","odd":1}`,
		`"relationships":{"many":{"data":[{"id":"1","type":"thing"}]},"odd":{}}`, `"relationships":7`, `"attributes":null`, `"attributes":{}`,
	}
	var included [2][]string // the type first, and last
	for i, typ := range []string{thing, thing, other, thing, `"type":"thingy"`, other, `"x":1`} {
		for j, part := range append(parts, parts[0]+","+parts[2], parts[2]+","+parts[1], parts[3]+","+parts[0]) {
			id := fmt.Sprintf(`"id":"%d-%d"`, i, j)
			included[0] = append(included[0], "{"+id+","+typ+","+part+"}")
			included[1] = append(included[1], "{"+part+","+id+","+typ+"}")
		}
	}
	read := func(included []string) (values []any, warnings []Warning) {
		_, doc, warnings, err := decode(`{"data":[],"included":[`+strings.Join(included, ",")+`]}`, Options{Strict: true})
		require.NoError(t, err)
		doc.Index.All(func(v any) bool { values = append(values, v); return true })
		return values, warnings
	}
	values, warnings := read(included[0])
	again, repeated := read(included[1])
	require.NotEmpty(t, warnings)
	require.Len(t, values, len(included[0]))
	for i := range values {
		require.Equal(t, values[i], again[i], included[1][i])
	}
	require.ElementsMatch(t, warnings, repeated)
}

// The elements of arrays are counted once, whether the type comes first or last.
func TestDecode_CountsElementsBeforeTheType(t *testing.T) {
	words := `"attributes":{"words":[` + strings.TrimSuffix(strings.Repeat(`"",`, maxResources/2), ",") + `]}`
	for types, fits := range map[string]bool{
		"thing": true, "thing thing": true, "thing other thing": true, "thing thing thing": false, "thing other thing thing": false,
	} {
		for _, form := range []string{`{"type":"%s",` + words + `}`, `{` + words + `,"type":"%s"}`} {
			var included []string
			for _, typ := range strings.Fields(types) {
				included = append(included, fmt.Sprintf(form, typ))
			}
			_, _, _, err := decode(`{"data":[],"included":[`+strings.Join(included, ",")+`]}`, Options{})
			require.Equal(t, fits, err == nil, "%s: %v", types, err)
		}
	}
}

// The grammar is that of RFC 8259, also for members in front of the type.
func TestDecode_ChecksWhatIsBeforeTheType(t *testing.T) {
	for members, valid := range map[string]bool{
		`{}`: true, `{"text":"}\"{"}`: true, `{"x":[{"y":"\\"}]}`: true, `null`: true, `[1,{}]`: true, `{"text":"123456\"}"}`: true,
		`{"x":[}`: false, `{"x":1]}`: false, `{"x":{}`: false, `{"x" "y"}`: false, `{"x":"\q"}`: false, "{\"x\":\"\n\"}": false,
		`{"x":"`: false, `{"x":"\`: false, `{]}`: false, `{"x":1}}`: false,
	} {
		for _, typ := range []string{"thing", "other"} {
			for _, before := range []string{
				`"attributes":` + members, `"relationships":` + members, `"attributes":` + members + `,"attributes":{}`,
			} {
				body := `{"data":[],"included":[{` + before + `,"type":"` + typ + `","id":"1"}]}`
				require.Equal(t, valid, json.Valid([]byte(body)), body)
				_, _, _, err := decode(body, Options{})
				require.Equal(t, valid, err == nil, "%s: %v", body, err)
			}
		}
	}
}

// A function that receives warnings may read another document.
func TestDecode_DocumentsShareNothing(t *testing.T) {
	const outer = `{"data":[{"type":"thing","id":"1","attributes":{"words":["a","b"],"number":"x","text":"a"}}],"meta":{"total":1}}`
	const inner = `{"data":[{"type":"thing","id":"2","attributes":{"words":["c"],"text":"c"}},{"type":"thing","id":"3"}]}`
	registry := things()
	var nested []*thing
	items, doc, err := Decode[thing]([]byte(outer), Options{Types: registry, Report: func(Warning) {
		nested, _, _ = Decode[thing]([]byte(inner), Options{Types: registry})
	}})
	require.NoError(t, err)
	require.Len(t, items, 1)
	require.Equal(t, []string{"a", "b"}, items[0].words)
	require.Equal(t, 1, doc.Meta.Total)
	require.Len(t, nested, 2)
	require.Equal(t, []string{"c"}, nested[0].words)
	require.Nil(t, doc.Index.Lookup(Ref{"thing", "2"}))
}

func TestWarning_NamesItsField(t *testing.T) {
	_, _, warnings, err := decode(`{"data":{"attributes":{"number":"x"},"id":"1","type":"thing","relationships":{"one":{"data":7}}},
		"included":[{"attributes":{"inner":{"name":[]}},"id":"2","type":"thing"},7],"meta":{"total":true}}`, Options{})
	require.NoError(t, err)
	require.Len(t, warnings, 5)
	require.Equal(t, "number", warnings[0].Field)
	require.Equal(t, Warning{"thing", "1", "one", "want an object, got a number"}, warnings[1])
	require.Equal(t, Warning{"thing", "2", "inner.name", "want a string, got an array"}, warnings[2])
	require.Equal(t, Warning{Field: "included", Problem: "want a resource object, got a number"}, warnings[3])
	require.Equal(t, Warning{Field: "meta.total", Problem: "want a number, got a boolean"}, warnings[4])
}

func TestDecode_StrictReportsUnknownMembers(t *testing.T) {
	const body = `{"data":{"id":"1","type":"thing","attributes":{"odd":1,"inner":{"odder":2}},"relationships":{"oddest":null}}}`
	_, _, warnings, err := decode(body, Options{})
	require.NoError(t, err)
	require.Empty(t, warnings)
	_, _, warnings, err = decode(body, Options{Strict: true})
	require.NoError(t, err)
	require.Len(t, warnings, 3)
}

// JSON:API 1.0, "Document Structure", names the members of each object.
func TestDecode_StrictNamesMembersByPath(t *testing.T) {
	_, _, warnings, err := decode(`{"data":{"id":"1","type":"thing","a":1,"links":{"self":"s","b":{"x":1}},"meta":{"c":1},
		"relationships":{"one":{"data":{"id":"2","type":"thing","meta":{"d":1}},"e":1,"links":{"related":"r","f":1},"meta":7}}},
		"links":{"next":"n","g":1},"meta":{"pagination":{"x":1},"h":1},"jsonapi":{"x":1},"i":1}`, Options{Strict: true})
	require.NoError(t, err)
	var fields []string
	for _, w := range warnings {
		require.Equal(t, "unknown member", w.Problem)
		fields = append(fields, w.ResourceType+" "+w.Field)
	}
	require.Equal(t, []string{"thing a", "thing links.b", "thing meta.c", "thing one.meta.d", "thing one.e", "thing one.links.f",
		" links.g", " meta.h", " i"}, fields)
}

// encoding/json ignores case, and a type that reads itself has the members that it names.
func TestUnknownMembers(t *testing.T) {
	type reply struct {
		Name  string            `json:"name"`
		Parts []*smallPart      `json:"parts"`
		Free  map[string]string `json:"free"`
		Whole json.RawMessage   `json:"whole"`
		Own   own               `json:"own"`
		None  string            `json:"-"`
		_     struct{}          `known:"old"`
	}
	var got []string
	report := func(w Warning) { got = append(got, w.Field) }
	const body = `{"Name":"n","parts":[{"size":1,"a":{}},null,7,{"b":1}],"free":{"x":"y"},"whole":{"x":1},"own":{"mine":1,"c":[]},"None":1,"old":{"x":1},"d":1}`
	require.NoError(t, UnknownMembers(t.Context(), []byte(body), reflect.TypeFor[reply](), report))
	require.Equal(t, []string{"parts.a", "parts.b", "own.c", "None", "d"}, got)
	for _, odd := range []string{`[]`, `7`, `null`, `{"name":`, ``} {
		got = nil
		require.NoError(t, UnknownMembers(t.Context(), []byte(odd), reflect.TypeFor[reply](), report))
		require.Empty(t, got, odd)
	}
}

type smallPart struct {
	Size int `json:"size"`
}

type own struct {
	_ struct{} `known:"mine"`
}

func (*own) UnmarshalJSON([]byte) error { return nil }

func TestDecode_CopiesRawBytes(t *testing.T) {
	body := []byte(`{"data": {"id":"1","type":"thing","x":[1]}}`)
	items, _, err := Decode[thing](body, Options{Types: things(), KeepRaw: true})
	require.NoError(t, err)
	clear(body)
	require.Equal(t, `{"id":"1","type":"thing","x":[1]}`, string(items[0].id.Raw))
}

func TestErrors(t *testing.T) {
	for body, want := range map[string][]ErrorObject{
		`{"errors":[{"title":"a"},{"detail":"b"}]}`:             {{Title: "a"}, {Detail: "b"}},
		`{"error":{"code":"x","source":{"parameter":"p"}}}`:     {{Code: "x", Parameter: "p"}},
		`{"errors":[],"message":"m"}`:                           {{Detail: "m"}},
		`{"errors":null,"error":"e"}`:                           {{Detail: "e"}},
		`{"errors":[{"source":{"pointer":"/x"}}],"detail":"d"}`: {{Detail: "d"}},
		`{"errors":[{"status":503}]}`:                           {{Status: "503"}},
		`{"errors":[{"title":"a","source":[1],"meta":"x"}]}`:    {{Title: "a"}},
		`{"errors":[{"title":"a","meta":{"existing":"id-1"}}]}`: {{Title: "a", Meta: map[string]any{"existing": "id-1"}}},
		`{"errors":["a",["b"],7,null]}`:                         {{Detail: "a"}, {Detail: "7"}},
		`{}`:                                                    nil, `[]`: nil, ``: nil, `<html>`: nil, `null`: nil, `"x"`: nil, `{"errors":{}}`: nil, `{"errors":""}`: nil, `{"data":1}`: nil,
	} {
		require.Equal(t, want, Errors([]byte(body)), body)
	}
}

func TestRequest_Encode(t *testing.T) {
	for want, r := range map[string]Request{
		`{"data":{"type":"a"}}`: {Type: "a"},
		`{"data":{"type":"a","id":"1","attributes":{"x":null},"relationships":{"to":{"data":{"type":"b","id":"2"}}}}}`: {
			Type: "a", ID: "1", Attributes: json.RawMessage(`{"x":null}`), Relationships: map[string]Related{"to": RelatedTo("b", "2")},
		},
	} {
		got, err := r.Encode()
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
}

func TestType_Names(t *testing.T) {
	require.Equal(t, []string{"one", "many"}, things().TypeOf(new(thing)).Relationships())
	require.Contains(t, things().TypeOf(new(thing)).Attributes(), "text")
	require.Equal(t, []string{"name"}, NewTable(thingModel{}, new(part)).Names())
}
