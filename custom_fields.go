package terminal49

import (
	"cmp"
	"context"
	"iter"

	"github.com/google/uuid"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// CustomField is the value of one custom field on a shipment, container or tracking request. An
// entity has at most one value per [CustomFieldDefinition].
//
//t49:resource custom_field
type CustomField struct {
	Resource

	APISlug      string           `t49:"api_slug"`      // of the definition
	Value        CustomFieldValue `t49:"value"`         // null if the field was cleared
	DisplayValue string           `t49:"display_value"` // human-readable, such as "Yes" or an option's label; "" if none
	UpdatedAt    Time             `t49:"updated_at"`    // UTC: newer than the published documents; zero if not sent

	Entity     ToOne[CustomFieldEntity]      `t49:"entity,types=shipment|container|tracking_request"` // the resource that has the value
	Definition ToOne[*CustomFieldDefinition] `t49:"definition"`
}

// CustomFieldEntity is the resource that has a custom field: a *[Shipment], *[Container] or
// *[TrackingRequest], or an *[UnknownResource] for a type unknown to this version. Use a type
// switch.
type CustomFieldEntity interface{ isCustomFieldEntity() }

func (*Shipment) isCustomFieldEntity()        {}
func (*Container) isCustomFieldEntity()       {}
func (*TrackingRequest) isCustomFieldEntity() {}
func (*UnknownResource) isCustomFieldEntity() {}

// CustomFieldListParams filters a list of custom fields. Nil and the zero value select all.
type CustomFieldListParams struct {
	PageParams

	EntityType   CustomFieldEntityType // CustomFieldEntityShipment or CustomFieldEntityContainer
	EntityID     string                // id of the shipment or container
	DefinitionID string                // id of the definition
}

// CustomFieldCreate is a value for a custom field of one shipment or container.
type CustomFieldCreate struct {
	APISlug string           `json:"api_slug"` // of the definition
	Value   CustomFieldValue `json:"value"`    // of the definition's data type

	// Exactly one of ShipmentID and ContainerID is required.
	ShipmentID  string `json:"-"`
	ContainerID string `json:"-"`
}

// CustomFieldsService reads and changes custom fields across the account. For one shipment,
// container or tracking request, prefer the methods of its service, such as
// [ShipmentsService.SetCustomField].
type CustomFieldsService service

// List returns one page of custom fields. The service has been seen to fail with ErrServer here,
// while [ShipmentsService.CustomFields] works.
//
// API: GET /custom_fields. Errors: ErrServer.
func (s *CustomFieldsService) List(ctx context.Context, params *CustomFieldListParams, opts ...CallOption) (*Page[CustomField], error) {
	return fetchPage[CustomField](ctx, s.client, newEndpoint(operation.CustomFieldsList).with(params), opts)
}

// Pages iterates over the pages of custom fields.
//
// API: GET /custom_fields. Errors: ErrServer, ErrPagination.
func (s *CustomFieldsService) Pages(ctx context.Context, params *CustomFieldListParams, opts ...CallOption) iter.Seq2[*Page[CustomField], error] {
	return pagesOf[CustomField](ctx, s.client, newEndpoint(operation.CustomFieldsList).with(params), opts)
}

// All iterates over all custom fields and fetches pages as needed.
//
// API: GET /custom_fields. Errors: ErrServer, ErrPagination.
func (s *CustomFieldsService) All(ctx context.Context, params *CustomFieldListParams, opts ...CallOption) iter.Seq2[*CustomField, error] {
	return allOf[CustomField](ctx, s.client, newEndpoint(operation.CustomFieldsList).with(params), opts)
}

// Get returns one custom field.
//
// API: GET /custom_fields/{id}. Errors: ErrNotFound.
func (s *CustomFieldsService) Get(ctx context.Context, id string, opts ...CallOption) (*CustomField, error) {
	return fetchOne[CustomField](ctx, s.client, newEndpoint(operation.CustomFieldsGet, customFieldArg(id)), opts)
}

// Create adds a value to a shipment or container. It fails with ErrForbidden once the account has
// reached its limit of custom fields.
//
// API: POST /custom_fields. Errors: ErrInvalid, ErrForbidden.
func (s *CustomFieldsService) Create(ctx context.Context, field CustomFieldCreate, opts ...CallOption) (*CustomField, error) {
	e := newEndpoint(operation.CustomFieldsCreate).check(apiSlugArg("APISlug", field.APISlug))
	return fetchOne[CustomField](ctx, s.client, e.resource("custom_field", "", field).related(field.relationships()), opts)
}

// Update replaces the value of a custom field and returns the result.
//
// API: PATCH /custom_fields/{id}. Errors: ErrNotFound, ErrInvalid.
func (s *CustomFieldsService) Update(ctx context.Context, id string, value CustomFieldValue, opts ...CallOption) (*CustomField, error) {
	e := newEndpoint(operation.CustomFieldsUpdate, customFieldArg(id)).reject(value.check("Value"))
	return fetchOne[CustomField](ctx, s.client, e.resource("custom_field", id, customFieldChange{Value: value}), opts)
}

// Delete removes a value. The definition remains.
//
// API: DELETE /custom_fields/{id}. Errors: ErrNotFound.
func (s *CustomFieldsService) Delete(ctx context.Context, id string, opts ...CallOption) error {
	return fetchNothing(ctx, s.client, newEndpoint(operation.CustomFieldsDelete, customFieldArg(id)), opts)
}

// customFieldChange is the body of requests whose path names the owner and, in an update, the
// field.
type customFieldChange struct {
	APISlug string           `json:"api_slug,omitempty"`
	Value   CustomFieldValue `json:"value"`
}

func (f CustomFieldCreate) validate() error {
	problem := ""
	switch id := cmp.Or(f.ShipmentID, f.ContainerID); {
	case (f.ShipmentID == "") == (f.ContainerID == ""):
		problem = "must have exactly one of ShipmentID and ContainerID"
	case uuid.Validate(id) != nil:
		problem = "must have a UUID as ShipmentID or ContainerID, not a number"
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
	return uuidArg(id).hint("an api_slug is not an id; use the methods of its owner's service, such as Shipments.UpdateCustomField")
}

func (p *CustomFieldListParams) query(q *query) {
	p.PageParams.query(q)
	q.setText("filter[entity_type]", string(p.EntityType))
	q.setText("filter[entity_id]", p.EntityID)
	q.setText("filter[definition_id]", p.DefinitionID)
}

// CustomFields returns the custom field values of a shipment.
//
// API: GET /shipments/{shipment_id}/custom_fields. Errors: ErrNotFound.
func (s *ShipmentsService) CustomFields(ctx context.Context, id string, opts ...CallOption) ([]*CustomField, error) {
	return shipmentFields(s, id).list(ctx, opts)
}

// SetCustomField sets a shipment's value of the custom field with the given api_slug and replaces
// any existing value. CustomNull clears it. Setting a first value fails with ErrForbidden if the
// account has reached its limit of custom fields.
//
// API: POST /shipments/{shipment_id}/custom_fields. Errors: ErrNotFound, ErrInvalid, ErrForbidden.
func (s *ShipmentsService) SetCustomField(ctx context.Context, id, apiSlug string, value CustomFieldValue, opts ...CallOption) (*CustomField, error) {
	return shipmentFields(s, id).set(ctx, apiSlug, value, opts)
}

// UpdateCustomField replaces an existing value of a shipment. Unlike SetCustomField it fails with
// ErrNotFound if there is none.
//
// API: PATCH /shipments/{shipment_id}/custom_fields/{api_slug}. Errors: ErrNotFound, ErrInvalid.
func (s *ShipmentsService) UpdateCustomField(ctx context.Context, id, apiSlug string, value CustomFieldValue, opts ...CallOption) (*CustomField, error) {
	return shipmentFields(s, id).update(ctx, apiSlug, value, opts)
}

// DeleteCustomField removes a value from a shipment.
//
// API: DELETE /shipments/{shipment_id}/custom_fields/{api_slug}. Errors: ErrNotFound.
func (s *ShipmentsService) DeleteCustomField(ctx context.Context, id, apiSlug string, opts ...CallOption) error {
	return shipmentFields(s, id).delete(ctx, apiSlug, opts)
}

// CustomFields returns the custom field values of a container.
//
// API: GET /containers/{container_id}/custom_fields. Errors: ErrNotFound.
func (s *ContainersService) CustomFields(ctx context.Context, id string, opts ...CallOption) ([]*CustomField, error) {
	return containerFields(s, id).list(ctx, opts)
}

// SetCustomField sets a container's value of the custom field with the given api_slug and replaces
// any existing value. CustomNull clears it. Setting a first value fails with ErrForbidden if the
// account has reached its limit of custom fields.
//
// API: POST /containers/{container_id}/custom_fields. Errors: ErrNotFound, ErrInvalid,
// ErrForbidden.
func (s *ContainersService) SetCustomField(ctx context.Context, id, apiSlug string, value CustomFieldValue, opts ...CallOption) (*CustomField, error) {
	return containerFields(s, id).set(ctx, apiSlug, value, opts)
}

// UpdateCustomField replaces an existing value of a container. Unlike SetCustomField it fails with
// ErrNotFound if there is none.
//
// API: PATCH /containers/{container_id}/custom_fields/{api_slug}. Errors: ErrNotFound, ErrInvalid.
func (s *ContainersService) UpdateCustomField(ctx context.Context, id, apiSlug string, value CustomFieldValue, opts ...CallOption) (*CustomField, error) {
	return containerFields(s, id).update(ctx, apiSlug, value, opts)
}

// DeleteCustomField removes a value from a container.
//
// API: DELETE /containers/{container_id}/custom_fields/{api_slug}. Errors: ErrNotFound.
func (s *ContainersService) DeleteCustomField(ctx context.Context, id, apiSlug string, opts ...CallOption) error {
	return containerFields(s, id).delete(ctx, apiSlug, opts)
}

// CustomFields returns the custom field values of a tracking request.
//
// API: GET /tracking_requests/{tracking_request_id}/custom_fields. Errors: ErrNotFound.
func (s *TrackingRequestsService) CustomFields(ctx context.Context, id string, opts ...CallOption) ([]*CustomField, error) {
	return requestFields(s, id).list(ctx, opts)
}

// SetCustomField sets a tracking request's value of the custom field with the given api_slug and
// replaces any existing value. For values of the shipment and containers that the request finds,
// see [InitialCustomFields].
//
// API: POST /tracking_requests/{tracking_request_id}/custom_fields. Errors: ErrNotFound,
// ErrInvalid, ErrForbidden.
func (s *TrackingRequestsService) SetCustomField(ctx context.Context, id, apiSlug string, value CustomFieldValue, opts ...CallOption) (*CustomField, error) {
	return requestFields(s, id).set(ctx, apiSlug, value, opts)
}

// UpdateCustomField replaces an existing value of a tracking request. Unlike SetCustomField it
// fails with ErrNotFound if there is none.
//
// API: PATCH /tracking_requests/{tracking_request_id}/custom_fields/{api_slug}. Errors:
// ErrNotFound, ErrInvalid.
func (s *TrackingRequestsService) UpdateCustomField(ctx context.Context, id, apiSlug string, value CustomFieldValue, opts ...CallOption) (*CustomField, error) {
	return requestFields(s, id).update(ctx, apiSlug, value, opts)
}

// DeleteCustomField removes a value from a tracking request.
//
// API: DELETE /tracking_requests/{tracking_request_id}/custom_fields/{api_slug}. Errors:
// ErrNotFound.
func (s *TrackingRequestsService) DeleteCustomField(ctx context.Context, id, apiSlug string, opts ...CallOption) error {
	return requestFields(s, id).delete(ctx, apiSlug, opts)
}

// customFieldOwner is a resource that has custom fields, and the operations on them.
type customFieldOwner struct {
	client *Client
	id     argument

	listOp, setOp, updateOp, deleteOp operation.Operation
}

func shipmentFields(s *ShipmentsService, id string) customFieldOwner {
	return customFieldOwner{
		s.client, shipmentArg(id), operation.ShipmentsCustomFieldsList, operation.ShipmentsCustomFieldsSet,
		operation.ShipmentsCustomFieldsUpdate, operation.ShipmentsCustomFieldsDelete,
	}
}

func containerFields(s *ContainersService, id string) customFieldOwner {
	return customFieldOwner{
		s.client, containerArg(id), operation.ContainersCustomFieldsList, operation.ContainersCustomFieldsSet,
		operation.ContainersCustomFieldsUpdate, operation.ContainersCustomFieldsDelete,
	}
}

func requestFields(s *TrackingRequestsService, id string) customFieldOwner {
	return customFieldOwner{
		s.client, trackingRequestArg(id), operation.TrackingRequestsCustomFieldsList, operation.TrackingRequestsCustomFieldsSet,
		operation.TrackingRequestsCustomFieldsUpdate, operation.TrackingRequestsCustomFieldsDelete,
	}
}

func (o customFieldOwner) list(ctx context.Context, opts []CallOption) ([]*CustomField, error) {
	return Collect(allOf[CustomField](ctx, o.client, newEndpoint(o.listOp, o.id).unrepeated(), opts))
}

func (o customFieldOwner) set(ctx context.Context, slug string, value CustomFieldValue, opts []CallOption) (*CustomField, error) {
	e := newEndpoint(o.setOp, o.id).check(apiSlugArg("apiSlug", slug)).reject(value.check("value"))
	return fetchOne[CustomField](ctx, o.client, e.resource("custom_field", "", customFieldChange{APISlug: slug, Value: value}), opts)
}

func (o customFieldOwner) update(ctx context.Context, slug string, value CustomFieldValue, opts []CallOption) (*CustomField, error) {
	e := newEndpoint(o.updateOp, o.id, apiSlugArg("apiSlug", slug)).reject(value.check("value"))
	return fetchOne[CustomField](ctx, o.client, e.resource("custom_field", "", customFieldChange{Value: value}), opts)
}

func (o customFieldOwner) delete(ctx context.Context, slug string, opts []CallOption) error {
	return fetchNothing(ctx, o.client, newEndpoint(o.deleteOp, o.id, apiSlugArg("apiSlug", slug)), opts)
}
