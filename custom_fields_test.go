package terminal49_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/transport"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

func TestCustomFields_Requests(t *testing.T) { testkit.TestCalls(t, testkit.EveryFieldCall()) }

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
