package terminal49test_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// customFieldWorld is a simulated service with one shipment, its container and its tracking
// request, and a client that insists on understanding everything. Nothing undocumented may be sent.
func customFieldWorld(t *testing.T, opts ...terminal49test.Option) (c *terminal49.Client, srv *terminal49test.Server,
	shipment, container, request string) {
	t.Helper()
	srv = terminal49test.NewServer(append(opts, terminal49test.WithoutSocket(), terminal49test.WithoutRateLimits())...)
	t.Cleanup(func() {
		srv.CheckViolations(t)
		srv.Close()
	})
	shipment = srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU123456", ShippingLine: "MAEU"})
	container = srv.AddContainer(terminal49test.Container{Number: "MSKU1234565", Shipment: shipment})
	request = srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU123456", SCAC: "MAEU",
		Status: "created", Shipment: shipment})
	c, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()),
		terminal49.WithStrictDecoding(), terminal49.WithMaxAttempts(1))
	require.NoError(t, err)
	return c, srv, shipment, container, request
}

func TestSimulator_CustomFieldRoundTrip(t *testing.T) {
	c, srv, shipment, container, request := customFieldWorld(t)
	ctx := t.Context()

	d, err := c.CustomFieldDefinitions.Create(ctx, terminal49.CustomFieldDefinitionCreate{
		EntityType: terminal49.CustomFieldEntityContainer, APISlug: "incoterm", DisplayName: "Incoterm",
		DataType:    terminal49.CustomFieldEnum,
		Description: "Terms of sale", Validation: json.RawMessage(`{"required":false}`),
		DefaultValue: terminal49.CustomEnum("fob"),
	})
	require.NoError(t, err)
	require.Equal(t, terminal49.CustomFieldEntityContainer, d.EntityType)
	require.Equal(t, "fob", d.DefaultValue.String())

	fob, err := c.CustomFieldOptions.Create(ctx, d.ID,
		terminal49.CustomFieldOptionCreate{Label: "Free on board", Value: "fob"})
	require.NoError(t, err)
	_, err = c.CustomFieldOptions.Create(ctx, d.ID,
		terminal49.CustomFieldOptionCreate{Label: "CIF", Value: "cif", Position: terminal49.Some(0)})
	require.NoError(t, err)
	fob, err = c.CustomFieldOptions.Update(ctx, d.ID, fob.ID,
		terminal49.CustomFieldOptionUpdate{Label: terminal49.Some("Free on Board"), Position: terminal49.Some(1)})
	require.NoError(t, err)
	require.Equal(t, terminal49.Some(1), fob.Position)
	fob, err = c.CustomFieldOptions.Get(ctx, d.ID, fob.ID)
	require.NoError(t, err)
	require.Equal(t, "Free on Board", fob.Label)
	options, err := c.CustomFieldOptions.List(ctx, d.ID)
	require.NoError(t, err)
	require.Len(t, options, 2)

	field, err := c.Containers.SetCustomField(ctx, container, "incoterm", terminal49.CustomEnum("fob"))
	require.NoError(t, err)
	require.Equal(t, "Free on Board", field.DisplayValue)
	require.Equal(t, container, field.Entity.ID())
	require.Equal(t, "container", field.Entity.Type())
	require.Equal(t, d.ID, field.Definition.ID())
	again, err := c.Containers.SetCustomField(ctx, container, "incoterm", terminal49.CustomEnum("cif"))
	require.NoError(t, err)
	require.Equal(t, field.ID, again.ID, "setting is an upsert")
	require.NoError(t, c.CustomFieldOptions.Delete(ctx, d.ID, fob.ID))
	_, err = c.Containers.SetCustomField(ctx, container, "incoterm", terminal49.CustomEnum("fob"))
	require.ErrorIs(t, err, terminal49.ErrInvalid)

	d, err = c.CustomFieldDefinitions.Update(ctx, d.ID, terminal49.CustomFieldDefinitionUpdate{
		DisplayName: terminal49.Some("Incoterms 2020"), Description: terminal49.Null[string](),
		Validation: terminal49.Null[json.RawMessage](), DefaultValue: terminal49.CustomNull(),
	})
	require.NoError(t, err)
	require.Equal(t, "Incoterms 2020", d.DisplayName)
	require.Empty(t, d.Description)
	require.Nil(t, d.Validation)
	require.True(t, d.DefaultValue.IsNull())
	require.Equal(t, []string{field.ID}, d.Fields.IDs())
	require.Equal(t, 1, d.Options.Len())

	srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "po", DisplayName: "PO"})
	_, err = c.Shipments.SetCustomField(ctx, shipment, "po", terminal49.CustomText("PO-1"))
	require.NoError(t, err)
	_, err = c.Shipments.UpdateCustomField(ctx, shipment, "po", terminal49.CustomText("PO-2"))
	require.NoError(t, err)
	_, err = c.TrackingRequests.SetCustomField(ctx, request, "po", terminal49.CustomText("PO-3"))
	require.NoError(t, err)
	_, err = c.TrackingRequests.UpdateCustomField(ctx, request, "po", terminal49.CustomNull())
	require.NoError(t, err)
	_, err = c.Containers.UpdateCustomField(ctx, container, "incoterm", terminal49.CustomEnum("cif"))
	require.NoError(t, err)
	for _, list := range []func() ([]*terminal49.CustomField, error){
		func() ([]*terminal49.CustomField, error) { return c.Shipments.CustomFields(ctx, shipment) },
		func() ([]*terminal49.CustomField, error) { return c.Containers.CustomFields(ctx, container) },
		func() ([]*terminal49.CustomField, error) { return c.TrackingRequests.CustomFields(ctx, request) },
	} {
		fields, err := list()
		require.NoError(t, err)
		require.Len(t, fields, 1)
	}
	require.Equal(t, map[string]any{"po": "PO-2"}, srv.CustomFields(shipment))
	require.Equal(t, map[string]any{"po": nil}, srv.CustomFields(request))

	list, err := c.CustomFields.List(ctx, &terminal49.CustomFieldListParams{
		EntityType: terminal49.CustomFieldEntityContainer, EntityID: container, DefinitionID: d.ID,
	})
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
	got, err := c.CustomFields.Get(ctx, field.ID)
	require.NoError(t, err)
	require.Equal(t, "cif", got.Value.String())
	_, err = c.CustomFields.Update(ctx, field.ID, terminal49.CustomEnum("cif"))
	require.NoError(t, err)
	require.NoError(t, c.CustomFields.Delete(ctx, field.ID))
	field, err = c.CustomFields.Create(ctx,
		terminal49.CustomFieldCreate{APISlug: "incoterm", Value: terminal49.CustomEnum("cif"), ContainerID: container})
	require.NoError(t, err)
	require.Equal(t, "CIF", field.DisplayValue)

	require.NoError(t, c.Shipments.DeleteCustomField(ctx, shipment, "po"))
	require.NoError(t, c.TrackingRequests.DeleteCustomField(ctx, request, "po"))
	require.NoError(t, c.Containers.DeleteCustomField(ctx, container, "incoterm"))
	require.ErrorIs(t, c.Containers.DeleteCustomField(ctx, container, "incoterm"), terminal49.ErrNotFound)
	_, err = c.Shipments.UpdateCustomField(ctx, shipment, "po", terminal49.CustomText("x"))
	require.ErrorIs(t, err, terminal49.ErrNotFound, "an update creates nothing")

	require.NoError(t, c.CustomFieldDefinitions.Delete(ctx, d.ID))
	_, err = c.CustomFieldDefinitions.Get(ctx, d.ID)
	require.ErrorIs(t, err, terminal49.ErrNotFound)

	var ops []string
	for _, r := range srv.Requests() {
		ops = append(ops, r.Operation)
	}
	slices.Sort(ops)
	require.Len(t, slices.Compact(ops), 27-1, "every operation but the list of definitions, which has its own test")
}

