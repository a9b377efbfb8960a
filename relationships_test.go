package terminal49

import (
	"encoding/json"
	"go/ast"
	"strings"
	"testing"

	"github.com/go-freight/terminal49/internal/catalogue"
	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/testkit/gosource"
	"github.com/stretchr/testify/require"
)

// read decodes a document of Ts as a client would and returns the warnings too.
func read[T any, P resourceType[T]](t testing.TB, body string) ([]*T, []jsonapi.Warning) {
	t.Helper()
	var warnings []jsonapi.Warning
	items, _, err := jsonapi.Decode[T]([]byte(body), jsonapi.Options{
		Types: registry, Report: func(w jsonapi.Warning) { warnings = append(warnings, w) },
	})
	require.NoError(t, err, body)
	return items, warnings
}

// ReadOne decodes a document that holds one T and understands everything in it.
func ReadOne[T any, P resourceType[T]](t testing.TB, body string) *T {
	t.Helper()
	items, warnings := read[T, P](t, body)
	require.Empty(t, warnings)
	require.Len(t, items, 1)
	return items[0]
}

func ShipmentWith(relationships, included string) string {
	return `{"data":{"id":"s","type":"shipment","relationships":{` + relationships + `}},"included":[` + included + `]}`
}

func TestRelationships_ToOneStates(t *testing.T) {
	const port = `{"id":"p","type":"port","attributes":{"name":"Oakland"}}`
	for name, test := range map[string]struct {
		relationships, included string
		state                   RelationshipState
		id, typ, text, json     string
	}{
		"absent":         {``, port, RelationshipAbsent, "", "", "absent", "null"},
		"no data member": {`"port_of_lading":{"links":{"self":"x"}}`, port, RelationshipAbsent, "", "", "absent", "null"},
		"itself null":    {`"port_of_lading":null`, port, RelationshipAbsent, "", "", "absent", "null"},
		"null":           {`"port_of_lading":{"data":null}`, port, RelationshipNull, "", "", "null", "null"},
		"empty object":   {`"port_of_lading":{"data":{}}`, port, RelationshipNull, "", "", "null", "null"},
		"linked": {`"port_of_lading":{"data":{"id":"q","type":"port"}}`, port, RelationshipLinked, "q",
			"port", "linked", `{"type":"port","id":"q"}`},
		"other type": {`"port_of_lading":{"data":{"id":"p","type":"metro_area"}}`, port, RelationshipLinked, "p",
			"metro_area", "linked", `{"type":"metro_area","id":"p"}`},
		"included": {`"port_of_lading":{"data":{"id":"p","type":"port"}}`, port, RelationshipIncluded, "p",
			"port", "included", `{"type":"port","id":"p"}`},
		"without data": {`"port_of_lading":{"id":"p","type":"port"}`, port, RelationshipIncluded, "p", "port",
			"included", `{"type":"port","id":"p"}`},
	} {
		t.Run(name, func(t *testing.T) {
			got := ReadOne[Shipment](t, ShipmentWith(test.relationships, test.included)).PortOfLading
			require.Equal(t, test.state, got.State())
			require.Equal(t, test.text, got.State().String())
			require.Equal(t, test.id, got.ID())
			require.Equal(t, test.typ, got.Type())
			value, ok := got.Value()
			require.Equal(t, test.state == RelationshipIncluded, ok)
			if ok {
				require.Equal(t, "Oakland", value.Name)
			} else {
				require.Nil(t, value, "no invented values")
			}
			wire, err := json.Marshal(got)
			require.NoError(t, err)
			require.JSONEq(t, test.json, string(wire))
		})
	}
}

