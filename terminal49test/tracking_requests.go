package terminal49test

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// TrackingRequest is a request to track a number.
type TrackingRequest struct {
	ID            string `json:"id,omitzero"` // "" generates one
	RequestNumber string `json:"request_number,omitzero"`
	// RequestType is "bill_of_lading" (also for ""), "booking_number" or "container".
	RequestType string `json:"request_type,omitzero"`
	SCAC        string `json:"scac,omitzero"` // "" means null, as during automatic detection

	// Status is "pending", "awaiting_manifest", "created", "failed" or "tracking_stopped". A
	// request added with "" is processed like a posted one, by its journey.
	Status       string `json:"status,omitzero"`
	FailedReason string `json:"failed_reason,omitzero"`
	IsRetrying   bool   `json:"is_retrying,omitzero"`
	RetryCount   int    `json:"retry_count,omitzero"` // failed attempts that were or will be repeated; 0 means null

	ReferenceNumbers    []string             `json:"ref_numbers,omitzero"`
	ShipmentTags        []string             `json:"shipment_tags,omitzero"`
	CreatedAt           time.Time            `json:"created_at,omitzero"` // zero means now
	UpdatedAt           time.Time            `json:"updated_at,omitzero"` // zero means now
	Shipment            string               `json:"shipment,omitzero"`   // id of the tracked shipment
	Customer            string               `json:"customer,omitzero"`   // id of a party or the account
	User                string               `json:"user,omitzero"`       // user id
	AutoDetectSCAC      bool                 `json:"auto_detect_vocc_scac,omitzero"`
	InitialCustomFields []InitialCustomField `json:"initial_custom_fields,omitzero"`
	Attributes          map[string]any       `json:"attributes,omitzero"`
}

// InitialCustomField is a custom field value that came with a tracking request.
type InitialCustomField struct {
	Entity  string `json:"entity"` // "shipment" or "container"
	APISlug string `json:"api_slug"`
	Value   any    `json:"value"`           // like encoding/json decodes it, with numbers as json.Number
	Number  string `json:"number,omitzero"` // of one container; "" means every container
}

// AddTrackingRequest adds a tracking request and returns its id. With an empty Status it is
// processed like a posted one, from CreatedAt on; otherwise it keeps its status.
func (s *Server) AddTrackingRequest(r TrackingRequest) string {
	return withWorld(s, func(w *world) string { return w.addRequest(r) })
}

// UpdateTrackingRequest changes a tracking request in place and reports whether the id exists.
func (s *Server) UpdateTrackingRequest(id string, change func(*TrackingRequest)) bool {
	change = calling(s, change)
	return withWorld(s, func(w *world) bool {
		return updateRow(&w.requests, id, func(r *TrackingRequest) {
			was := r.RequestNumber
			change(r)
			w.requestsOf.move(id, was, r.RequestNumber)
		})
	})
}

// TrackingRequest returns a copy of a tracking request and whether the id exists.
func (s *Server) TrackingRequest(id string) (r TrackingRequest, ok bool) {
	ok = readWorld(s, func(w *world) bool {
		return readRow(&w.requests, id, func(found *TrackingRequest) { r = found.clone() })
	})
	return r, ok
}

func (r TrackingRequest) clone() TrackingRequest {
	r.ReferenceNumbers, r.ShipmentTags = slices.Clone(r.ReferenceNumbers), slices.Clone(r.ShipmentTags)
	r.InitialCustomFields, r.Attributes = slices.Clone(r.InitialCustomFields), maps.Clone(r.Attributes)
	return r
}

func (x *exchange) listRequests() service.Reply {
	q := x.Query
	created, updated := x.TimeRange("created_at"), x.TimeRange("updated_at")
	if s := q.Get("filter[status]"); s != "" && !slices.Contains(requestStatuses(), s) {
		x.Violate("filter[status] is %q and must be a status of tracking requests", s)
	}
	keep := func(r *TrackingRequest) bool {
		words := strings.ToUpper(strings.Join(append([]string{r.RequestNumber}, r.ReferenceNumbers...), "\n"))
		return created.Has(r.CreatedAt) && updated.Has(r.UpdatedAt) && r.hasTexts(q) &&
			strings.Contains(words, strings.ToUpper(q.Get("q")))
	}
	key := func(r *TrackingRequest) (string, time.Time) { return r.ID, r.CreatedAt }
	of := x.w.madeRequests(keep, created, updated)
	of.Known = q.Get("q") == "" && !slices.ContainsFunc(state.SortedKeys(requestTexts), q.Has)
	of.All = of.Known && !created.Bounded() && !updated.Bounded()
	return x.pageOf(selectRows("tracking_request", &x.w.requests, of, key, nil), 30, metaPagination)
}

