package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/jsonapi"
)

// pace spaces requests evenly.
type pace struct {
	every time.Duration
	next  time.Time
}

func (p *pace) wait(ctx context.Context) error {
	err := sleep(ctx, time.Until(p.next))
	p.next = time.Now().Add(p.every)
	return err
}

// sleep returns early, with an error, if ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	return ctx.Err()
}

// logged is a notification in the service's log.
type logged struct {
	id, event string
	webhook   string    // "" if it names none, as those of documents
	created   time.Time // zero if it is missing or unreadable
	body      []byte    // like that of a delivery, with only what the notification is about
}

func (n logged) createdText() string {
	if n.created.IsZero() {
		return ""
	}
	return n.created.UTC().Format(time.RFC3339)
}

// notificationLog reads the service's log, which has no filter, in an undocumented order.
type notificationLog struct {
	client   *terminal49.Client
	pace     *pace
	webhook  string
	bare     bool // the service refuses to include what a notification is about
	unsorted bool // it was not newest first
}

// The most notifications that are sorted at a time, and the size of a page.
const (
	mostLogged = 20_000
	logPage    = 100
)

// read returns what has not been forwarded, oldest first. If the log is newest first, it ends at a
// page that ends with what is known: the whole of it, or as far back as notifications may appear
// late.
func (l *notificationLog) read(ctx context.Context, at *position, whole bool) (fresh []logged, err error) {
	pass := logPass{seen: map[string]bool{}, newestFirst: true, oldestFirst: true}
	for page, ended := 1, false; !ended; page++ {
		list, more, err := l.page(ctx, page)
		if err != nil {
			return nil, err
		}
		endsKnown := false
		for _, n := range pass.unseen(list) {
			if n.webhook != "" && n.webhook != l.webhook {
				continue
			}
			if endsKnown = !at.isNew(n); !endsKnown {
				fresh = append(fresh, n)
			}
		}
		if at.known && len(fresh) > mostLogged {
			return nil, usageError{fmt.Errorf("more than %d notifications are to be forwarded; choose a later --since", mostLogged)}
		}
		isOld := pass.last.Before(at.floorFor(pass.newest))
		ended = !more || pass.repeats > 1 || pass.isSorted() && (isOld || endsKnown && !whole)
	}
	l.unsorted = l.unsorted || !pass.newestFirst
	if !pass.oldestFirst || pass.newestFirst {
		slices.Reverse(fresh) // times are whole seconds, so that the order of the log decides many
	}
	slices.SortStableFunc(fresh, func(a, b logged) int { return a.created.Compare(b.created) })
	return fresh, nil
}

// logPass is one reading of the log.
type logPass struct {
	seen        map[string]bool
	last        time.Time // of creation
	newest      time.Time
	newestFirst bool // so far
	oldestFirst bool // so far
	descends    bool // there are different times, and so it is not oldest first
	repeats     int  // pages in a row that had nothing else than those before
}

// isSorted reports whether everything on later pages is older.
func (p *logPass) isSorted() bool { return p.newestFirst && p.descends }

// unseen returns what was not on the pages before: the log grows while it is read.
func (p *logPass) unseen(list []logged) (unseen []logged) {
	for _, n := range list {
		if p.seen[n.id] {
			continue
		}
		isFirst := len(p.seen) == 0
		p.newestFirst = p.newestFirst && !n.created.IsZero() && (isFirst || !n.created.After(p.last))
		p.oldestFirst = p.oldestFirst && (isFirst || !n.created.Before(p.last))
		p.descends = p.descends || n.created.Before(p.last)
		p.last, p.seen[n.id] = n.created, true
		if n.created.After(p.newest) {
			p.newest = n.created
		}
		unseen = append(unseen, n)
	}
	p.repeats++
	if len(unseen) > 0 {
		p.repeats = 0
	}
	return unseen
}

// page reads a page. Only an example documents the include: if the service refuses it, page reads
// without it.
func (l *notificationLog) page(ctx context.Context, number int) (list []logged, more bool, err error) {
	if err := l.pace.wait(ctx); err != nil {
		return nil, false, err
	}
	query := url.Values{"page[number]": {strconv.Itoa(number)}, "page[size]": {strconv.Itoa(logPage)}}
	if !l.bare {
		query.Set("include", "reference_object")
	}
	var doc jsonapi.Document
	request := terminal49.Request{Method: http.MethodGet, Path: "/webhook_notifications", Query: query}
	err = l.client.Do(ctx, request, &doc, terminal49.WithMaxAttempts(1), terminal49.WithMaxResponseBytes(maxResponse))
	if errors.Is(err, terminal49.ErrInvalid) && !l.bare {
		l.bare = true
		return l.page(ctx, number)
	}
	if err != nil {
		return nil, false, err
	}
	return l.loggedIn(&doc), doc.NextPage != "" && len(doc.Data) > 0, nil
}

func (l *notificationLog) loggedIn(doc *jsonapi.Document) (list []logged) {
	included := map[jsonapi.Ref]json.RawMessage{}
	for _, r := range doc.Included {
		included[r.Ref] = r.Raw
	}
	for _, r := range doc.Data {
		if r.ID != "" {
			list = append(list, l.logged(r, included))
		}
	}
	return list
}

func (l *notificationLog) logged(r *jsonapi.Resource, included map[jsonapi.Ref]json.RawMessage) logged {
	to, _ := r.One("webhook")
	n := logged{id: r.ID, webhook: to.ID}
	_ = json.Unmarshal(r.Attributes["event"], &n.event)
	var created terminal49.Time
	if json.Unmarshal(r.Attributes["created_at"], &created) == nil {
		n.created, _ = created.Instant()
	}
	body := struct {
		Data     json.RawMessage   `json:"data"`
		Included []json.RawMessage `json:"included"`
	}{r.Raw, []json.RawMessage{}}
	for _, name := range []string{"reference_object", "document"} {
		if about, ok := r.One(name); ok && included[about] != nil {
			body.Included = append(body.Included, included[about])
		}
	}
	text, _ := json.Marshal(body) // all of it was JSON
	n.body = []byte(l.client.RedactToken(string(text)))
	return n
}