func TestRelationships_ToManyStates(t *testing.T) {
	const a, b = `{"id":"a","type":"container","attributes":{"number":"A"}}`, `{"id":"b","type":"container"}`
	const both = `"containers":{"data":[{"id":"a","type":"container"},{"id":"b","type":"container"}]}`
	for name, test := range map[string]struct {
		relationships, included string
		state                   RelationshipState
		ids                     []string
		values                  int
		complete                bool
		json                    string
	}{
		"absent": {``, a, RelationshipAbsent, nil, 0, false, "null"},
		"null":   {`"containers":{"data":null}`, a, RelationshipNull, []string{}, 0, true, "[]"},
		"empty":  {`"containers":{"data":[]}`, a, RelationshipNull, []string{}, 0, true, "[]"},
		"linked": {both, ``, RelationshipLinked, []string{"a", "b"}, 0, false,
			`[{"type":"container","id":"a"},{"type":"container","id":"b"}]`},
		"partly": {both, a, RelationshipLinked, []string{"a", "b"}, 1, false,
			`[{"type":"container","id":"a"},{"type":"container","id":"b"}]`},
		"included": {both, b + "," + a, RelationshipIncluded, []string{"a", "b"}, 2, true,
			`[{"type":"container","id":"a"},{"type":"container","id":"b"}]`},
	} {
		t.Run(name, func(t *testing.T) {
			got := ReadOne[Shipment](t, ShipmentWith(test.relationships, test.included)).Containers
			require.Equal(t, test.state, got.State())
			require.Equal(t, test.ids, got.IDs())
			require.Equal(t, len(test.ids), got.Len())
			values, complete := got.Values()
			require.Len(t, values, test.values)
			require.Equal(t, test.complete, complete)
			if test.values > 0 {
				require.Equal(t, "A", values[0].Number, "in the order of the relationship")
			}
			wire, err := json.Marshal(got)
			require.NoError(t, err)
			require.JSONEq(t, test.json, string(wire))
		})
	}
}

// A port's terminals may be of two wire types: an included one has a value, for any type of
// the first.
func TestRelationships_ToManyOfSeveralTypes(t *testing.T) {
	port := ReadOne[Port](t, `{"data":{"id":"p","type":"port","relationships":{"terminals":{"data":[{"id":"1","type":"terminal"},
		{"id":"2","type":"rail_terminal"}]}}},"included":[{"id":"2","type":"rail_terminal"}]}`)
	values, complete := port.Terminals.Values()
	require.Len(t, values, 1)
	require.Equal(t, "2", values[0].ID)
	require.False(t, complete)
}

// A relationship that cannot be read is not null.
func TestRelationships_UnreadableIsNotNull(t *testing.T) {
	for _, data := range []string{`"p"`, `17`, `true`, `[{"id":"p","type":"port"}]`} {
		items, warnings := read[Shipment](t,
			ShipmentWith(`"port_of_lading":{"data":`+data+`},"pod_terminal":{"data":{"id":"t","type":"terminal"}}`, ""))
		require.Equal(t, RelationshipAbsent, items[0].PortOfLading.State(), data)
		require.Equal(t, "t", items[0].PODTerminal.ID())
		require.Len(t, warnings, 1)
		require.Equal(t, "port_of_lading", warnings[0].Field)
	}
	for _, data := range []string{`"p"`, `17`, `{"id":"c","type":"container"}`} {
		items, warnings := read[Shipment](t, ShipmentWith(`"containers":{"data":`+data+`}`, ""))
		require.Equal(t, RelationshipAbsent, items[0].Containers.State(), data)
		require.Len(t, warnings, 1)
	}
	for _, whole := range []string{`"p"`, `17`, `[]`} {
		items, warnings := read[Shipment](t, ShipmentWith(`"containers":`+whole+`,"port_of_lading":`+whole, ""))
		require.Equal(t, RelationshipAbsent, items[0].Containers.State(), whole)
		require.Equal(t, RelationshipAbsent, items[0].PortOfLading.State(), whole)
		require.Len(t, warnings, 2)
	}
}

func TestRelationships_Places(t *testing.T) {
	destination := func(typ, included string) ToOne[Place] {
		return ReadOne[Shipment](t, ShipmentWith(`"destination":{"data":{"id":"d","type":"`+typ+`"}}`, included)).Destination
	}
	place, ok := destination("port", `{"id":"d","type":"port","attributes":{"name":"Oakland"}}`).Value()
	require.True(t, ok)
	require.Equal(t, "Oakland", place.(*Port).Name)

	place, ok = destination("metro_area", `{"id":"d","type":"metro_area","attributes":{"name":"Chicago"}}`).Value()
	require.True(t, ok)
	require.Equal(t, "Chicago", place.(*MetroArea).Name)

	moon := destination("moon_base",
		`{"id":"d","type":"moon_base","attributes":{"name":"Tycho"},"relationships":{"orbits":{"data":null}},"links":{"self":"/m"}}`)
	require.Equal(t, RelationshipIncluded, moon.State())
	place, ok = moon.Value()
	require.True(t, ok)
	unknown := place.(*UnknownResource)
	require.Equal(t, "moon_base", unknown.Type)
	require.Equal(t, "d", unknown.ID)
	require.Equal(t, "/m", unknown.Self)
	require.JSONEq(t, `{"name":"Tycho"}`, string(unknown.Attributes))
	require.JSONEq(t, `{"orbits":{"data":null}}`, string(unknown.Relationships))

	place, ok = destination("port", "").Value()
	require.False(t, ok)
	require.Nil(t, place)
}

