package worker

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// MaxPage bounds a page of a list, with what it includes.
const MaxPage = 64 << 20

// Service reads from the service, for a process that writes.
type Service struct {
	Client *terminal49.Client
	Store  *store.Store // issues the tickets
	Log    *slog.Logger
}

// Read sends a request and reads a document, without the client's own token: a service or proxy may
// repeat it. What cannot be stored is named in what is odd in the document.
func Read(ctx context.Context, client *terminal49.Client, request terminal49.Request, into *model.Document, opts ...terminal49.CallOption) error {
	if err := client.Do(ctx, request, into, opts...); err != nil {
		return err
	}
	model.NoteUnusable(into)
	return model.Hide(into, client.RedactToken)
}

// read is [Read]. It logs what is odd.
func (s *Service) read(ctx context.Context, request terminal49.Request, into *model.Document, opts ...terminal49.CallOption) error {
	err := Read(ctx, s.Client, request, into, opts...)
	if len(into.Odd) > 0 {
		s.Log.WarnContext(ctx, "mirror: a response has parts in an unknown form; they are left out", slog.String("path", request.Path),
			slog.Int("parts", len(into.Odd)), slog.Any("such as", into.Odd[:min(len(into.Odd), 5)]))
	}
	return err
}

// send draws a ticket, sends a GET request and records which tickets had been drawn when the
// response had arrived.
func (s *Service) send(ctx context.Context, path string, query url.Values, into *model.Document, opts ...terminal49.CallOption) (plan.Reading, error) {
	r := plan.Reading{}
	var err error
	if r.Ticket, err = s.Store.Draw(ctx); err != nil {
		return r, err
	}
	r.Sent = s.Store.Now()
	s.Store.Reach("send: before request")
	request := terminal49.Request{Method: http.MethodGet, Path: path, Query: query}
	refused := s.read(ctx, request, into, append(opts, terminal49.WithMaxResponseBytes(MaxPage))...)
	s.Store.Reach("send: after response")
	if r.Until, err = s.Store.Drawn(ctx); err != nil {
		return r, err
	}
	return r, refused
}

// errUnreadable means that the service has no operation that reads one resource of a type.
var errUnreadable = errors.New("mirror: the service cannot be asked for one resource of this type")

// Resource reads one resource, and what belongs to it. The error is terminal49.ErrNotFound, among
// others.
func (s *Service) Resource(ctx context.Context, what model.Ref, opts ...terminal49.CallOption) ([]*model.Resource, plan.Reading, error) {
	kind := model.Kinds[what.Type]
	if kind.Path == "" {
		return nil, plan.Reading{}, errUnreadable
	}
	path := kind.Path + url.PathEscape(what.ID)
	query := url.Values{}
	if kind.Include != "" {
		query.Set("include", kind.Include)
	}
	var doc model.Document
	r, err := s.send(ctx, path, query, &doc, opts...)
	if errors.Is(err, terminal49.ErrInvalid) && len(query) > 0 { // an include that the service does not have
		doc = model.Document{}
		r, err = s.send(ctx, path, nil, &doc, opts...)
	}
	r.Source = "poll"
	if err != nil {
		return nil, r, err
	}
	list := doc.All()
	if what.Type == "container" {
		more, until, err := s.eventsOf(ctx, what.ID, list, opts...)
		r.Until = max(r.Until, until)
		return append(list, more...), r, err
	}
	return list, r, nil
}

// eventsOf reads the transport events of a container if the response about it does not have them.
// until is the latest ticket when the last response had arrived.
func (s *Service) eventsOf(ctx context.Context, container string, got []*model.Resource, opts ...terminal49.CallOption) (events []*model.Resource, until int64, err error) {
	if c := model.Find(got, model.Ref{Type: "container", ID: container}); c == nil || model.HasEvents(c, got) {
		return nil, 0, nil
	}
	query := url.Values{}
	for number := 2; ; number++ {
		var doc model.Document
		r, err := s.send(ctx, "/containers/"+url.PathEscape(container)+"/transport_events", query, &doc, opts...)
		if errors.Is(err, terminal49.ErrNotFound) {
			return events, r.Until, nil
		}
		if err != nil {
			return nil, r.Until, err
		}
		events = append(events, doc.All()...)
		if !model.HasNext(&doc) || model.IsEmpty(&doc) || number > mostEventPages {
			return events, r.Until, nil
		}
		query.Set("page[number]", strconv.Itoa(number))
	}
}

// mostEventPages bounds a list whose links do not end.
const mostEventPages = 100

// IsMissing reports whether the service does not have a resource. The 404 of a proxy, or of a
// service that does not have the path, is a web page, and does not count.
func IsMissing(err error) bool {
	var refused *terminal49.APIError
	return errors.Is(err, terminal49.ErrNotFound) && errors.As(err, &refused) && len(refused.Errors) > 0 &&
		!strings.HasPrefix(strings.TrimSpace(refused.Body), "<")
}

// Answered returns what a response to a read by id means for the resource. It returns the error if
// the response does not allow another read now.
func Answered(what model.Ref, list []*model.Resource, err error) (plan.ByID, error) {
	var refused *terminal49.APIError
	var unreadable *terminal49.DecodeError
	switch {
	case err == nil && model.Find(list, what) != nil:
		return plan.StillThere, nil
	case err == nil && len(list) > 0:
		return plan.Another, nil
	case err == nil:
		return plan.Nothing, nil
	case IsMissing(err):
		return plan.NotFound, nil
	case errors.As(err, &unreadable):
		return plan.Failed, nil
	case !errors.As(err, &refused) || refused.StatusCode == http.StatusTooManyRequests:
		return plan.Failed, err
	case refused.StatusCode >= 500:
		return plan.Failed, nil
	}
	return plan.Refused, nil
}

// IsRefused reports whether repeating a call now would not help.
func IsRefused(err error) bool {
	for _, kind := range []error{terminal49.ErrInvalid, terminal49.ErrUnauthorized, terminal49.ErrForbidden, terminal49.ErrNotFound} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}
