package terminal49_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"math/big"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/decimals"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/internal/transport"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
)

func TestCustomFields_Requests(t *testing.T) { testkit.TestCalls(t, testkit.CallsOf("custom_fields")) }

func TestCustomFieldDefinitions_NestedMembers(t *testing.T) {
	api := testkit.NewFakeAPI()
	api.On("POST", "/custom_field_definitions", http.StatusCreated,
		`{"data":{"id":"`+testkit.DefinitionID+`","type":"custom_field_definition"}}`)
	require.NoError(t, testkit.First(testkit.NewClient(t, api).CustomFieldDefinitions.Create(t.Context(),
		terminal49.CustomFieldDefinitionCreate{
			EntityType: terminal49.CustomFieldEntityShipment, APISlug: "buyer", DisplayName: "Buyer",
			DataType:      terminal49.CustomFieldReference,
			ReferenceType: "party", Validation: json.RawMessage(`{"required": true}`),
			DefaultValue: terminal49.CustomReference(terminal49.ResourceRef{Type: "party", ID: testkit.PartyID}),
		})))
	require.Contains(t, api.Requests()[0].Body,
		`"validation":{"required":true},"default_value":{"type":"party","id":"`+testkit.PartyID+`"}`)
}

func TestCustomFields_InitialFieldsAreTyped(t *testing.T) {
	api := testkit.NewFakeAPI()
	api.On("POST", "/tracking_requests", http.StatusCreated,
		`{"data":{"id":"`+testkit.RequestID+`","type":"tracking_request"}}`)
	request := terminal49.TrackingRequestCreate{
		RequestType: terminal49.RequestTypeBillOfLading, RequestNumber: "MAEU123456", SCAC: "MAEU",
		InitialCustomFields: terminal49.InitialCustomFields{
			Shipment: []terminal49.InitialCustomField{{APISlug: "buyer", Value: terminal49.CustomText("Ann")},
				{APISlug: "due", Value: terminal49.CustomDate(terminal49.Date{Year: 2026, Month: 3, Day: 2})}},
			Containers: []terminal49.InitialCustomField{{APISlug: "tags",
				Value: terminal49.CustomEnumMulti("a", "b"), Number: "MSCU1234566"}},
		},
	}
	client := testkit.NewClient(t, api)
	require.NoError(t, testkit.First(client.TrackingRequests.Create(t.Context(), request)))
	require.Contains(t, api.Requests()[0].Body, `"initial_custom_fields":{"shipment":[{"api_slug":"buyer","value":"Ann"},`+
		`{"api_slug":"due","value":"2026-03-02"}],"containers":[{"api_slug":"tags","value":["a","b"],"number":"MSCU1234566"}]}`)

	for problem, fields := range map[string]terminal49.InitialCustomFields{
		`InitialCustomFields.Shipment must have an APISlug for every value`: {Shipment: []terminal49.InitialCustomField{{Value: terminal49.CustomText("x")}}},
		`InitialCustomFields.Shipment must not have a Number`:               {Shipment: []terminal49.InitialCustomField{{APISlug: "a", Value: terminal49.CustomText("x"), Number: "MSCU1234566"}}},
		`InitialCustomFields.Shipment must have a value for "buyer"`:        {Shipment: []terminal49.InitialCustomField{{APISlug: "buyer"}}},
		`InitialCustomFields.Containers has an invalid value for "day": it must be a calendar day`: {
			Containers: []terminal49.InitialCustomField{{APISlug: "day",
				Value: terminal49.CustomDate(terminal49.Date{Year: 2026, Month: 2, Day: 30})}},
		},
	} {
		request.InitialCustomFields = fields
		require.ErrorContains(t, testkit.First(client.TrackingRequests.Create(t.Context(), request)), problem)
	}
	require.Len(t, api.Requests(), 1)
}

