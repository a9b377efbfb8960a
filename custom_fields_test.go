package terminal49

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/transport"
	"github.com/go-freight/terminal49/terminal49test"
)

const (
	definitionID  = "66666666-6666-4666-8666-666666666661"
	optionID      = "66666666-6666-4666-8666-666666666662"
	customFieldID = "66666666-6666-4666-8666-666666666663"
)

func customFieldCalls() []call {
	const (
		reply      = `{"data":{"id":"` + customFieldID + `","type":"custom_field"}}`
		list       = `{"data":[{"id":"` + customFieldID + `","type":"custom_field"}]}`
		valueBody  = `{"data":{"type":"custom_field","id":"` + customFieldID + `","attributes":{"value":"ABC124"}}}`
		everything = "filter[definition_id]=" + definitionID + "&filter[entity_id]=" + shipmentID + "&filter[entity_type]=Shipment&page[number]=2&page[size]=10"
	)
	params := func() *CustomFieldListParams {
		return &CustomFieldListParams{
			PageParams: PageParams{PageNumber: 2, PageSize: 10},
			EntityType: CustomFieldEntityShipment, EntityID: shipmentID, DefinitionID: definitionID,
		}
	}
	create := func(f CustomFieldCreate) func(context.Context, *Client) error {
		return func(ctx context.Context, c *Client) error { return first(c.CustomFields.Create(ctx, f)) }
	}
	createBody := func(entity, id string) string {
		return `{"data":{"type":"custom_field","attributes":{"api_slug":"customer_reference_number","value":"ABC124"},` +
			`"relationships":{"entity":{"data":{"type":"` + entity + `","id":"` + id + `"}}}}}`
	}
	text := CustomText("ABC124")
	return []call{
		{
			op: "custom_fields.list", method: "GET", path: "/custom_fields", query: everything, reply: list,
			do: func(ctx context.Context, c *Client) error { return first(c.CustomFields.List(ctx, params())) },
		},
		{
			op: "custom_fields.list", method: "GET", path: "/custom_fields", query: everything, reply: list,
			do: func(ctx context.Context, c *Client) error { return first(drain(c.CustomFields.Pages(ctx, params()))) },
		},
		{
			op: "custom_fields.list", method: "GET", path: "/custom_fields", query: everything, reply: list,
			do: func(ctx context.Context, c *Client) error { return first(drain(c.CustomFields.All(ctx, params()))) },
		},
		{
			op: "custom_fields.get", method: "GET", path: "/custom_fields/" + customFieldID, reply: reply,
			do: func(ctx context.Context, c *Client) error { return first(c.CustomFields.Get(ctx, customFieldID)) },
		},
		{
			op: "custom_fields.create", method: "POST", path: "/custom_fields", body: createBody("shipment", shipmentID), reply: reply,
			do: create(CustomFieldCreate{APISlug: "customer_reference_number", Value: text, ShipmentID: shipmentID}),
		},
		{
			op: "custom_fields.create", method: "POST", path: "/custom_fields", body: createBody("container", containerID), reply: reply,
			do: create(CustomFieldCreate{APISlug: "customer_reference_number", Value: text, ContainerID: containerID}),
		},
		{
			op: "custom_fields.update", method: "PATCH", path: "/custom_fields/" + customFieldID, body: valueBody, reply: reply,
			do: func(ctx context.Context, c *Client) error {
				return first(c.CustomFields.Update(ctx, customFieldID, text))
			},
		},
		{
			op: "custom_fields.delete", method: "DELETE", path: "/custom_fields/" + customFieldID,
			do: func(ctx context.Context, c *Client) error { return c.CustomFields.Delete(ctx, customFieldID) },
		},
	}
}

