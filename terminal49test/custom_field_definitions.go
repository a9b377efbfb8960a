package terminal49test

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// CustomFieldDefinition is a field that the account added to its shipments, containers or tracking
// requests.
type CustomFieldDefinition struct {
	ID string `json:"id,omitzero"` // "" generates one
	// EntityType is "Shipment" (also for ""), "Container" (sent as "Cargo") or "TrackingRequest".
	EntityType  string `json:"entity_type,omitzero"`
	APISlug     string `json:"api_slug,omitzero"`
	DisplayName string `json:"display_name,omitzero"`
	Description string `json:"description,omitzero"`
	DataType    string `json:"data_type,omitzero"` // such as "number"; "" means "short_text"
	// ReferenceType is what values of data type "reference" refer to, such as "party".
	ReferenceType string         `json:"reference_type,omitzero"`
	Validation    map[string]any `json:"validation,omitzero"`
	DefaultFormat string         `json:"default_format,omitzero"` // of dates and times: strftime letters such as "%m/%d/%Y"
	DefaultValue  any            `json:"default_value,omitzero"`  // nil means null
	// Shared makes it a template of several accounts: it has no account and cannot be deleted while
	// in use.
	Shared     bool                `json:"shared,omitzero"`
	Options    []CustomFieldOption `json:"options,omitzero"`
	CreatedAt  time.Time           `json:"created_at,omitzero"` // zero means now
	UpdatedAt  time.Time           `json:"updated_at,omitzero"` // zero means now
	Attributes map[string]any      `json:"attributes,omitzero"`
}

// AddCustomFieldDefinition adds a definition with its options and returns its id.
func (s *Server) AddCustomFieldDefinition(d CustomFieldDefinition) string {
	return withWorld(s, func(w *world) string { return w.addDefinition(d) })
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
	w.custom.definitions.Put(d.ID, &d)
	return d.ID
}

func (x *exchange) listDefinitions() service.Reply {
	q := x.Query
	var rows []wire.Ref
	for _, d := range x.w.custom.definitions.All() {
		entity := strings.Replace(q.Get("filter[entity_type]"), "Cargo", "Container", 1)
		if entity != "" && d.EntityType != entity || q.Has("filter[data_type]") && d.DataType != q.Get("filter[data_type]") ||
			!strings.HasPrefix(strings.ToLower(d.DisplayName), strings.ToLower(q.Get("filter[display_name]"))) {
			continue
		}
		rows = append(rows, wire.Ref{Kind: "custom_field_definition", ID: d.ID})
	}
	// As at the live service, the page size affects only the links: every page contains all rows.
	number, size := x.PageNumber(), x.PageSize(25, x.maxPage())
	doc, failure := x.list(rows)
	if failure != nil {
		return *failure
	}
	last := (len(rows) + size - 1) / size
	return service.JSONReply(200, append(doc, wire.Member{"links", x.PageLinks(number, size, last, len(rows) == 0)}))
}

func (x *exchange) getDefinition() service.Reply {
	return x.one(200, wire.Ref{Kind: "custom_field_definition", ID: x.Args["id"]})
}

func (x *exchange) createDefinition() service.Reply {
	d := CustomFieldDefinition{CreatedAt: x.Now}
	x.Attribute("entity_type", &d.EntityType)
	x.Attribute("api_slug", &d.APISlug)
	x.Attribute("data_type", &d.DataType)
	x.Attribute("reference_type", &d.ReferenceType)
	x.readDefinition(&d)
	var problems []service.Problem
	refuse := func(name, code, detail string) {
		problems = append(problems, service.AttributeProblem("/data/attributes/"+name, code, detail))
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
	case x.w.custom.definitions.Find(func(o *CustomFieldDefinition) bool {
		return o.APISlug == d.APISlug && o.EntityType == d.EntityType
	}) != nil:
		refuse("api_slug", "duplicate", "Api slug has already been taken")
	}
	if len(problems) > 0 {
		return service.Refusal(problems...)
	}
	return x.one(201, wire.Ref{Kind: "custom_field_definition", ID: x.w.addDefinition(d)})
}