// Invalid arguments are rejected before anything is sent, with an error that names the field.
func TestCustomFields_Arguments(t *testing.T) {
	api := testkit.NewFakeAPI()
	c, ctx, text := testkit.NewClient(t, api), t.Context(), terminal49.CustomText("x")
	valid := terminal49.CustomFieldDefinitionCreate{
		EntityType: terminal49.CustomFieldEntityShipment, APISlug: "a", DisplayName: "A",
		DataType: terminal49.CustomFieldNumber,
	}
	with := func(change func(*terminal49.CustomFieldDefinitionCreate)) error {
		d := valid
		change(&d)
		return testkit.First(c.CustomFieldDefinitions.Create(ctx, d))
	}
	initial := func(fields terminal49.InitialCustomFields) error {
		request := testkit.SureRequest()
		request.InitialCustomFields = fields
		return testkit.First(c.TrackingRequests.Create(ctx, request))
	}
	update := func(u terminal49.CustomFieldDefinitionUpdate) error {
		return testkit.First(c.CustomFieldDefinitions.Update(ctx, testkit.DefinitionID, u))
	}
	for want, err := range map[string]error{
		"id must be a UUID such as 5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d; a container number is not an id": testkit.First(c.Containers.SetCustomField(ctx, "MSCU1234566", "a", text)),
		"shipments.custom_fields.set: apiSlug must not be empty":                                          testkit.First(c.Shipments.SetCustomField(ctx, testkit.ShipmentID, " ", text)),
		"shipments.custom_fields.set: value must be set; make it with a constructor such as CustomText":   testkit.First(c.Shipments.SetCustomField(ctx, testkit.ShipmentID, "a", terminal49.CustomFieldValue{})),
		"shipments.custom_fields.update: value must have at most 12 digits":                               testkit.First(c.Shipments.UpdateCustomField(ctx, testkit.ShipmentID, "a", terminal49.CustomNumber(decimal.New(1, -7)))),
		"tracking_requests.custom_fields.update: apiSlug must not be empty":                               testkit.First(c.TrackingRequests.UpdateCustomField(ctx, testkit.RequestID, "", text)),
		"containers.custom_fields.delete: apiSlug must not be empty":                                      c.Containers.DeleteCustomField(ctx, testkit.ContainerID, ""),
		// RFC 3986, section 2.2: a slash that is not escaped separates segments.
		"shipments.custom_fields.set: apiSlug must not contain a slash":            testkit.First(c.Shipments.SetCustomField(ctx, testkit.ShipmentID, "a/b", text)),
		"shipments.custom_fields.update: apiSlug must not contain a slash":         testkit.First(c.Shipments.UpdateCustomField(ctx, testkit.ShipmentID, "../a", text)),
		"tracking_requests.custom_fields.delete: apiSlug must not contain a slash": c.TrackingRequests.DeleteCustomField(ctx, testkit.RequestID, "a/"),
		"custom_fields.create: APISlug must not contain a slash":                   testkit.First(c.CustomFields.Create(ctx, terminal49.CustomFieldCreate{APISlug: "/", Value: text, ShipmentID: testkit.ShipmentID})),
		"tracking_requests.create: InitialCustomFields.Shipment must not have a slash in an APISlug": initial(
			terminal49.InitialCustomFields{Shipment: []terminal49.InitialCustomField{{APISlug: "a/b", Value: text}}}),
		"tracking_requests.create: InitialCustomFields.Containers must not have a slash in an APISlug": initial(
			terminal49.InitialCustomFields{Containers: []terminal49.InitialCustomField{{APISlug: "/", Value: text}}}),
		"definitions.create: APISlug must not contain a slash": with(func(d *terminal49.CustomFieldDefinitionCreate) {
			d.APISlug = "a/b"
		}),
		"api_slug is not an id": testkit.First(c.CustomFields.Get(ctx,
			"buyer_name")),
		"custom_fields.update: Value must be set":                               testkit.First(c.CustomFields.Update(ctx, testkit.CustomFieldID, terminal49.CustomFieldValue{})),
		"APISlug must not be empty":                                             testkit.First(c.CustomFields.Create(ctx, terminal49.CustomFieldCreate{Value: text, ShipmentID: testkit.ShipmentID})),
		"have exactly one of ShipmentID and ContainerID":                        testkit.First(c.CustomFields.Create(ctx, terminal49.CustomFieldCreate{APISlug: "a", Value: text})),
		"CustomFieldCreate must have exactly one of ShipmentID and ContainerID": testkit.First(c.CustomFields.Create(ctx, terminal49.CustomFieldCreate{APISlug: "a", Value: text, ShipmentID: testkit.ShipmentID, ContainerID: testkit.ContainerID})),
		"a UUID as ShipmentID or ContainerID, not a number":                     testkit.First(c.CustomFields.Create(ctx, terminal49.CustomFieldCreate{APISlug: "a", Value: text, ContainerID: "MSCU1234566"})),
		"PageSize must be 1 to 100, not 500":                                    testkit.First(c.CustomFields.List(ctx, &terminal49.CustomFieldListParams{PageParams: terminal49.PageParams{PageSize: 500}})),
		"EntityType must be CustomFieldEntityShipment": with(func(d *terminal49.CustomFieldDefinitionCreate) {
			d.EntityType = terminal49.CustomFieldEntityTrackingRequest
		}),
		"definitions.create: APISlug must not be empty": with(func(d *terminal49.CustomFieldDefinitionCreate) {
			d.APISlug = ""
		}),
		"DisplayName must not be empty": with(func(d *terminal49.CustomFieldDefinitionCreate) {
			d.DisplayName = ""
		}),
		"DataType must be a known data type": with(func(d *terminal49.CustomFieldDefinitionCreate) {
			d.DataType = "text"
		}),
		"ReferenceType is required for CustomFieldReference": with(func(d *terminal49.CustomFieldDefinitionCreate) {
			d.DataType = terminal49.CustomFieldReference
		}),
		"and must be empty for other data types": with(func(d *terminal49.CustomFieldDefinitionCreate) {
			d.ReferenceType = "party"
		}),
		"create: Validation must be a JSON object": with(func(d *terminal49.CustomFieldDefinitionCreate) {
			d.Validation = json.RawMessage(`[1]`)
		}),
		"DefaultValue must have the data type number like the definition, not date": with(func(d *terminal49.CustomFieldDefinitionCreate) {
			d.DefaultValue = terminal49.CustomDate(terminal49.Date{Year: 2026, Month: 3, Day: 2})
		}),
		"DefaultValue must have at most 12 digits": with(func(d *terminal49.CustomFieldDefinitionCreate) {
			d.DefaultValue = terminal49.CustomNumber(decimal.New(1, 12))
		}),
		"custom_field_definition must set at least one field": update(terminal49.CustomFieldDefinitionUpdate{}),
		"or Null to remove it":                                update(terminal49.CustomFieldDefinitionUpdate{Validation: terminal49.Some(json.RawMessage(`{`))}),
		"update: DisplayName must not be empty":               update(terminal49.CustomFieldDefinitionUpdate{DisplayName: terminal49.Null[string]()}),
		"DefaultValue must be one JSON value":                 update(terminal49.CustomFieldDefinitionUpdate{DefaultValue: terminal49.CustomJSON(json.RawMessage(`{`))}),
		"definitionID must be a UUID":                         testkit.First(c.CustomFieldOptions.List(ctx, "buyer")),
		"optionID must be a UUID such as 5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d; an option's value is not its id": testkit.First(c.CustomFieldOptions.Get(ctx, testkit.DefinitionID, "fob")),
		"options.create: Label must not be empty":         testkit.First(c.CustomFieldOptions.Create(ctx, testkit.DefinitionID, terminal49.CustomFieldOptionCreate{Value: "a"})),
		"Value must not be empty or contain a comma":      testkit.First(c.CustomFieldOptions.Create(ctx, testkit.DefinitionID, terminal49.CustomFieldOptionCreate{Label: "A", Value: "a,b"})),
		"options.update: Label must not be empty":         testkit.First(c.CustomFieldOptions.Update(ctx, testkit.DefinitionID, testkit.OptionID, terminal49.CustomFieldOptionUpdate{Label: terminal49.Some("")})),
		"custom_field_option must set at least one field": testkit.First(c.CustomFieldOptions.Update(ctx, testkit.DefinitionID, testkit.OptionID, terminal49.CustomFieldOptionUpdate{})),
	} {
		var argument *terminal49.ArgumentError
		require.ErrorAs(t, err, &argument, want)
		require.ErrorContains(t, err, want)
		require.NotEmpty(t, argument.Op)
	}
	require.Empty(t, api.Requests())
}