// ownedFieldCalls are the calls through a shipment, container or tracking request: the same everywhere.
func ownedFieldCalls() []call {
	const reply = `{"data":{"id":"` + customFieldID + `","type":"custom_field"}}`
	type methods struct {
		list   func(context.Context, string, ...CallOption) ([]*CustomField, error)
		set    func(context.Context, string, string, CustomFieldValue, ...CallOption) (*CustomField, error)
		update func(context.Context, string, string, CustomFieldValue, ...CallOption) (*CustomField, error)
		remove func(context.Context, string, string, ...CallOption) error
	}
	owners := []struct {
		op, path, id string
		of           func(*Client) methods
	}{
		{"shipments", "/shipments/" + shipmentID, shipmentID, func(c *Client) methods {
			return methods{c.Shipments.CustomFields, c.Shipments.SetCustomField, c.Shipments.UpdateCustomField, c.Shipments.DeleteCustomField}
		}},
		{"containers", "/containers/" + containerID, containerID, func(c *Client) methods {
			return methods{c.Containers.CustomFields, c.Containers.SetCustomField, c.Containers.UpdateCustomField, c.Containers.DeleteCustomField}
		}},
		{"tracking_requests", "/tracking_requests/" + requestID, requestID, func(c *Client) methods {
			s := c.TrackingRequests
			return methods{s.CustomFields, s.SetCustomField, s.UpdateCustomField, s.DeleteCustomField}
		}},
	}
	var calls []call
	for _, o := range owners {
		op, path := o.op+".custom_fields.", o.path+"/custom_fields"
		calls = append(calls,
			call{
				op: op + "list", method: "GET", path: path, reply: `{"data":[` + reply[8:len(reply)-1] + `]}`,
				do: func(ctx context.Context, c *Client) error { return first(o.of(c).list(ctx, o.id)) },
			},
			call{
				op: op + "set", method: "POST", path: path, reply: reply,
				body: `{"data":{"type":"custom_field","attributes":{"api_slug":"duty","value":1234.5}}}`,
				do: func(ctx context.Context, c *Client) error {
					return first(o.of(c).set(ctx, o.id, "duty", CustomNumber(decimal.RequireFromString("1234.50"))))
				},
			},
			call{ // a slug cannot leave its path segment
				op: op + "update", method: "PATCH", path: path + "/a%2Fb%20c", reply: reply,
				body: `{"data":{"type":"custom_field","attributes":{"value":null}}}`,
				do: func(ctx context.Context, c *Client) error {
					return first(o.of(c).update(ctx, o.id, "a/b c", CustomNull()))
				},
			},
			call{
				op: op + "delete", method: "DELETE", path: path + "/duty",
				do: func(ctx context.Context, c *Client) error { return o.of(c).remove(ctx, o.id, "duty") },
			},
		)
	}
	return calls
}

func definitionCalls() []call {
	const (
		path       = "/custom_field_definitions"
		reply      = `{"data":{"id":"` + definitionID + `","type":"custom_field_definition"}}`
		list       = `{"data":[{"id":"` + definitionID + `","type":"custom_field_definition"}]}`
		everything = "filter[data_type]=enum&filter[display_name]=Incoterm&filter[entity_type]=Container&page[number]=1&page[size]=50"
	)
	params := func() *CustomFieldDefinitionListParams {
		return &CustomFieldDefinitionListParams{
			PageParams: PageParams{PageNumber: 1, PageSize: 50},
			EntityType: CustomFieldEntityContainer, DataType: CustomFieldEnum, DisplayName: "Incoterm",
		}
	}
	return []call{
		{
			op: "custom_field_definitions.list", method: "GET", path: path, query: everything, reply: list,
			do: func(ctx context.Context, c *Client) error { return first(c.CustomFieldDefinitions.List(ctx, params())) },
		},
		{
			op: "custom_field_definitions.list", method: "GET", path: path, query: everything, reply: list,
			do: func(ctx context.Context, c *Client) error {
				return first(drain(c.CustomFieldDefinitions.Pages(ctx, params())))
			},
		},
		{
			op: "custom_field_definitions.list", method: "GET", path: path, query: everything, reply: list,
			do: func(ctx context.Context, c *Client) error {
				return first(drain(c.CustomFieldDefinitions.All(ctx, params())))
			},
		},
		{
			op: "custom_field_definitions.get", method: "GET", path: path + "/" + definitionID, reply: reply,
			do: func(ctx context.Context, c *Client) error {
				return first(c.CustomFieldDefinitions.Get(ctx, definitionID))
			},
		},
		{
			op: "custom_field_definitions.create", method: "POST", path: path, reply: reply,
			body: `{"data":{"type":"custom_field_definition","attributes":{"entity_type":"Shipment","api_slug":"buyer",` +
				`"display_name":"Buyer","data_type":"reference","description":"Who buys","reference_type":"party",` +
				`"validation":{},"default_format":"%Y","default_value":null}}}`,
			do: func(ctx context.Context, c *Client) error {
				return first(c.CustomFieldDefinitions.Create(ctx, CustomFieldDefinitionCreate{
					EntityType: CustomFieldEntityShipment, APISlug: "buyer", DisplayName: "Buyer", DataType: CustomFieldReference,
					Description: "Who buys", ReferenceType: "party", Validation: json.RawMessage(`{ }`), DefaultFormat: "%Y",
					DefaultValue: CustomNull(),
				}))
			},
		},
		{
			op: "custom_field_definitions.create", method: "POST", path: path, reply: reply,
			body: `{"data":{"type":"custom_field_definition","attributes":{"entity_type":"Container","api_slug":"po",` +
				`"display_name":"PO","data_type":"short_text"}}}`,
			do: func(ctx context.Context, c *Client) error {
				return first(c.CustomFieldDefinitions.Create(ctx, CustomFieldDefinitionCreate{
					EntityType: CustomFieldEntityContainer, APISlug: "po", DisplayName: "PO", DataType: CustomFieldShortText,
				}))
			},
		},
		{
			op: "custom_field_definitions.update", method: "PATCH", path: path + "/" + definitionID, reply: reply,
			body: `{"data":{"type":"custom_field_definition","id":"` + definitionID + `","attributes":{"display_name":"Buyer",` +
				`"description":null,"validation":{},"default_format":"","default_value":null}}}`,
			do: func(ctx context.Context, c *Client) error {
				return first(c.CustomFieldDefinitions.Update(ctx, definitionID, CustomFieldDefinitionUpdate{
					DisplayName: Some("Buyer"), Description: Null[string](), Validation: Some(json.RawMessage(`{}`)),
					DefaultFormat: Some(""), DefaultValue: CustomNull(),
				}))
			},
		},
		{
			op: "custom_field_definitions.delete", method: "DELETE", path: path + "/" + definitionID,
			do: func(ctx context.Context, c *Client) error { return c.CustomFieldDefinitions.Delete(ctx, definitionID) },
		},
	}
}

