package terminal49test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// deleted is how the service says that something is gone: 200 or 204, without a body.
func deleted(status int) reply { return reply{status: status, header: http.Header{}} }

func (x *exchange) listDefinitions() reply {
	q := x.query
	var rows []ref
	for _, d := range x.w.custom.definitions.all() {
		entity := strings.Replace(q.Get("filter[entity_type]"), "Cargo", "Container", 1)
		if entity != "" && d.EntityType != entity || q.Has("filter[data_type]") && d.DataType != q.Get("filter[data_type]") ||
			!strings.HasPrefix(strings.ToLower(d.DisplayName), strings.ToLower(q.Get("filter[display_name]"))) {
			continue
		}
		rows = append(rows, ref{"custom_field_definition", d.ID})
	}
	// The page size counts in the links alone: every page has everything.
	number, size := x.pageNumber(), x.pageSize(25)
	doc, failure := x.list(rows)
	if failure != nil {
		return *failure
	}
	last := (len(rows) + size - 1) / size
	return jsonReply(200, append(doc, member{"links", x.pageLinks(number, size, last, len(rows) == 0)}))
}

func (x *exchange) getDefinition() reply {
	return x.one(200, ref{"custom_field_definition", x.args["id"]})
}

func (x *exchange) createDefinition() reply {
	d := CustomFieldDefinition{CreatedAt: x.now}
	x.attribute("entity_type", &d.EntityType)
	x.attribute("api_slug", &d.APISlug)
	x.attribute("data_type", &d.DataType)
	x.attribute("reference_type", &d.ReferenceType)
	x.describe(&d)
	var problems []problem
	refuse := func(name, code, detail string) {
		problems = append(problems, invalid("/data/attributes/"+name, code, detail))
	}
	if !slices.Contains([]string{"Shipment", "Container"}, d.EntityType) {
		refuse("entity_type", "inclusion", "Entity type is not included in the list")
	}
	if !slices.Contains(customDataTypes(), d.DataType) {
		refuse("data_type", "inclusion", "Data type is not included in the list")
	}
	if d.DisplayName == "" {
		refuse("display_name", "blank", "Display name can't be blank")
	}
	if d.DataType == "reference" && d.ReferenceType == "" {
		refuse("reference_type", "blank", "Reference type can't be blank")
	}
	switch {
	case d.APISlug == "":
		refuse("api_slug", "blank", "Api slug can't be blank")
	case x.w.custom.definitions.find(func(o *CustomFieldDefinition) bool {
		return o.APISlug == d.APISlug && o.EntityType == d.EntityType
	}) != nil:
		refuse("api_slug", "duplicate", "Api slug has already been taken")
	}
	if len(problems) > 0 {
		return fail(ShapeFull, problems...)
	}
	return x.one(201, ref{"custom_field_definition", x.w.addDefinition(d)})
}

func customDataTypes() []string {
	return []string{"short_text", "number", "date", "datetime", "boolean", "enum", "enum_multi", "reference"}
}

// updateDefinition leaves slug, entity and data type as they are: naming them is a violation.
func (x *exchange) updateDefinition() reply {
	d := x.w.custom.definitions.get(x.args["id"])
	if d == nil {
		return notFound()
	}
	x.describe(d)
	d.UpdatedAt = x.now
	return x.one(200, ref{"custom_field_definition", d.ID})
}

// describe reads what can be changed of a definition; null clears.
func (x *exchange) describe(d *CustomFieldDefinition) {
	x.attribute("display_name", &d.DisplayName)
	for name, into := range map[string]*string{"description": &d.Description, "default_format": &d.DefaultFormat} {
		if raw, there := x.data.Attributes[name]; there && string(raw) == "null" {
			*into = ""
		}
		x.attribute(name, into)
	}
	if raw, there := x.data.Attributes["validation"]; there {
		d.Validation = nil
		if decodeExact(raw, &d.Validation) != nil {
			x.violate(`attribute "validation" must be an object or null`)
		}
	}
	if raw, there := x.data.Attributes["default_value"]; there {
		d.DefaultValue = raw
	}
}

// deleteDefinition takes every value along.
func (x *exchange) deleteDefinition() reply {
	d := x.w.custom.definitions.get(x.args["id"])
	if d == nil {
		return notFound()
	}
	var used []string
	for _, f := range x.w.custom.values.all() {
		if f.definition == d.ID {
			used = append(used, f.id)
		}
	}
	if d.Shared && len(used) > 0 {
		return *unprocessable("", "The template is in use and cannot be deleted.")
	}
	for _, id := range used {
		x.w.custom.values.remove(id)
	}
	x.w.custom.definitions.remove(d.ID)
	return deleted(200)
}

// definitionAndOption finds what the path names; at is -1 for an option that is not there.
func (x *exchange) definitionAndOption() (d *CustomFieldDefinition, at int) {
	if d = x.w.custom.definitions.get(x.args["definition_id"]); d == nil {
		return nil, -1
	}
	return d, slices.IndexFunc(d.Options, func(o CustomFieldOption) bool { return o.ID == x.args["option_id"] })
}

func (x *exchange) listOptions() reply {
	d, _ := x.definitionAndOption()
	if d == nil {
		return notFound()
	}
	var rows []ref
	for _, o := range d.Options {
		rows = append(rows, ref{"custom_field_option", o.ID})
	}
	return x.whole(rows)
}

