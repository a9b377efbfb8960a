package terminal49

import (
	"context"
	"iter"

	"github.com/google/uuid"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// CustomField is a value that the account keeps on a shipment, container or tracking request, in a field that it
// defined itself; see [CustomFieldDefinition]. An entity has at most one value for each definition.
type CustomField struct {
	Resource

	APISlug      string           // api_slug of the definition
	Value        CustomFieldValue // value: null if the field was cleared
	DisplayValue string           // display_value: the value as the service shows it, "Yes" or an option's label; "" if none

	Entity     ToEntity                     // entity: what the value is kept on
	Definition ToOne[CustomFieldDefinition] // definition
}

// ToEntity is a relationship to what a custom field is kept on: a shipment, container or tracking request. Its Type
// tells which.
type ToEntity struct{ link[any] }

// Value returns a *[Shipment], *[Container], *[TrackingRequest] or *[UnknownResource]; false if the response did not
// include it.
func (r ToEntity) Value() (any, bool) { return r.value, r.state == RelationshipIncluded }

// CustomFieldListParams narrows a list of custom fields. The zero value, like nil, asks for all of them.
type CustomFieldListParams struct {
	PageParams

	EntityType   CustomFieldEntityType // CustomFieldEntityShipment or CustomFieldEntityContainer
	EntityID     string                // id of the shipment or container
	DefinitionID string                // id of the definition
}

// CustomFieldCreate is a value for a custom field of one shipment or container.
type CustomFieldCreate struct {
	APISlug string           `json:"api_slug"` // api_slug of the definition
	Value   CustomFieldValue `json:"value"`    // as the definition's data type wants it

	// ShipmentID or ContainerID names what the value is for; give one of them.
	ShipmentID  string `json:"-"`
	ContainerID string `json:"-"`
}

// CustomFieldsService reads and changes custom fields across the account. For those of one shipment, container or
// tracking request, the methods of that service are shorter, and more dependable than List: see
// [ShipmentsService.SetCustomField].
type CustomFieldsService service

// List returns one page of custom fields. The live service was seen to fail on this list (ErrServer) while
// [ShipmentsService.CustomFields] and its siblings work.
//
// API: GET /custom_fields. Rate bucket: default. Errors: *ArgumentError, ErrServer.
func (s *CustomFieldsService) List(ctx context.Context, params *CustomFieldListParams, opts ...CallOption) (*Page[CustomField], error) {
	return page[CustomField](ctx, s.client, get("custom_fields.list", "/custom_fields").with(params), opts)
}

// Pages walks the pages of custom fields.
//
// API: GET /custom_fields. Rate bucket: default. Errors: *ArgumentError, ErrServer, ErrPagination.
func (s *CustomFieldsService) Pages(ctx context.Context, params *CustomFieldListParams, opts ...CallOption) iter.Seq2[*Page[CustomField], error] {
	return pages[CustomField](ctx, s.client, get("custom_fields.list", "/custom_fields").with(params), opts)
}

// All walks all custom fields, fetching pages as they are needed.
//
// API: GET /custom_fields. Rate bucket: default. Errors: *ArgumentError, ErrServer, ErrPagination.
func (s *CustomFieldsService) All(ctx context.Context, params *CustomFieldListParams, opts ...CallOption) iter.Seq2[*CustomField, error] {
	return all[CustomField](ctx, s.client, get("custom_fields.list", "/custom_fields").with(params), opts)
}

// Get returns one custom field.
//
// API: GET /custom_fields/{id}. Rate bucket: default. Errors: ErrNotFound.
func (s *CustomFieldsService) Get(ctx context.Context, id string, opts ...CallOption) (*CustomField, error) {
	return one[CustomField](ctx, s.client, get("custom_fields.get", "/custom_fields/{id}", customFieldArg(id)), opts)
}

// Create gives a shipment or container a value. It is refused once the account's limit on custom fields is reached.
//
// API: POST /custom_fields. Rate bucket: default. Errors: *ArgumentError, ErrInvalid, ErrForbidden.
func (s *CustomFieldsService) Create(ctx context.Context, field CustomFieldCreate, opts ...CallOption) (*CustomField, error) {
	e := post("custom_fields.create", "/custom_fields").check(slugArg("APISlug", field.APISlug))
	return one[CustomField](ctx, s.client, e.resource("custom_field", "", field).related(field.relationships()), opts)
}

// Update replaces the value of a custom field and returns the field as it is afterwards.
//
// API: PATCH /custom_fields/{id}. Rate bucket: default. Errors: *ArgumentError, ErrNotFound, ErrInvalid.
func (s *CustomFieldsService) Update(ctx context.Context, id string, value CustomFieldValue, opts ...CallOption) (*CustomField, error) {
	e := patch("custom_fields.update", "/custom_fields/{id}", customFieldArg(id)).reject(value.check("Value"))
	return one[CustomField](ctx, s.client, e.resource("custom_field", id, customFieldChange{Value: value}), opts)
}

// Delete removes a value; the definition stays.
//
// API: DELETE /custom_fields/{id}. Rate bucket: default. Errors: ErrNotFound.
func (s *CustomFieldsService) Delete(ctx context.Context, id string, opts ...CallOption) error {
	return none(ctx, s.client, del("custom_fields.delete", "/custom_fields/{id}", customFieldArg(id)), opts)
}

// customFieldChange is the body where the path says whose value it is, and in an update which one.
type customFieldChange struct {
	APISlug string           `json:"api_slug,omitempty"`
	Value   CustomFieldValue `json:"value"`
}

func (f CustomFieldCreate) validate() error {
	problem := ""
	switch id := firstOf(f.ShipmentID, f.ContainerID); {
	case (f.ShipmentID == "") == (f.ContainerID == ""):
		problem = "must name what the value is for; set one of ShipmentID and ContainerID"
	case uuid.Validate(id) != nil:
		problem = "must have the id of the shipment or container, a UUID, not its number"
	}
	if problem != "" {
		return &ArgumentError{Field: "CustomFieldCreate", Problem: problem}
	}
	return f.Value.check("Value")
}

func (f CustomFieldCreate) relationships() map[string]jsonapi.Related {
	entity := jsonapi.RelatedTo("shipment", f.ShipmentID)
	if f.ContainerID != "" {
		entity = jsonapi.RelatedTo("container", f.ContainerID)
	}
	return map[string]jsonapi.Related{"entity": entity}
}

func customFieldArg(id string) argument {
	return uuidArg(id).hint("an api_slug is not an id: use the methods of the service it is kept on, such as Shipments.UpdateCustomField")
}

func (p *CustomFieldListParams) query(q *query) {
	p.PageParams.query(q)
	q.text("filter[entity_type]", string(p.EntityType))
	q.text("filter[entity_id]", p.EntityID)
	q.text("filter[definition_id]", p.DefinitionID)
}

func (*CustomField) table() *jsonapi.Type[CustomField] { return customFieldTable }

var customFieldTable = jsonapi.NewType(jsonapi.Spec[CustomField]{
	Identify: func(f *CustomField, id jsonapi.Identity) { f.identify(id) },
	Attributes: []jsonapi.Field[CustomField]{
		text("api_slug", func(f *CustomField) *string { return &f.APISlug }),
		customValue("value", func(f *CustomField) *CustomFieldValue { return &f.Value }),
		text("display_value", func(f *CustomField) *string { return &f.DisplayValue }),
	},
	Relationships: []jsonapi.Field[CustomField]{
		related("entity", func(f *CustomField) *ToEntity { return &f.Entity }),
		related("definition", func(f *CustomField) *ToOne[CustomFieldDefinition] { return &f.Definition }),
	},
})
