package terminal49test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// CustomFieldDefinition is a field that the account added to its shipments, containers or tracking requests.
type CustomFieldDefinition struct {
	ID                   string // "" for one from the seed
	EntityType           string // "Shipment", "Container" (it goes out as "Cargo") or "TrackingRequest"; "" is "Shipment"
	APISlug, DisplayName string
	Description          string
	DataType             string // such as "short_text", which is also ""
	ReferenceType        string // of data type "reference": what values point to, such as "party"
	Validation           map[string]any
	DefaultFormat        string // of dates and times, in strftime letters such as "%m/%d/%Y"
	DefaultValue         any    // nil is null
	Shared               bool   // a template of several accounts: without an account, not to be deleted while in use
	Options              []CustomFieldOption
	CreatedAt, UpdatedAt time.Time // zero for now
	Attributes           map[string]any
}

// CustomFieldOption is one choice of a definition of data type "enum" or "enum_multi".
type CustomFieldOption struct {
	ID           string // "" for one from the seed
	Label, Value string
	Position     *int // nil is null
}

// CustomField is a value of a definition on a shipment, container or tracking request.
type CustomField struct {
	ID      string // "" for one from the seed
	Entity  string // id of the shipment, container or tracking request
	APISlug string
	Value   any // in the form of the definition's data type, such as a string or a []string; nil is null
}

// customField is a value as the world keeps it.
type customField struct {
	id, definition string
	entity         ref
	value          any // as it goes out: nil, bool, string, json.Number, []string or object
}

// customFields is the part of the world that accounts define themselves.
type customFields struct {
	definitions table[CustomFieldDefinition]
	values      table[customField]
}

// customFieldConfig is what options set.
type customFieldConfig struct {
	limited    bool
	limit      int
	brokenList bool
}

// WithCustomFieldLimit sets how many custom field values the account may have: creating one more is refused. There is
// no limit unless set.
func WithCustomFieldLimit(n int) Option {
	return func(c *config) { c.customFields.limited, c.customFields.limit = true, n }
}

// WithBrokenCustomFieldList makes GET /custom_fields fail with status 500, as the live service was seen to do.
func WithBrokenCustomFieldList() Option {
	return func(c *config) { c.customFields.brokenList = true }
}

// AddCustomFieldDefinition adds a definition with its options and returns its id.
func (s *Server) AddCustomFieldDefinition(d CustomFieldDefinition) string {
	return locked(s, func(w *world) string { return w.addDefinition(d) })
}

// AddCustomField sets a value as the API would, by the definition's slug and checked against its data type, and returns
// its id. A value that is there is replaced and keeps its id. The account's limit does not apply.
func (s *Server) AddCustomField(f CustomField) (id string, err error) {
	raw, err := json.Marshal(f.Value)
	if err != nil {
		return "", err
	}
	return id, locked(s, func(w *world) error {
		e, ok := w.entityByID(f.Entity)
		if !ok {
			return fmt.Errorf("terminal49test: no shipment, container or tracking request has the id %q", f.Entity)
		}
		var refused *problem
		if id, refused = w.setField(e, f.APISlug, raw, f.ID); refused != nil {
			return errors.New("terminal49test: " + refused.detail)
		}
		return nil
	})
}

// CustomFields gives the values on the shipment, container or tracking request with that id, by slug: nil, a bool, a
// string, a json.Number, a []string, or for a reference a map.
func (s *Server) CustomFields(entity string) map[string]any {
	return locked(s, func(w *world) map[string]any {
		values := map[string]any{}
		for _, f := range w.custom.values.all() {
			if f.entity.id != entity {
				continue
			}
			value := f.value
			if o, isObject := value.(object); isObject {
				as := map[string]any{}
				for _, m := range o {
					as[m.name] = m.value
				}
				value = as
			}
			values[w.custom.definitions.get(f.definition).APISlug] = value
		}
		return values
	})
}

