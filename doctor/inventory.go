package doctor

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/jsonapi"
)

// inventory is what the resources of all responses have that matters.
type inventory struct {
	documented documented
	words      words
	resources  int
	types      map[string]bool            // unknown ones
	attributes map[string]bool            // unknown ones, such as "container.doors"
	values     map[string]bool            // unknown ones, such as `container.current_status "lost"`
	unread     map[string]bool            // attributes with a value that could not be read
	present    map[string]map[string]bool // attributes by type
	chosen     map[string]bool            // texts of the account, in the spelling of an attribute
}

func newInventory() *inventory {
	d := newDocumented()
	return &inventory{
		documented: d, words: d.words(), types: map[string]bool{}, attributes: map[string]bool{}, values: map[string]bool{},
		unread: map[string]bool{}, present: map[string]map[string]bool{}, chosen: map[string]bool{},
	}
}

func (v *inventory) add(list []*jsonapi.Resource) {
	for _, r := range list {
		v.resources++
		known, ok := v.documented.types[r.Type]
		if !ok {
			v.types[v.words.shown(r.Type)] = true
			continue
		}
		if v.present[r.Type] == nil {
			v.present[r.Type] = map[string]bool{}
		}
		for name, raw := range r.Attributes {
			v.present[r.Type][name] = true
			var value any
			if json.Unmarshal(raw, &value) == nil {
				v.member(known, r.Type, name, value)
			}
		}
		for name := range r.Relationships {
			if !known.relationships[name] {
				v.attributes[r.Type+" -> "+name] = true
			}
		}
		v.decode(r)
	}
}

// member examines an attribute, or a member of one, whose name is known or not.
func (v *inventory) member(t documentedType, resource, path string, value any) {
	if !t.attributes[path] && path != "id" {
		v.attributes[resource+"."+path] = true
		v.choose(value)
		return
	}
	v.examine(t, resource, path, value)
}

// examine examines the value of a known attribute. That of an element of a list has its path.
func (v *inventory) examine(t documentedType, resource, path string, value any) {
	enum, isEnum := v.documented.enums[resource+"."+path]
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			v.examine(t, resource, path, element)
		}
	case map[string]any:
		switch {
		case isEnum: // its members are named by the values, and have members of their own
			for name, member := range value {
				v.value(enum, resource, path, name)
				v.members(t, resource, path, member)
			}
		case t.nested[path]:
			v.members(t, resource, path, value)
		default:
			v.choose(value)
		}
	case string, float64:
		if isEnum {
			v.value(enum, resource, path, fmt.Sprint(value))
		} else {
			v.choose(value)
		}
	}
}

// members examines the members of a known attribute.
func (v *inventory) members(t documentedType, resource, path string, value any) {
	object, _ := value.(map[string]any)
	for name, member := range object {
		v.member(t, resource, path+"."+name, member)
	}
}

// value notes a value that the enumeration does not have.
func (v *inventory) value(enum []string, resource, path, text string) {
	if text != "" && !slices.Contains(enum, text) {
		v.values[resource+"."+path+" "+v.words.shown(text)] = true
	}
}

// choose notes the texts that the account may have chosen.
func (v *inventory) choose(value any) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			v.choose(element)
		}
	case map[string]any:
		for _, member := range value {
			v.choose(member)
		}
	case string:
		if len(value) <= 2*longestName {
			v.chosen[spelling(value)] = true
		}
	}
}

var betweenWords = regexp.MustCompile(`[^a-z0-9]+`)

// spelling returns a text as the name of an attribute would spell it.
func spelling(text string) string {
	return strings.Trim(betweenWords.ReplaceAllString(strings.ToLower(text), "_"), "_")
}

// decode notes the first attribute of a resource that the client cannot read.
func (v *inventory) decode(r *jsonapi.Resource) {
	newResource, ok := resourceTypes[r.Type]
	if !ok {
		return
	}
	err := newResource().UnmarshalJSON(r.Raw)
	if err == nil {
		return
	}
	_, problem, _ := strings.Cut(err.Error(), ": JSON of a ")
	_, problem, _ = strings.Cut(problem, ": ")
	field, _, _ := strings.Cut(problem, ": ")
	name, _, _ := strings.Cut(strings.TrimPrefix(field, "attributes."), "[")
	if !v.documented.types[r.Type].attributes[name] {
		name = "(another member)"
	}
	v.unread[r.Type+"."+name] = true
}

