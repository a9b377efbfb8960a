package terminal49

import (
	"context"
	"strings"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// CustomFieldOption is one option of a custom field with the data type enum or enum_multi.
type CustomFieldOption struct {
	Resource

	Label    string   // label: human-readable
	Value    string   // value: in the API; cannot be changed
	Position Opt[int] // position: in the order of the options
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
	return collectAll(allOf[CustomFieldOption](ctx, s.client, e.unrepeated(), opts))
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

func (o *CustomFieldOption) members(m *jsonapi.Members) {
	m.Add("label", &o.Label)
	m.Add("value", &o.Value)
	m.Add("position", &o.Position)
}

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (o CustomFieldOption) MarshalJSON() ([]byte, error) { return marshalResource(&o) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (o *CustomFieldOption) UnmarshalJSON(data []byte) error { return unmarshalResource(data, o) }