func (w *world) addDefinition(d CustomFieldDefinition) string {
	d.ID = w.identify(d.ID, "custom_field_definition")
	d.CreatedAt = w.orNow(d.CreatedAt)
	if d.UpdatedAt.IsZero() {
		d.UpdatedAt = d.CreatedAt
	}
	if d.EntityType == "" {
		d.EntityType = "Shipment"
	}
	if d.DataType == "" {
		d.DataType = "short_text"
	}
	d.Validation, d.Attributes, d.Options = maps.Clone(d.Validation), maps.Clone(d.Attributes), slices.Clone(d.Options)
	for i := range d.Options {
		d.Options[i].ID = w.identify(d.Options[i].ID, "custom_field_option")
	}
	w.custom.definitions.put(d.ID, &d)
	return d.ID
}

// entityByID finds what a custom field can be kept on.
func (w *world) entityByID(id string) (ref, bool) {
	for _, kind := range []string{"shipment", "container", "tracking_request"} {
		if w.entityExists(ref{kind, id}) {
			return ref{kind, id}, true
		}
	}
	return ref{}, false
}

func (w *world) entityExists(e ref) bool {
	switch e.kind {
	case "shipment":
		return w.shipments.get(e.id) != nil
	case "container":
		return w.containers.get(e.id) != nil
	case "tracking_request":
		return w.requests.get(e.id) != nil
	}
	return false
}

// definitionFor finds the definition of a slug for a kind of entity. A tracking request has the fields of its own kind
// and those of shipments, since none of its own can be created through the API.
func (w *world) definitionFor(kind, slug string) *CustomFieldDefinition {
	scopes := map[string][]string{
		"shipment": {"Shipment"}, "container": {"Container"}, "tracking_request": {"TrackingRequest", "Shipment"},
	}
	for _, scope := range scopes[kind] {
		if d := w.custom.definitions.find(func(d *CustomFieldDefinition) bool {
			return d.EntityType == scope && d.APISlug == slug
		}); d != nil {
			return d
		}
	}
	return nil
}

func (w *world) field(e ref, slug string) *customField {
	return w.custom.values.find(func(f *customField) bool {
		return f.entity == e && w.custom.definitions.get(f.definition).APISlug == slug
	})
}

// setField creates a value, under newID if that is given, or replaces one.
func (w *world) setField(e ref, slug string, raw json.RawMessage, newID string) (id string, failure *problem) {
	d := w.definitionFor(e.kind, slug)
	if d == nil {
		p := invalid("/data/attributes/api_slug", "invalid", "Api slug '"+slug+"' is not defined for this kind of entity")
		return "", &p
	}
	value, wrong := d.parse(raw)
	if wrong != "" {
		p := invalid("/data/attributes/value", "invalid", "Value "+wrong)
		return "", &p
	}
	f := w.field(e, slug)
	if f == nil {
		f = &customField{id: w.identify(newID, "custom_field"), definition: d.ID, entity: e}
		w.custom.values.put(f.id, f)
	}
	f.value = value
	return f.id, nil
}

// applyInitialFields puts the values that came with a tracking request on what it found. Values without a definition
// are lost.
func (w *world) applyInitialFields(r *TrackingRequest) {
	for _, f := range r.InitialCustomFields {
		raw, err := json.Marshal(f.Value)
		if err != nil {
			continue // only a test can get here
		}
		targets := []ref{{"shipment", r.Shipment}}
		if f.Entity == "container" {
			targets = nil
			for _, id := range w.containerOf[r.Shipment] {
				if f.Number == "" || strings.EqualFold(w.containers.get(id).Number, f.Number) {
					targets = append(targets, ref{"container", id})
				}
			}
		}
		for _, e := range targets {
			_, _ = w.setField(e, f.APISlug, raw, "")
		}
	}
}

// remove takes a row out.
func (t *table[T]) remove(id string) {
	delete(t.rows, id)
	t.order = slices.DeleteFunc(t.order, func(other string) bool { return other == id })
}

// decodeExact decodes JSON with its numbers as they are written.
func decodeExact(raw json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(into)
}