// resourceTypes are the types of this version.
var resourceTypes = map[string]func() json.Unmarshaler{
	"shipment":                func() json.Unmarshaler { return new(terminal49.Shipment) },
	"container":               func() json.Unmarshaler { return new(terminal49.Container) },
	"tracking_request":        func() json.Unmarshaler { return new(terminal49.TrackingRequest) },
	"transport_event":         func() json.Unmarshaler { return new(terminal49.TransportEvent) },
	"estimated_event":         func() json.Unmarshaler { return new(terminal49.EstimatedEvent) },
	"container_created_event": func() json.Unmarshaler { return new(terminal49.ContainerCreatedEvent) },
	"container_updated_event": func() json.Unmarshaler { return new(terminal49.ContainerUpdatedEvent) },
	"container_pod_terminal_changed_event": func() json.Unmarshaler {
		return new(terminal49.ContainerPODTerminalChangedEvent)
	},
	"port":                    func() json.Unmarshaler { return new(terminal49.Port) },
	"metro_area":              func() json.Unmarshaler { return new(terminal49.MetroArea) },
	"terminal":                func() json.Unmarshaler { return new(terminal49.Terminal) },
	"rail_terminal":           func() json.Unmarshaler { return new(terminal49.Terminal) },
	"vessel":                  func() json.Unmarshaler { return new(terminal49.Vessel) },
	"shipping_line":           func() json.Unmarshaler { return new(terminal49.ShippingLine) },
	"party":                   func() json.Unmarshaler { return new(terminal49.Party) },
	"account":                 func() json.Unmarshaler { return new(terminal49.Account) },
	"user":                    func() json.Unmarshaler { return new(terminal49.User) },
	"credential":              func() json.Unmarshaler { return new(terminal49.Credential) },
	"document":                func() json.Unmarshaler { return new(terminal49.Document) },
	"document_representation": func() json.Unmarshaler { return new(terminal49.Extraction) },
	"custom_field":            func() json.Unmarshaler { return new(terminal49.CustomField) },
	"custom_field_definition": func() json.Unmarshaler { return new(terminal49.CustomFieldDefinition) },
	"webhook":                 func() json.Unmarshaler { return new(terminal49.Webhook) },
	"webhook_notification":    func() json.Unmarshaler { return new(terminal49.WebhookNotification) },
	"webhook_event_category":  func() json.Unmarshaler { return new(terminal49.WebhookEventCategory) },
}

const noResources = "no resource could be read"

func (e *examination) unknownTypes() Finding {
	return e.seen.found("Which types of resources are unknown to this version?", e.seen.types, "They are kept as terminal49.UnknownResource.")
}

func (e *examination) unknownAttributes() Finding {
	names := map[string]bool{}
	for name := range e.seen.attributes {
		names[e.seen.shownName(name)] = true
	}
	return e.seen.found("Which attributes are unknown to this version?", names, "They are in Resource.Raw with WithRawJSON.")
}

func (e *examination) unknownValues() Finding {
	return e.seen.found("Which values of enumerations are unknown to this version?", e.seen.values, "They are kept unchanged; Known reports false.")
}

func (e *examination) unreadable() Finding {
	return e.seen.found("Which attributes have values that cannot be read?", e.seen.unread, "They are left empty; Hooks.OnDecodeWarning reports each.")
}

// missingAttributes names what no resource of the central types had, although it is documented.
func (e *examination) missingAttributes() Finding {
	missing := map[string]bool{}
	any := false
	for _, resource := range []string{"shipment", "container", "tracking_request"} {
		present, seen := e.seen.present[resource]
		any = any || seen
		for name := range e.seen.documented.types[resource].attributes {
			if seen && !present[name] && !strings.Contains(name, ".") {
				missing[resource+"."+name] = true
			}
		}
	}
	const question = "Which documented attributes of shipments, containers and tracking requests are never sent?"
	if !any {
		return unknown(question, noResources, "")
	}
	return e.seen.found(question, missing, "They are zero.")
}

// mostNamed limits the list of a finding.
const mostNamed = 50

// found lists what was found, if any.
func (v *inventory) found(question string, what map[string]bool, meaning string) Finding {
	switch {
	case v.resources == 0:
		return unknown(question, noResources, "")
	case len(what) == 0:
		return known(question, "None.", "")
	}
	list := slices.Sorted(maps.Keys(what))
	more := ""
	if len(list) > mostNamed {
		list, more = list[:mostNamed], ", and others"
	}
	return known(question, strings.Join(list, ", ")+more+".", meaning)
}
