package terminal49_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/internal/testkit/naive"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
)

// These tests compare our own decoder with encoding/json, value by value.

// FuzzDocument reads bytes as a list of any resource type, by the decoder and by clients,
// leniently, strictly and with raw JSON. Values that both readers understand must be equal; values
// of another kind must be empty.
func FuzzDocument(f *testing.F) {
	list, known := terminal49.DocumentReaders(f)
	for i, body := range append(seedDocuments(f, list, known), documentCases()...) {
		kind := i
		if doc, ok := naive.ReadDocument(body); ok && len(doc.Primary) > 0 {
			kind = slices.IndexFunc(list, func(r terminal49.DocumentReader) bool { return r.Name == doc.Primary[0].Type })
		}
		f.Add(body, uint8(max(kind, 0)))
	}
	f.Fuzz(func(t *testing.T, body []byte, kind uint8) { checkDocument(t, list[int(kind)%len(list)], known, body) })
}

// documentCases returns inputs that were once read wrongly, and unusual ones that seeds do not
// have.
func documentCases() (bodies [][]byte) {
	for _, body := range []string{
		`{"data":{"id":"1","type":"port","relationships":{"terminals":{"data":[{"type":"terminal","id":"1"},{"type":"rail_terminal","id":"2"}]}}},"included":[{"id":"2","type":"rail_terminal"}]}`,
		`{"data":[{"id":"1","type":"container","attributes":{"number":"\xff\xfe\"}}]}`,
		"{\"data\":[{\"id\":\"\xff\xfe\",\"type\":\"container\"}]}",
		`{"data":[{"id":"1","type":"container","attributes":{"equipment_length":9007199254740993.0,"weight_in_lbs":1e400,"NUMBER":"A","number":"B"}}]}`,
		`{"data":[{"id":"1","type":"container","attributes":{"equipment_length":0,"weight_in_lbs":-0.0}}]}`,
		`{"data":[{"id":"1","type":"container","attributes":{"equipment_length":"4e1","weight_in_lbs":"0x10","seal_number":12345678901234567890123}}]}`,
		`{"data":[{"id":"1","type":"container","attributes":{"fees_at_pod_terminal":[{"amount":"1e999999999"},{"amount":0.1},{"amount":"12.50"}],"holds_at_pod_terminal":[null,7]}}]}`,
		`{"data":[{"id":"1","type":"container_updated_event","attributes":{"changeset":{"a":[1],"b":[1,2,3],"c":[1,{"d":2}],"e":7,"f":[]}}}]}`,
		`{"data":[{"id":"1","type":"shipment","attributes":{"tags":["a"],"tags":["b"],"customer_name":"\ud800\u0041"}},{"id":"1","type":"shipment"}]}`,
		`{"data":[{"type":"shipment","id":"1","relationships":{"destination":{"id":"2","type":"port"}}}],"included":[{"relationships":{},"attributes":{"name":"P"},"type":"port","id":"2"},{"id":"2","type":"port"}]}`,
	} {
		bodies = append(bodies, []byte(body))
	}
	return bodies
}

func checkDocument(t *testing.T, r terminal49.DocumentReader, known terminal49.DocumentShapes, body []byte) {
	client := testkit.NewClient(t, testkit.Answer(200, string(body)))
	items, doc, err := r.Decode(body)
	if err == nil && !json.Valid(body) {
		t.Fatal("what is not JSON was read")
	}
	second, plain := &naive.Document{}, false
	if err == nil {
		second, plain = naive.ReadDocument(body)
	}
	if r.Page != nil {
		checkPages(t, r, client, comparison{T: t, known: known, naive: second}, err == nil, plain)
	}
	if !plain {
		return
	}
	c := comparison{T: t, known: known, naive: second, index: doc.Index}
	c.resources("decoder", items)
	for i, resource := range second.Included {
		if second.Find(resource.Type, resource.ID) == resource {
			c.resource(fmt.Sprintf("included[%d]", i), resource,
				doc.Index.Lookup(jsonapi.Ref{Type: resource.Type, ID: resource.ID}))
		}
	}
}

