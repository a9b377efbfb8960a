package mirror

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/points"
	"github.com/go-freight/terminal49/sqlstore"
)

// maxPage bounds a page of a list, with what it includes.
const maxPage = 64 << 20

// send draws a ticket, sends a GET request and notes which tickets had been drawn when the response
// had arrived.
func (m *Mirror) send(ctx context.Context, path string, query url.Values, into *document, opts ...terminal49.CallOption) (reading, error) {
	r := reading{}
	var err error
	if r.ticket, err = m.draw(ctx); err != nil {
		return r, err
	}
	r.sent = time.Now()
	points.Hit("send: before request")
	request := terminal49.Request{Method: http.MethodGet, Path: path, Query: query}
	refused := m.client.Do(ctx, request, into, append(opts, terminal49.WithMaxResponseBytes(maxPage))...)
	points.Hit("send: after response")
	if r.until, err = m.db.drawn(ctx, m.db.pool); err != nil {
		return r, err
	}
	return r, refused
}

// draw draws a ticket and commits it. In SQLite that is a transaction.
func (m *Mirror) draw(ctx context.Context) (int64, error) {
	if m.db.dialect == sqlstore.SQLite {
		m.writing.Lock()
		defer m.writing.Unlock()
	}
	points.Hit("send: before ticket")
	return m.db.draw(ctx, m.db.pool)
}

// singles are the paths of resources that can be read one by one, by wire type.
var singles = map[string]string{
	"shipment": "/shipments/", "container": "/containers/", "tracking_request": "/tracking_requests/",
	"shipping_line": "/shipping_lines/", "port": "/ports/", "metro_area": "/metro_areas/",
	"terminal": "/terminals/", "rail_terminal": "/terminals/", "vessel": "/vessels/",
	"party": "/parties/", "document": "/documents/", "custom_field": "/custom_fields/",
}

// includes are what a single resource is read with.
var includes = map[string]string{
	"shipment":  "containers,containers.transport_events,port_of_lading,port_of_discharge,pod_terminal,destination,destination_terminal",
	"container": "transport_events",
}

// errUnreadable means that the service has no request for one resource of a type.
var errUnreadable = errors.New("mirror: the service cannot be asked for one resource of this type")

// resource reads one resource, and what belongs to it. The error is terminal49.ErrNotFound, among
// others.
func (m *Mirror) resource(ctx context.Context, what ref) ([]*resource, reading, error) {
	path, ok := singles[what.Type]
	if !ok {
		return nil, reading{}, errUnreadable
	}
	path += url.PathEscape(what.ID)
	query := url.Values{}
	if include := includes[what.Type]; include != "" {
		query.Set("include", include)
	}
	var doc document
	r, err := m.send(ctx, path, query, &doc)
	if errors.Is(err, terminal49.ErrInvalid) && len(query) > 0 { // an include that the service does not have
		doc = document{}
		r, err = m.send(ctx, path, nil, &doc)
	}
	r.source = "poll"
	if err != nil {
		return nil, r, err
	}
	list := doc.all()
	if what.Type == "container" {
		more, until, err := m.eventsOf(ctx, what.ID, list)
		r.until = max(r.until, until)
		return append(list, more...), r, err
	}
	return list, r, nil
}

// eventsOf reads the transport events of a container if the response about it does not have them.
// until is the latest ticket when the last response had arrived.
func (m *Mirror) eventsOf(ctx context.Context, container string, got []*resource) (events []*resource, until int64, err error) {
	if c := find(got, ref{"container", container}); c == nil || hasEvents(c, got) {
		return nil, 0, nil
	}
	query := url.Values{}
	for number := 2; ; number++ {
		var doc document
		r, err := m.send(ctx, "/containers/"+url.PathEscape(container)+"/transport_events", query, &doc)
		if errors.Is(err, terminal49.ErrNotFound) {
			return events, r.until, nil
		}
		if err != nil {
			return nil, r.until, err
		}
		events = append(events, doc.all()...)
		if doc.Links.Next == "" || len(doc.Data) == 0 || number > mostEventPages {
			return events, r.until, nil
		}
		query.Set("page[number]", strconv.Itoa(number))
	}
}

// mostEventPages bounds a list whose links do not end.
const mostEventPages = 100

// hasEvents reports whether a response has all transport events of a container in it.
func hasEvents(container *resource, got []*resource) bool {
	linked := container.Relationships["transport_events"]
	if linked.Data == nil { // not said; then they all come or none
		return slices.ContainsFunc(got, func(r *resource) bool {
			to := r.to("container")
			return r.Type == "transport_event" && to != nil && *to == container.ref
		})
	}
	for _, event := range linked.refs() {
		if find(got, event) == nil {
			return false
		}
	}
	return true
}

func find(list []*resource, what ref) *resource {
	for _, r := range list {
		if r.ref == what {
			return r
		}
	}
	return nil
}

// isMissing reports whether the service itself said that it does not have a resource. The 404 of a
// proxy, or of a service that does not know the path, is a web page.
func isMissing(err error) bool {
	var refused *terminal49.APIError
	return errors.Is(err, terminal49.ErrNotFound) && errors.As(err, &refused) && len(refused.Errors) > 0 &&
		!strings.HasPrefix(strings.TrimSpace(refused.Body), "<")
}