func TestCustomFields_Errors(t *testing.T) {
	refused := testkit.NewClient(t,
		testkit.Answer(403, `{"errors":[{"status":"403","title":"Forbidden","detail":"Custom fields are not enabled for this account"}]}`))
	require.ErrorIs(t, testkit.First(refused.Shipments.SetCustomField(t.Context(), testkit.ShipmentID, "a",
		terminal49.CustomText("x"))), terminal49.ErrFeatureNotEnabled)
	require.ErrorIs(t, testkit.First(refused.Shipments.CustomFields(t.Context(), testkit.ShipmentID)),
		terminal49.ErrFeatureNotEnabled)
	require.ErrorIs(t, testkit.First(refused.CustomFieldDefinitions.List(t.Context(), nil)), terminal49.ErrFeatureNotEnabled)

	broken := testkit.NewClient(t,
		testkit.Answer(500, `{"errors":[{"status":"500","source":null,"title":"Internal Server Error","detail":null}]}`))
	require.ErrorIs(t, testkit.First(broken.CustomFields.List(t.Context(), nil)), terminal49.ErrServer)
}

// The response to a deletion is 200 or 204, with or without a body.
func TestCustomFields_Deletions(t *testing.T) {
	for _, rt := range []http.RoundTripper{testkit.Answer(200, ""), testkit.Answer(200, `{}`), testkit.Answer(204, "")} {
		c := testkit.NewClient(t, rt)
		require.NoError(t, c.CustomFields.Delete(t.Context(), testkit.CustomFieldID))
		require.NoError(t, c.CustomFieldDefinitions.Delete(t.Context(), testkit.DefinitionID))
		require.NoError(t, c.CustomFieldOptions.Delete(t.Context(), testkit.DefinitionID, testkit.OptionID))
		require.NoError(t, c.Shipments.DeleteCustomField(t.Context(), testkit.ShipmentID, "a"))
	}
}