// checkPages reads the bytes as clients do: leniently, with raw JSON and strictly.
func checkPages(t *testing.T, r terminal49.DocumentReader, client *terminal49.Client, c comparison, read, plain bool) {
	for mode, opts := range map[string][]terminal49.CallOption{"client": nil, "raw": {terminal49.WithRawJSON()},
		"strict": {terminal49.WithStrictDecoding()}} {
		items, links, size, err := r.Page(t.Context(), client, opts...)
		var unread *terminal49.DecodeError
		switch {
		case err != nil && !errors.As(err, &unread):
			t.Fatalf("%s: %v", mode, err)
		case err == nil && !read, err != nil && read && (mode != "strict" || len(unread.Warnings) == 0):
			t.Fatalf("%s: %v, and the decoder could read it: %v", mode, err, read)
		}
		if err != nil || !plain {
			continue
		}
		c.raw = mode == "raw"
		c.resources(mode, items)
		if next := c.naive.Links["next"]; len(next) == 1 && links.Next != c.naive.Links.Text("next") {
			t.Fatalf("%s: next %q, sent %s", mode, links.Next, next)
		}
		if sent, ok := c.naive.Meta.Once("size"); ok {
			want, v := naive.ReadInt(sent)
			if got := size.Or(-1); v == naive.MustBeThis && got != max(want, -1) || v == naive.MustBeEmpty && got != -1 {
				t.Fatalf("%s: size %v, sent %s", mode, size, sent)
			}
		}
	}
}

// comparison compares decoded values with those of encoding/json.
type comparison struct {
	*testing.T
	known terminal49.DocumentShapes
	naive *naive.Document
	index *jsonapi.Index // nil if only the primary data is available
	raw   bool           // raw JSON was requested
}

// resources compares the primary data.
func (c comparison) resources(mode string, got []any) {
	if len(got) != len(c.naive.Primary) {
		c.Fatalf("%s: %d resources, want %d", mode, len(got), len(c.naive.Primary))
	}
	for i, item := range got {
		c.resource(fmt.Sprintf("%s: data[%d]", mode, i), c.naive.Primary[i], item)
	}
}

func (c comparison) resource(at string, want *naive.Resource, got any) {
	if unknown, ok := got.(*terminal49.UnknownResource); ok {
		attributes, relationships := naive.ReadObject(want.Raw)["attributes"], naive.ReadObject(want.Raw)["relationships"]
		for _, pair := range []struct {
			sent []json.RawMessage
			kept json.RawMessage
		}{{attributes, unknown.Attributes}, {relationships, unknown.Relationships}} {
			if len(pair.sent) == 1 && string(pair.sent[0]) != "null" && !bytes.Equal(pair.sent[0], pair.kept) {
				c.Fatalf("%s: %s kept as %s", at, pair.sent[0], pair.kept)
			}
		}
	}
	identity := terminal49.ResourceOf(got)
	if identity.ID != want.ID || identity.Type != want.Type || identity.Self != want.Self {
		c.Fatalf("%s: %q %q %q, want %q %q %q", at, identity.Type, identity.ID, identity.Self, want.Type, want.ID, want.Self)
	}
	if c.raw && !bytes.Equal(identity.Raw(), want.Raw) || !c.raw && identity.Raw() != nil {
		c.Fatalf("%s: raw %s, want %s", at, identity.Raw(), want.Raw)
	}
	v := reflect.ValueOf(got).Elem()
	c.members(at, want.Attributes, v)
	members := c.known[v.Type()]
	used := map[int]int{} // two names may lead to one field
	for name := range want.Relationships {
		if field, ok := members.Relationships[name]; ok {
			used[field] += len(want.Relationships[name])
		}
	}
	for name, field := range members.Relationships {
		if sent, ok := want.Relationships.Once(name); ok && used[field] == 1 {
			c.relationship(at+"."+name, sent, v.Field(field))
		} else if used[field] == 0 && !v.Field(field).IsZero() {
			c.Fatalf("%s.%s: made out of nothing", at, name)
		}
	}
}

