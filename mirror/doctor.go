package mirror

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/mirror/internal/worker"
)

// Finding is the answer of [Doctor] to one question that the service's documents leave open.
type Finding struct {
	Question string // such as "How many shipments does a page have at most?"
	Answer   string // such as "100.", or "Unknown: ..." if the account's data cannot show it
	Meaning  string // what it means for a mirror
}

// String returns the finding in one line.
func (f Finding) String() string { return f.Question + " " + f.Answer + " " + f.Meaning }

// Doctor answers questions that the service's documents leave open, with ten reads. It changes
// nothing.
//
// Errors: ErrUnauthorized, ErrRateLimited, *terminal49.TransportError, and that of ctx. Any other
// error status is part of a finding.
func Doctor(ctx context.Context, client *terminal49.Client) ([]Finding, error) {
	e := &examination{ctx: ctx, client: client, limits: map[string]string{}}
	for _, ask := range []func(*examination) Finding{
		(*examination).identity,
		(*examination).shipmentPage,
		(*examination).eventsWithShipments,
		(*examination).stoppedFilter,
		(*examination).containerPage,
		(*examination).eventsWithContainers,
		(*examination).changedContainers,
		(*examination).changedRequests,
		(*examination).notifications,
		(*examination).documents,
		(*examination).customFields,
		(*examination).rateLimits, // the headers of the responses above
	} {
		finding := ask(e)
		if e.err != nil {
			return nil, fmt.Errorf("mirror.Doctor: %w", e.err)
		}
		e.findings = append(e.findings, finding)
	}
	return e.findings, nil
}

// examination asks the service.
type examination struct {
	ctx      context.Context
	client   *terminal49.Client
	findings []Finding
	err      error // ends the examination

	shipments, containers answer            // the first pages
	limits                map[string]string // headers of responses about limits
}

// answer is a response to a question.
type answer struct {
	model.Document
	problem string // such as "the service answered 404"; "" for a document
}

// doctorPage is how many rows are asked for: the most that the service documents.
const doctorPage = "100"

// read asks for one page of a list, or for one resource.
func (e *examination) read(path string, query ...string) (a answer) {
	values := url.Values{}
	for i := 0; i < len(query); i += 2 {
		values.Set(query[i], query[i+1])
	}
	var resp terminal49.Response
	err := worker.Read(e.ctx, e.client, terminal49.Request{Method: http.MethodGet, Path: path, Query: values}, &a.Document,
		terminal49.WithResponse(&resp), terminal49.WithMaxResponseBytes(worker.MaxPage), terminal49.WithMaxAttempts(2))
	e.noteLimits(resp.Header)
	var refused *terminal49.APIError
	switch {
	case errors.Is(err, terminal49.ErrUnauthorized), errors.Is(err, terminal49.ErrRateLimited):
		e.err = err
	case errors.As(err, &refused):
		a.problem = fmt.Sprintf("the service answered %d", refused.Status)
	case err != nil:
		e.err = err
	}
	return a
}

// noteLimits keeps the headers about rate limits.
func (e *examination) noteLimits(h http.Header) {
	for name := range h {
		if plain := strings.ReplaceAll(strings.ToLower(name), "-", ""); strings.Contains(plain, "ratelimit") {
			e.limits[name] = h.Get(name)
		}
	}
}

func (e *examination) identity() Finding {
	f := Finding{Question: "Does the service say whose key it is (GET /me)?"}
	a := e.read("/me")
	switch account := a.account(); {
	case account != "":
		f.Answer, f.Meaning = "Yes: account "+account+".", "The mirror refuses the key of another account."
	case a.problem != "":
		f.Answer, f.Meaning = "No: "+a.problem+".", "The mirror learns the account from tracking requests; without any, it cannot notice the key of another account."
	default:
		f.Answer, f.Meaning = "No: the response names no account.", "The mirror learns the account from tracking requests."
	}
	return f
}

// account returns the id of the account that a response names.
func (a *answer) account() string {
	for _, r := range a.Data {
		if account, ok := r.One("account"); ok {
			return account.ID
		}
	}
	return ""
}

