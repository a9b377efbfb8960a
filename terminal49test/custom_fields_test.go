package terminal49test_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestCustomFieldDefinitions_Rules(t *testing.T) {
	srv := newServer(t)
	create := func(attributes string) testReply {
		return callAPI(t, srv, "POST", "/custom_field_definitions", `{"data":{"type":"custom_field_definition","attributes":{`+attributes+`}}}`)
	}
	a := create(`"entity_type":"Container","api_slug":"yard","display_name":"Yard","data_type":"short_text","validation":{"max_length":4},"default_value":"Y1"`)
	checkReply(t, a, 201, map[string]any{
		"data/attributes/entity_type": "Cargo", "data/attributes/validation/max_length": 4.0, "data/attributes/default_value": "Y1",
		"data/attributes/description": nil, "data/relationships/account/data/id": srv.AccountID,
	})
	id, _ := a.at("data/id").(string)

	checkReply(t, create(``), 422, map[string]any{"errors/0/source/pointer": "/data/attributes/entity_type", "errors/3/code": "blank"})
	checkReply(t, create(`"entity_type":"Container","api_slug":"yard","display_name":"Yard","data_type":"short_text"`), 422,
		map[string]any{"errors/0/code": "duplicate"})
	checkReply(t, create(`"entity_type":"Shipment","api_slug":"yard","display_name":"Yard","data_type":"reference"`), 422,
		map[string]any{"errors/0/source/pointer": "/data/attributes/reference_type"})
	checkReply(t, create(`"entity_type":"TrackingRequest","api_slug":"a","display_name":"A","data_type":"number"`), 422,
		map[string]any{"errors/0/code": "inclusion"})
	srv.CheckViolations(t)

	// Slug, entity type and data type are fixed: sending them is a violation and changes nothing.
	a = callAPI(t, srv, "PATCH", "/custom_field_definitions/"+id,
		`{"data":{"type":"custom_field_definition","attributes":{"api_slug":"other","entity_type":"Shipment","data_type":"number","display_name":"Place","validation":null}}}`)
	checkReply(t, a, 200, map[string]any{
		"data/attributes/api_slug": "yard", "data/attributes/entity_type": "Cargo", "data/attributes/data_type": "short_text",
		"data/attributes/display_name": "Place", "data/attributes/validation": nil,
	})
	if n := len(srv.Violations()); n != 3 {
		t.Errorf("%d violations, want 3: %v", n, srv.Violations())
	}
}

func TestCustomFieldOptions_Rules(t *testing.T) {
	srv := newServer(t)
	enum := srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{
		APISlug: "color", DataType: "enum", Options: []terminal49test.CustomFieldOption{{Label: "Red", Value: "r"}},
	})
	text := srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "note"})
	shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU123456"})
	create := func(definition, attributes string) testReply {
		return callAPI(t, srv, "POST", "/custom_field_definitions/"+definition+"/options", `{"data":{"type":"custom_field_option","attributes":{`+attributes+`}}}`)
	}
	checkReply(t, create(text, `"label":"Green","value":"g"`), 422, nil)
	checkReply(t, create(enum, `"label":"Rouge","value":"r"`), 422, map[string]any{"errors/0/code": "duplicate"})
	checkReply(t, create(enum, `"label":"","value":"g"`), 422, map[string]any{"errors/0/code": "blank"})
	checkReply(t, create("nope", `"label":"Green","value":"g"`), 404, nil)
	checkReply(t, create(enum, `"label":"Green","value":"g","position":0`), 201, map[string]any{"data/attributes/position": 0.0})
	a := getAPI(t, srv, "/custom_field_definitions/"+enum+"/options")
	checkReply(t, a, 200, map[string]any{"data/0/attributes/value": "r", "data/0/attributes/position": nil, "data/1/attributes/value": "g"})
	if a.has("meta") {
		t.Errorf("the list of options must have no meta: %s", a.raw)
	}

	if _, err := srv.AddCustomField(terminal49test.CustomField{Entity: shipment, APISlug: "color", Value: "r"}); err != nil {
		t.Fatal(err)
	}
	red, _ := a.at("data/0/id").(string)
	gone := callAPI(t, srv, "DELETE", "/custom_field_definitions/"+enum+"/options/"+red, "")
	if checkReply(t, gone, 200, nil); gone.raw != "" {
		t.Errorf("a deletion must have no body: %s", gone.raw)
	}
	checkReply(t, getAPI(t, srv, "/shipments/"+shipment+"/custom_fields"), 200, map[string]any{
		"data/0/attributes/value": "r", "data/0/attributes/display_value": "r"}) // the value is kept
	checkReply(t, callAPI(t, srv, "DELETE", "/custom_field_definitions/"+enum+"/options/"+red, ""), 404, nil)
	srv.CheckViolations(t)
}