func optionCalls() []call {
	const (
		path  = "/custom_field_definitions/" + definitionID + "/options"
		reply = `{"data":{"id":"` + optionID + `","type":"custom_field_option"}}`
	)
	return []call{
		{
			op: "custom_field_options.list", method: "GET", path: path, reply: `{"data":[{"id":"` + optionID + `","type":"custom_field_option"}]}`,
			do: func(ctx context.Context, c *Client) error { return first(c.CustomFieldOptions.List(ctx, definitionID)) },
		},
		{
			op: "custom_field_options.get", method: "GET", path: path + "/" + optionID, reply: reply,
			do: func(ctx context.Context, c *Client) error {
				return first(c.CustomFieldOptions.Get(ctx, definitionID, optionID))
			},
		},
		{
			op: "custom_field_options.create", method: "POST", path: path, reply: reply,
			body: `{"data":{"type":"custom_field_option","attributes":{"label":"Free on Board","value":"fob","position":0}}}`,
			do: func(ctx context.Context, c *Client) error {
				option := CustomFieldOptionCreate{Label: "Free on Board", Value: "fob", Position: Some(0)}
				return first(c.CustomFieldOptions.Create(ctx, definitionID, option))
			},
		},
		{
			op: "custom_field_options.update", method: "PATCH", path: path + "/" + optionID, reply: reply,
			body: `{"data":{"type":"custom_field_option","id":"` + optionID + `","attributes":{"label":"FOB","position":null}}}`,
			do: func(ctx context.Context, c *Client) error {
				change := CustomFieldOptionUpdate{Label: Some("FOB"), Position: Null[int]()}
				return first(c.CustomFieldOptions.Update(ctx, definitionID, optionID, change))
			},
		},
		{
			op: "custom_field_options.delete", method: "DELETE", path: path + "/" + optionID,
			do: func(ctx context.Context, c *Client) error {
				return c.CustomFieldOptions.Delete(ctx, definitionID, optionID)
			},
		},
	}
}

// everyFieldCall lists a call of every operation of the family.
func everyFieldCall() []call {
	return slices.Concat(customFieldCalls(), ownedFieldCalls(), definitionCalls(), optionCalls())
}

// addNamedFields adds what those calls ask for by id or slug, to a world that has the shipment, container and tracking
// request.
func addNamedFields(srv *terminal49test.Server) {
	for _, entity := range []string{"Shipment", "Container"} {
		for slug, kind := range map[string]string{"customer_reference_number": "short_text", "duty": "number", "a/b c": "short_text"} {
			srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{EntityType: entity, APISlug: slug, DataType: kind})
		}
	}
	srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{
		ID: definitionID, APISlug: "incoterm", DataType: "enum",
		Options: []terminal49test.CustomFieldOption{{ID: optionID, Label: "On board", Value: "on_board"}},
	})
	values := []terminal49test.CustomField{{ID: customFieldID, Entity: shipmentID, APISlug: "customer_reference_number", Value: "1"}}
	for _, entity := range []string{shipmentID, containerID, requestID} {
		values = append(values, terminal49test.CustomField{Entity: entity, APISlug: "duty", Value: 1},
			terminal49test.CustomField{Entity: entity, APISlug: "a/b c", Value: "1"})
	}
	for _, f := range values {
		if _, err := srv.AddCustomField(f); err != nil {
			panic(err)
		}
	}
}

