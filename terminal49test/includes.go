package terminal49test

import (
	"net/http"
	"strings"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

var (
	anyPlace    = []string{"port", "metro_area"}
	anyTerminal = []string{"terminal", "rail_terminal"}
)

// relationships are those of each type, with the types of their targets, so that include paths can
// be checked even for an empty page.
var relationships = map[string]map[string][]string{
	"shipment": {
		"port_of_lading": {"port"}, "port_of_discharge": {"port"}, "destination": anyPlace, "pod_terminal": {"terminal"},
		"destination_terminal": anyTerminal, "line_tracking_stopped_by_user": {"user"}, "containers": {"container"},
		"party_roles": {"party_role"},
	},
	"container": {
		"shipment": {"shipment"}, "pod_terminal": {"terminal"}, "pickup_facility": {"terminal"},
		"transport_events": {"transport_event"}, "raw_events": {"raw_event"},
	},
	"tracking_request": {"tracked_object": {"shipment"}, "customer": {"party", "account"}, "user": {"user"}},
	"party_role":       {"party": {"party"}},
	"transport_event": {
		"shipment": {"shipment"}, "container": {"container"}, "vessel": {"vessel"}, "location": anyPlace, "terminal": anyTerminal,
		"source_event": {"raw_event"}, "previous_version": {"transport_event"},
	},
	"raw_event": {"location": anyPlace, "vessel": {"vessel"}, "container": {"container"}, "terminal": anyTerminal},
	"document": {
		"account": {"account"}, "user": {"user"}, "email_submission": {"email_submission"},
		"last_document_representation": {"document_representation"}, "current_extraction": {"document_representation"},
		"shipments": {"shipment"}, "cargos": {"container"}, "parent_document": {"document"},
	},
	"email_submission": {"account": {"account"}, "user": {"user"}, "documents": {"document"}},
	"webhook_notification": {"webhook": {"webhook"}, "document": {"document"}, "reference_object": {
		"tracking_request", "transport_event", "estimated_event", "container_created_event", "container_updated_event",
		"container_pod_terminal_changed_event", "document", "shipment", "container",
	}},
	"estimated_event":                      {"shipment": {"shipment"}, "port": {"port"}, "vessel": {"vessel"}},
	"container_created_event":              {"shipment": {"shipment"}, "container": {"container"}},
	"container_updated_event":              {"shipment": {"shipment"}, "container": {"container"}, "terminal": anyTerminal},
	"container_pod_terminal_changed_event": {"shipment": {"shipment"}, "container": {"container"}, "terminal": anyTerminal},
	"port":                                 {"terminals": {"terminal"}},
	"terminal":                             {"port": {"port"}},
	"rail_terminal":                        {"port": {"port"}, "metro_area": {"metro_area"}},
}

// hasPath reports whether a type has a dotted include path.
func hasPath(kind, path string) bool {
	first, rest, more := strings.Cut(path, ".")
	targets, ok := relationships[kind][first]
	if !ok || !more {
		return ok
	}
	for _, t := range targets {
		if hasPath(t, rest) {
			return true
		}
	}
	return false
}

// includes reads the include parameter. A path that the type does not have is a violation and is
// answered 400.
func (x *exchange) includes() (paths []string, refusal *service.Reply) {
	kind := x.resourceType()
	paths = x.defaultIncludes(kind)
	if x.Query.Has("include") && x.Query.Get("include") == "" {
		x.Violate("include is empty; leave it out")
		return paths, nil
	}
	for _, p := range strings.Split(x.Query.Get("include"), ",") {
		if p == "" {
			continue
		}
		ignored, refusal := x.checkInclude(kind, p)
		switch {
		case refusal != nil:
			return nil, refusal
		case ignored:
			continue
		case kind == "document" && p == "current_extraction":
			p = "last_document_representation" // an alias
		}
		paths = append(paths, p)
	}
	return paths, nil
}

func (x *exchange) defaultIncludes(kind string) []string {
	switch {
	case kind == "tracking_request":
		return []string{"tracked_object"} // always included
	case kind == "email_submission" && !x.Query.Has("include"):
		return []string{"documents", "documents.last_document_representation"}
	}
	return nil
}

// checkInclude reports whether the service ignores a path, or refuses it.
func (x *exchange) checkInclude(kind, path string) (ignored bool, refusal *service.Reply) {
	known := hasPath(kind, path)
	switch {
	case kind == "shipment" && path == "shipping_line":
		x.Violate("include must not contain shipping_line, which makes the service fail; shipments have its SCAC and name")
		r := service.Failure()
		return false, &r
	case kind == "tracking_request" && (path == "shipment" || path == "container"):
		x.Violate("include %q is not a relationship of tracking_request; the service's own client allows it", path)
		return true, nil
	case known && (x.s.config.autumn2026 || !strings.HasPrefix(path, "party_roles")):
		return false, nil
	case !known:
		x.Violate("include %q is not a relationship of %s", path, kind)
	}
	r := service.Refusal(service.Problem{
		Status: http.StatusBadRequest, Title: "Bad Request", Parameter: "include",
		Detail: path + " is not specified as a relationship on V2::" + serializerName(kind),
	})
	return false, &r
}

// resourceType is the type of resource in the response.
func (x *exchange) resourceType() string {
	switch of, verb, _ := strings.Cut(x.Route.Op, "."); {
	case verb == "transport_events":
		return "transport_event"
	case verb == "raw_events":
		return "raw_event"
	case strings.HasPrefix(verb, "custom_fields."):
		return "custom_field"
	case of == "parties":
		return "party"
	default:
		return strings.TrimSuffix(of, "s")
	}
}

func serializerName(kind string) string {
	var name strings.Builder
	for _, word := range strings.Split(kind, "_") {
		name.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return name.String() + "Serializer"
}

// included returns what a response includes. With tracking requests the older service also sends
// the account, which no relationship names.
func (x *exchange) included(data []wire.Resource, paths []string) []wire.Resource {
	list := x.collect(data, paths)
	if x.resourceType() == "tracking_request" && !x.s.config.autumn2026 && len(data) > 0 {
		account, _ := x.render(wire.Ref{Kind: "account", ID: x.w.account})
		list = append(list, account)
	}
	return list
}

// collect follows include paths from the primary resources and returns each target once, in order,
// without the primary resources.
func (v view) collect(primary []wire.Resource, paths []string) []wire.Resource {
	c := collector{view: v, seen: map[wire.Ref]bool{}, rendered: map[wire.Ref]wire.Resource{}, included: []wire.Resource{}}
	for _, r := range primary {
		c.seen[r.Ref] = true
	}
	for _, p := range paths {
		c.follow(primary, p)
	}
	return c.included
}

// collector collects what a response includes.
type collector struct {
	view     view
	seen     map[wire.Ref]bool
	rendered map[wire.Ref]wire.Resource
	included []wire.Resource
}

func (c *collector) follow(from []wire.Resource, path string) {
	name, rest, more := strings.Cut(path, ".")
	var reached []wire.Resource
	for _, r := range from {
		for _, target := range r.Targets(name) {
			if res, ok := c.visit(target); ok {
				reached = append(reached, res)
			}
		}
	}
	if more && len(reached) > 0 {
		c.follow(reached, rest)
	}
}

// visit renders a target once and includes it.
func (c *collector) visit(target wire.Ref) (wire.Resource, bool) {
	res, ok := c.rendered[target]
	if !ok {
		if res, ok = c.view.render(target); !ok {
			return res, false
		}
		c.rendered[target] = res
	}
	if !c.seen[target] {
		c.seen[target] = true
		c.included = append(c.included, res)
	}
	return res, true
}