// requestTexts are the filters of tracking requests by a text.
var requestTexts = map[string]func(*TrackingRequest) string{
	"filter[request_number]": func(r *TrackingRequest) string { return r.RequestNumber },
	"filter[status]":         func(r *TrackingRequest) string { return r.Status },
	"filter[scac]":           func(r *TrackingRequest) string { return r.SCAC },
	"filter[request_type]":   func(r *TrackingRequest) string { return r.RequestType },
}

func (r *TrackingRequest) hasTexts(q url.Values) bool {
	for name, value := range requestTexts {
		if want := q.Get(name); want != "" && !strings.EqualFold(value(r), want) {
			return false
		}
	}
	return true
}

// madeRequests selects the synthetic tracking requests within two times.
func (w *world) madeRequests(match func(*TrackingRequest) bool, created, updated state.TimeRange) state.Selection[TrackingRequest] {
	of := state.Selection[TrackingRequest]{Match: match, Changed: w.requests.Changed}
	if w.synthetic == nil {
		return of
	}
	a := created.Among(w.synthetic.shipments, func(i int) time.Time { return w.synthetic.request(i).CreatedAt })
	b := updated.Among(w.synthetic.shipments, func(i int) time.Time { return w.synthetic.request(i).UpdatedAt })
	if both := (state.Span{From: max(a.From, b.From), To: min(a.To, b.To)}); both.From < both.To {
		of.Unchanged = []state.Span{both}
	}
	return of
}

func requestStatuses() []string {
	return []string{"pending", "awaiting_manifest", "created", "failed", "tracking_stopped"}
}

func (x *exchange) getRequest() service.Reply {
	return x.one(200, wire.Ref{Kind: "tracking_request", ID: x.Args["id"]})
}

// updateRequest adds a reference number: the body can carry only one.
func (x *exchange) updateRequest() service.Reply {
	r := x.w.requests.Get(x.Args["id"])
	if r == nil {
		return service.NotFound()
	}
	var number string
	if x.Attribute("ref_number", &number) && !slices.Contains(r.ReferenceNumbers, number) {
		r.ReferenceNumbers = append(r.ReferenceNumbers, number)
		r.UpdatedAt = x.Now
	}
	return x.one(200, wire.Ref{Kind: "tracking_request", ID: r.ID})
}

func (x *exchange) createRequest() service.Reply {
	r := TrackingRequest{CreatedAt: x.Now, User: x.w.user}
	x.Attribute("request_number", &r.RequestNumber)
	x.Attribute("request_type", &r.RequestType)
	x.Attribute("scac", &r.SCAC)
	x.Attribute("auto_detect_vocc_scac", &r.AutoDetectSCAC)
	x.Attribute("ref_numbers", &r.ReferenceNumbers)
	x.Attribute("shipment_tags", &r.ShipmentTags)
	r.InitialCustomFields = x.initialCustomFields()
	r.RequestNumber = strings.TrimSpace(r.RequestNumber)
	problems := x.requestProblems(&r)
	if id, there := x.customerID(); there {
		if r.Customer = id; x.w.parties.Get(id) == nil && id != x.w.account {
			problems = append(problems, service.AttributeProblem("/data/relationships/customer", "not_found", "Customer must exist"))
		}
	}
	if len(problems) > 0 {
		return service.Refusal(problems...)
	}
	return x.one(201, wire.Ref{Kind: "tracking_request", ID: x.w.addRequest(r)})
}

