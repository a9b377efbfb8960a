package terminal49

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/internal/operation"
)

// CustomFieldDefinition is a field that the account added to its shipments, containers or tracking
// requests. Each of its values is a [CustomField].
//
//t49:resource custom_field_definition
type CustomFieldDefinition struct {
	Resource

	EntityType      CustomFieldEntityType `t49:"entity_type"`      // the kind of resource that has the field; cannot be changed
	APISlug         string                `t49:"api_slug"`         // the name in the API; cannot be changed
	DisplayName     string                `t49:"display_name"`     // human-readable
	Description     string                `t49:"description"`      // "" if none
	DataType        CustomFieldDataType   `t49:"data_type"`        // cannot be changed
	ReferenceType   string                `t49:"reference_type"`   // type of the target of a reference; else ""
	Validation      json.RawMessage       `t49:"validation"`       // an object such as {"max_length": 35}; nil if none
	DefaultFormat   string                `t49:"default_format"`   // display format of the values; "" if none
	DefaultValue    CustomFieldValue      `t49:"default_value"`    // null if none
	TemplateID      string                `t49:"template_id"`      // "" if made without a template
	Sensitive       bool                  `t49:"sensitive"`        // false if not reported
	ReferenceNumber bool                  `t49:"reference_number"` // values are reference numbers; false if not reported
	CreatedAt       Time                  `t49:"created_at"`       // UTC
	UpdatedAt       Time                  `t49:"updated_at"`       // UTC

	Account ToOne[*Account]            `t49:"account"` // null for a template that accounts share
	Fields  ToMany[*CustomField]       `t49:"fields"`  // the values
	Options ToMany[*CustomFieldOption] `t49:"options"` // the choices of an enum or enum_multi
}

// CustomFieldEntityType is the kind of resource that has a custom field.
//
//t49:enum
type CustomFieldEntityType string

// The values of CustomFieldEntityType.
const (
	CustomFieldEntityShipment        CustomFieldEntityType = "Shipment"
	CustomFieldEntityContainer       CustomFieldEntityType = "Container" // the service may send "Cargo", which is decoded as this
	CustomFieldEntityTrackingRequest CustomFieldEntityType = "TrackingRequest"
)

// CustomFieldDefinitionListParams filters a list of definitions. Nil and the zero value select all.
type CustomFieldDefinitionListParams struct {
	PageParams // the service ignores the size and sends all definitions

	EntityType  CustomFieldEntityType // CustomFieldEntityShipment or CustomFieldEntityContainer
	DataType    CustomFieldDataType
	DisplayName string // a prefix of the display name
}

// CustomFieldDefinitionCreate is a field to add.
type CustomFieldDefinitionCreate struct {
	EntityType    CustomFieldEntityType `json:"entity_type"` // CustomFieldEntityShipment or CustomFieldEntityContainer
	APISlug       string                `json:"api_slug"`    // such as "buyer_name"
	DisplayName   string                `json:"display_name"`
	DataType      CustomFieldDataType   `json:"data_type"`
	Description   string                `json:"description,omitempty"`    // human-readable
	ReferenceType string                `json:"reference_type,omitempty"` // required for CustomFieldReference
	Validation    json.RawMessage       `json:"validation,omitempty"`     // a JSON object such as {"max_length": 35}
	DefaultFormat string                `json:"default_format,omitempty"`
	DefaultValue  CustomFieldValue      `json:"default_value,omitzero"`
}

// CustomFieldDefinitionUpdate is a change to a definition. Unset fields are not changed. The slug,
// the entity type and the data type cannot be changed.
type CustomFieldDefinitionUpdate struct {
	DisplayName   Opt[string]          `json:"display_name,omitzero"`
	Description   Opt[string]          `json:"description,omitzero"`
	Validation    Opt[json.RawMessage] `json:"validation,omitzero"` // replaces the object
	DefaultFormat Opt[string]          `json:"default_format,omitzero"`
	DefaultValue  CustomFieldValue     `json:"default_value,omitzero"` // CustomNull removes it
}

// CustomFieldDefinitionsService manages the custom fields of the account.
// [CustomFieldOptionsService] manages the options of a field with the data type enum or enum_multi.
type CustomFieldDefinitionsService service

// List returns one page of definitions. The service has been seen to send all definitions at any
// page size, and to link to a second page with the same ones; All yields each once.
//
// API: GET /custom_field_definitions
func (s *CustomFieldDefinitionsService) List(ctx context.Context, params *CustomFieldDefinitionListParams, opts ...CallOption) (*Page[CustomFieldDefinition], error) {
	return fetchPage[CustomFieldDefinition](ctx, s.client, newEndpoint(operation.CustomFieldDefinitionsList).with(params), opts)
}