func (c comparison) members(at string, sent naive.Object, got reflect.Value) {
	for name, field := range c.known[got.Type()].Attributes {
		switch raw, ok := sent.Once(name); {
		case ok:
			c.value(at+"."+name, raw, got.Field(field))
		case len(sent[name]) == 0 && !got.Field(field).IsZero():
			c.Fatalf("%s.%s: %v was made out of nothing", at, name, got.Field(field))
		}
	}
}

func (c comparison) same(at string, raw json.RawMessage, v naive.Expected, got reflect.Value, equal func() bool) {
	if v == naive.MustBeThis && !equal() || v == naive.MustBeEmpty && !got.IsZero() {
		c.Fatalf("%s: %s was read as %v", at, raw, got)
	}
}

// value compares one value by the Go type it was read into.
func (c comparison) value(at string, raw json.RawMessage, got reflect.Value) {
	switch v := got.Interface().(type) {
	case terminal49.Time:
		if strings.Contains(at, "import_deadlines.pickup_lfd_") && raw[0] == '{' { // the current value of a source
			current, once := naive.ReadObject(raw).Once("current")
			if !once {
				return
			}
			raw = current
		}
		moment, day, how := naive.ReadMoment(raw)
		c.same(at, raw, how, got, func() bool {
			gotMoment, gotDay := v.Moment()
			return gotMoment.Equal(moment) && gotDay == day
		})
	case decimal.Decimal:
		exact, how := naive.ReadAmount(raw)
		c.same(at, raw, how, got, func() bool { return v.Rat().Cmp(exact) == 0 })
		if how == naive.Either && exact != nil && !v.IsZero() && v.Rat().Cmp(exact) != 0 {
			c.Fatalf("%s: %s was read as %v", at, raw, v)
		}
	case terminal49.Secret:
		text, ok := naive.ReadText(raw)
		c.same(at, raw, understood(ok), got, func() bool { return v.Reveal() == text })
	case json.RawMessage:
		c.same(at, raw, understood(raw[0] == '{'), got, func() bool { return bytes.Equal(v, raw) })
	case terminal49.RawJSON:
		written, err := json.Marshal(json.RawMessage(raw))
		require.NoError(c, err)
		c.same(at, raw, understood(string(raw) != "null"), got, func() bool { return string(v) == string(written) })
	case terminal49.CustomFieldValue:
		var compact bytes.Buffer
		require.NoError(c, json.Compact(&compact, raw))
		c.same(at, raw, naive.MustBeThis, got, func() bool { return bytes.Equal(v.JSON(), compact.Bytes()) })
	case terminal49.ProvidedData:
		c.provided(at, raw, v)
	case terminal49.Changeset:
		terminal49.CheckAsSent(c.T, v, raw)
	default:
		c.plain(at, raw, got)
	}
}

func understood(ok bool) naive.Expected {
	if ok {
		return naive.MustBeThis
	}
	return naive.MustBeEmpty
}

// plain compares texts, numbers, booleans, and lists and objects of them.
func (c comparison) plain(at string, raw json.RawMessage, got reflect.Value) {
	switch {
	case got.Kind() == reflect.Pointer && raw[0] == '{':
		c.members(at, naive.ReadObject(raw), got.Elem())
	case got.Kind() == reflect.Pointer:
		c.same(at, raw, naive.MustBeEmpty, got, nil)
	case got.Kind() == reflect.String:
		text, ok := naive.ReadText(raw)
		if strings.HasSuffix(at, ".entity_type") && text == "Cargo" {
			text = string(terminal49.CustomFieldEntityContainer) // the service's own wording
			c.same(at, raw, naive.Either, got, nil)
			return
		}
		c.same(at, raw, understood(ok), got, func() bool { return got.String() == text })
	case got.Kind() == reflect.Bool:
		c.same(at, raw, understood(string(raw) == "true"), got, got.Bool)
	case got.Kind() == reflect.Float64:
		f, how := naive.ReadFloat(raw)
		c.same(at, raw, how, got, func() bool { return got.Float() == f })
	case got.Kind() == reflect.Int:
		n, how := naive.ReadInt(raw)
		c.same(at, raw, how, got, func() bool { return got.Int() == int64(n) })
	case got.Kind() == reflect.Slice:
		c.list(at, raw, got)
	case strings.HasPrefix(got.Type().Name(), "Opt["):
		c.optional(at, raw, got)
	default:
		c.members(at, naive.ReadObject(raw), got)
	}
}

