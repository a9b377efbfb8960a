package doctor

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/jsonapi"
)

func (e *examination) identity() Finding {
	const question = "Does the service say whose token it is (GET /me)?"
	a := e.read("/me")
	switch {
	case a.problem != "":
		return unknown(question, a.problem, "")
	case a.refusal != "":
		return known(question, "No: "+a.refusal+".", "A mirror learns the account from tracking requests; without any, it cannot notice the token of another account.")
	case slices.ContainsFunc(a.Data, func(r *jsonapi.Resource) bool { _, ok := r.One("account"); return ok }):
		return known(question, "Yes.", "A mirror refuses the token of another account.")
	}
	return known(question, "No: the response names no account.", "A mirror learns the account from tracking requests.")
}

func (e *examination) shipmentPage() Finding {
	e.shipments = e.read("/shipments", "page[size]", pageSize)
	return e.shipments.size("shipments")
}

func (e *examination) containerPage() Finding {
	e.containers = e.read("/containers", "page[size]", pageSize, "include", "transport_events")
	return e.containers.size("containers")
}

func (e *examination) requestPage() Finding {
	e.requests = e.read("/tracking_requests", "page[size]", pageSize)
	return e.requests.size("tracking requests")
}

// size answers how many rows a page has if a hundred are requested. It does not say how many rows
// the account has.
func (a *answer) size(of string) Finding {
	question := "How many " + of + " does a page have, if 100 are requested?"
	n := len(a.Data)
	switch {
	case a.problem != "":
		return unknown(question, a.problem, "")
	case a.refusal != "":
		return known(question, "None: "+a.refusal+".", "A walk over "+of+" is impossible.")
	case n == 100 || a.NextPage != "" && n > 0:
		return known(question, fmt.Sprintf("%d.", n), fmt.Sprintf("A walk over all %s takes a request for each %d of them.", of, n))
	}
	return unknown(question, "the account has fewer than a page", "A walk over all "+of+" takes one request.")
}

func (e *examination) eventsWithShipments() Finding {
	a := e.read("/shipments", "page[size]", "10", "include", "containers,containers.transport_events")
	return a.events("Does a list of shipments include the events of their containers?",
		"A walk over shipments brings the events too.", "Events come with a walk over containers.")
}

func (e *examination) eventsWithContainers() Finding {
	return e.containers.events("Does a list of containers include their events?", "A walk over containers brings the events too.",
		"Events come only from notifications and from reads of single containers, so a copy of older ones is incomplete.")
}

// events answers whether a response included the transport events of containers.
func (a *answer) events(question, yes, no string) Finding {
	has := func(r *jsonapi.Resource) bool { return r.Type == "transport_event" }
	linked := func(r *jsonapi.Resource) bool {
		return r.Type == "container" && len(r.Relationships["transport_events"].Refs()) > 0
	}
	switch {
	case a.problem != "":
		return unknown(question, a.problem, "")
	case a.refusal != "":
		return known(question, "No: "+a.refusal+".", no)
	case slices.ContainsFunc(a.Included, has):
		return known(question, "Yes.", yes)
	case slices.ContainsFunc(a.All(), linked):
		return known(question, "No: it names events and leaves them out.", no)
	}
	return unknown(question, "no container on the page has events", "")
}

func (e *examination) pageNumber() Finding {
	const question = "Is page[number] honoured?"
	if len(e.containers.Data) < 2 {
		return unknown(question, e.containers.cause("the account has fewer than two containers"), "")
	}
	a := e.read("/containers", "page[size]", "1", "page[number]", "2")
	switch first := e.containers.Data[0].ID; {
	case a.problem != "":
		return unknown(question, a.problem, "")
	case a.refusal != "":
		return known(question, "No: "+a.refusal+".", "Only the first page of a list can be read.")
	case len(a.Data) == 1 && a.Data[0].ID != first:
		return known(question, "Yes.", "")
	case len(a.Data) > 1:
		return known(question, "Not known to be: page[size]=1 is ignored.", "Lists cost more requests than they should.")
	}
	return known(question, "No: the second page is the first.", "Only the first page of a list can be read.")
}