func TestCustomFields_Requests(t *testing.T) { testCalls(t, everyFieldCall()) }

func TestCustomFieldDefinitions_NestedMembers(t *testing.T) {
	api := newFakeAPI()
	api.on("POST", "/custom_field_definitions", http.StatusCreated, `{"data":{"id":"`+definitionID+`","type":"custom_field_definition"}}`)
	require.NoError(t, first(newClient(t, api).CustomFieldDefinitions.Create(t.Context(), CustomFieldDefinitionCreate{
		EntityType: CustomFieldEntityShipment, APISlug: "buyer", DisplayName: "Buyer", DataType: CustomFieldReference,
		ReferenceType: "party", Validation: json.RawMessage(`{"required": true}`),
		DefaultValue: CustomReference(ResourceRef{Type: "party", ID: partyID}),
	})))
	require.Contains(t, api.requests()[0].Body, `"validation":{"required":true},"default_value":{"type":"party","id":"`+partyID+`"}`)
}

func TestCustomFields_InitialFieldsAreTyped(t *testing.T) {
	api := newFakeAPI()
	api.on("POST", "/tracking_requests", http.StatusCreated, `{"data":{"id":"`+requestID+`","type":"tracking_request"}}`)
	request := TrackingRequestCreate{
		RequestType: RequestBillOfLading, RequestNumber: "MAEU123456", SCAC: "MAEU",
		InitialCustomFields: InitialCustomFields{
			Shipment:   []InitialCustomField{{"buyer", CustomText("Ann")}, {"due", CustomDate(Date{2026, 3, 2})}},
			Containers: []InitialContainerCustomField{{APISlug: "tags", Value: CustomEnumMulti("a", "b"), Number: "MSCU1234566"}},
		},
	}
	client := newClient(t, api)
	require.NoError(t, first(client.TrackingRequests.Create(t.Context(), request)))
	require.Contains(t, api.requests()[0].Body, `"initial_custom_fields":{"shipment":[{"api_slug":"buyer","value":"Ann"},`+
		`{"api_slug":"due","value":"2026-03-02"}],"containers":[{"api_slug":"tags","value":["a","b"],"number":"MSCU1234566"}]}`)

	for problem, fields := range map[string]InitialCustomFields{
		`InitialCustomFields.Shipment holds a value without an APISlug`: {Shipment: []InitialCustomField{{Value: CustomText("x")}}},
		`InitialCustomFields.Shipment holds no value for "buyer"`:       {Shipment: []InitialCustomField{{APISlug: "buyer"}}},
		`InitialCustomFields.Containers holds a value for "day" that cannot be sent: it must be a day`: {
			Containers: []InitialContainerCustomField{{APISlug: "day", Value: CustomDate(Date{2026, 2, 30})}},
		},
	} {
		request.InitialCustomFields = fields
		require.ErrorContains(t, first(client.TrackingRequests.Create(t.Context(), request)), problem)
	}
	require.Len(t, api.requests(), 1)
}