func (c comparison) list(at string, raw json.RawMessage, got reflect.Value) {
	sent, ok := naive.ReadList(raw)
	if !ok {
		c.same(at, raw, naive.MustBeEmpty, got, nil)
		return
	}
	isText := got.Type().Elem().Kind() == reflect.String
	sent = slices.DeleteFunc(slices.Clone(sent), func(e json.RawMessage) bool {
		_, text := naive.ReadText(e)
		return string(e) == "null" || isText && !text
	})
	if got.IsNil() || got.Len() != len(sent) {
		c.Fatalf("%s: %s was read as %v", at, raw, got)
	}
	for i, element := range sent {
		c.plain(fmt.Sprintf("%s[%d]", at, i), element, got.Index(i))
	}
}

// optional compares the three states: missing, null and a value.
func (c comparison) optional(at string, raw json.RawMessage, got reflect.Value) {
	value := got.Field(0)
	missing, null, some := terminal49.OptState(got)
	var v naive.Expected
	switch value.Kind() {
	case reflect.Bool:
		v = understood(string(raw) == "true" || string(raw) == "false")
	case reflect.Float64:
		_, v = naive.ReadFloat(raw)
	case reflect.Int:
		_, v = naive.ReadInt(raw)
	default:
		v = understood(raw[0] == '{')
	}
	if isMeasure(at) && v == naive.MustBeThis && value.IsZero() { // 0 is sent for unknown
		v = naive.MustBeEmpty
	}
	switch {
	case string(raw) == "null":
		v = naive.MustBeEmpty
		if !null {
			c.Fatalf("%s: null was read as %v", at, got)
		}
	case v == naive.MustBeThis && !some || v == naive.MustBeEmpty && !missing:
		c.Fatalf("%s: %s was read as %v", at, raw, got)
	}
	if value.Kind() == reflect.Struct { // its fields are readable only if it is not in an unexported one
		value = got.MethodByName("Get").Call(nil)[0]
	}
	c.plain(at, raw, value)
}

func isMeasure(at string) bool {
	return strings.HasSuffix(at, ".equipment_length") || strings.HasSuffix(at, ".weight_in_lbs")
}

func (c comparison) provided(at string, raw json.RawMessage, got terminal49.ProvidedData) {
	sent := naive.ReadObject(raw)
	if (got == nil) != (sent == nil) {
		c.Fatalf("%s: %s was read as %v", at, raw, got)
	}
	for fact, p := range got {
		reported, times := sent.Once(fact)
		note, noted := sent.Once(fact + "_notes")
		text, _ := naive.ReadText(note)
		if strings.HasSuffix(fact, "_notes") || sent.Repeats(fact, fact+"_notes") || !times && !noted {
			continue
		}
		want := terminal49.Opt[bool]{}
		switch {
		case !times:
		case string(reported) == "null":
			want = terminal49.Null[bool]()
		case string(reported) == "true" || string(reported) == "false":
			want = terminal49.Some(string(reported) == "true")
		}
		if p.Reported != want || p.Notes != text {
			c.Fatalf("%s: %s was read as %v", at, raw, got)
		}
	}
}

// relationship compares a relationship with its linkage, and the resolved resource with that of the
// document.
func (c comparison) relationship(at string, raw json.RawMessage, got reflect.Value) {
	many, isMany := got.Addr().Interface().(interface {
		IDs() []string
		State() terminal49.RelationshipState
	})
	refs, reported, plain := naive.ReadLinkage(raw, isMany)
	if !plain {
		return
	}
	if isMany {
		c.toMany(at, raw, refs, reported, many.IDs(), many.State(), got)
		return
	}
	one := got.Addr().Interface().(interface {
		ID() string
		Type() string
		State() terminal49.RelationshipState
	})
	var id, typ string
	if len(refs) > 0 {
		typ, id = refs[0].Type, refs[0].ID
	}
	if one.ID() != id || one.Type() != typ || reported != (one.State() != terminal49.RelationshipAbsent) || reported && (id == "") != (one.State() == terminal49.RelationshipNull) {
		c.Fatalf("%s: %s was read as %v %q %q", at, raw, one.State(), one.Type(), one.ID())
	}
	value := got.FieldByName("value")
	if c.index != nil && id != "" {
		c.points(at, refs[0], value, one.State() == terminal49.RelationshipIncluded)
	}
}

