package terminal49test

import "strings"

// ref is a JSON:API resource identifier: {id, type}.
type ref struct{ kind, id string }

// append writes the identifier; null without an id.
func (r ref) append(b []byte) []byte {
	if r.id == "" {
		return append(b, "null"...)
	}
	b = appendString(append(b, `{"id":`...), r.id)
	b = appendString(append(b, `,"type":`...), r.kind)
	return append(b, '}')
}

// relation is a relationship: to-one, with a target that may be empty (null), or to-many.
type relation struct {
	name string
	one  ref
	many []ref
	list bool
}

func toOne(name, kind, id string) relation { return relation{name: name, one: ref{kind, id}} }

func toMany(name, kind string, targetIDs []string) relation {
	r := relation{name: name, list: true}
	for _, id := range targetIDs {
		r.many = append(r.many, ref{kind, id})
	}
	return r
}

func (r relation) targets() []ref {
	if r.list {
		return r.many
	}
	return []ref{r.one}
}

// resource is a JSON:API resource, ready to be written.
type resource struct {
	ref
	attributes object
	relations  []relation
	self       string // path of links.self; "" for types without one
}

// append writes the resource object.
func (r resource) append(b []byte) []byte {
	b = appendString(append(b, `{"id":`...), r.id)
	b = appendString(append(b, `,"type":`...), r.kind)
	b = appendJSON(append(b, `,"attributes":`...), r.attributes)
	for i, rel := range r.relations {
		if i == 0 {
			b = append(b, `,"relationships":{`...)
		} else {
			b = append(b, ',')
		}
		b = appendString(b, rel.name)
		b = append(b, `:{"data":`...)
		if rel.list {
			b = appendList(b, rel.many)
		} else {
			b = rel.one.append(b)
		}
		b = append(b, '}')
	}
	if len(r.relations) > 0 {
		b = append(b, '}')
	}
	if r.self != "" {
		b = append(appendString(append(b, `,"links":{"self":`...), r.self), '}')
	}
	return append(b, '}')
}

// MarshalJSON allows a resource within any other value.
func (r resource) MarshalJSON() ([]byte, error) { return r.append(nil), nil }

// size is about how long the resource is when it is written.
func (r resource) size() int {
	n := 200 + 48*len(r.attributes)
	for _, rel := range r.relations {
		n += 64 + 72*max(len(rel.many), 1)
	}
	return n
}

// relationsOf returns the relationships of a type and the types of their targets, so that include
// paths can be checked even for an empty page.
func relationsOf(kind string) map[string][]string {
	places := []string{"port", "metro_area"}
	terminals := []string{"terminal", "rail_terminal"}
	switch kind {
	case "shipment":
		return map[string][]string{
			"port_of_lading": {"port"}, "port_of_discharge": {"port"}, "destination": places, "pod_terminal": {"terminal"},
			"destination_terminal": terminals, "line_tracking_stopped_by_user": {"user"}, "containers": {"container"},
			"party_roles": {"party_role"},
		}
	case "container":
		return map[string][]string{
			"shipment": {"shipment"}, "pod_terminal": {"terminal"}, "pickup_facility": {"terminal"},
			"transport_events": {"transport_event"}, "raw_events": {"raw_event"},
		}
	case "tracking_request":
		return map[string][]string{"tracked_object": {"shipment"}, "customer": {"party"}, "user": {"user"}}
	case "party_role":
		return map[string][]string{"party": {"party"}}
	case "transport_event":
		return map[string][]string{
			"shipment": {"shipment"}, "container": {"container"}, "vessel": {"vessel"}, "location": places, "terminal": terminals,
			"source_event": {"raw_event"}, "previous_version": {"transport_event"},
		}
	case "raw_event":
		return map[string][]string{"location": places, "vessel": {"vessel"}, "container": {"container"}, "terminal": terminals}
	case "document":
		return map[string][]string{
			"account": {"account"}, "user": {"user"}, "email_submission": {"email_submission"},
			"last_document_representation": {"document_representation"}, "current_extraction": {"document_representation"},
			"shipments": {"shipment"}, "cargos": {"container"}, "parent_document": {"document"},
		}
	case "email_submission":
		return map[string][]string{"account": {"account"}, "user": {"user"}, "documents": {"document"}}
	case "webhook_notification":
		return map[string][]string{"webhook": {"webhook"}, "document": {"document"}, "reference_object": {
			"tracking_request", "transport_event", "estimated_event", "container_created_event", "container_updated_event",
			"container_pod_terminal_changed_event", "document", "shipment", "container",
		}}
	case "estimated_event":
		return map[string][]string{"shipment": {"shipment"}, "port": {"port"}, "vessel": {"vessel"}}
	case "container_created_event":
		return map[string][]string{"shipment": {"shipment"}, "container": {"container"}}
	case "container_updated_event", "container_pod_terminal_changed_event":
		return map[string][]string{"shipment": {"shipment"}, "container": {"container"}, "terminal": terminals}
	case "port":
		return map[string][]string{"terminals": {"terminal"}}
	case "terminal":
		return map[string][]string{"port": {"port"}}
	case "rail_terminal":
		return map[string][]string{"port": {"port"}, "metro_area": {"metro_area"}}
	}
	return nil
}

// knownPath reports whether a type has a dotted include path.
func knownPath(kind, path string) bool {
	first, rest, more := strings.Cut(path, ".")
	targets, ok := relationsOf(kind)[first]
	if !ok || !more {
		return ok
	}
	for _, t := range targets {
		if knownPath(t, rest) {
			return true
		}
	}
	return false
}

// collect follows include paths from the primary resources and returns each target once, in order,
// without the primary resources.
func (v view) collect(primary []resource, paths []string) []resource {
	seen := map[ref]bool{}
	for _, r := range primary {
		seen[r.ref] = true
	}
	rendered := map[ref]resource{}
	included := []resource{}
	var follow func(from []resource, path string)
	follow = func(from []resource, path string) {
		name, rest, more := strings.Cut(path, ".")
		var reached []resource
		for _, r := range from {
			for _, rel := range r.relations {
				if rel.name != name {
					continue
				}
				for _, target := range rel.targets() {
					res, ok := rendered[target]
					if !ok {
						if res, ok = v.render(target); !ok {
							continue
						}
						rendered[target] = res
					}
					if !seen[target] {
						seen[target] = true
						included = append(included, res)
					}
					if more {
						reached = append(reached, res)
					}
				}
			}
		}
		if more && len(reached) > 0 {
			follow(reached, rest)
		}
	}
	for _, p := range paths {
		follow(primary, p)
	}
	return included
}