// What is wrong is refused before anything is sent, in words that name the field.
func TestCustomFields_Arguments(t *testing.T) {
	api := newFakeAPI()
	c, ctx, text := newClient(t, api), t.Context(), CustomText("x")
	valid := CustomFieldDefinitionCreate{
		EntityType: CustomFieldEntityShipment, APISlug: "a", DisplayName: "A", DataType: CustomFieldNumber,
	}
	with := func(change func(*CustomFieldDefinitionCreate)) error {
		d := valid
		change(&d)
		return first(c.CustomFieldDefinitions.Create(ctx, d))
	}
	update := func(u CustomFieldDefinitionUpdate) error {
		return first(c.CustomFieldDefinitions.Update(ctx, definitionID, u))
	}
	for want, err := range map[string]error{
		"id must be a UUID such as 5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d; a container number is not an id": first(c.Containers.SetCustomField(ctx, "MSCU1234566", "a", text)),
		"shipments.custom_fields.set: apiSlug must not be empty":                                          first(c.Shipments.SetCustomField(ctx, shipmentID, " ", text)),
		"shipments.custom_fields.set: value must be set; make it with CustomText":                         first(c.Shipments.SetCustomField(ctx, shipmentID, "a", CustomFieldValue{})),
		"shipments.custom_fields.update: value must have at most 12 digits":                               first(c.Shipments.UpdateCustomField(ctx, shipmentID, "a", CustomNumber(decimal.New(1, -7)))),
		"tracking_requests.custom_fields.update: apiSlug must not be empty":                               first(c.TrackingRequests.UpdateCustomField(ctx, requestID, "", text)),
		"containers.custom_fields.delete: apiSlug must not be empty":                                      c.Containers.DeleteCustomField(ctx, containerID, ""),
		"api_slug is not an id":                              first(c.CustomFields.Get(ctx, "buyer_name")),
		"custom_fields.update: Value must be set":            first(c.CustomFields.Update(ctx, customFieldID, CustomFieldValue{})),
		"APISlug must not be empty":                          first(c.CustomFields.Create(ctx, CustomFieldCreate{Value: text, ShipmentID: shipmentID})),
		"set one of ShipmentID and ContainerID":              first(c.CustomFields.Create(ctx, CustomFieldCreate{APISlug: "a", Value: text})),
		"CustomFieldCreate must name what the value is for":  first(c.CustomFields.Create(ctx, CustomFieldCreate{APISlug: "a", Value: text, ShipmentID: shipmentID, ContainerID: containerID})),
		"a UUID, not its number":                             first(c.CustomFields.Create(ctx, CustomFieldCreate{APISlug: "a", Value: text, ContainerID: "MSCU1234566"})),
		"PageSize must be 1 to 100, not 500":                 first(c.CustomFields.List(ctx, &CustomFieldListParams{PageParams: PageParams{PageSize: 500}})),
		"EntityType must be CustomFieldEntityShipment":       with(func(d *CustomFieldDefinitionCreate) { d.EntityType = CustomFieldEntityTrackingRequest }),
		"definitions.create: APISlug must not be empty":      with(func(d *CustomFieldDefinitionCreate) { d.APISlug = "" }),
		"DisplayName must not be empty":                      with(func(d *CustomFieldDefinitionCreate) { d.DisplayName = "" }),
		"DataType must be CustomFieldShortText or one of":    with(func(d *CustomFieldDefinitionCreate) { d.DataType = "text" }),
		"ReferenceType must be set for CustomFieldReference": with(func(d *CustomFieldDefinitionCreate) { d.DataType = CustomFieldReference }),
		"and for no other data type":                         with(func(d *CustomFieldDefinitionCreate) { d.ReferenceType = "party" }),
		"create: Validation must be a JSON object":           with(func(d *CustomFieldDefinitionCreate) { d.Validation = json.RawMessage(`[1]`) }),
		"DefaultValue is of the data type date, the definition of number": with(func(d *CustomFieldDefinitionCreate) {
			d.DefaultValue = CustomDate(Date{2026, 3, 2})
		}),
		"DefaultValue must have at most 12 digits": with(func(d *CustomFieldDefinitionCreate) { d.DefaultValue = CustomNumber(decimal.New(1, 12)) }),
		"custom_field_definition changes nothing":  update(CustomFieldDefinitionUpdate{}),
		"use Null to remove it":                    update(CustomFieldDefinitionUpdate{Validation: Some(json.RawMessage(`{`))}),
		"update: DisplayName must not be empty":    update(CustomFieldDefinitionUpdate{DisplayName: Null[string]()}),
		"DefaultValue must be one JSON value":      update(CustomFieldDefinitionUpdate{DefaultValue: CustomJSON(json.RawMessage(`{`))}),
		"definitionID must be a UUID":              first(c.CustomFieldOptions.List(ctx, "buyer")),
		"optionID must be a UUID such as 5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d; an option's value is not its id": first(c.CustomFieldOptions.Get(ctx, definitionID, "fob")),
		"options.create: Label must not be empty":                     first(c.CustomFieldOptions.Create(ctx, definitionID, CustomFieldOptionCreate{Value: "a"})),
		"Value must not be empty or hold a comma":                     first(c.CustomFieldOptions.Create(ctx, definitionID, CustomFieldOptionCreate{Label: "A", Value: "a,b"})),
		"options.update: Label must not be empty":                     first(c.CustomFieldOptions.Update(ctx, definitionID, optionID, CustomFieldOptionUpdate{Label: Some("")})),
		"custom_field_option changes nothing; set at least one field": first(c.CustomFieldOptions.Update(ctx, definitionID, optionID, CustomFieldOptionUpdate{})),
	} {
		var argument *ArgumentError
		require.ErrorAs(t, err, &argument, want)
		require.ErrorContains(t, err, want)
		require.NotEmpty(t, argument.Op)
	}
	require.Empty(t, api.requests())
}