func (c comparison) toMany(at string, raw json.RawMessage, refs []naive.Ref, reported bool, ids []string, state terminal49.RelationshipState, got reflect.Value) {
	if reported != (state != terminal49.RelationshipAbsent) || len(ids) != len(refs) || reported && (len(refs) == 0) != (state == terminal49.RelationshipNull) {
		c.Fatalf("%s: %s was read as %v %q", at, raw, state, ids)
	}
	values := got.FieldByName("values")
	next := 0
	for i, ref := range refs {
		if ids[i] != ref.ID {
			c.Fatalf("%s: %s was read as %q", at, raw, ids)
		}
		if c.index == nil {
			continue
		}
		if carried := c.index.Lookup(jsonapi.Ref{Type: ref.Type, ID: ref.ID}); carried != nil &&
			reflect.TypeOf(carried) == values.Type().Elem() {
			if next == values.Len() {
				c.Fatalf("%s: %v came along and is not among the values", at, ref)
			}
			c.points(at, ref, values.Index(next), true)
			next++
		}
	}
	if c.index != nil && (next != values.Len() ||
		(state == terminal49.RelationshipIncluded) != (next == len(refs) && next > 0)) {
		c.Fatalf("%s: %d values, %d of %d came along: %v", at, values.Len(), next, len(refs), state)
	}
}

// points checks that a relationship has the same resource as the document.
func (c comparison) points(at string, ref naive.Ref, value reflect.Value, included bool) {
	carried := c.index.Lookup(jsonapi.Ref{Type: ref.Type, ID: ref.ID})
	fits := carried != nil && reflect.TypeOf(carried).AssignableTo(value.Type())
	if fits != included {
		c.Fatalf("%s: %v is included: %v, the document has it: %v", at, ref, included, fits)
	}
	if (carried == nil) != (c.naive.Find(ref.Type, ref.ID) == nil) {
		c.Fatalf("%s: %v is in the index: %v", at, ref, carried != nil)
	}
	if value.Kind() == reflect.Interface {
		value = value.Elem()
	}
	if included && value.Pointer() != reflect.ValueOf(carried).Pointer() {
		c.Fatalf("%s: %v leads to another resource", at, ref)
	}
}

// What a form of a document is to the client.
const (
	formRead     = "read"     // as if the member were absent, or had its usual form
	formReported = "reported" // the rest is read, and the member is a decode warning
	formRefused  = "refused"  // a *DecodeError
)