// Each data type is returned as it was set.
func TestSimulator_CustomFieldValuesRoundTrip(t *testing.T) {
	c, srv, shipment, _, _ := customFieldWorld(t)
	party := srv.AddParty(terminal49test.Party{CompanyName: "Harbor Street Imports"})
	options := []terminal49test.CustomFieldOption{{Label: "Red", Value: "r"}, {Label: "Green", Value: "g"}}
	exact := decimal.RequireFromString("123456789012.123456")
	at := time.Date(2026, 3, 2, 16, 30, 0, 0, time.UTC)
	for _, row := range []struct {
		value   terminal49.CustomFieldValue
		display string
		same    func(terminal49.CustomFieldValue) bool
	}{
		{terminal49.CustomText("Ann"), "Ann",
			func(v terminal49.CustomFieldValue) bool { s, ok := v.Text(); return ok && s == "Ann" }},
		{terminal49.CustomNumber(exact), "123456789012.123456",
			func(v terminal49.CustomFieldValue) bool { n, ok := v.Number(); return ok && n.Equal(exact) }},
		{terminal49.CustomDate(terminal49.Date{Year: 2026, Month: 3, Day: 2}), "2026-03-02",
			func(v terminal49.CustomFieldValue) bool {
				d, ok := v.Date()
				return ok && d.String() == "2026-03-02"
			}},
		{terminal49.CustomDateTime(at), "2026-03-02 16:30:00", func(v terminal49.CustomFieldValue) bool {
			m, _ := v.DateTime()
			instant, ok := m.Instant()
			return ok && instant.Equal(at)
		}},
		{terminal49.CustomBoolean(false), "No",
			func(v terminal49.CustomFieldValue) bool { yes, ok := v.Boolean(); return ok && !yes }},
		{terminal49.CustomEnum("r"), "Red",
			func(v terminal49.CustomFieldValue) bool { s, ok := v.Enum(); return ok && s == "r" }},
		{terminal49.CustomEnumMulti("g", "r"), "Green, Red", func(v terminal49.CustomFieldValue) bool {
			s, ok := v.EnumMulti()
			return ok && slices.Equal(s, []string{"g", "r"})
		}},
		{terminal49.CustomReference(terminal49.ResourceRef{Type: "party", ID: party}), "Harbor Street Imports",
			func(v terminal49.CustomFieldValue) bool {
				r, ok := v.Reference()
				return ok && r.ID == party
			}},
	} {
		kind := string(row.value.DataType())
		definition := terminal49test.CustomFieldDefinition{APISlug: kind, DataType: kind, DisplayName: kind}
		if kind == "reference" {
			definition.ReferenceType = "party"
		}
		if kind == "enum" || kind == "enum_multi" {
			definition.Options = options
		}
		srv.AddCustomFieldDefinition(definition)
		f, err := c.Shipments.SetCustomField(t.Context(), shipment, kind, row.value)
		require.NoError(t, err)
		require.Equal(t, row.display, f.DisplayValue)
		require.True(t, row.same(f.Value), "%s: %s", kind, f.Value)

		f, err = c.Shipments.SetCustomField(t.Context(), shipment, kind, terminal49.CustomNull())
		require.NoError(t, err)
		require.True(t, f.Value.IsNull())
		require.Empty(t, f.DisplayValue)
	}
}

