package doctor

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/jsonapi"
)

// inventory is what the resources of all responses have that matters.
type inventory struct {
	words      words
	resources  int
	types      map[string]bool            // unknown ones
	attributes map[string]bool            // unknown ones, such as "container.doors"
	values     map[string]bool            // unknown ones, such as `container.CurrentStatus "lost"`
	unread     map[string]bool            // attributes with a value that could not be read
	present    map[string]map[string]bool // attributes by type
	chosen     map[string]bool            // texts of the account, in the spelling of an attribute
}

func newInventory() *inventory {
	return &inventory{
		words: newWords(), types: map[string]bool{}, attributes: map[string]bool{}, values: map[string]bool{},
		unread: map[string]bool{}, present: map[string]map[string]bool{}, chosen: map[string]bool{},
	}
}

// resource is a type of the client, whose JSON is the service's form.
type resource interface {
	json.Marshaler
	json.Unmarshaler
}

func (v *inventory) add(list []*jsonapi.Resource) {
	for _, r := range list {
		v.resources++
		var sent map[string]any
		_ = json.Unmarshal(r.Raw, &sent) // a resource of a document that was read
		v.choose(sent)
		made, ok := resourceTypes[r.Type]
		if !ok {
			v.types[v.words.shown(r.Type)] = true
			continue
		}
		if v.present[r.Type] == nil {
			v.present[r.Type] = map[string]bool{}
		}
		for name := range r.Attributes {
			v.present[r.Type][name] = true
		}
		if typed := v.decode(r.Type, sent, made); typed != nil {
			text, _ := typed.MarshalJSON()
			var kept map[string]any
			_ = json.Unmarshal(text, &kept) // the client has made it
			v.compare(r.Type+".", sent["attributes"], kept["attributes"])
			v.compare(r.Type+" -> ", sent["relationships"], kept["relationships"])
			v.unknownIn(r.Type, reflect.ValueOf(typed).Elem())
		}
	}
}

// decode returns a resource without the attributes that the client cannot read, which it notes.
func (v *inventory) decode(kind string, sent map[string]any, made func() resource) resource {
	attributes, _ := sent["attributes"].(map[string]any)
	for range len(attributes) + 1 {
		text, _ := json.Marshal(sent)
		typed := made()
		err := typed.UnmarshalJSON(text)
		if err == nil {
			return typed
		}
		_, problem, _ := strings.Cut(err.Error(), ": JSON of a ")
		_, problem, _ = strings.Cut(problem, ": ")
		field, _, _ := strings.Cut(problem, ": ")
		name := strings.TrimPrefix(field, "attributes.")
		if i := strings.IndexAny(name, "[."); i > 0 {
			name = name[:i]
		}
		if _, ok := attributes[name]; !ok {
			break
		}
		v.unread[kind+"."+name] = true // the client knows what it cannot read
		delete(attributes, name)
	}
	v.unread[kind+".(another member)"] = true
	return nil
}

// compare notes the members that the client did not keep. One without a value may be documented,
// unless the client lists the attributes of its type.
func (v *inventory) compare(path string, sent, kept any) {
	switch sent := sent.(type) {
	case map[string]any:
		kept, _ := kept.(map[string]any)
		for name, member := range sent {
			if had, ok := kept[name]; ok || knownMembers[path+name] {
				v.compare(path+name+".", member, had)
			} else if hasValue(member) || listed[path] {
				v.attributes[path+name] = true
			}
		}
	case []any:
		if kept, _ := kept.([]any); len(kept) == len(sent) {
			for i := range sent {
				v.compare(path, sent[i], kept[i])
			}
		}
	}
}

func hasValue(member any) bool {
	switch member := member.(type) {
	case nil:
		return false
	case string:
		return member != ""
	case float64:
		return member != 0
	case []any:
		return len(member) > 0
	case map[string]any:
		return len(member) > 0
	}
	return true
}