// jsonapiForms are documents with a shipment that has id S, type shipment and the bill of lading B.
// The first form of a member is what JSON:API 1.1 allows; where the answer is "reported" or
// "refused", the section that is named forbids it. Errors beside data are forbidden too, and
// reported in strict decoding only. $ stands for the usual resource.
var jsonapiForms = []struct{ section, name, doc, want string }{
	{"5.1 Top Level", "data alone", `{"data":$}`, formRead},
	{"5.1 Top Level", "data last", `{"links":{},"meta":{},"included":[],"jsonapi":{},"data":$}`, formRead},
	{"5.1 Top Level", "data absent", `{"meta":{}}`, formRefused},
	{"5.1 Top Level", "data a string", `{"data":"S"}`, formRefused},
	{"5.1 Top Level", "data a number", `{"data":1}`, formRefused},
	{"5.1 Top Level", "data true", `{"data":true}`, formRefused},
	{"5.1 Top Level", "an array instead of a document", `[$]`, formRefused},
	{"5.1 Top Level", "errors alone", `{"errors":[{"title":"x"}]}`, formRefused},
	{"5.1 Top Level", "errors beside data", `{"errors":[{"title":"x"}],"data":$}`, formReported},
	{"5.1 Top Level", "errors null beside data", `{"errors":null,"data":$}`, formRead},
	{"5.1 Top Level", "meta an object", `{"data":$,"meta":{"copyright":"c","n":[{}]}}`, formRead},
	{"5.1 Top Level", "an extension's member", `{"data":$,"version:id":"42"}`, formRead},
	{"5.5 Meta Information", "meta an array", `{"data":$,"meta":[]}`, formReported},
	{"5.5 Meta Information", "meta a string", `{"data":$,"meta":"m"}`, formReported},
	{"5.5 Meta Information", "meta a number", `{"data":$,"meta":1}`, formReported},
	{"5.5 Meta Information", "meta null", `{"data":$,"meta":null}`, formRead},
	{"5.6.1 Link Objects", "links with objects", `{"data":$,"links":{"self":{"href":"/s","title":"t","meta":{}}}}`, formRead},
	{"5.6 Links", "links null", `{"data":$,"links":{"self":null,"next":null}}`, formRead},
	{"5.6 Links", "links described by", `{"data":$,"links":{"describedby":{"href":"/schema"},"related":"/r"}}`, formRead},
	{"5.6 Links", "self a number", `{"data":$,"links":{"self":1}}`, formReported},
	{"5.6 Links", "self an array", `{"data":$,"links":{"self":["/s"]}}`, formReported},
	{"5.6.1 Link Objects", "self without href", `{"data":$,"links":{"self":{"meta":{}}}}`, formReported},
	{"5.6 Links", "links an array", `{"data":$,"links":[]}`, formReported},
	{"5.7 JSON:API Object", "version", `{"data":$,"jsonapi":{"version":"1.1","ext":["e"],"profile":["p"],"meta":{}}}`, formRead},
	{"5.7 JSON:API Object", "a text", `{"data":$,"jsonapi":"1.0"}`, formRead},
	{"5.8 Member Names", "@-members", `{"@context":{"data":null},"data":$,"@data":[]}`, formRead},
	{"5.4 Compound Documents", "included empty", `{"data":$,"included":[]}`, formRead},
	{"5.4 Compound Documents", "included of an unknown type", `{"data":$,"included":[{"type":"boat","id":"1"}]}`, formRead},
	{"5.4 Compound Documents", "included has the same resource twice", `{"data":$,"included":[{"type":"port","id":"1"},{"type":"port","id":"1"}]}`, formRead},
	{"5.4 Compound Documents", "included twice", `{"data":$,"included":[{"type":"port","id":"1"}],"included":[{"type":"port","id":"2"}]}`, formRead},
	{"5.4 Compound Documents", "included an object", `{"data":$,"included":{"type":"port","id":"1"}}`, formReported},
	{"5.4 Compound Documents", "included has a string", `{"data":$,"included":["1"]}`, formReported},
	{"5.4 Compound Documents", "included null", `{"data":$,"included":null}`, formRead},
	{"5.2 Resource Objects", "members last", `{"data":{"attributes":{"bill_of_lading_number":"B"},"id":"S","type":"shipment"}}`, formRead},
	{"5.2 Resource Objects", "links and meta of a resource", `{"data":{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"},"links":{"self":{"href":"/s"}},"meta":{"a":1}}}`, formRead},
	{"5.2 Resource Objects", "links of a resource null", `{"data":{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"},"links":null}}`, formRead},
	{"5.2 Resource Objects", "links of a resource an array", `{"data":{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"},"links":[]}}`, formReported},
	{"5.2 Resource Objects", "no relationships", `{"data":{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"},"relationships":{}}}`, formRead},
	{"5.2 Resource Objects", "relationships an array", `{"data":{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"},"relationships":[]}}`, formReported},
	{"5.2 Resource Objects", "attributes of an @-member", `{"data":{"type":"shipment","id":"S","@type":"boat","attributes":{"@id":1,"bill_of_lading_number":"B"}}}`, formRead},
	{"5.2.1 Identification", "type an unknown one", `{"data":{"type":"boat","id":"S","attributes":{"bill_of_lading_number":"B"}}}`, formRead},
	{"5.2.1 Identification", "id a number, read as its digits", `{"data":{"type":"shipment","id":7,"attributes":{"bill_of_lading_number":"B"}}}`, formRead},
	{"5.2.1 Identification", "id an object", `{"data":{"type":"shipment","id":{},"attributes":{"bill_of_lading_number":"B"}}}`, formReported},
	{"5.2.1 Identification", "type an array", `{"data":{"type":["shipment"],"id":"S","attributes":{"bill_of_lading_number":"B"}}}`, formReported},
	{"5.2.4 Relationships", "with links alone", `{"data":{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"},"relationships":{"port_of_lading":{"links":{"related":{"href":"/p"}}}}}}`, formRead},
	{"5.2.4 Relationships", "with meta alone", `{"data":{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"},"relationships":{"port_of_lading":{"meta":{"n":1}}}}}`, formRead},
	{"5.2.4 Relationships", "linkage null", `{"data":{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"},"relationships":{"port_of_lading":{"data":null}}}}`, formRead},
	{"5.2.4 Relationships", "linkage with meta", `{"data":{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"},"relationships":{"port_of_lading":{"data":{"type":"port","id":"1","meta":{}}}}}}`, formRead},
	{"5.2.4 Relationships", "many where one is meant", `{"data":{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"},"relationships":{"port_of_lading":{"data":[{"type":"port","id":"1"}]}}}}`, formReported},
	{"5.2.4 Relationships", "one where many are meant", `{"data":{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"},"relationships":{"containers":{"data":{"type":"container","id":"1"}}}}}`, formReported},
	{"5.2.4 Relationships", "linkage a string", `{"data":{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"},"relationships":{"port_of_lading":{"data":"1"}}}}`, formReported},
	{"5.2.4 Relationships", "a string", `{"data":{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"},"relationships":{"port_of_lading":"1"}}}`, formReported},
}