// cause returns why a page does not have what a question needs.
func (a *answer) cause(otherwise string) string {
	for _, reason := range []string{a.problem, a.refusal} {
		if reason != "" {
			return reason
		}
	}
	return otherwise
}

func (e *examination) stoppedFilter() Finding {
	a := e.read("/shipments", "page[size]", pageSize, "filter[tracking_stopped]", "true")
	tracked := func(r *jsonapi.Resource) bool { return isNull(r.Attributes["line_tracking_stopped_at"]) }
	return e.shipments.filtered("filter[tracking_stopped] of shipments", a, slices.ContainsFunc(a.Data, tracked),
		"A frequent walk needs only the shipments that are tracked.", "A walk has to read all shipments, and their rows say which are tracked.")
}

func isNull(value json.RawMessage) bool { return value == nil || string(value) == "null" }

// noNumber is not the number of any shipment or container: the check digit is wrong.
const noNumber = "ZZZU0000001"

func (e *examination) shipmentNumber() Finding {
	a := e.read("/shipments", "page[size]", "1", "filter[number]", noNumber)
	return e.shipments.filtered("filter[number] of shipments", a, len(a.Data) > 0,
		"A shipment is found by its number with one request.", "A number selects every shipment; the client reports it as an error.")
}

func (e *examination) containerNumber() Finding {
	a := e.read("/containers", "page[size]", "1", "filter[number]", noNumber)
	return e.containers.filtered("filter[number] of containers", a, len(a.Data) > 0,
		"A container is found by its number with one request.", "A number selects every container; the client reports it as an error.")
}

func (e *examination) changedContainers() Finding {
	a := e.read("/containers", "page[size]", "1", "filter[updated_at]", ">"+nextYear().Format(time.DateOnly))
	return e.containers.filtered("filter[updated_at] of containers", a, len(a.Data) > 0,
		"A walk over containers can be limited to the days since the last one.", "A walk over containers has to read all of them.")
}

func (e *examination) changedRequests() Finding {
	a := e.read("/tracking_requests", "page[size]", "1", "filter[updated_at][start]", nextYear().Format(time.RFC3339))
	return e.requests.filtered("filter[updated_at] of tracking requests", a, len(a.Data) > 0,
		"New shipments are found within a minute, for one request a minute.", "New shipments are found with a notification or a walk.")
}

// probes are filters with values that no row has.
var probes = []struct{ list, filter, value string }{
	{"containers", "pod_code", "ZZZZZ"},
	{"containers", "pod_terminal_id", "00000000-0000-4000-8000-000000000000"},
	{"containers", "shipping_line_scac", "ZZZZ"},
	{"containers", "vessel_name", noNumber},
	{"containers", "customer_name", noNumber},
	{"shipments", "pod_code", "ZZZZZ"},
	{"tracking_requests", "request_number", noNumber},
	{"tracking_requests", "scac", "ZZZZ"},
}

func (e *examination) otherFilters() Finding {
	const question = "Which other filters are ignored?"
	first := map[string]*answer{"containers": &e.containers, "shipments": &e.shipments, "tracking_requests": &e.requests}
	outcomes := map[string][]string{}
	for _, p := range probes {
		a := e.read("/"+p.list, "page[size]", "1", "filter["+p.filter+"]", p.value)
		outcome := first[p.list].filtered("", a, len(a.Data) > 0, "honoured", "ignored or refused")
		kind := outcome.Meaning
		if !outcome.Known {
			kind = "not known"
		}
		outcomes[kind] = append(outcomes[kind], p.filter+" of "+p.list)
	}
	var parts []string
	for _, kind := range []string{"ignored or refused", "honoured", "not known"} {
		if len(outcomes[kind]) > 0 {
			parts = append(parts, kind+": "+strings.Join(outcomes[kind], ", "))
		}
	}
	text := strings.Join(parts, "; ")
	switch ignored := outcomes["ignored or refused"]; {
	case len(outcomes["not known"]) == len(probes):
		return unknown(question, "the account has too little, or there was no response", "")
	case len(ignored) == 0:
		return known(question, "None; "+text+".", "")
	}
	return known(question, text+".", "The client reports some of them as a *FilterIgnoredError; otherwise the list has all rows.")
}