// Setting is an upsert: a repetition leaves the same state, so that it may be sent again. Creating
// is not.
func TestCustomFields_OnlySetMayBeRepeated(t *testing.T) {
	api := testkit.NewFakeAPI()
	const reply = `{"data":{"id":"` + testkit.CustomFieldID + `","type":"custom_field"}}`
	api.On("POST", "/shipments/"+testkit.ShipmentID+"/custom_fields", 201, reply)
	api.On("POST", "/custom_fields", 201, reply)
	c := testkit.NewClient(t, api)
	require.NoError(t, testkit.First(c.Shipments.SetCustomField(t.Context(), testkit.ShipmentID, "a",
		terminal49.CustomText("x"))))
	create := terminal49.CustomFieldCreate{APISlug: "a", Value: terminal49.CustomText("x"), ShipmentID: testkit.ShipmentID}
	require.NoError(t, testkit.First(c.CustomFields.Create(t.Context(), create)))
	require.Equal(t, transport.Idempotent, api.Requests()[0].Info.Class)
	require.Equal(t, transport.Write, api.Requests()[1].Info.Class)
}

// The live list of definitions ignores the page size and links a second page with the same rows.
func TestCustomFields_RepeatedPagesEndAList(t *testing.T) {
	rows := func(next string, ids ...string) string {
		var data []map[string]string
		for _, id := range ids {
			data = append(data, map[string]string{"id": id, "type": "custom_field_definition"})
		}
		raw, err := json.Marshal(map[string]any{"data": data, "links": map[string]string{"next": next}})
		require.NoError(t, err)
		return string(raw)
	}
	link := func(n string) string {
		return "https://elsewhere.example/v2/custom_field_definitions?page[number]=" + n
	}
	list := func(pages map[string]string) (ids []string, requests int) {
		api := testkit.NewFakeAPI()
		api.OnPages("/custom_field_definitions", pages)
		items, err := testkit.Drain(testkit.NewClient(t, api).CustomFieldDefinitions.All(t.Context(), nil))
		require.NoError(t, err)
		for _, d := range items {
			ids = append(ids, d.ID)
		}
		return ids, len(api.Requests())
	}
	ids, requests := list(map[string]string{
		"page[size]=100":                rows(link("2"), "a", "b"),
		"page[number]=2&page[size]=100": rows(link("3"), "a", "b"),
		"page[number]=3&page[size]=100": rows(link("4"), "a", "b"),
		"page[number]=99":               rows("", "z"),
	})
	require.Equal(t, []string{"a", "b"}, ids)
	require.Equal(t, 2, requests, "a page without new items is the end")

	ids, _ = list(map[string]string{ // and a real second page is not missed
		"page[size]=100":                rows(link("2"), "a", "b"),
		"page[number]=2&page[size]=100": rows("", "b", "c"),
	})
	require.Equal(t, []string{"a", "b", "c"}, ids)

	api := testkit.NewFakeAPI()
	api.OnPages("/shipments/"+testkit.ShipmentID+"/custom_fields", map[string]string{
		"": rows(link("2"), "a"), "page[number]=2": `!{"errors":[{"title":"Not Found"}]}`,
	})
	fields, err := testkit.NewClient(t, api).Shipments.CustomFields(t.Context(), testkit.ShipmentID)
	require.ErrorIs(t, err, terminal49.ErrNotFound)
	require.Nil(t, fields, "a part is never mistaken for the whole")
}

func TestCustomFields_AListThatRepeatsEndsWithoutIDs(t *testing.T) {
	api := testkit.NewFakeAPI()
	page := func(next string) string {
		return `{"data":[{"type":"custom_field"}],"links":{"next":"https://x/?page[number]=` + next + `"}}`
	}
	api.OnPages("/shipments/"+testkit.ShipmentID+"/custom_fields", map[string]string{"": page("2"), "page[number]=2": page("3")})
	fields, err := testkit.NewClient(t, api).Shipments.CustomFields(t.Context(), testkit.ShipmentID)
	require.NoError(t, err)
	require.Len(t, fields, 1)
}

