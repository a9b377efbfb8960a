package terminal49test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// CustomField is a value of a definition on a shipment, container or tracking request.
type CustomField struct {
	ID      string // "" generates one
	Entity  string // id of the shipment, container or tracking request
	APISlug string
	// Value has the form of the definition's data type, such as a string or a []string; nil is
	// null.
	Value any
}

// customField is a stored value.
type customField struct {
	id, definition string
	entity         ref
	value          any // as it is sent: nil, bool, string, json.Number, []string or object
}

// customFields holds the definitions and values.
type customFields struct {
	definitions table[CustomFieldDefinition]
	values      table[customField]
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
		var refused *problem
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

// entityByID finds a shipment, container or tracking request.
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

func (w *world) field(e ref, slug string) *customField {
	return w.custom.values.find(func(f *customField) bool {
		return f.entity == e && w.custom.definitions.get(f.definition).APISlug == slug
	})
}

// setField creates a value, with the id newID if that is set, or replaces one.
func (w *world) setField(e ref, slug string, raw json.RawMessage, newID string) (id string, failure *problem) {
	d := w.definitionFor(e.kind, slug)
	if d == nil {
		p := attributeProblem("/data/attributes/api_slug", "invalid", "Api slug '"+slug+"' is not defined for this kind of entity")
		return "", &p
	}
	value, wrong := d.parseValue(raw)
	if wrong != "" {
		p := attributeProblem("/data/attributes/value", "invalid", "Value "+wrong)
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

// applyInitialFields sets the values that came with a tracking request on the shipment and
// containers it found. Values without a definition are dropped.
func (w *world) applyInitialFields(r *TrackingRequest) {
	for _, f := range r.InitialCustomFields {
		raw, err := json.Marshal(f.Value)
		if err != nil {
			continue // only with a value set by a test
		}
		targets := []ref{{"shipment", r.Shipment}}
		if f.Entity == "container" {
			targets = nil
			for _, id := range w.containersOf(r.Shipment) {
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

func (x *exchange) listCustomFields() reply {
	if x.s.config.customFields.listFails {
		return errorReply(ShapeNullSource, problem{status: 500, title: "Internal Server Error"})
	}
	q := x.query
	kind := map[string]string{"Shipment": "shipment", "Container": "container", "Cargo": "container", "TrackingRequest": "tracking_request"}
	var rows []ref
	for _, f := range x.w.custom.values.all() {
		if q.Has("filter[entity_type]") && f.entity.kind != kind[q.Get("filter[entity_type]")] ||
			q.Has("filter[entity_id]") && f.entity.id != q.Get("filter[entity_id]") ||
			q.Has("filter[definition_id]") && f.definition != q.Get("filter[definition_id]") {
			continue
		}
		rows = append(rows, ref{"custom_field", f.id})
	}
	return x.page(rows, 25, metaSizeTotal)
}

func (x *exchange) getCustomField() reply { return x.one(200, ref{"custom_field", x.args["id"]}) }

func (x *exchange) createCustomField() reply {
	var rel struct {
		Data struct{ ID, Type string }
	}
	raw := x.data.Relationships["entity"]
	if json.Unmarshal(raw, &rel) != nil || rel.Data.Type != "shipment" && rel.Data.Type != "container" {
		x.violate(`relationship entity must be {"data":{"id":...,"type":"shipment" or "container"}}`)
	}
	e := ref{rel.Data.Type, rel.Data.ID}
	if !x.w.entityExists(e) {
		return errorReply(ShapeFull, attributeProblem("/data/relationships/entity", "blank", "Entity must exist"))
	}
	return x.setCustomField(e)
}

func (x *exchange) updateCustomField() reply {
	return x.replaceCustomField(x.w.custom.values.get(x.args["id"]))
}

func (x *exchange) deleteCustomField() reply {
	if x.w.custom.values.get(x.args["id"]) == nil {
		return notFound()
	}
	x.w.custom.values.remove(x.args["id"])
	return emptyReply(200)
}

// customFieldOwner returns the entity in the path of a nested operation.
func (x *exchange) customFieldOwner() (ref, bool) {
	for _, kind := range []string{"shipment", "container", "tracking_request"} {
		if id, named := x.args[kind+"_id"]; named {
			e := ref{kind, id}
			return e, x.w.entityExists(e)
		}
	}
	return ref{}, false
}

func (x *exchange) listFieldsOf() reply {
	e, ok := x.customFieldOwner()
	if !ok {
		return notFound()
	}
	var rows []ref
	for _, f := range x.w.custom.values.all() {
		if f.entity == e {
			rows = append(rows, ref{"custom_field", f.id})
		}
	}
	return x.unpagedList(rows)
}

func (x *exchange) setFieldOf() reply {
	e, ok := x.customFieldOwner()
	if !ok {
		return notFound()
	}
	return x.setCustomField(e)
}

// setCustomField creates or replaces a value: 201 either way. The account's limit applies only to
// new ones.
func (x *exchange) setCustomField(e ref) reply {
	var slug string
	x.attribute("api_slug", &slug)
	raw, there := x.data.Attributes["value"]
	if !there {
		x.violate(`attribute "value" is missing`)
	}
	limits := x.s.config.customFields
	if limits.limited && x.w.field(e, slug) == nil && len(x.w.custom.values.order) >= limits.limit {
		return errorReply(ShapeFull, attributeProblem("/data", "custom_field_limit", "The account has reached its limit of custom fields."))
	}
	id, failure := x.w.setField(e, slug, raw, "")
	if failure != nil {
		return errorReply(ShapeFull, *failure)
	}
	return x.one(201, ref{"custom_field", id})
}

func (x *exchange) updateFieldOf() reply {
	e, ok := x.customFieldOwner()
	if !ok {
		return notFound()
	}
	return x.replaceCustomField(x.w.field(e, x.args["api_slug"]))
}

func (x *exchange) replaceCustomField(f *customField) reply {
	if f == nil {
		return notFound()
	}
	slug := x.w.custom.definitions.get(f.definition).APISlug
	if _, failure := x.w.setField(f.entity, slug, x.data.Attributes["value"], ""); failure != nil {
		return errorReply(ShapeFull, *failure)
	}
	return x.one(200, ref{"custom_field", f.id})
}

func (x *exchange) deleteFieldOf() reply {
	e, ok := x.customFieldOwner()
	f := x.w.field(e, x.args["api_slug"])
	if !ok || f == nil {
		return notFound()
	}
	x.w.custom.values.remove(f.id)
	return emptyReply(204)
}

func (w *world) renderCustomField(f *customField) resource {
	d := w.custom.definitions.get(f.definition)
	return resource{
		ref:        ref{"custom_field", f.id},
		attributes: object{{"api_slug", d.APISlug}, {"value", f.value}, {"display_value", w.displayValue(d, f.value)}},
		relations:  []relation{{name: "entity", one: f.entity}, toOne("definition", "custom_field_definition", d.ID)},
	}
}