func (e *examination) shipmentPage() Finding {
	e.shipments = e.read("/shipments", "page[size]", doctorPage)
	return e.shipments.pageSize("shipments")
}

func (e *examination) containerPage() Finding {
	e.containers = e.read("/containers", "page[size]", doctorPage, "include", "transport_events")
	return e.containers.pageSize("containers")
}

// pageSize reports how many rows a page has if a hundred are requested.
func (a *answer) pageSize(of string) Finding {
	f := Finding{Question: "How many " + of + " does a page have, if 100 are asked for?"}
	n := len(a.Data)
	switch {
	case a.problem != "":
		f.Answer, f.Meaning = "None: "+a.problem+".", "The mirror cannot walk over "+of+"."
	case n == 100 || model.HasNext(&a.Document) && n > 0:
		f.Answer, f.Meaning = fmt.Sprintf("%d.", n), "A walk over all "+of+" takes one request for each "+fmt.Sprint(n)+" of them."
		if total := a.Meta.Total; total != nil {
			f.Meaning = fmt.Sprintf("A walk over all %d %s takes %d requests.", *total, of, (*total+n-1)/n)
		}
	default:
		f.Answer, f.Meaning = fmt.Sprintf("Unknown: the account has only %d.", n), "A walk over all "+of+" takes one request."
	}
	return f
}

func (e *examination) eventsWithShipments() Finding {
	f := Finding{Question: "Does a list of shipments include the events of their containers?"}
	a := e.read("/shipments", "page[size]", "10", "include", "containers,containers.transport_events")
	return a.events(f, "A walk over shipments brings the events too.", "Events come with the walk over containers.")
}

func (e *examination) eventsWithContainers() Finding {
	f := Finding{Question: "Does a list of containers include their events?"}
	return e.containers.events(f, "A walk over containers brings the events too.",
		"Events come only from notifications and from reads of single containers, so older ones are incomplete.")
}

// events reports whether a response included the transport events of containers.
func (a *answer) events(f Finding, yes, no string) Finding {
	has := func(r *model.Resource) bool { return r.Type == "transport_event" }
	linked := func(r *model.Resource) bool {
		var events []model.Ref
		return r.Type == "container" && json.Unmarshal(r.Relationships["transport_events"].Data, &events) == nil && len(events) > 0
	}
	switch {
	case a.problem != "":
		f.Answer, f.Meaning = "No: "+a.problem+".", no
	case slices.ContainsFunc(a.Included, has):
		f.Answer, f.Meaning = "Yes.", yes
	case slices.ContainsFunc(a.All(), linked):
		f.Answer, f.Meaning = "No: it names events and leaves them out.", no
	default:
		f.Answer, f.Meaning = "Unknown: no container on the page has events.", "The mirror takes what comes."
	}
	return f
}

func (e *examination) stoppedFilter() Finding {
	f := Finding{Question: "Is filter[tracking_stopped] of shipments honoured?"}
	a := e.read("/shipments", "page[size]", doctorPage, "filter[tracking_stopped]", "true")
	tracked := func(r *model.Resource) bool { return isNull(r.Attributes["line_tracking_stopped_at"]) }
	return e.shipments.filtered(f, a, slices.ContainsFunc(a.Data, tracked),
		"A walk every 15 minutes needs only the shipments that are tracked.",
		"Each walk has to read all shipments, so the mirror takes what it says of the filter from the rows.")
}

func isNull(value json.RawMessage) bool { return value == nil || string(value) == "null" }

func (e *examination) changedContainers() Finding {
	f := Finding{Question: "Is filter[updated_at] of containers honoured?"}
	a := e.read("/containers", "page[size]", "1", "filter[updated_at]", ">"+nextYear().Format(time.DateOnly))
	return e.containers.filtered(f, a, len(a.Data) > 0,
		"A walk over containers can be limited to the days since the last one.", "Each walk over containers has to read all of them.")
}