func TestCustomFieldValue_JSON(t *testing.T) {
	newYork, err := time.LoadLocation("America/New_York")
	require.NoError(t, err)
	party := terminal49.ResourceRef{Type: "party", ID: "55555555-5555-4555-8555-555555555555"}
	for _, c := range []struct {
		value terminal49.CustomFieldValue
		made  terminal49.CustomFieldDataType
		json  string
		text  string
	}{
		{terminal49.CustomText("Ann & Söhne \"GmbH\""), "short_text", `"Ann \u0026 Söhne \"GmbH\""`, `Ann & Söhne "GmbH"`},
		{terminal49.CustomText(""), "short_text", `""`, ""},
		{terminal49.CustomNumber(decimal.RequireFromString("123456789012.123456")), "number", `123456789012.123456`,
			"123456789012.123456"},
		{terminal49.CustomNumber(decimal.RequireFromString("-0.000001")), "number", `-0.000001`, "-0.000001"},
		{terminal49.CustomNumber(decimal.New(1, 11)), "number", `100000000000`, "100000000000"},
		{terminal49.CustomNumber(decimal.RequireFromString("1.5000000000")), "number", `1.5`, "1.5"}, // trailing zeros do not count
		{terminal49.CustomNumber(decimal.Decimal{}), "number", `0`, "0"},
		{terminal49.CustomDate(terminal49.Date{Year: 2024, Month: 2, Day: 29}), "date", `"2024-02-29"`, "2024-02-29"},
		{terminal49.CustomDateTime(time.Date(2026, 3, 2, 8, 0, 0, 0, newYork)), "datetime", `"2026-03-02T13:00:00Z"`,
			"2026-03-02T13:00:00Z"},
		{terminal49.CustomBoolean(true), "boolean", `true`, "true"},
		{terminal49.CustomBoolean(false), "boolean", `false`, "false"},
		{terminal49.CustomEnum("fob"), "enum", `"fob"`, "fob"},
		{terminal49.CustomEnumMulti("fob", "cif"), "enum_multi", `["fob","cif"]`, `["fob","cif"]`},
		{terminal49.CustomReference(party), "reference", `{"type":"party","id":"55555555-5555-4555-8555-555555555555"}`,
			`{"type":"party","id":"55555555-5555-4555-8555-555555555555"}`},
		{terminal49.CustomNull(), "", `null`, "null"},
		{terminal49.CustomJSON(json.RawMessage(` { "lat" : 1.10 } `)), "", `{"lat":1.10}`, `{"lat":1.10}`},
	} {
		raw, err := json.Marshal(c.value)
		require.NoError(t, err)
		require.Equal(t, c.json, string(raw))
		require.Equal(t, c.made, c.value.DataType())
		require.Equal(t, c.text, c.value.String())
		require.NoError(t, c.value.Check())
		require.False(t, c.value.IsZero())
		require.Equal(t, c.json == "null", c.value.IsNull())

		var again terminal49.CustomFieldValue
		require.NoError(t, json.Unmarshal(raw, &again))
		require.Equal(t, json.RawMessage(c.json), again.JSON())
		require.Empty(t, again.DataType(), "JSON does not tell the data type")
	}
}

func TestCustomFieldValue_RefusesInvalidValues(t *testing.T) {
	for want, values := range map[string][]terminal49.CustomFieldValue{
		"must be valid UTF-8": {terminal49.CustomText("\xff"), terminal49.CustomEnum("\xff"),
			terminal49.CustomEnumMulti("a", "\xff")},
		"12 digits before the decimal point and 6 after it; round it first": {
			terminal49.CustomNumber(decimal.New(1, 12)), terminal49.CustomNumber(decimal.New(-1, 12)),
			terminal49.CustomNumber(decimal.New(1, -7)),
			terminal49.CustomNumber(decimal.New(1, math.MaxInt32)), terminal49.CustomNumber(decimal.New(1, math.MinInt32)),
		},
		"must be a calendar day": {terminal49.CustomDate(terminal49.Date{}),
			terminal49.CustomDate(terminal49.Date{Year: 2026, Month: 2, Day: 29}),
			terminal49.CustomDate(terminal49.Date{Year: 10000, Month: 1, Day: 1}),
			terminal49.CustomDate(terminal49.Date{Year: -1, Month: 1, Day: 1})},
		"must be a time": {terminal49.CustomDateTime(time.Time{}),
			terminal49.CustomDateTime(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))},
		"must be the value of an option": {terminal49.CustomEnum("")},
		"must have at least one option":  {terminal49.CustomEnumMulti()},
		"an option that is empty or contains a comma": {terminal49.CustomEnumMulti("a", ""),
			terminal49.CustomEnumMulti("a,b")},
		"must not have the same option twice": {terminal49.CustomEnumMulti("a", "b", "a")},
		"must have a Type and an ID": {terminal49.CustomReference(terminal49.ResourceRef{ID: "x"}),
			terminal49.CustomReference(terminal49.ResourceRef{Type: "party"})},
		"must be one JSON value": {terminal49.CustomJSON(nil),
			terminal49.CustomJSON(json.RawMessage(`{`)), terminal49.CustomJSON(json.RawMessage(`1 2`))},
		"must be set; make it with": {{}},
	} {
		for _, v := range values {
			require.ErrorContains(t, v.Check(), want)
			if !v.IsZero() {
				_, err := json.Marshal(v)
				require.ErrorContains(t, err, want)
			}
		}
	}
}

