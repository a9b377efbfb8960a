package terminal49

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/jsonapi"
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