func TestCustomFields_ValueFormats(t *testing.T) {
	srv := newServer(t)
	shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU123456"})
	party := srv.AddParty(terminal49test.Party{CompanyName: "Harbor Street Imports"})
	for _, d := range []terminal49test.CustomFieldDefinition{
		{APISlug: "short_text", Validation: map[string]any{"max_length": 5, "pattern": "^[A-Z]", "required": true}},
		{DataType: "number"}, {DataType: "date", DefaultFormat: "%d.%m.%Y"}, {DataType: "datetime"}, {DataType: "boolean"},
		{DataType: "enum", Options: []terminal49test.CustomFieldOption{{Label: "Red", Value: "r"}}},
		{DataType: "enum_multi", Options: []terminal49test.CustomFieldOption{{Label: "Red", Value: "r"}, {Label: "Green", Value: "g"}}},
		{DataType: "reference", ReferenceType: "party"},
	} {
		d.APISlug += d.DataType
		srv.AddCustomFieldDefinition(d)
	}
	set := func(slug, value string) testReply {
		return callAPI(t, srv, "POST", "/shipments/"+shipment+"/custom_fields", `{"data":{"type":"custom_field","attributes":{"api_slug":"`+slug+`","value":`+value+`}}}`)
	}
	for _, c := range []struct{ slug, value, out, display string }{
		{"short_text", `"Ann"`, `"Ann"`, "Ann"},
		{"number", `123456789012.123456`, `123456789012.123456`, "123456789012.123456"},
		{"number", `"-1.50"`, `-1.5`, "-1.5"},
		{"date", `"02.03.2026"`, `"2026-03-02"`, "2026-03-02"},
		{"date", `"Mar 2, 2026"`, `"2026-03-02"`, "2026-03-02"},
		{"datetime", `"2026-03-02T08:30:00-08:00"`, `"2026-03-02T16:30:00Z"`, "2026-03-02 16:30:00"},
		{"boolean", `true`, `true`, "Yes"},
		{"boolean", `false`, `false`, "No"},
		{"enum", `"r"`, `"r"`, "Red"},
		{"enum_multi", `["g","r"]`, `["g","r"]`, "Green, Red"},
		{"reference", `{"type":"party","id":"` + party + `"}`, `{"type":"party","id":"` + party + `"}`, "Harbor Street Imports"},
	} {
		a := set(c.slug, c.value)
		checkReply(t, a, 201, map[string]any{"data/attributes/display_value": c.display, "data/relationships/entity/data/id": shipment})
		if !strings.Contains(a.raw, `"value":`+c.out+`,`) {
			t.Errorf("%s %s was returned as %s", c.slug, c.value, a.raw)
		}
		// created or replaced
		checkReply(t, set(c.slug, c.value), 201, map[string]any{"data/id": a.at("data/id")})
	}
	for slug, values := range map[string][]string{
		"short_text": {`1`, `"Anneliese"`, `"ann"`, `null`}, "number": {`1234567890123`, `0.0000001`, `true`, `"1e99999999"`, `"x"`},
		"date": {`"2026-02-30"`, `20260302`}, "datetime": {`"soon"`}, "boolean": {`"yes"`}, "enum": {`"x"`, `["r"]`},
		"enum_multi": {`"r"`, `["x"]`, `[]`}, "reference": {`"p"`, `{"type":"party"}`, `{"type":"vessel","id":"1"}`}, "nope": {`1`},
	} {
		for _, value := range values {
			checkReply(t, set(slug, value), 422, map[string]any{"errors/0/code": "invalid"})
		}
	}
	checkReply(t, set("number", "null"), 201, map[string]any{"data/attributes/value": nil, "data/attributes/display_value": nil})
	srv.CheckViolations(t)
	if _, err := srv.AddCustomField(terminal49test.CustomField{Entity: "nope", APISlug: "number", Value: 1}); err == nil {
		t.Error("no error for an unknown entity")
	}
	changed := srv.Now()
	srv.Advance(time.Hour)
	checkReply(t, getAPI(t, srv, "/shipments/"+shipment+"/custom_fields"), 200, map[string]any{
		"data/0/attributes/updated_at": changed.UTC().Format("2006-01-02T15:04:05Z"),
	})
	if _, err := srv.AddCustomField(terminal49test.CustomField{Entity: shipment, APISlug: "number", Value: "x"}); err == nil {
		t.Error("no error for an invalid value")
	}
	if got := srv.CustomFields(shipment); got["reference"].(map[string]any)["id"] != party || got["date"] != "2026-03-02" {
		t.Errorf("values %v", got)
	}
}

