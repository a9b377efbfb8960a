package terminal49test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// CustomField is a value of a definition on a shipment, container or tracking request.
type CustomField struct {
	ID      string `json:"id,omitzero"` // "" generates one
	Entity  string `json:"entity"`      // id of the shipment, container or tracking request
	APISlug string `json:"api_slug"`
	// Value has the form of the definition's data type, such as a string or a []string; nil is
	// null.
	Value any `json:"value"`
}

// customField is a stored value.
type customField struct {
	id, definition string
	entity         wire.Ref
	value          any // as it is sent: nil, bool, string, json.Number, []string or object
	updatedAt      time.Time
}

// customFields holds the definitions and values.
type customFields struct {
	definitions state.Table[CustomFieldDefinition]
	values      state.Table[customField]
}

// AddCustomField sets a value as the API does: by the definition's slug, checked against its data
// type. It returns the value's id. An existing value is replaced and keeps its id. The account's
// limit does not apply.
func (s *Server) AddCustomField(f CustomField) (id string, err error) {
	raw, err := json.Marshal(f.Value)
	if err != nil {
		return "", err
	}
	return id, withWorld(s, func(w *world) error {
		e, ok := w.entityByID(f.Entity)
		if !ok {
			return fmt.Errorf("terminal49test: Entity %q is not the id of a shipment, container or tracking request", f.Entity)
		}
		var refused *fieldError
		if id, refused = w.setField(e, f.APISlug, raw, f.ID); refused != nil {
			return errors.New("terminal49test: " + refused.detail)
		}
		return nil
	})
}

// CustomFields returns the values of the shipment, container or tracking request by slug: nil, a
// bool, a string, a json.Number, a []string, or a map for a reference.
func (s *Server) CustomFields(entity string) map[string]any {
	return readWorld(s, func(w *world) map[string]any {
		values := map[string]any{}
		for _, f := range w.custom.values.All() {
			if f.entity.ID != entity {
				continue
			}
			value := f.value
			if o, isObject := value.(wire.Object); isObject {
				as := map[string]any{}
				for _, m := range o {
					as[m.Name] = m.Value
				}
				value = as
			}
			values[w.custom.definitions.Get(f.definition).APISlug] = value
		}
		return values
	})
}

// entityByID finds a shipment, container or tracking request.
func (w *world) entityByID(id string) (wire.Ref, bool) {
	for _, kind := range []string{"shipment", "container", "tracking_request"} {
		if w.entityExists(wire.Ref{Kind: kind, ID: id}) {
			return wire.Ref{Kind: kind, ID: id}, true
		}
	}
	return wire.Ref{}, false
}

func (w *world) entityExists(e wire.Ref) bool {
	switch e.Kind {
	case "shipment":
		return w.shipments.Get(e.ID) != nil
	case "container":
		return w.containers.Get(e.ID) != nil
	case "tracking_request":
		return w.requests.Get(e.ID) != nil
	}
	return false
}

func (w *world) field(e wire.Ref, slug string) *customField {
	return w.custom.values.Find(func(f *customField) bool {
		return f.entity == e && w.custom.definitions.Get(f.definition).APISlug == slug
	})
}

// fieldError is why a value is refused.
type fieldError struct{ attribute, detail string }

func (e *fieldError) reply() service.Reply {
	return service.Refusal(service.AttributeProblem("/data/attributes/"+e.attribute, "invalid", e.detail))
}

// setField creates a value, with the id newID if that is set, or replaces one.
func (w *world) setField(e wire.Ref, slug string, raw json.RawMessage, newID string) (id string, refused *fieldError) {
	d := w.definitionFor(e.Kind, slug)
	if d == nil {
		return "", &fieldError{"api_slug", "Api slug '" + slug + "' is not defined for this kind of entity"}
	}
	value, wrong := d.parseValue(raw)
	if wrong != "" {
		return "", &fieldError{"value", "Value " + wrong}
	}
	f := w.field(e, slug)
	if f == nil {
		f = &customField{id: w.identify(newID, "custom_field"), definition: d.ID, entity: e}
		w.custom.values.Put(f.id, f)
	}
	f.value, f.updatedAt = value, w.now()
	return f.id, nil
}

// applyInitialFields sets the values that came with a tracking request on the shipment and
// containers it found. Values without a definition are dropped.
func (w *world) applyInitialFields(r *TrackingRequest) {
	for _, f := range r.InitialCustomFields {
		raw, err := json.Marshal(f.Value)
		if err != nil {
			continue // only with a value set by a test
		}
		targets := []wire.Ref{{Kind: "shipment", ID: r.Shipment}}
		if f.Entity == "container" {
			targets = nil
			for _, id := range w.containersOf(r.Shipment) {
				if f.Number == "" || strings.EqualFold(w.containers.Get(id).Number, f.Number) {
					targets = append(targets, wire.Ref{Kind: "container", ID: id})
				}
			}
		}
		for _, e := range targets {
			_, _ = w.setField(e, f.APISlug, raw, "")
		}
	}
}

