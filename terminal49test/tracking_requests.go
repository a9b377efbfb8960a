package terminal49test

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
)

func (x *exchange) listRequests() reply {
	q := x.query
	exact := map[string]func(*TrackingRequest) string{
		"filter[request_number]": func(r *TrackingRequest) string { return r.RequestNumber },
		"filter[status]":         func(r *TrackingRequest) string { return r.Status },
		"filter[scac]":           func(r *TrackingRequest) string { return r.SCAC },
		"filter[request_type]":   func(r *TrackingRequest) string { return r.RequestType },
	}
	created, updated := x.timeRange("created_at"), x.timeRange("updated_at")
	if s := q.Get("filter[status]"); s != "" && !slices.Contains(requestStatuses(), s) {
		x.violate("filter[status] %q is no status of a tracking request", s)
	}
	var rows []*TrackingRequest
	for _, r := range x.w.requests.all() {
		keep := created(r.CreatedAt) && updated(r.UpdatedAt)
		for name, value := range exact {
			if want := q.Get(name); want != "" && !strings.EqualFold(value(r), want) {
				keep = false
			}
		}
		words := strings.ToUpper(strings.Join(append([]string{r.RequestNumber}, r.RefNumbers...), "\n"))
		if keep && strings.Contains(words, strings.ToUpper(q.Get("q"))) {
			rows = append(rows, r)
		}
	}
	key := func(r *TrackingRequest) (string, time.Time) { return r.ID, r.CreatedAt }
	return x.page(newestFirst("tracking_request", rows, key), 30, metaPagination)
}

func requestStatuses() []string {
	return []string{"pending", "awaiting_manifest", "created", "failed", "tracking_stopped"}
}

// timeRange reads filter[name][start] and filter[name][end]; both ends belong to the range.
func (x *exchange) timeRange(name string) func(time.Time) bool {
	end := func(side string) time.Time {
		parameter := "filter[" + name + "][" + side + "]"
		text := x.query.Get(parameter)
		if text == "" {
			return time.Time{}
		}
		for _, layout := range []string{time.RFC3339, time.DateOnly} {
			if t, err := time.Parse(layout, text); err == nil {
				return t
			}
		}
		x.violate("%s must be an ISO 8601 date or time", parameter)
		return time.Time{}
	}
	from, to := end("start"), end("end")
	return func(t time.Time) bool {
		return (from.IsZero() || !t.Before(from)) && (to.IsZero() || !t.After(to))
	}
}

func (x *exchange) getRequest() reply { return x.one(200, ref{"tracking_request", x.args["id"]}) }

// updateRequest adds the one reference number the body can carry.
func (x *exchange) updateRequest() reply {
	r := x.w.requests.get(x.args["id"])
	if r == nil {
		return notFound()
	}
	var number string
	if x.attribute("ref_number", &number) && !slices.Contains(r.RefNumbers, number) {
		r.RefNumbers = append(r.RefNumbers, number)
		r.UpdatedAt = x.now
	}
	return x.one(200, ref{"tracking_request", r.ID})
}

func (x *exchange) createRequest() reply {
	r := TrackingRequest{CreatedAt: x.now, User: x.w.user}
	x.attribute("request_number", &r.RequestNumber)
	x.attribute("request_type", &r.RequestType)
	x.attribute("scac", &r.SCAC)
	x.attribute("auto_detect_vocc_scac", &r.AutoDetectSCAC)
	x.attribute("ref_numbers", &r.RefNumbers)
	x.attribute("shipment_tags", &r.ShipmentTags)
	r.InitialCustomFields = x.initialCustomFields()
	r.RequestNumber = strings.TrimSpace(r.RequestNumber)
	problems := x.validate(&r)
	if id, there := x.customer(); there {
		if r.Customer = id; x.w.parties.get(id) == nil && id != x.w.account {
			problems = append(problems, invalid("/data/relationships/customer", "not_found", "Customer must exist"))
		}
	}
	if len(problems) > 0 {
		return fail(ShapeFull, problems...)
	}
	return x.one(201, ref{"tracking_request", x.w.addRequest(r)})
}

func invalid(pointer, code, detail string) problem {
	return problem{status: 422, title: "Unprocessable Entity", pointer: pointer, code: code, detail: detail}
}

// validate gives everything that is wrong with a new request, as the service does: all at once, nearly all of it under
// code "blank".
func (x *exchange) validate(r *TrackingRequest) (problems []problem) {
	const number, scac, kind = "/data/attributes/request_number", "/data/attributes/scac", "/data/attributes/request_type"
	if !slices.Contains([]string{"bill_of_lading", "booking_number", "container"}, r.RequestType) {
		x.violate("request_type must be bill_of_lading, booking_number or container")
		problems = append(problems, invalid(kind, "blank", "Request type is not included in the list"))
	}
	line := x.w.line(r.SCAC)
	switch {
	case r.SCAC == "" && !r.AutoDetectSCAC:
		problems = append(problems, invalid(scac, "blank", "Scac can't be blank"))
	case r.SCAC == "":
	case line == nil:
		problems = append(problems, invalid(scac, "blank", "Scac '"+r.SCAC+"' is not recognized"))
	case len(problems) == 0 && !line.tracks(r.RequestType):
		problems = append(problems, invalid(scac, "blank", "Scac '"+r.SCAC+"' is not supported for this type of request"))
	default:
		r.SCAC = line.SCAC
	}
	if r.RequestNumber == "" {
		problems = append(problems, invalid(number, "blank", "Request number can't be blank"))
	} else if x.w.tracked(r.RequestNumber, r.SCAC) {
		problems = append(problems, invalid(number, "duplicate", "A tracking request for this number already exists"))
	}
	return problems
}

func (l *ShippingLine) tracks(requestType string) bool {
	return map[string]bool{
		"bill_of_lading": l.TracksBillsOfLading, "booking_number": l.TracksBookings, "container": l.TracksContainers,
	}[requestType]
}

// customer reads the customer relationship of the body.
func (x *exchange) customer() (id string, there bool) {
	raw, there := x.data.Relationships["customer"]
	if !there {
		return "", false
	}
	var rel struct {
		Data struct{ ID, Type string }
	}
	if json.Unmarshal(raw, &rel) != nil || rel.Data.ID == "" || rel.Data.Type != "party" {
		x.violate(`relationship customer must be {"data":{"id":...,"type":"party"}}`)
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
	x.attribute("initial_custom_fields", &body)
	add := func(entity string, list []field) {
		for _, f := range list {
			var value any
			if f.APISlug == "" || f.Value == nil || decodeExact(f.Value, &value) != nil {
				x.violate("initial_custom_fields must give api_slug and value")
			}
			fields = append(fields, InitialCustomField{Entity: entity, APISlug: f.APISlug, Value: value, Number: f.Number})
		}
	}
	add("shipment", body.Shipment)
	add("container", body.Containers)
	return fields
}