func TestCustomFieldValue_ReadsByType(t *testing.T) {
	read := func(raw string) terminal49.CustomFieldValue {
		var v terminal49.CustomFieldValue
		require.NoError(t, json.Unmarshal([]byte(raw), &v))
		return v
	}
	got := func(v any, ok bool) any {
		if !ok {
			return nil
		}
		return v
	}
	at := time.Date(2026, 3, 2, 16, 0, 0, 0, time.UTC)
	type row struct{ text, number, date, moment, boolean, enum, multi, reference any }
	number := func(s string) any { return decimal.RequireFromString(s).String() }
	for raw, want := range map[string]row{
		`"fob"`:               {text: "fob", enum: "fob", multi: []string{"fob"}},
		`""`:                  {text: ""},
		`"fob, cif"`:          {text: "fob, cif", enum: "fob, cif", multi: []string{"fob", "cif"}},
		`12.50`:               {number: number("12.5")},
		`123456789012.123456`: {number: number("123456789012.123456")},
		`"123456789012.123456"`: {text: "123456789012.123456", number: number("123456789012.123456"),
			enum: "123456789012.123456", multi: []string{"123456789012.123456"}},
		`1e999999999`: {},
		`"2026-03-02"`: {text: "2026-03-02",
			date: terminal49.Date{Year: 2026, Month: 3, Day: 2}, enum: "2026-03-02", multi: []string{"2026-03-02"}},
		`"0000-01-01"`: {text: "0000-01-01", enum: "0000-01-01", multi: []string{"0000-01-01"}},
		`"2026-02-30"`: {text: "2026-02-30", enum: "2026-02-30", multi: []string{"2026-02-30"}},
		`"2026-03-02T16:00:00Z"`: {text: "2026-03-02T16:00:00Z", moment: terminal49.NewTime(at, ""),
			enum: "2026-03-02T16:00:00Z", multi: []string{"2026-03-02T16:00:00Z"}},
		`"2026-03-02 16:00:00"`: {text: "2026-03-02 16:00:00", moment: terminal49.NewWallTime(at),
			enum: "2026-03-02 16:00:00", multi: []string{"2026-03-02 16:00:00"}},
		`true`:                                {boolean: true},
		`false`:                               {boolean: false},
		`["fob","cif"]`:                       {multi: []string{"fob", "cif"}},
		`[]`:                                  {multi: []string{}},
		`["fob",1]`:                           {},
		`{"type":"party","id":"p"}`:           {reference: terminal49.ResourceRef{Type: "party", ID: "p"}},
		`{"type":"party","id":"p","more":{}}`: {reference: terminal49.ResourceRef{Type: "party", ID: "p"}},
		`{"type":"party"}`:                    {},
		`{"type":1,"id":"p"}`:                 {},
		`null`:                                {},
	} {
		v, have := read(raw), row{}
		have.text = got(v.Text())
		if n, ok := v.Number(); ok {
			have.number = n.String()
		}
		have.date = got(v.Date())
		have.moment = got(v.DateTime())
		have.boolean = got(v.Boolean())
		have.enum = got(v.Enum())
		have.multi = got(v.EnumMulti())
		have.reference = got(v.Reference())
		require.Equal(t, want, have, raw)
		require.Equal(t, raw, string(v.JSON()))
	}
	wall, ok := read(`"2026-03-02 16:00:00"`).DateTime()
	require.True(t, ok)
	_, known := wall.Instant()
	require.False(t, known, "without a zone the instant is not known")

	_, ok = read(`"` + strings.Repeat("9", 100_000) + `"`).Number()
	require.False(t, ok)
}

func TestCustomFieldValue_Zero(t *testing.T) {
	var v terminal49.CustomFieldValue
	require.True(t, v.IsZero())
	require.False(t, v.IsNull())
	require.Nil(t, v.JSON())
	require.Empty(t, v.String())
	_, ok := v.Text()
	require.False(t, ok)
	raw, err := json.Marshal(struct {
		A terminal49.CustomFieldValue `json:"a,omitzero"`
		B terminal49.CustomFieldValue `json:"b"`
	}{})
	require.NoError(t, err)
	require.Equal(t, `{"b":null}`, string(raw))
}