func TestRelationships_UnknownTypesStayLinked(t *testing.T) {
	got := ReadOne[Shipment](t,
		ShipmentWith(`"pod_terminal":{"data":{"id":"y","type":"yard"}}`, `{"id":"y","type":"yard"}`)).PODTerminal
	require.Equal(t, RelationshipLinked, got.State())
	require.Equal(t, "yard", got.Type())
}

func TestRelationships_RailTerminalsAreTerminals(t *testing.T) {
	rail := ReadOne[Shipment](t, ShipmentWith(`"destination_terminal":{"data":{"id":"r","type":"rail_terminal"}}`,
		`{"id":"r","type":"rail_terminal","attributes":{"name":"BNSF LPC"},"relationships":{"metro_area":{"data":{"id":"m","type":"metro_area"}}}}`))
	terminal, ok := rail.DestinationTerminal.Value()
	require.True(t, ok)
	require.True(t, terminal.IsRail())
	require.Equal(t, "m", terminal.MetroArea.ID())
	require.True(t, (&Terminal{FacilityType: "rail"}).IsRail())
	require.False(t, (&Terminal{FacilityType: "ocean_terminal", Resource: Resource{Type: "terminal"}}).IsRail())
}

// A shipment and its containers point at each other.
func TestRelationships_CyclesAreCompleteAndPrintable(t *testing.T) {
	shipment := ReadOne[Shipment](t, ShipmentWith(`"containers":{"data":[{"id":"c","type":"container"}]}`,
		`{"id":"c","type":"container","relationships":{"shipment":{"data":{"id":"s","type":"shipment"}}}}`))
	containers, complete := shipment.Containers.Values()
	require.True(t, complete)
	back, ok := containers[0].Shipment.Value()
	require.True(t, ok)
	require.Same(t, shipment, back)
	_, err := json.Marshal(shipment)
	require.NoError(t, err, "linkage is written, not the resources behind it")
}

func TestRelationships_AResourceThatComesTwice(t *testing.T) {
	shipment := ReadOne[Shipment](t, `{"included":[{"id":"s","type":"shipment","attributes":{"customer_name":"included"}},
		{"id":"c","type":"container","attributes":{"number":"first"},"relationships":{"shipment":{"data":{"id":"s","type":"shipment"}}}},
		{"id":"c","type":"container","attributes":{"number":"second"}}],
		"data":{"id":"s","type":"shipment","attributes":{"customer_name":"primary"},"relationships":{"containers":{"data":[{"id":"c","type":"container"}]}}}}`)
	containers, _ := shipment.Containers.Values()
	require.Equal(t, "first", containers[0].Number)
	back, _ := containers[0].Shipment.Value()
	require.Equal(t, "primary", back.CustomerName)
}

func TestRelationships_BuiltByHand(t *testing.T) {
	terminal := Included("t", &Terminal{Name: "TraPac"})
	require.Equal(t, "t", terminal.ID())
	value, ok := terminal.Value()
	require.True(t, ok)
	require.Equal(t, "TraPac", value.Name)
	containers := IncludedAll(&Container{Number: "A"}, &Container{Number: "B"})
	values, complete := containers.Values()
	require.True(t, complete)
	require.Len(t, values, 2)
	require.Equal(t, 2, containers.Len())
	require.Equal(t, RelationshipIncluded, containers.State())
}