// nextYear is a time at which nothing has been updated yet.
func nextYear() time.Time { return time.Now().UTC().AddDate(1, 0, 0) }

// filtered compares a list with the same list under a filter that leaves rows out. contradicted
// means that the filtered list has a row that the filter excludes.
func (a *answer) filtered(filter string, under answer, contradicted bool, yes, no string) Finding {
	question := "Is " + filter + " honoured?"
	fewer := len(under.Data) < len(a.Data) || under.Meta.Total != nil && a.Meta.Total != nil && *under.Meta.Total < *a.Meta.Total
	switch {
	case under.problem != "":
		return unknown(question, under.problem, "")
	case under.refusal != "":
		return known(question, "No: "+under.refusal+".", no)
	case contradicted:
		return known(question, "No: rows came that it excludes.", no)
	case fewer:
		return known(question, "Yes.", yes)
	case a.cause("") != "":
		return unknown(question, "the list could not be read without it", "")
	}
	return unknown(question, "it excludes no row of this account", "")
}

func (e *examination) logOrder() Finding {
	const question = "In which order does the service list its notifications?"
	e.log = e.read("/webhook_notifications", "page[size]", pageSize)
	times := e.log.created()
	newest := func(a, b time.Time) int { return b.Compare(a) }
	switch {
	case e.log.problem != "":
		return unknown(question, e.log.problem, "")
	case e.log.refusal != "":
		return unknown(question, e.log.refusal, "Lost notifications cannot be found; a mirror relies on walks.")
	case len(slices.CompactFunc(slices.Clone(times), time.Time.Equal)) < 2:
		return unknown(question, "there are fewer than two", "What reads the log has to read all of it.")
	case slices.IsSortedFunc(times, newest):
		return known(question, "Newest first.", "What is new is on the first page.")
	case slices.IsSortedFunc(times, time.Time.Compare):
		return known(question, "Oldest first.", "What reads the log has to read all of it each time.")
	}
	return known(question, "In none by time.", "What reads the log has to read all of it each time.")
}

// created returns when the resources were created, as far as that can be read.
func (a *answer) created() (times []time.Time) {
	for _, r := range a.Data {
		var at terminal49.Time
		if json.Unmarshal(r.Attributes["created_at"], &at) == nil {
			if instant, ok := at.Instant(); ok {
				times = append(times, instant)
			}
		}
	}
	return times
}

func (e *examination) logTimes() Finding {
	const question = "Are the times of notifications in whole seconds?"
	times := e.log.created()
	switch {
	case len(times) == 0:
		return unknown(question, e.log.cause("there are none"), "")
	case slices.ContainsFunc(times, func(t time.Time) bool { return t.Nanosecond() != 0 }):
		return known(question, "No.", "")
	}
	return known(question, "Yes.", "The time does not decide the order of notifications of the same second.")
}

func (e *examination) logInclude() Finding {
	const question = "Does the log include what notifications are about (include=reference_object)?"
	a := e.read("/webhook_notifications", "page[size]", "10", "include", "reference_object")
	switch {
	case a.problem != "":
		return unknown(question, a.problem, "")
	case a.refusal != "":
		return known(question, "No: "+a.refusal+".", "What a lost notification was about takes a request each.")
	case len(a.Included) > 0:
		return known(question, "Yes.", "Lost notifications are recovered with a request a page.")
	case !slices.ContainsFunc(a.Data, func(r *jsonapi.Resource) bool { _, ok := r.One("reference_object"); return ok }):
		return unknown(question, "no notification names what it is about", "")
	}
	return known(question, "No.", "What a lost notification was about takes a request each.")
}