func (x *exchange) listCustomFields() service.Reply {
	if x.s.config.customFields.listFails {
		return service.Failure()
	}
	q := x.Query
	kind := map[string]string{"Shipment": "shipment", "Container": "container", "Cargo": "container", "TrackingRequest": "tracking_request"}
	var rows []wire.Ref
	for _, f := range x.w.custom.values.All() {
		if q.Has("filter[entity_type]") && f.entity.Kind != kind[q.Get("filter[entity_type]")] ||
			q.Has("filter[entity_id]") && f.entity.ID != q.Get("filter[entity_id]") ||
			q.Has("filter[definition_id]") && f.definition != q.Get("filter[definition_id]") {
			continue
		}
		rows = append(rows, wire.Ref{Kind: "custom_field", ID: f.id})
	}
	return x.page(rows, 25, metaSizeTotal)
}

func (x *exchange) getCustomField() service.Reply {
	return x.one(200, wire.Ref{Kind: "custom_field", ID: x.Args["id"]})
}

func (x *exchange) createCustomField() service.Reply {
	var rel struct {
		Data struct{ ID, Type string }
	}
	raw := x.Data.Relationships["entity"]
	if json.Unmarshal(raw, &rel) != nil || rel.Data.Type != "shipment" && rel.Data.Type != "container" {
		x.Violate(`relationship entity must be {"data":{"id":...,"type":"shipment" or "container"}}`)
	}
	e := wire.Ref{Kind: rel.Data.Type, ID: rel.Data.ID}
	if !x.w.entityExists(e) {
		return service.Refusal(service.AttributeProblem("/data/relationships/entity", "blank", "Entity must exist"))
	}
	return x.setCustomField(e)
}

func (x *exchange) updateCustomField() service.Reply {
	return x.replaceCustomField(x.w.custom.values.Get(x.Args["id"]))
}

func (x *exchange) deleteCustomField() service.Reply {
	if x.w.custom.values.Get(x.Args["id"]) == nil {
		return service.NotFound()
	}
	x.w.custom.values.Remove(x.Args["id"])
	return service.EmptyReply(200)
}

// customFieldOwner returns the entity in the path of a nested operation.
func (x *exchange) customFieldOwner() (wire.Ref, bool) {
	for _, kind := range []string{"shipment", "container", "tracking_request"} {
		if id, named := x.Args[kind+"_id"]; named {
			e := wire.Ref{Kind: kind, ID: id}
			return e, x.w.entityExists(e)
		}
	}
	return wire.Ref{}, false
}

func (x *exchange) listFieldsOf() service.Reply {
	e, ok := x.customFieldOwner()
	if !ok {
		return service.NotFound()
	}
	var rows []wire.Ref
	for _, f := range x.w.custom.values.All() {
		if f.entity == e {
			rows = append(rows, wire.Ref{Kind: "custom_field", ID: f.id})
		}
	}
	return x.unpagedList(rows)
}

func (x *exchange) setFieldOf() service.Reply {
	e, ok := x.customFieldOwner()
	if !ok {
		return service.NotFound()
	}
	return x.setCustomField(e)
}

// setCustomField creates or replaces a value: 201 either way. The account's limit applies only to
// new ones.
func (x *exchange) setCustomField(e wire.Ref) service.Reply {
	var slug string
	x.Attribute("api_slug", &slug)
	raw, there := x.Data.Attributes["value"]
	if !there {
		x.Violate(`attribute "value" is missing`)
	}
	limits := x.s.config.customFields
	if limits.limited && x.w.field(e, slug) == nil && len(x.w.custom.values.Order) >= limits.limit {
		return service.Refusal(service.AttributeProblem("/data", "custom_field_limit", "The account has reached its limit of custom fields."))
	}
	id, refused := x.w.setField(e, slug, raw, "")
	if refused != nil {
		return refused.reply()
	}
	return x.one(201, wire.Ref{Kind: "custom_field", ID: id})
}

func (x *exchange) updateFieldOf() service.Reply {
	e, ok := x.customFieldOwner()
	if !ok {
		return service.NotFound()
	}
	return x.replaceCustomField(x.w.field(e, x.Args["api_slug"]))
}

func (x *exchange) replaceCustomField(f *customField) service.Reply {
	if f == nil {
		return service.NotFound()
	}
	slug := x.w.custom.definitions.Get(f.definition).APISlug
	if _, refused := x.w.setField(f.entity, slug, x.Data.Attributes["value"], ""); refused != nil {
		return refused.reply()
	}
	return x.one(200, wire.Ref{Kind: "custom_field", ID: f.id})
}

func (x *exchange) deleteFieldOf() service.Reply {
	e, ok := x.customFieldOwner()
	f := x.w.field(e, x.Args["api_slug"])
	if !ok || f == nil {
		return service.NotFound()
	}
	x.w.custom.values.Remove(f.id)
	return service.EmptyReply(204)
}

func (w *world) renderCustomField(f *customField) wire.Resource {
	d := w.custom.definitions.Get(f.definition)
	return wire.Resource{
		Ref:        wire.Ref{Kind: "custom_field", ID: f.id},
		Attributes: wire.Object{{"api_slug", d.APISlug}, {"value", f.value}, {"display_value", w.displayValue(d, f.value)}, {"updated_at", f.updatedAt}},
		Relations:  []wire.Relation{{Name: "entity", One: f.entity}, wire.ToOne("definition", "custom_field_definition", d.ID)},
	}
}