// Pages iterates over the pages of definitions as the service links them. A page may repeat the
// previous one; see List.
//
// API: GET /custom_field_definitions. Errors: ErrPagination.
func (s *CustomFieldDefinitionsService) Pages(ctx context.Context, params *CustomFieldDefinitionListParams, opts ...CallOption) iter.Seq2[*Page[CustomFieldDefinition], error] {
	return pagesOf[CustomFieldDefinition](ctx, s.client, newEndpoint(operation.CustomFieldDefinitionsList).with(params), opts)
}

// All iterates over all definitions, each once, and fetches pages as long as they have new ones.
//
// API: GET /custom_field_definitions. Errors: ErrPagination.
func (s *CustomFieldDefinitionsService) All(ctx context.Context, params *CustomFieldDefinitionListParams, opts ...CallOption) iter.Seq2[*CustomFieldDefinition, error] {
	e := newEndpoint(operation.CustomFieldDefinitionsList).with(params).unrepeated()
	return allOf[CustomFieldDefinition](ctx, s.client, e, opts)
}

// Get returns one definition.
//
// API: GET /custom_field_definitions/{id}. Errors: ErrNotFound.
func (s *CustomFieldDefinitionsService) Get(ctx context.Context, id string, opts ...CallOption) (*CustomFieldDefinition, error) {
	return fetchOne[CustomFieldDefinition](ctx, s.client, newEndpoint(operation.CustomFieldDefinitionsGet, uuidArg(id)), opts)
}

// Create adds a field. Add the options of an enum or enum_multi with
// [CustomFieldOptionsService.Create].
//
// API: POST /custom_field_definitions. Errors: ErrInvalid.
func (s *CustomFieldDefinitionsService) Create(ctx context.Context, definition CustomFieldDefinitionCreate, opts ...CallOption) (*CustomFieldDefinition, error) {
	e := newEndpoint(operation.CustomFieldDefinitionsCreate)
	return fetchOne[CustomFieldDefinition](ctx, s.client, e.resource("custom_field_definition", "", definition), opts)
}

// Update changes a definition and returns the result.
//
// API: PATCH /custom_field_definitions/{id}. Errors: ErrNotFound, ErrInvalid.
func (s *CustomFieldDefinitionsService) Update(ctx context.Context, id string, update CustomFieldDefinitionUpdate, opts ...CallOption) (*CustomFieldDefinition, error) {
	e := newEndpoint(operation.CustomFieldDefinitionsUpdate, uuidArg(id))
	return fetchOne[CustomFieldDefinition](ctx, s.client, e.resource("custom_field_definition", id, update), opts)
}

// Delete removes a definition and all its values, on every shipment, container and tracking
// request. The service refuses to delete a template that is in use.
//
// API: DELETE /custom_field_definitions/{id}. Errors: ErrNotFound, ErrInvalid.
func (s *CustomFieldDefinitionsService) Delete(ctx context.Context, id string, opts ...CallOption) error {
	return fetchNothing(ctx, s.client, newEndpoint(operation.CustomFieldDefinitionsDelete, uuidArg(id)), opts)
}

func (c CustomFieldDefinitionCreate) validate() error {
	isReference, made := c.DataType == CustomFieldReference, c.DefaultValue.made
	if err := checkRules(
		rule{!slices.Contains([]CustomFieldEntityType{CustomFieldEntityShipment, CustomFieldEntityContainer}, c.EntityType),
			"EntityType", "must be CustomFieldEntityShipment or CustomFieldEntityContainer"},
		rule{c.APISlug == "", "APISlug", "must not be empty"},
		rule{strings.Contains(c.APISlug, "/"), "APISlug", "must not contain a slash"},
		rule{c.DisplayName == "", "DisplayName", "must not be empty"},
		rule{!c.DataType.Known(), "DataType", "must be a known data type, such as CustomFieldShortText"},
		rule{isReference != (c.ReferenceType != ""),
			"ReferenceType", "is required for CustomFieldReference and must be empty for other data types"},
		rule{len(c.Validation) > 0 && !isJSONObject(c.Validation), "Validation", "must be a JSON object"},
		rule{made != "" && made != c.DataType,
			"DefaultValue", "must have the data type " + string(c.DataType) + " like the definition, not " + string(made)},
	); err != nil || c.DefaultValue.IsZero() {
		return err
	}
	return c.DefaultValue.check("DefaultValue")
}

func (u CustomFieldDefinitionUpdate) validate() error {
	if raw, ok := u.Validation.Get(); ok && !isJSONObject(raw) {
		return &ArgumentError{Field: "Validation", Problem: "must be a JSON object, or Null to remove it"}
	}
	if name, ok := u.DisplayName.Get(); u.DisplayName.IsNull() || ok && name == "" {
		return &ArgumentError{Field: "DisplayName", Problem: "must not be empty"}
	}
	if u.DefaultValue.IsZero() {
		return nil
	}
	return u.DefaultValue.check("DefaultValue")
}

func isJSONObject(raw json.RawMessage) bool {
	return bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) && json.Valid(raw)
}