func TestCustomFields_Lists(t *testing.T) {
	srv := newServer(t, terminal49test.WithCustomFieldLimit(3))
	shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU123456"})
	container := srv.AddContainer(terminal49test.Container{Number: "MSKU1234565", Shipment: shipment})
	a := srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "a", DisplayName: "Alpha"})
	b := srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "b", DisplayName: "Beta", EntityType: "Container"})
	c := srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "c", DisplayName: "alto", DataType: "number", Shared: true})
	for query, ids := range map[string][]string{
		"":                               {a, b, c},
		"?filter[entity_type]=Container": {b},
		"?filter[data_type]=number":      {c},
		"?filter[display_name]=Al":       {a, c},
		"?page[size]=2":                  {a, b, c}, // the size is ignored
		"?page[size]=2&page[number]=2":   {a, b, c},
	} {
		checkIDs(t, getAPI(t, srv, "/custom_field_definitions"+query), query, ids)
	}
	checkReply(t, getAPI(t, srv, "/custom_field_definitions?page[size]=2"), 200, map[string]any{
		"links/next": "https://simulator.terminal49.test/v2/custom_field_definitions?page[number]=2&page[size]=2", "meta": nil})

	value := `{"data":{"type":"custom_field","attributes":{"api_slug":"SLUG","value":"1"},"relationships":{"entity":{"data":{"type":"KIND","id":"ID"}}}}}`
	create := func(kind, id, slug string) testReply {
		return callAPI(t, srv, "POST", "/custom_fields", strings.NewReplacer("SLUG", slug, "KIND", kind, "ID", id).Replace(value))
	}
	var made []string
	for _, entity := range [][3]string{{"shipment", shipment, "a"}, {"container", container, "b"}, {"shipment", shipment, "c"}} {
		reply := create(entity[0], entity[1], entity[2])
		checkReply(t, reply, 201, map[string]any{"data/relationships/entity/data/type": entity[0]})
		made = append(made, reply.at("data/id").(string))
	}
	checkReply(t, create("shipment", "nope", "a"), 422, map[string]any{"errors/0/source/pointer": "/data/relationships/entity"})
	// a field of shipments, while the limit is reached
	checkReply(t, create("container", container, "a"), 422, nil)
	checkReply(t, create("shipment", shipment, "a"), 201, nil)
	for query, ids := range map[string][]string{
		"":                               made,
		"?filter[entity_type]=Container": {made[1]},
		"?filter[entity_id]=" + shipment: {made[0], made[2]},
		"?filter[definition_id]=" + c:    {made[2]},
		"?page[size]=2&page[number]=2":   {made[2]},
	} {
		checkIDs(t, getAPI(t, srv, "/custom_fields"+query), query, ids)
	}
	extra := srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "d"})
	checkReply(t, create("shipment", shipment, "d"), 422, map[string]any{"errors/0/code": "custom_field_limit"})

	// a template in use
	checkReply(t, callAPI(t, srv, "DELETE", "/custom_field_definitions/"+c, ""), 422, nil)
	checkReply(t, callAPI(t, srv, "DELETE", "/custom_field_definitions/"+a, ""), 200, nil)
	// It was deleted with the definition.
	checkReply(t, getAPI(t, srv, "/custom_fields/"+made[0]), 404, nil)
	checkReply(t, callAPI(t, srv, "DELETE", "/shipments/"+shipment+"/custom_fields/c", ""), 204, nil)
	checkReply(t, callAPI(t, srv, "DELETE", "/custom_fields/"+made[1], ""), 200, nil)
	checkReply(t, callAPI(t, srv, "DELETE", "/custom_field_definitions/"+c, ""), 200, nil)
	checkReply(t, create("shipment", shipment, "d"), 201, nil)
	checkReply(t, getAPI(t, srv, "/custom_field_definitions/"+extra), 200, map[string]any{"data/relationships/fields/data/0/type": "custom_field"})
	srv.CheckViolations(t)
}