// whole answers with a list that has no pages.
func (x *exchange) whole(rows []ref) reply {
	doc, failure := x.list(rows)
	if failure != nil {
		return *failure
	}
	return jsonReply(200, append(doc, member{"links", object{{"self", x.self()}, {"current", x.self()}}}))
}

func (x *exchange) getOption() reply {
	d, at := x.definitionAndOption()
	if at < 0 {
		return notFound()
	}
	return x.one(200, ref{"custom_field_option", d.Options[at].ID})
}

func (x *exchange) createOption() reply {
	d, _ := x.definitionAndOption()
	if d == nil {
		return notFound()
	}
	var o CustomFieldOption
	x.attribute("value", &o.Value)
	x.describeOption(&o)
	switch {
	case d.DataType != "enum" && d.DataType != "enum_multi":
		return *unprocessable("/data", "Only enum and enum_multi definitions have options.")
	case o.Label == "":
		return fail(ShapeFull, invalid("/data/attributes/label", "blank", "Label can't be blank"))
	case o.Value == "":
		return fail(ShapeFull, invalid("/data/attributes/value", "blank", "Value can't be blank"))
	case d.option(o.Value) != nil:
		return fail(ShapeFull, invalid("/data/attributes/value", "duplicate", "Value has already been taken"))
	}
	o.ID = x.w.ids.next("custom_field_option")
	d.Options = append(d.Options, o)
	return x.one(201, ref{"custom_field_option", o.ID})
}

func (x *exchange) updateOption() reply {
	d, at := x.definitionAndOption()
	if at < 0 {
		return notFound()
	}
	x.describeOption(&d.Options[at])
	return x.one(200, ref{"custom_field_option", d.Options[at].ID})
}

func (x *exchange) describeOption(o *CustomFieldOption) {
	x.attribute("label", &o.Label)
	if _, there := x.data.Attributes["position"]; there {
		var position int
		if o.Position = nil; x.attribute("position", &position) {
			o.Position = &position
		}
	}
}

// deleteOption leaves values that were set to the option.
func (x *exchange) deleteOption() reply {
	d, at := x.definitionAndOption()
	if at < 0 {
		return notFound()
	}
	d.Options = slices.Delete(d.Options, at, at+1)
	return deleted(200)
}

func (x *exchange) listCustomFields() reply {
	if x.s.config.customFields.brokenList {
		return fail(ShapeNullSource, problem{status: 500, title: "Internal Server Error"})
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
		return fail(ShapeFull, invalid("/data/relationships/entity", "blank", "Entity must exist"))
	}
	return x.set(e)
}

func (x *exchange) updateCustomField() reply { return x.replace(x.w.custom.values.get(x.args["id"])) }

func (x *exchange) deleteCustomField() reply {
	if x.w.custom.values.get(x.args["id"]) == nil {
		return notFound()
	}
	x.w.custom.values.remove(x.args["id"])
	return deleted(200)
}

// owner is what the path of a nested operation names.
func (x *exchange) owner() (ref, bool) {
	for _, kind := range []string{"shipment", "container", "tracking_request"} {
		if id, named := x.args[kind+"_id"]; named {
			e := ref{kind, id}
			return e, x.w.entityExists(e)
		}
	}
	return ref{}, false
}

func (x *exchange) listFieldsOf() reply {
	e, ok := x.owner()
	if !ok {
		return notFound()
	}
	var rows []ref
	for _, f := range x.w.custom.values.all() {
		if f.entity == e {
			rows = append(rows, ref{"custom_field", f.id})
		}
	}
	return x.whole(rows)
}

func (x *exchange) setFieldOf() reply {
	e, ok := x.owner()
	if !ok {
		return notFound()
	}
	return x.set(e)
}

// set creates or replaces a value: 201 either way. The account's limit stands in the way of new ones only.
func (x *exchange) set(e ref) reply {
	var slug string
	x.attribute("api_slug", &slug)
	raw, there := x.data.Attributes["value"]
	if !there {
		x.violate(`attribute "value" is missing`)
	}
	limits := x.s.config.customFields
	if limits.limited && x.w.field(e, slug) == nil && len(x.w.custom.values.order) >= limits.limit {
		return fail(ShapeFull, invalid("/data", "custom_field_limit", "The account has reached its limit of custom fields."))
	}
	id, failure := x.w.setField(e, slug, raw, "")
	if failure != nil {
		return fail(ShapeFull, *failure)
	}
	return x.one(201, ref{"custom_field", id})
}

func (x *exchange) updateFieldOf() reply {
	e, ok := x.owner()
	if !ok {
		return notFound()
	}
	return x.replace(x.w.field(e, x.args["api_slug"]))
}

func (x *exchange) replace(f *customField) reply {
	if f == nil {
		return notFound()
	}
	slug := x.w.custom.definitions.get(f.definition).APISlug
	if _, failure := x.w.setField(f.entity, slug, x.data.Attributes["value"], ""); failure != nil {
		return fail(ShapeFull, *failure)
	}
	return x.one(200, ref{"custom_field", f.id})
}

func (x *exchange) deleteFieldOf() reply {
	e, ok := x.owner()
	f := x.w.field(e, x.args["api_slug"])
	if !ok || f == nil {
		return notFound()
	}
	x.w.custom.values.remove(f.id)
	return deleted(204)
}