func TestJSONAPI_FormsOfADocument(t *testing.T) {
	const usual = `{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"}}`
	for _, form := range jsonapiForms {
		for name, read := range shipmentReads {
			var warnings int
			client := testkit.NewClient(t, testkit.Answer(200, strings.ReplaceAll(form.doc, "$", usual)),
				terminal49.WithHooks(terminal49.Hooks{OnDecodeWarning: func(context.Context, terminal49.DecodeWarning) { warnings++ }}))
			found, err := read(t.Context(), client)
			at := form.section + ", " + form.name + ", " + name
			if noID := strings.HasPrefix(form.name, "id an"); form.want == formRefused || noID && name == "Get" {
				var unread *terminal49.DecodeError
				require.ErrorAs(t, err, &unread, at)
				continue
			}
			if strings.Contains(form.doc, `"links":[]}`) && !strings.HasPrefix(form.section, "5.2") && (name == "All" || name == "Pages") {
				require.ErrorIs(t, err, terminal49.ErrPagination, at)
			} else {
				require.NoError(t, err, at)
			}
			require.Len(t, found, 1, at)
			require.Equal(t, "B", found[0].BillOfLadingNumber, at)
			require.Equal(t, form.want == formReported, warnings > 0, "%s: %d warnings", at, warnings)
		}
	}
}

// shipmentReads are the ways in which a client reads a document with a shipment.
var shipmentReads = map[string]func(context.Context, *terminal49.Client) ([]*terminal49.Shipment, error){
	"Get": func(ctx context.Context, c *terminal49.Client) ([]*terminal49.Shipment, error) {
		one, err := c.Shipments.Get(ctx, testkit.ShipmentID, nil)
		return []*terminal49.Shipment{one}, err
	},
	"List": func(ctx context.Context, c *terminal49.Client) ([]*terminal49.Shipment, error) {
		page, err := c.Shipments.List(ctx, nil)
		if err != nil {
			return nil, err
		}
		return page.Items, nil
	},
	"All": func(ctx context.Context, c *terminal49.Client) ([]*terminal49.Shipment, error) {
		return testkit.Drain(c.Shipments.All(ctx, nil))
	},
	"Pages": func(ctx context.Context, c *terminal49.Client) (all []*terminal49.Shipment, err error) {
		pages, err := testkit.Drain(c.Shipments.Pages(ctx, nil))
		for _, page := range pages {
			all = append(all, page.Items...)
		}
		return all, err
	},
}