func (e *examination) webhookStates() Finding {
	const question = "Has the service deactivated a webhook?"
	a := e.read("/webhooks", "page[size]", pageSize)
	inactive := func(r *jsonapi.Resource) bool { return string(r.Attributes["active"]) == "false" }
	switch {
	case a.cause("") != "":
		return unknown(question, a.cause(""), "")
	case len(a.Data) == 0:
		return unknown(question, "the account has none", "Without a webhook the service logs no notifications.")
	case slices.ContainsFunc(a.Data, inactive):
		return known(question, "One is inactive.", "What happens meanwhile is not delivered later; WebhooksService.Ensure activates it.")
	}
	return known(question, "No.", "")
}

func (e *examination) subscribable() Finding {
	return e.available("the events that webhooks can have", "/webhooks/events")
}

func (e *examination) documents() Finding {
	return e.available("documents", "/documents", "page[size]", pageSize)
}

func (e *examination) customFields() Finding {
	return e.available("custom fields", "/custom_fields", "page[size]", pageSize)
}

func (e *examination) definitions() Finding {
	return e.available("definitions of custom fields", "/custom_field_definitions", "page[size]", pageSize)
}

func (e *examination) parties() Finding {
	return e.available("parties", "/parties", "page[size]", pageSize)
}

func (e *examination) shippingLines() Finding {
	return e.available("shipping lines", "/shipping_lines")
}

// available answers whether the token can read a list that not every account has.
func (e *examination) available(what, path string, query ...string) Finding {
	question := "Can the token list " + what + "?"
	switch a := e.read(path, query...); {
	case a.problem != "":
		return unknown(question, a.problem, "")
	case a.refusal != "":
		return known(question, "No: "+a.refusal+".", "A mirror has only those that notifications include.")
	}
	return known(question, "Yes.", "")
}

func (e *examination) oddDocuments() Finding {
	const question = "Are documents of an unknown form?"
	if e.seen.resources == 0 && len(e.odd) == 0 {
		return unknown(question, "no resource could be read", "")
	}
	if len(e.odd) > 0 {
		return known(question, "Yes: elements, links or numbers of lists.", "They are left out, so a list may be incomplete.")
	}
	return known(question, "No.", "")
}

func (e *examination) rateLimits() Finding {
	const question = "Do responses say what is left of the rate limit?"
	switch {
	case e.report.Requests == 0 || !e.clock.any && e.seen.resources == 0 && len(e.limits) == 0:
		return unknown(question, "there was no response with headers", "")
	case len(e.limits) == 0:
		return known(question, "No.", "The client counts its own requests and keeps to the documented limit.")
	}
	var headers []string
	for name, value := range e.limits {
		headers = append(headers, name+": "+value)
	}
	slices.Sort(headers)
	return known(question, "Yes: "+strings.Join(headers, ", ")+".",
		"Compare it with the documented 100 requests a minute, and set the client's limits if it differs.")
}

func (e *examination) clocks() Finding {
	const question = "Do the clocks of this machine and of the service agree?"
	const meaning = "Days until a last free day, and how old a check is, are counted with this machine's clock."
	c := e.clock
	switch {
	case !c.any:
		return unknown(question, "no response has a readable Date header", "")
	case c.least > c.most:
		return unknown(question, "the Date headers of the responses contradict each other", "")
	case c.least <= 0 && c.most >= 0:
		return known(question, "Yes, as far as whole seconds show it.", "")
	case c.least > 0:
		return known(question, "No: this machine is ahead by about "+rounded(c.least)+".", meaning)
	}
	return known(question, "No: this machine is behind by about "+rounded(-c.most)+".", meaning)
}

// rounded returns a duration in one unit.
func rounded(d time.Duration) string {
	switch {
	case d > 48*time.Hour:
		return "more than two days"
	case d > 2*time.Hour:
		return fmt.Sprintf("%d hours", int(d.Hours()+0.5))
	case d > 2*time.Minute:
		return fmt.Sprintf("%d minutes", int(d.Minutes()+0.5))
	}
	return fmt.Sprintf("%d seconds", max(1, int(d.Seconds()+0.5)))
}