func TestSimulator_InitialCustomFieldsReachTheShipment(t *testing.T) {
	c, srv, _, _, _ := customFieldWorld(t, terminal49test.WithStart(time.Date(2024, 7, 1, 12, 0, 0, 0, time.UTC)),
		terminal49test.WithSpeed(0))
	srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "buyer"})
	srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "duty", EntityType: "Container",
		DataType: "number"})
	request, err := c.TrackingRequests.Create(t.Context(), terminal49.TrackingRequestCreate{
		RequestType: terminal49.RequestTypeBillOfLading, RequestNumber: "MAEU777000111", SCAC: "MAEU",
		InitialCustomFields: terminal49.InitialCustomFields{
			Shipment: []terminal49.InitialCustomField{{APISlug: "buyer", Value: terminal49.CustomText("Ann")}},
			Containers: []terminal49.InitialCustomField{
				{APISlug: "duty", Value: terminal49.CustomNumber(decimal.RequireFromString("123456789012.123456"))},
			},
		},
	})
	require.NoError(t, err)
	srv.Advance(time.Minute)
	request, err = c.TrackingRequests.Get(t.Context(), request.ID, nil)
	require.NoError(t, err)
	fields, err := c.Shipments.CustomFields(t.Context(), request.Shipment.ID())
	require.NoError(t, err)
	require.Equal(t, "Ann", fields[0].Value.String())
	box := srv.ContainerIDs(request.Shipment.ID())[0]
	require.Equal(t, map[string]any{"duty": json.Number("123456789012.123456")}, srv.CustomFields(box))
}

func TestSimulator_CustomFieldSwitches(t *testing.T) {
	c, srv, shipment, _, _ := customFieldWorld(t, terminal49test.WithCustomFieldLimit(1),
		terminal49test.WithBrokenCustomFieldList())
	for _, slug := range []string{"a", "b"} {
		srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: slug})
	}
	for range 2 {
		_, err := c.Shipments.SetCustomField(t.Context(), shipment, "a", terminal49.CustomText("x"))
		require.NoError(t, err, "replacing a value does not count")
	}
	_, err := c.Shipments.SetCustomField(t.Context(), shipment, "b", terminal49.CustomText("x"))
	require.ErrorIs(t, err, terminal49.ErrInvalid)
	require.ErrorContains(t, err, "limit")
	_, err = c.CustomFields.List(t.Context(), nil)
	require.ErrorIs(t, err, terminal49.ErrServer)
	fields, err := c.Shipments.CustomFields(t.Context(), shipment)
	require.NoError(t, err)
	require.Len(t, fields, 1)
}

// Every page of definitions has all of them, although the links list several pages.
func TestSimulator_CustomFieldDefinitionsComeOnce(t *testing.T) {
	c, srv, _, _, _ := customFieldWorld(t)
	for _, slug := range []string{"a", "b", "c"} {
		srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: slug, DisplayName: "Field " + slug})
	}
	params := &terminal49.CustomFieldDefinitionListParams{PageParams: terminal49.PageParams{PageSize: 2},
		DisplayName: "field"}
	page, err := c.CustomFieldDefinitions.List(t.Context(), params)
	require.NoError(t, err)
	require.Len(t, page.Items, 3)
	require.True(t, page.HasNext())
	var slugs []string
	for d, err := range c.CustomFieldDefinitions.All(t.Context(), params) {
		require.NoError(t, err)
		slugs = append(slugs, d.APISlug)
	}
	require.Equal(t, []string{"a", "b", "c"}, slugs)
}