// knownMembers are known attributes, such as "container.number"; listed are the types that have
// them, such as "container.".
var knownMembers, listed = func() (known, listed map[string]bool) {
	known, listed = map[string]bool{}, map[string]bool{}
	for kind, names := range knownAttributes {
		listed[kind+"."] = len(names) > 0
		for _, name := range names {
			known[kind+"."+name] = true
		}
	}
	return known, listed
}()

// knownAttributes are the attributes of the central types.
var knownAttributes = func() map[string][]string {
	known := map[string][]string{}
	for _, o := range terminal49.Operations() {
		if kind, ok := strings.CutSuffix(o.Name, "s.get"); ok {
			known[kind] = o.Attributes
		}
	}
	return known
}()

// unknownIn notes each value of an enumeration that is not Known, by the names of the client.
func (v *inventory) unknownIn(path string, value reflect.Value) {
	if enum, ok := value.Interface().(interface{ Known() bool }); ok {
		if !value.IsZero() && !enum.Known() {
			v.values[path+" "+v.words.shown(fmt.Sprint(value.Interface()))] = true
		}
		return
	}
	switch value.Kind() {
	case reflect.Struct:
		if opt := value.MethodByName("Get"); opt.IsValid() && opt.Type().NumIn() == 0 {
			v.unknownIn(path, opt.Call(nil)[0])
			return
		}
		for i := range value.NumField() {
			if field := value.Type().Field(i); field.IsExported() {
				v.unknownIn(path+"."+field.Name, value.Field(i))
			}
		}
	case reflect.Slice:
		for i := range value.Len() {
			v.unknownIn(path, value.Index(i))
		}
	case reflect.Map:
		for each := value.MapRange(); each.Next(); {
			v.unknownIn(path, each.Key())
			v.unknownIn(path, each.Value())
		}
	case reflect.Pointer:
		if !value.IsNil() {
			v.unknownIn(path, value.Elem())
		}
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

// resourceTypes are the types of this version.
var resourceTypes = map[string]func() resource{
	"shipment":                func() resource { return new(terminal49.Shipment) },
	"container":               func() resource { return new(terminal49.Container) },
	"tracking_request":        func() resource { return new(terminal49.TrackingRequest) },
	"transport_event":         func() resource { return new(terminal49.TransportEvent) },
	"estimated_event":         func() resource { return new(terminal49.EstimatedEvent) },
	"container_created_event": func() resource { return new(terminal49.ContainerCreatedEvent) },
	"container_updated_event": func() resource { return new(terminal49.ContainerUpdatedEvent) },
	"container_pod_terminal_changed_event": func() resource {
		return new(terminal49.ContainerPODTerminalChangedEvent)
	},
	"port":                    func() resource { return new(terminal49.Port) },
	"metro_area":              func() resource { return new(terminal49.MetroArea) },
	"terminal":                func() resource { return new(terminal49.Terminal) },
	"rail_terminal":           func() resource { return new(terminal49.Terminal) },
	"vessel":                  func() resource { return new(terminal49.Vessel) },
	"shipping_line":           func() resource { return new(terminal49.ShippingLine) },
	"party":                   func() resource { return new(terminal49.Party) },
	"account":                 func() resource { return new(terminal49.Account) },
	"user":                    func() resource { return new(terminal49.User) },
	"credential":              func() resource { return new(terminal49.Credential) },
	"document":                func() resource { return new(terminal49.Document) },
	"document_representation": func() resource { return new(terminal49.Extraction) },
	"custom_field":            func() resource { return new(terminal49.CustomField) },
	"custom_field_definition": func() resource { return new(terminal49.CustomFieldDefinition) },
	"webhook":                 func() resource { return new(terminal49.Webhook) },
	"webhook_notification":    func() resource { return new(terminal49.WebhookNotification) },
	"party_role":              func() resource { return new(terminal49.PartyRole) },
	"custom_field_option":     func() resource { return new(terminal49.CustomFieldOption) },
	"webhook_event_category":  func() resource { return new(terminal49.WebhookEventCategory) },
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
		for _, name := range knownAttributes[resource] {
			if seen && !present[name] {
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