const definitionFixture = `{"data":{"id":"` + testkit.DefinitionID + `","type":"custom_field_definition","attributes":{
	"entity_type":"Cargo","api_slug":"incoterm","display_name":"Incoterm","description":"Terms of sale","data_type":"enum",
	"reference_type":null,"validation":{"required":true,"max_length":35},"default_format":"%m/%d/%Y","default_value":"fob",
	"template_id":"t1","sensitive":true,"reference_number":true,
	"created_at":"2026-01-02T03:04:05Z","updated_at":"2026-02-03T04:05:06Z"},
	"relationships":{"account":{"data":{"id":"a1","type":"account"}},"fields":{"data":[{"id":"` +
	testkit.CustomFieldID + `","type":"custom_field"}]},
	"options":{"data":[{"id":"` + testkit.OptionID + `","type":"custom_field_option"}]}}},
	"included":[{"id":"` + testkit.OptionID +
	`","type":"custom_field_option","attributes":{"label":"Free on Board","value":"fob","position":2}}]}`

func TestCustomFieldDefinitions_Decode(t *testing.T) {
	c := testkit.NewClient(t, testkit.Answer(200, definitionFixture), terminal49.WithStrictDecoding())
	d, err := c.CustomFieldDefinitions.Get(t.Context(), testkit.DefinitionID)
	require.NoError(t, err)
	require.Equal(t, terminal49.CustomFieldEntityContainer, d.EntityType, "cargo is the service's word for a container")
	require.Equal(t, []string{"incoterm", "Incoterm", "Terms of sale", "", "%m/%d/%Y", "t1"},
		[]string{d.APISlug, d.DisplayName, d.Description, d.ReferenceType, d.DefaultFormat, d.TemplateID})
	require.Equal(t, terminal49.CustomFieldEnum, d.DataType)
	require.JSONEq(t, `{"required":true,"max_length":35}`, string(d.Validation))
	require.Equal(t, "fob", d.DefaultValue.String())
	require.True(t, d.Sensitive && d.ReferenceNumber)
	require.Equal(t, "2026-01-02 03:04 UTC", d.CreatedAt.String())
	require.Equal(t, "2026-02-03 04:05 UTC", d.UpdatedAt.String())
	require.Equal(t, "a1", d.Account.ID())
	require.Equal(t, []string{testkit.CustomFieldID}, d.Fields.IDs())
	options, complete := d.Options.Values()
	require.True(t, complete)
	require.Equal(t, "Free on Board", options[0].Label)
	require.Equal(t, "fob", options[0].Value)
	require.Equal(t, terminal49.Some(2), options[0].Position)
}

func TestCustomFields_Decode(t *testing.T) {
	const body = `{"data":{"id":"` + testkit.CustomFieldID + `","type":"custom_field","attributes":{"api_slug":"duty",
		"value": 123456789012.123456 ,"display_value":"123,456,789,012.123456"},"relationships":{
		"entity":{"data":{"id":"` + testkit.ShipmentID + `","type":"shipment"}},"definition":{"data":{"id":"` +
		testkit.DefinitionID + `","type":"custom_field_definition"}}}},
		"included":[{"id":"` + testkit.ShipmentID + `","type":"shipment","attributes":{"bill_of_lading_number":"BL1"}},
		{"id":"` + testkit.DefinitionID +
		`","type":"custom_field_definition","attributes":{"data_type":"number","validation":{}}}]}`
	f, err := testkit.NewClient(t, testkit.Answer(200, body),
		terminal49.WithStrictDecoding()).CustomFields.Get(t.Context(), testkit.CustomFieldID)
	require.NoError(t, err)
	require.Equal(t, "duty", f.APISlug)
	n, ok := f.Value.Number()
	require.True(t, ok)
	require.Equal(t, "123456789012.123456", n.String())
	require.Equal(t, "123,456,789,012.123456", f.DisplayValue)
	require.Equal(t, "shipment", f.Entity.Type())
	entity, ok := f.Entity.Value()
	require.True(t, ok)
	require.Equal(t, "BL1", entity.(*terminal49.Shipment).BillOfLadingNumber)
	definition, ok := f.Definition.Value()
	require.True(t, ok)
	require.Equal(t, terminal49.CustomFieldNumber, definition.DataType)
}