func TestCustomFields_NotFound(t *testing.T) {
	srv := newServer(t, terminal49test.WithBrokenCustomFieldList())
	srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "a", Attributes: map[string]any{"sensitive": true}})
	shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU123456"})
	const set, change = `{"data":{"type":"custom_field","attributes":{"api_slug":"a","value":"1"}}}`, `{"data":{"type":"custom_field","attributes":{"value":"1"}}}`
	for _, c := range []struct{ method, path, body string }{
		{"GET", "/shipments/nope/custom_fields", ""}, {"POST", "/containers/nope/custom_fields", set},
		{"PATCH", "/tracking_requests/nope/custom_fields/a", change}, {"DELETE", "/tracking_requests/nope/custom_fields/a", ""},
		{"PATCH", "/shipments/" + shipment + "/custom_fields/a", change}, {"DELETE", "/shipments/" + shipment + "/custom_fields/a", ""},
		{"GET", "/custom_fields/nope", ""}, {"PATCH", "/custom_fields/nope", change}, {"DELETE", "/custom_fields/nope", ""},
		{"GET", "/custom_field_definitions/nope", ""}, {"DELETE", "/custom_field_definitions/nope", ""},
		{"GET", "/custom_field_definitions/nope/options", ""}, {"GET", "/custom_field_definitions/nope/options/x", ""},
	} {
		checkReply(t, callAPI(t, srv, c.method, c.path, c.body), 404, nil)
	}
	checkReply(t, getAPI(t, srv, "/shipments/"+shipment+"/custom_fields"), 200, nil)
	checkReply(t, getAPI(t, srv, "/custom_fields"), 500, map[string]any{"errors/0/source": nil, "errors/0/detail": nil, "errors/0/status": "500"})
	checkReply(t, getAPI(t, srv, "/custom_field_definitions"), 200, map[string]any{"data/0/attributes/sensitive": true})
	srv.CheckViolations(t)
}

func TestCustomFields_InitialValuesAreApplied(t *testing.T) {
	srv := newServer(t)
	srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "buyer"})
	srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "duty", EntityType: "Container", DataType: "number"})
	id := srv.AddTrackingRequest(terminal49test.TrackingRequest{
		RequestNumber: "MAEU777000111", SCAC: "MAEU", InitialCustomFields: []terminal49test.InitialCustomField{
			{Entity: "shipment", APISlug: "buyer", Value: "Ann"}, {Entity: "shipment", APISlug: "undefined", Value: "x"},
			{Entity: "container", APISlug: "duty", Value: json.Number("0.10")}, {Entity: "container", APISlug: "duty", Value: 2, Number: "other"},
		},
	})
	srv.Advance(day)
	r, _ := srv.TrackingRequest(id)
	if got := srv.CustomFields(r.Shipment); len(got) != 1 || got["buyer"] != "Ann" {
		t.Errorf("the shipment has %v", got)
	}
	if got := srv.CustomFields(srv.ContainerIDs(r.Shipment)[0]); got["duty"] != json.Number("0.1") {
		t.Errorf("the container has %v", got)
	}
}