func TestRelationships_LinkedAllByHand(t *testing.T) {
	linked := LinkedAll[*Container]("container", "a", "b")
	require.Equal(t, RelationshipLinked, linked.State())
	require.Equal(t, []string{"a", "b"}, linked.IDs())
	values, complete := linked.Values()
	require.Empty(t, values)
	require.False(t, complete)
	raw, err := json.Marshal(linked)
	require.NoError(t, err)
	require.JSONEq(t, `[{"type":"container","id":"a"},{"type":"container","id":"b"}]`, string(raw))

	none := LinkedAll[*Container]("container")
	require.Equal(t, RelationshipNull, none.State())
	_, complete = none.Values()
	require.True(t, complete)
}

// fieldComments returns the comments of the fields of structs, by "Type.Field".
func fieldComments(t *testing.T) map[string]string {
	t.Helper()
	comments := map[string]string{}
	for _, file := range gosource.Files(t, ".") {
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if of, ok := spec.Type.(*ast.StructType); ok {
				for _, field := range of.Fields.List {
					for _, name := range field.Names {
						comments[spec.Name.Name+"."+name.Name] = field.Doc.Text() + field.Comment.Text()
					}
				}
			}
			return false
		})
	}
	return comments
}

// Values without constants are kept as text, and the comment of the field names them.
func TestCatalogue_CommentsNameTheValuesOfTexts(t *testing.T) {
	texts := map[string]string{
		"infer_number_results.number_type": "Inference.NumberType", "raw_event.event": "RawEvent.Event",
		"terminal.facility_type": "Terminal.FacilityType", "credential.kind": "Credential.Kind",
		"account.plan": "Account.Plan", "document_schema.schema_format": "DocumentSchema.SchemaFormat",
		"infer_number_results.validation.type": "NumberValidation.Type",
	}
	comments := fieldComments(t)
	for _, enum := range catalogue.Enums() {
		field := texts[enum.Name]
		if delete(texts, enum.Name); field == "" {
			continue
		}
		for _, value := range enum.Values {
			event := field == "RawEvent.Event" && EventName("container.transport."+value).Known()
			require.True(t, event || strings.Contains(comments[field], `"`+value+`"`), "%s: %s", field, value)
		}
	}
	require.Empty(t, texts, "not in the catalogue")
}

func TestDecode_LoadingTimesNeedTheShipment(t *testing.T) {
	const container = `{"id":"c","type":"container","attributes":{"empty_out_at":"2026-03-02T20:00:00Z","pol_full_in_at":"2026-03-03T20:00:00Z",
		"pol_vessel_loaded_at":"2026-03-04T20:00:00Z","pol_vessel_departed_at":"2026-03-05T20:00:00Z","pod_timezone":"America/Los_Angeles"},
		"relationships":{"shipment":{"data":{"id":"s","type":"shipment"}}}}`
	shipment := func(zone string) string {
		return `{"id":"s","type":"shipment","attributes":{"pol_timezone":` + zone + `}}`
	}
	atPort := func(c *Container) []Time { return []Time{c.POLVesselLoadedAt, c.POLVesselDepartedAt} }
	atGates := func(c *Container) []Time { return []Time{c.EmptyOutAt, c.POLFullInAt} }
	alone := ReadOne[Container](t, `{"data":`+container+`}`)
	requireUnreported(t, append(atPort(alone), atGates(alone)...))
	for _, body := range []string{
		`{"data":` + container + `,"included":[` + shipment(`"Asia/Shanghai"`) + `]}`,
		`{"included":[` + shipment(`"Asia/Shanghai"`) + `],"data":` + container + `}`,
	} {
		together := ReadOne[Container](t, body)
		requireZone(t, "Asia/Shanghai", atPort(together))
		day, _ := together.POLVesselLoadedAt.Date()
		require.Equal(t, "2026-03-05", day.String(), "four in the morning of the next day in Shanghai")
		requireUnreported(t, atGates(together)) // they may be inland, far from the port
	}
	for _, v := range atPort(ReadOne[Container](t, `{"data":`+container+`,"included":[`+shipment(`null`)+`]}`)) {
		_, known := v.Instant()
		require.False(t, known, "the shipment says that the place is unknown")
	}
	shipments := ReadOne[Shipment](t, `{"data":{"id":"s","type":"shipment","attributes":{"pol_timezone":"Asia/Tokyo"},
		"relationships":{"containers":{"data":[{"id":"c","type":"container"}]}}},"included":[`+container+`]}`)
	containers, _ := shipments.Containers.Values()
	requireZone(t, "Asia/Tokyo", atPort(containers[0]))
}

