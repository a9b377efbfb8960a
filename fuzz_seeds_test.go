package terminal49_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/catalogue"
	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// The seeds of the fuzz targets are made when a target starts, so that they follow the simulator
// and the tables.

// seedDocuments returns a response of the simulator to each call, a sample of each webhook event,
// each resource type with all its members, and every value of every enumeration.
func seedDocuments(t testing.TB, list []terminal49.DocumentReader, known terminal49.DocumentShapes) [][]byte {
	bodies := testkit.Responses(t, testkit.EveryCall(), func(*terminal49test.Server, testkit.Call) {})
	for _, event := range terminal49.WebhookEvents() {
		bodies = append(bodies, testkit.SampleDelivery(t, event))
	}
	var whole []string
	for _, r := range list {
		whole = append(whole, fmt.Sprintf(`{"id":"1","type":%q,"links":{"self":"/v2/x"},"attributes":%s,"relationships":%s}`,
			r.Name, sampleObject(r.Type, known, known[r.Type].Attributes),
			sampleObject(r.Type, known, known[r.Type].Relationships)))
	}
	for _, resource := range whole {
		bodies = append(bodies, []byte(`{"data":[`+resource+`],"links":{"next":"n"},"meta":{"size":1,"total":"2"}}`))
	}
	bodies = append(bodies, []byte(`{"data":null,"included":[`+strings.Join(whole, ",")+`]}`))
	for _, enum := range catalogue.Enums() {
		path := strings.Split(enum.Name, ".")
		var resources []string
		for i, value := range enum.Values {
			inner := fmt.Sprintf(`{%q:%q}`, path[len(path)-1], value)
			forms := []string{inner}
			if len(path) == 3 { // in an object, or in a list of objects
				forms = []string{fmt.Sprintf(`{%q:%s}`, path[1], inner), fmt.Sprintf(`{%q:[%s]}`, path[1], inner)}
			}
			for j, attributes := range forms {
				resources = append(resources,
					fmt.Sprintf(`{"id":"%d-%d","type":%q,"attributes":%s}`, i, j, path[0], attributes))
			}
		}
		bodies = append(bodies, []byte(`{"data":[],"included":[`+strings.Join(resources, ",")+`]}`))
	}
	// Long inputs are slow to mutate and check, and contain nothing that the others do not.
	return slices.DeleteFunc(bodies, func(body []byte) bool { return len(body) > 16<<10 })
}

// sampleObject returns an object with every member that a type reads.
func sampleObject(typ reflect.Type, known terminal49.DocumentShapes, members map[string]int) string {
	var parts []string
	for name, field := range members {
		parts = append(parts, fmt.Sprintf(`%q:%s`, name, sampleValue(typ.Field(field).Type, known, len(parts))))
	}
	slices.Sort(parts)
	return "{" + strings.Join(parts, ",") + "}"
}

func sampleValue(typ reflect.Type, known terminal49.DocumentShapes, n int) string {
	if members, ok := known[typ]; ok {
		return sampleObject(typ, known, members.Attributes)
	}
	switch reflect.Zero(typ).Interface().(type) {
	case terminal49.Time:
		return fmt.Sprintf("%q", terminal49.SeedTimes()[n%len(terminal49.SeedTimes())])
	case terminal49.Secret:
		return `"secret"`
	case terminal49.CustomFieldValue:
		return `1840.250000`
	case terminal49.ProvidedData:
		return `{"pickup_lfd":true,"pickup_lfd_notes":"n"}`
	case terminal49.Changeset:
		return `{"available_for_pickup":[null,true]}`
	case json.RawMessage:
		return `{"a":[1,{"b":null}]}`
	case decimal.Decimal:
		return `150.10`
	case terminal49.ToOne[terminal49.Place]:
		return `{"data":{"id":"1","type":"metro_area"}}`
	case terminal49.ToOne[terminal49.ReferenceObject], terminal49.ToOne[terminal49.CustomFieldEntity]:
		return `{"data":{"id":"1","type":"container"}}`
	}
	switch {
	case typ.Kind() == reflect.Pointer:
		return sampleValue(typ.Elem(), known, n)
	case typ.Kind() == reflect.String:
		return `"t\u00e9xt \ud83d\ude00\n"`
	case typ.Kind() == reflect.Bool:
		return `true`
	case typ.Kind() == reflect.Float64:
		return `1.5`
	case typ.Kind() == reflect.Int:
		return `"2"`
	case typ.Kind() == reflect.Slice:
		return `[` + sampleValue(typ.Elem(), known, n) + `,null]`
	case strings.HasPrefix(typ.Name(), "Opt["):
		return sampleValue(typ.Field(0).Type, known, n)
	case strings.HasPrefix(typ.Name(), "ToMany["):
		return `{"data":[{"id":"1","type":"` + wireType(typ.Field(1).Type.Elem().Elem()) + `"}]}`
	default: // ToOne
		return `{"data":{"id":"1","type":"` + wireType(typ.Field(2).Type.Elem()) + `"},"links":{"related":"/x"}}`
	}
}

// wireType returns the type on the wire, close enough for a seed: "transport_event" for
// TransportEvent.
func wireType(typ reflect.Type) string {
	if typ == reflect.TypeFor[terminal49.Extraction]() {
		return "document_representation"
	}
	var b strings.Builder
	for i, r := range typ.Name() {
		if i > 0 && 'A' <= r && r <= 'Z' {
			b.WriteByte('_')
		}
		b.WriteString(strings.ToLower(string(r)))
	}
	return b.String()
}

// Fuzzing hardly finds a type that is in no seed.
func TestFuzz_SeedsShowEveryType(t *testing.T) {
	list, known := terminal49.DocumentReaders(t)
	seeds := seedDocuments(t, list, known)
	all := string(bytes.Join(seeds, nil))
	for _, typ := range catalogue.Types() {
		if !typ.Withdrawn {
			require.Contains(t, all, `"type":"`+typ.Name+`"`)
		}
	}
	for _, enum := range catalogue.Enums() {
		for _, value := range enum.Values {
			require.Contains(t, all, fmt.Sprintf("%q", value), enum.Name)
		}
	}
	t.Logf("figure: fuzzing of documents starts from %d seeds with every resource type and every value of every enumeration", len(seeds))
}