func (e *examination) changedRequests() Finding {
	f := Finding{Question: "Is filter[updated_at] of tracking requests honoured?"}
	a := e.read("/tracking_requests", "page[size]", "1", "filter[updated_at][start]", nextYear().Format(time.RFC3339))
	if len(e.shipments.Data) == 0 && a.problem == "" && len(a.Data) == 0 {
		f.Answer, f.Meaning = "Unknown: the account has no shipments.", "The mirror takes what comes."
		return f
	}
	return e.shipments.filtered(f, a, len(a.Data) > 0,
		"New shipments appear within a minute, for one request a minute.", "New shipments appear with a notification or a walk.")
}

// nextYear is a time at which nothing has been updated yet.
func nextYear() time.Time { return time.Now().UTC().AddDate(1, 0, 0) }

// filtered compares a list with the same list under a filter that leaves rows out. contradicted
// means that the filtered list has a row that the filter excludes.
func (a *answer) filtered(f Finding, under answer, contradicted bool, yes, no string) Finding {
	fewer := len(under.Data) < len(a.Data) || under.Meta.Total != nil && a.Meta.Total != nil && *under.Meta.Total < *a.Meta.Total
	switch {
	case under.problem != "":
		f.Answer, f.Meaning = "No: "+under.problem+".", no
	case contradicted:
		f.Answer, f.Meaning = "No: rows came that it excludes.", no
	case fewer:
		f.Answer, f.Meaning = "Yes.", yes
	default:
		f.Answer, f.Meaning = "Unknown: it excludes no row of this account.", "The mirror looks at each row that comes."
	}
	return f
}

func (e *examination) notifications() Finding {
	f := Finding{Question: "In which order does the service list its notifications?"}
	a := e.read("/webhook_notifications", "page[size]", doctorPage)
	f.Meaning = "An audit has to read the whole list each time."
	switch times := a.createdAt(); {
	case a.problem != "":
		f.Answer, f.Meaning = "Unknown: "+a.problem+".", "There is no audit; the mirror relies on walks."
	case len(slices.Compact(slices.Clone(times))) < 2:
		f.Answer, f.Meaning = "Unknown: there are fewer than two.", "The first audits read the whole list."
	case slices.IsSortedFunc(times, func(a, b string) int { return strings.Compare(b, a) }):
		f.Answer, f.Meaning = "Newest first.", "An audit ends at the first page that the mirror knows."
	case slices.IsSorted(times):
		f.Answer = "Oldest first."
	default:
		f.Answer = "In none by time."
	}
	return f
}

// createdAt returns when the resources were made, as RFC 3339 in UTC, which sorts.
func (a *answer) createdAt() (times []string) {
	for _, r := range a.Data {
		var at time.Time
		if json.Unmarshal(r.Attributes["created_at"], &at) == nil {
			times = append(times, at.UTC().Format(schema.SQLiteTime))
		}
	}
	return times
}

func (e *examination) documents() Finding {
	return e.available("documents", "/documents")
}

func (e *examination) customFields() Finding {
	return e.available("custom fields", "/custom_fields")
}

// available reports whether the account can read a list that not every account has.
func (e *examination) available(what, path string) Finding {
	f := Finding{Question: "Can the key list " + what + "?", Answer: "Yes.", Meaning: "The mirror has them."}
	if a := e.read(path, "page[size]", "1"); a.problem != "" {
		f.Answer, f.Meaning = "No: "+a.problem+".", "The mirror has only those that notifications include."
	}
	return f
}

func (e *examination) rateLimits() Finding {
	f := Finding{
		Question: "Do responses say what is left of the rate limit?", Answer: "No.",
		Meaning: "The client counts its own requests and keeps to the documented limit.",
	}
	if len(e.limits) > 0 {
		var headers []string
		for name, value := range e.limits {
			headers = append(headers, name+": "+value)
		}
		slices.Sort(headers)
		f.Answer = "Yes: " + strings.Join(headers, ", ") + "."
		f.Meaning = "Compare it with the documented 100 requests a minute, and set the client's limits if it differs."
	}
	return f
}