func TestCustomFields_Errors(t *testing.T) {
	refused := newClient(t, answer(403, `{"errors":[{"status":"403","title":"Forbidden","detail":"Custom fields are not enabled for this account"}]}`))
	require.ErrorIs(t, first(refused.Shipments.SetCustomField(t.Context(), shipmentID, "a", CustomText("x"))), ErrFeatureNotEnabled)
	require.ErrorIs(t, first(refused.Shipments.CustomFields(t.Context(), shipmentID)), ErrFeatureNotEnabled)
	require.ErrorIs(t, first(refused.CustomFieldDefinitions.List(t.Context(), nil)), ErrFeatureNotEnabled)

	broken := newClient(t, answer(500, `{"errors":[{"status":"500","source":null,"title":"Internal Server Error","detail":null}]}`))
	require.ErrorIs(t, first(broken.CustomFields.List(t.Context(), nil)), ErrServer)
}

// Deletions answer 200 or 204, with or without a body.
func TestCustomFields_Deletions(t *testing.T) {
	for _, rt := range []http.RoundTripper{answer(200, ""), answer(200, `{}`), answer(204, "")} {
		c := newClient(t, rt)
		require.NoError(t, c.CustomFields.Delete(t.Context(), customFieldID))
		require.NoError(t, c.CustomFieldDefinitions.Delete(t.Context(), definitionID))
		require.NoError(t, c.CustomFieldOptions.Delete(t.Context(), definitionID, optionID))
		require.NoError(t, c.Shipments.DeleteCustomField(t.Context(), shipmentID, "a"))
	}
}

// Setting is an upsert: a repetition leaves the same state, so that it may be sent again. Creating is not.
func TestCustomFields_OnlySetMayBeRepeated(t *testing.T) {
	api := newFakeAPI()
	const reply = `{"data":{"id":"` + customFieldID + `","type":"custom_field"}}`
	api.on("POST", "/shipments/"+shipmentID+"/custom_fields", 201, reply)
	api.on("POST", "/custom_fields", 201, reply)
	c := newClient(t, api)
	require.NoError(t, first(c.Shipments.SetCustomField(t.Context(), shipmentID, "a", CustomText("x"))))
	create := CustomFieldCreate{APISlug: "a", Value: CustomText("x"), ShipmentID: shipmentID}
	require.NoError(t, first(c.CustomFields.Create(t.Context(), create)))
	require.Equal(t, transport.Idempotent, api.requests()[0].Info.Class)
	require.Equal(t, transport.Write, api.requests()[1].Info.Class)
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
		api := newFakeAPI()
		api.onPages("/custom_field_definitions", pages)
		items, err := drain(newClient(t, api).CustomFieldDefinitions.All(t.Context(), nil))
		require.NoError(t, err)
		for _, d := range items {
			ids = append(ids, d.ID)
		}
		return ids, len(api.requests())
	}
	ids, requests := list(map[string]string{
		"page[size]=100":                rows(link("2"), "a", "b"),
		"page[number]=2&page[size]=100": rows(link("3"), "a", "b"),
		"page[number]=3&page[size]=100": rows(link("4"), "a", "b"),
		"page[number]=99":               rows("", "z"),
	})
	require.Equal(t, []string{"a", "b"}, ids)
	require.Equal(t, 2, requests, "a page without news is the end")

	ids, _ = list(map[string]string{ // and a real second page is not missed
		"page[size]=100":                rows(link("2"), "a", "b"),
		"page[number]=2&page[size]=100": rows("", "b", "c"),
	})
	require.Equal(t, []string{"a", "b", "c"}, ids)

	api := newFakeAPI()
	api.onPages("/shipments/"+shipmentID+"/custom_fields", map[string]string{
		"": rows(link("2"), "a"), "page[number]=2": `!{"errors":[{"title":"Not Found"}]}`,
	})
	fields, err := newClient(t, api).Shipments.CustomFields(t.Context(), shipmentID)
	require.ErrorIs(t, err, ErrNotFound)
	require.Nil(t, fields, "a part is never taken for the whole")
}