func requireUnreported(t *testing.T, times []Time) {
	t.Helper()
	for _, v := range times {
		_, known := v.Instant()
		require.True(t, known, "the instant is known, but the zone is not reported")
		_, err := v.Local()
		require.ErrorIs(t, err, ErrNoZone)
		_, hasDay := v.Date()
		require.False(t, hasDay)
	}
}

// The changelog of 2026-08-10 says that both times are stamped wherever the container passes a
// gate, inland depots included. The event of that name has the zone of the gate.
func TestDecode_GateTimesUseTheZoneOfTheirEvent(t *testing.T) {
	event := func(id, name, at, zone, invalidated string) string {
		return `{"id":"` + id + `","type":"transport_event","attributes":{"event":"container.transport.` + name + `","timestamp":"` + at +
			`","timezone":` + zone + `,"invalidated_at":` + invalidated + `}}`
	}
	const stamp, other, urumqi, shanghai = "2026-03-02T20:00:00Z", "2026-03-01T20:00:00Z", `"Asia/Urumqi"`, `"Asia/Shanghai"`
	for name, test := range map[string]struct {
		events []string
		zone   string // "-" if not reported, "" if the service does not know it
	}{
		"of the same time":            {[]string{event("1", "empty_out", stamp, urumqi, "null")}, "Asia/Urumqi"},
		"of the same time, first":     {[]string{event("1", "empty_out", stamp, urumqi, "null"), event("2", "empty_out", other, shanghai, "null")}, "Asia/Urumqi"},
		"of the same time, last":      {[]string{event("2", "empty_out", other, shanghai, "null"), event("1", "empty_out", stamp, urumqi, "null")}, "Asia/Urumqi"},
		"of another time":             {[]string{event("1", "empty_out", other, urumqi, "null")}, "Asia/Urumqi"},
		"in two zones, other times":   {[]string{event("1", "empty_out", other, urumqi, "null"), event("2", "empty_out", other, shanghai, "null")}, "-"},
		"in one zone, other times":    {[]string{event("1", "empty_out", other, urumqi, "null"), event("2", "empty_out", other, urumqi, "null")}, "Asia/Urumqi"},
		"of another name":             {[]string{event("1", "full_in", stamp, urumqi, "null")}, "-"},
		"withdrawn":                   {[]string{event("1", "empty_out", stamp, urumqi, `"2026-03-04T00:00:00Z"`)}, "-"},
		"withdrawn and made again":    {[]string{event("1", "empty_out", stamp, shanghai, `"2026-03-04T00:00:00Z"`), event("2", "empty_out", stamp, urumqi, "null")}, "Asia/Urumqi"},
		"under two names of one zone": {[]string{event("1", "empty_out", stamp, `"US/Central"`, "null"), event("2", "empty_out", stamp, `"America/Chicago"`, "null")}, "US/Central"},
		"once without a zone":         {[]string{event("1", "empty_out", stamp, "null", "null"), event("2", "empty_out", stamp, urumqi, "null")}, "Asia/Urumqi"},
		"at a place nobody knows":     {[]string{event("1", "empty_out", stamp, "null", "null")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var refs []string
			for _, e := range test.events {
				refs = append(refs, `{"type":"transport_event","id":"`+e[len(`{"id":"`):][:1]+`"}`)
			}
			c := ReadOne[Container](t, `{"data":{"id":"c","type":"container","attributes":{"empty_out_at":"`+stamp+`"},"relationships":{
				"shipment":{"data":{"id":"s","type":"shipment"}},"transport_events":{"data":[`+strings.Join(refs, ",")+`]}}},
				"included":[{"id":"s","type":"shipment","attributes":{"pol_timezone":"Asia/Shanghai"}},`+strings.Join(test.events, ",")+`]}`)
			switch test.zone {
			case "-":
				requireUnreported(t, []Time{c.EmptyOutAt})
			case "":
				require.Equal(t, "2026-03-02 20:00 (zone unknown)", c.EmptyOutAt.String())
			default:
				requireZone(t, test.zone, []Time{c.EmptyOutAt})
			}
		})
	}
}