// requestProblems returns all problems of a new request at once, as the service does.
func (x *exchange) requestProblems(r *TrackingRequest) (problems []service.Problem) {
	const scac, kind = "/data/attributes/scac", "/data/attributes/request_type"
	if !slices.Contains([]string{"bill_of_lading", "booking_number", "container"}, r.RequestType) {
		x.Violate("request_type must be bill_of_lading, booking_number or container")
		problems = append(problems, service.AttributeProblem(kind, "invalid_request_type", "Request type is not included in the list"))
	}
	line := x.w.line(r.SCAC)
	switch {
	case r.SCAC == "" && !r.AutoDetectSCAC:
		problems = append(problems, service.AttributeProblem(scac, "blank", "Scac can't be blank"))
	case r.SCAC == "":
	case line == nil:
		problems = append(problems, service.AttributeProblem(scac, "blank", "Scac '"+r.SCAC+"' is not recognized"))
	case len(problems) == 0 && !line.supports(r.RequestType):
		problems = append(problems, service.AttributeProblem(scac, "blank", "Scac '"+r.SCAC+"' is not supported for this type of request"))
	default:
		r.SCAC = line.SCAC
	}
	return append(problems, x.numberProblems(r)...)
}

func (x *exchange) numberProblems(r *TrackingRequest) (problems []service.Problem) {
	refuse := func(code, detail string) {
		problems = append(problems, service.AttributeProblem("/data/attributes/request_number", code, detail))
	}
	number := normalizeNumber(r.RequestNumber)
	if number == "" {
		refuse("blank", "Request number can't be blank")
		return problems
	}
	if len(number) < 6 {
		refuse("too_short", "Request number is too short (minimum is 6 characters)")
	}
	if r.RequestType == "container" && !(containerForm.MatchString(number) && checkDigitMatches(number)) {
		refuse("invalid_container", "Request number '"+r.RequestNumber+"' is not a valid container number")
	}
	if x.w.isTracked(r.RequestNumber, r.SCAC) {
		refuse("duplicate", "A tracking request for this number already exists")
	}
	return problems
}

// customerID reads the customer relationship of the body.
func (x *exchange) customerID() (id string, there bool) {
	raw, there := x.Data.Relationships["customer"]
	if !there {
		return "", false
	}
	var rel struct {
		Data struct{ ID, Type string }
	}
	if json.Unmarshal(raw, &rel) != nil || rel.Data.ID == "" || rel.Data.Type != "party" {
		x.Violate(`relationship customer must be {"data":{"id":...,"type":"party"}}`)
	}
	return rel.Data.ID, rel.Data.ID != ""
}

func (x *exchange) initialCustomFields() (fields []InitialCustomField) {
	type field struct {
		APISlug string          `json:"api_slug"`
		Value   json.RawMessage `json:"value"`
		Number  string          `json:"number"`
	}
	var body struct{ Shipment, Containers []field }
	x.Attribute("initial_custom_fields", &body)
	add := func(entity string, list []field) {
		for _, f := range list {
			var value any
			if f.APISlug == "" || f.Value == nil || wire.DecodeExact(f.Value, &value) != nil {
				x.Violate("initial_custom_fields must have an api_slug and a value")
			}
			fields = append(fields, InitialCustomField{Entity: entity, APISlug: f.APISlug, Value: value, Number: f.Number})
		}
	}
	add("shipment", body.Shipment)
	add("container", body.Containers)
	return fields
}

func (w *world) renderRequest(r *TrackingRequest) wire.Resource {
	var tries any
	if r.RetryCount > 0 {
		tries = r.RetryCount
	}
	customer := "party"
	if r.Customer == w.account {
		customer = "account"
	}
	return wire.Resource{
		Ref: wire.Ref{Kind: "tracking_request", ID: r.ID}, Self: "/v2/tracking_requests/" + r.ID,
		Attributes: wire.Object{
			{"request_number", r.RequestNumber}, {"request_type", r.RequestType}, {"scac", wire.OrNull(r.SCAC)},
			{"ref_numbers", wire.NonNil(r.ReferenceNumbers)}, {"shipment_tags", wire.NonNil(r.ShipmentTags)},
			{"created_at", r.CreatedAt}, {"updated_at", r.UpdatedAt}, {"status", r.Status},
			{"failed_reason", wire.OrNull(r.FailedReason)}, {"is_retrying", r.IsRetrying}, {"retry_count", tries},
		}.With(r.Attributes),
		Relations: []wire.Relation{
			wire.ToOne("tracked_object", "shipment", r.Shipment), wire.ToOne("customer", customer, r.Customer), wire.ToOne("user", "user", r.User),
		},
	}
}