// Every member may be null or missing; one of the wrong kind is reported and does not affect the
// others.
func TestCustomFields_DecodeWithFewMembers(t *testing.T) {
	for _, attributes := range []string{`{}`, `{"api_slug":null,"value":null,"display_value":null}`} {
		c := testkit.NewClient(t,
			testkit.Answer(200, `{"data":{"id":"x","type":"custom_field","attributes":`+attributes+
				`,"relationships":{"entity":{"data":null}}}}`), terminal49.WithStrictDecoding())
		f, err := c.CustomFields.Get(t.Context(), testkit.CustomFieldID)
		require.NoError(t, err)
		require.Equal(t, attributes != `{}`, f.Value.IsNull())
		require.Equal(t, terminal49.RelationshipNull, f.Entity.State())
		require.Equal(t, terminal49.RelationshipAbsent, f.Definition.State())
	}
	var problems []string
	hooks := terminal49.WithHooks(terminal49.Hooks{OnDecodeWarning: func(_ context.Context, w terminal49.DecodeWarning) { problems = append(problems, w.Field) }})
	const odd = `{"data":{"id":"x","type":"custom_field_definition","attributes":{"entity_type":"Voyage","data_type":"geo",
		"validation":["required"],"default_value":{"a":[1,2]},"sensitive":"yes","display_name":"Place"}}}`
	d, err := testkit.NewClient(t, testkit.Answer(200, odd), hooks).CustomFieldDefinitions.Get(t.Context(),
		testkit.DefinitionID)
	require.NoError(t, err)
	require.Equal(t, terminal49.CustomFieldEntityType("Voyage"), d.EntityType)
	require.False(t, d.DataType.Known())
	require.Nil(t, d.Validation)
	require.Equal(t, `{"a":[1,2]}`, d.DefaultValue.String())
	require.Equal(t, "Place", d.DisplayName)
	require.Equal(t, []string{"validation", "sensitive"}, problems)
}

// FuzzCustomFieldValue checks that any value is kept as sent, that each accessor agrees with
// encoding/json, and that a constructor can make the same value.
func FuzzCustomFieldValue(f *testing.F) {
	for _, seed := range []string{
		`"a,b"`, `1e30`, `[null]`, `{"type":"party","id":1}`, `"2026-03-02 16:00"`, ` {"a" : [1] } `, `"\ud800"`,
		`true`, `false`, `null`, `""`,
		`"fob"`, `["a","b"]`, `{"type":"party","id":"55555555-5555-4555-8555-555555555555"}`, `1840.250000`,
		`"1840.25"`, `-0`, `"2026-03-02"`,
		`"2026-03-02T16:00:00Z"`, `"2026-03-02 16:00:00.5"`, `"0000-01-01"`, `[ ]`, `["a","a"]`, `0.1e-7`, `"\u0000"`,
		"\"\xff\"",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v := terminal49.CustomJSON(data)
		if v.Check() != nil {
			require.False(t, json.Valid(data))
			return
		}
		raw, err := json.Marshal(v)
		require.NoError(t, err)
		require.True(t, json.Valid(raw))
		require.Equal(t, v, terminal49.CustomJSON(v.JSON()))
		var plain any
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		require.NoError(t, d.Decode(&plain))
		require.Equal(t, plain == nil, v.IsNull())
		text, isText := v.Text()
		sentText, wasText := plain.(string)
		require.Equal(t, wasText, isText)
		require.Equal(t, sentText, text)
		if isText {
			again, _ := terminal49.CustomText(text).Text()
			require.Equal(t, text, again)
		}
		checkCustomNumber(t, v, plain)
		yes, isBoolean := v.Boolean()
		sentYes, wasBoolean := plain.(bool)
		require.Equal(t, wasBoolean, isBoolean)
		require.Equal(t, sentYes, yes)
		if at, ok := v.DateTime(); ok {
			require.False(t, at.IsZero())
			require.True(t, isText)
		}
		if day, ok := v.Date(); ok {
			require.Equal(t, text, day.String())
			require.Equal(t, text, terminal49.CustomDate(day).String())
		}
		option, isOption := v.Enum()
		require.Equal(t, isText && text != "", isOption)
		require.Equal(t, sentText, option)
		if options, ok := v.EnumMulti(); ok {
			require.NotNil(t, options)
			if again := terminal49.CustomEnumMulti(options...); again.Check() == nil {
				read, _ := again.EnumMulti()
				require.Equal(t, options, read)
			}
		}
		if to, ok := v.Reference(); ok {
			require.NoError(t, terminal49.CustomReference(to).Check())
			again, _ := terminal49.CustomReference(to).Reference()
			require.Equal(t, to, again)
		}
	})
}

// checkCustomNumber compares a number with an exact one, and sends it back.
func checkCustomNumber(t *testing.T, v terminal49.CustomFieldValue, plain any) {
	n, ok := v.Number()
	if !ok {
		digits, isNumber := plain.(json.Number)
		require.False(t, isNumber && len(digits) <= 30 && !strings.ContainsAny(string(digits), "eE"),
			"%v is a number", plain)
		return
	}
	require.LessOrEqual(t, len(n.String()), 2*decimals.MaxLength)
	exact, ok := new(big.Rat).SetString(strings.TrimSpace(v.String()))
	require.True(t, ok, v.String())
	require.Zero(t, exact.Cmp(n.Rat()), "%v became %v", v, n)
	if again := terminal49.CustomNumber(n); again.Check() == nil {
		read, ok := again.Number()
		require.True(t, ok && read.Equal(n), "%v was sent as %v", n, again)
	}
}