func customDataTypes() []string {
	return []string{"short_text", "number", "date", "datetime", "boolean", "enum", "enum_multi", "reference"}
}

// updateDefinition keeps slug, entity type and data type: sending them is a violation.
func (x *exchange) updateDefinition() service.Reply {
	d := x.w.custom.definitions.Get(x.Args["id"])
	if d == nil {
		return service.NotFound()
	}
	x.readDefinition(d)
	d.UpdatedAt = x.Now
	return x.one(200, wire.Ref{Kind: "custom_field_definition", ID: d.ID})
}

// readDefinition reads the attributes that can be changed; null clears them.
func (x *exchange) readDefinition(d *CustomFieldDefinition) {
	x.Attribute("display_name", &d.DisplayName)
	for name, into := range map[string]*string{"description": &d.Description, "default_format": &d.DefaultFormat} {
		if raw, there := x.Data.Attributes[name]; there && string(raw) == "null" {
			*into = ""
		}
		x.Attribute(name, into)
	}
	if raw, there := x.Data.Attributes["validation"]; there {
		d.Validation = nil
		if wire.DecodeExact(raw, &d.Validation) != nil {
			x.Violate(`attribute "validation" must be an object or null`)
		}
	}
	if raw, there := x.Data.Attributes["default_value"]; there {
		d.DefaultValue = raw
	}
}

// deleteDefinition also deletes all values of the definition.
func (x *exchange) deleteDefinition() service.Reply {
	d := x.w.custom.definitions.Get(x.Args["id"])
	if d == nil {
		return service.NotFound()
	}
	var used []string
	for _, f := range x.w.custom.values.All() {
		if f.definition == d.ID {
			used = append(used, f.id)
		}
	}
	if d.Shared && len(used) > 0 {
		return *service.Unprocessable("", "The template is in use and cannot be deleted.")
	}
	for _, id := range used {
		x.w.custom.values.Remove(id)
	}
	x.w.custom.definitions.Remove(d.ID)
	return service.EmptyReply(200)
}

func (w *world) renderDefinition(d *CustomFieldDefinition) wire.Resource {
	entity, account, template := d.EntityType, w.account, any(nil)
	if entity == "Container" {
		entity = "Cargo" // the service sends Cargo and accepts Container
	}
	if d.Shared {
		account, template = "", d.ID
	}
	var fields, options []string
	for _, f := range w.custom.values.All() {
		if f.definition == d.ID {
			fields = append(fields, f.id)
		}
	}
	for _, o := range d.Options {
		options = append(options, o.ID)
	}
	var rules any
	if d.Validation != nil {
		rules = d.Validation
	}
	return wire.Resource{
		Ref: wire.Ref{Kind: "custom_field_definition", ID: d.ID},
		Attributes: wire.Object{
			{"entity_type", entity}, {"api_slug", d.APISlug}, {"display_name", d.DisplayName},
			{"description", wire.OrNull(d.Description)}, {"data_type", d.DataType}, {"reference_type", wire.OrNull(d.ReferenceType)},
			{"validation", rules}, {"default_format", wire.OrNull(d.DefaultFormat)}, {"default_value", d.DefaultValue},
			{"template_id", template}, {"created_at", d.CreatedAt}, {"updated_at", d.UpdatedAt},
		}.With(d.Attributes),
		Relations: []wire.Relation{
			wire.ToOne("account", "account", account), wire.ToMany("fields", "custom_field", fields),
			wire.ToMany("options", "custom_field_option", options),
		},
	}
}

// definitionFor finds the definition of a slug for a type of entity. A tracking request has the
// fields of its own type and those of shipments, since none of its own can be created through the
// API.
func (w *world) definitionFor(kind, slug string) *CustomFieldDefinition {
	scopes := map[string][]string{
		"shipment": {"Shipment"}, "container": {"Container"}, "tracking_request": {"TrackingRequest", "Shipment"},
	}
	for _, scope := range scopes[kind] {
		if d := w.custom.definitions.Find(func(d *CustomFieldDefinition) bool {
			return d.EntityType == scope && d.APISlug == slug
		}); d != nil {
			return d
		}
	}
	return nil
}