func (p *CustomFieldDefinitionListParams) query(q *query) {
	p.PageParams.query(q)
	q.setText("filter[entity_type]", string(p.EntityType))
	q.setText("filter[data_type]", string(p.DataType))
	q.setText("filter[display_name]", p.DisplayName)
}

func (c *CustomFieldDefinition) finish() {
	if c.EntityType == "Cargo" { // the service's name for a container
		c.EntityType = CustomFieldEntityContainer
	}
}

// CustomFieldOption is one option of a custom field with the data type enum or enum_multi.
//
//t49:resource custom_field_option
type CustomFieldOption struct {
	Resource

	Label    string   `t49:"label"`    // human-readable
	Value    string   `t49:"value"`    // in the API; cannot be changed
	Position Opt[int] `t49:"position"` // in the order of the options
}

// CustomFieldOptionCreate is an option to add.
type CustomFieldOptionCreate struct {
	Label    string   `json:"label"` // required; human-readable
	Value    string   `json:"value"` // required; without a comma, because the service joins several values by commas
	Position Opt[int] `json:"position,omitzero"`
}

// CustomFieldOptionUpdate is a change to an option. Unset fields are not changed. The value cannot
// be changed.
type CustomFieldOptionUpdate struct {
	Label    Opt[string] `json:"label,omitzero"`
	Position Opt[int]    `json:"position,omitzero"`
}

// CustomFieldOptionsService manages the options of custom fields with the data type enum or
// enum_multi. Every method takes the id of the definition first.
type CustomFieldOptionsService service

// List returns the options of a definition.
//
// API: GET /custom_field_definitions/{definition_id}/options. Errors: ErrNotFound.
func (s *CustomFieldOptionsService) List(ctx context.Context, definitionID string, opts ...CallOption) ([]*CustomFieldOption, error) {
	e := newEndpoint(operation.CustomFieldOptionsList, definitionArg(definitionID))
	return Collect(allOf[CustomFieldOption](ctx, s.client, e.unrepeated(), opts))
}

// Get returns one option.
//
// API: GET /custom_field_definitions/{definition_id}/options/{option_id}. Errors: ErrNotFound.
func (s *CustomFieldOptionsService) Get(ctx context.Context, definitionID, optionID string, opts ...CallOption) (*CustomFieldOption, error) {
	e := newEndpoint(operation.CustomFieldOptionsGet, definitionArg(definitionID), optionArg(optionID))
	return fetchOne[CustomFieldOption](ctx, s.client, e, opts)
}

// Create adds an option. The service refuses it if the data type of the definition is not enum or
// enum_multi.
//
// API: POST /custom_field_definitions/{definition_id}/options. Errors: ErrNotFound, ErrInvalid.
func (s *CustomFieldOptionsService) Create(ctx context.Context, definitionID string, option CustomFieldOptionCreate, opts ...CallOption) (*CustomFieldOption, error) {
	e := newEndpoint(operation.CustomFieldOptionsCreate, definitionArg(definitionID))
	return fetchOne[CustomFieldOption](ctx, s.client, e.resource("custom_field_option", "", option), opts)
}

// Update changes the label or the position of an option and returns the result.
//
// API: PATCH /custom_field_definitions/{definition_id}/options/{option_id}. Errors: ErrNotFound,
// ErrInvalid.
func (s *CustomFieldOptionsService) Update(ctx context.Context, definitionID, optionID string, update CustomFieldOptionUpdate, opts ...CallOption) (*CustomFieldOption, error) {
	e := newEndpoint(operation.CustomFieldOptionsUpdate, definitionArg(definitionID), optionArg(optionID))
	return fetchOne[CustomFieldOption](ctx, s.client, e.resource("custom_field_option", optionID, update), opts)
}

// Delete removes an option. Fields that have its value keep it.
//
// API: DELETE /custom_field_definitions/{definition_id}/options/{option_id}. Errors: ErrNotFound.
func (s *CustomFieldOptionsService) Delete(ctx context.Context, definitionID, optionID string, opts ...CallOption) error {
	return fetchNothing(ctx, s.client, newEndpoint(operation.CustomFieldOptionsDelete, definitionArg(definitionID), optionArg(optionID)), opts)
}

func definitionArg(id string) argument { return uuidArg(id).named("definitionID") }

func optionArg(id string) argument {
	return uuidArg(id).named("optionID").hint("an option's value is not its id; find the id with CustomFieldOptions.List")
}

func (c CustomFieldOptionCreate) validate() error {
	switch {
	case c.Label == "":
		return &ArgumentError{Field: "Label", Problem: "must not be empty"}
	case c.Value == "" || strings.Contains(c.Value, ","):
		return &ArgumentError{Field: "Value", Problem: "must not be empty or contain a comma"}
	}
	return nil
}

func (u CustomFieldOptionUpdate) validate() error {
	if label, ok := u.Label.Get(); u.Label.IsNull() || ok && label == "" {
		return &ArgumentError{Field: "Label", Problem: "must not be empty"}
	}
	return nil
}
