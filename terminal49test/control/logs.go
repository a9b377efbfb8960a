package control

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/internal/forms"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
)

// logOf is a log of a server.
type logOf[T any] struct {
	after   func(s *terminal49test.Server, number int) []T // those with a higher number
	number  func(T) int
	filters map[string]func(T) string // what a parameter is compared with
}

// numberedViolation and numberedNotification are items whose number is their place in the log.
type numberedViolation struct {
	Number int `json:"number"`
	terminal49test.Violation
}

type numberedNotification struct {
	Number int `json:"number"`
	terminal49test.WebhookNotification
}

var (
	requestLog = logOf[terminal49test.Request]{
		after:  (*terminal49test.Server).RequestsAfter,
		number: func(r terminal49test.Request) int { return r.Number },
		filters: map[string]func(terminal49test.Request) string{
			"operation": func(r terminal49test.Request) string { return r.Operation },
			"method":    func(r terminal49test.Request) string { return r.Method },
			"path":      func(r terminal49test.Request) string { return r.Path },
			"status":    func(r terminal49test.Request) string { return strconv.Itoa(r.Status) },
		},
	}
	violationLog = logOf[numberedViolation]{
		after: func(s *terminal49test.Server, number int) (list []numberedViolation) {
			all := s.Violations()
			for i := number; i < len(all); i++ {
				list = append(list, numberedViolation{i + 1, all[i]})
			}
			return list
		},
		number: func(v numberedViolation) int { return v.Number },
		filters: map[string]func(numberedViolation) string{
			"operation": func(v numberedViolation) string { return v.Operation },
			"method":    func(v numberedViolation) string { return v.Method },
			"path":      func(v numberedViolation) string { return v.Path },
		},
	}
	notificationLog = logOf[numberedNotification]{
		after: func(s *terminal49test.Server, number int) (list []numberedNotification) {
			all := s.WebhookNotifications()
			for i := number; i < len(all); i++ {
				list = append(list, numberedNotification{i + 1, all[i]})
			}
			return list
		},
		number: func(n numberedNotification) int { return n.Number },
		filters: map[string]func(numberedNotification) string{
			"event":           func(n numberedNotification) string { return n.Event },
			"webhook":         func(n numberedNotification) string { return n.Webhook },
			"delivery_status": func(n numberedNotification) string { return n.DeliveryStatus },
			"reference_id":    func(n numberedNotification) string { return n.ReferenceID },
		},
	}
	deliveryLog = logOf[terminal49test.WebhookDelivery]{
		after:  (*terminal49test.Server).WebhookDeliveriesAfter,
		number: func(d terminal49test.WebhookDelivery) int { return d.Number },
		filters: map[string]func(terminal49test.WebhookDelivery) string{
			"event":        func(d terminal49test.WebhookDelivery) string { return d.Event },
			"webhook":      func(d terminal49test.WebhookDelivery) string { return d.WebhookID },
			"notification": func(d terminal49test.WebhookDelivery) string { return d.NotificationID },
			"status":       func(d terminal49test.WebhookDelivery) string { return strconv.Itoa(d.Status) },
			"attempt":      func(d terminal49test.WebhookDelivery) string { return strconv.Itoa(d.Attempt) },
		},
	}
)

const (
	maxItems = 1000 // of one page
	maxSeen  = 20   // that a wait without a match shows
	maxWait  = time.Minute
	// pollInterval is how often a wait reads the log besides when a request or a command ends: a
	// running clock changes a world too.
	pollInterval = 100 * time.Millisecond
)

// logQuery is what a request selects of a log.
type logQuery struct {
	after, count int
	wait         time.Duration // 0: do not wait
	values       url.Values    // of the filters
}

func (l logOf[T]) read(r *http.Request) (q logQuery, err error) {
	q.count, q.values = 1, r.URL.Query()
	for name, into := range map[string]*int{"after": &q.after, "count": &q.count} {
		text := q.values.Get(name)
		if text == "" {
			continue
		}
		if *into, err = strconv.Atoi(text); err != nil || *into < 0 || *into > math.MaxInt32 {
			return q, refused(http.StatusBadRequest, fmt.Sprintf("%s must be a number from 0 to %d", name, math.MaxInt32))
		}
	}
	if text := q.values.Get("wait"); text != "" {
		if q.wait, err = forms.ParseDuration(text); err != nil || q.wait < 0 || q.wait > maxWait {
			return q, refused(http.StatusBadRequest, fmt.Sprintf("wait must be a duration of at most %s, such as 10s", maxWait))
		}
	}
	if q.count > maxItems {
		return q, refused(http.StatusBadRequest, fmt.Sprintf("count must be at most %d", maxItems))
	}
	known := append(state.SortedKeys(l.filters), "after", "count", "wait")
	for _, name := range state.SortedKeys(q.values) {
		if !slices.Contains(known, name) {
			return q, refused(http.StatusBadRequest, fmt.Sprintf("%s is not a parameter of this log%s", name, forms.Instead(forms.Nearest(name, known))))
		}
	}
	return q, nil
}

// logPage is the body of a response. The next page has the items after Next.
type logPage struct {
	Items []json.RawMessage `json:"items,omitzero"`
	Next  int               `json:"next,omitzero"`
	// Seen are the last items that did not match, if a wait ends without enough that do.
	Seen []json.RawMessage `json:"seen,omitzero"`
}

// page returns the items that match.
func (l logOf[T]) page(s *terminal49test.Server, q logQuery) (p logPage, err error) {
	p.Items, p.Next = []json.RawMessage{}, q.after
	var others []T
	for _, item := range l.after(s, q.after) {
		if len(p.Items) == maxItems {
			break
		}
		p.Next = l.number(item)
		if !l.matches(item, q.values) {
			others = append(others, item)
			continue
		}
		raw, err := json.Marshal(item)
		if err != nil {
			return p, err
		}
		p.Items = append(p.Items, raw)
	}
	for _, item := range others[max(len(others)-maxSeen, 0):] {
		raw, err := json.Marshal(item)
		if err != nil {
			return p, err
		}
		p.Seen = append(p.Seen, raw)
	}
	return p, nil
}

func (l logOf[T]) matches(item T, values url.Values) bool {
	for name, of := range l.filters {
		if values.Has(name) && !slices.Contains(values[name], of(item)) {
			return false
		}
	}
	return true
}

// serve lists a log, or waits until as many items match as the request wants.
func (l logOf[T]) serve(s *Simulator, at *world, w http.ResponseWriter, r *http.Request) error {
	q, err := l.read(r)
	if err != nil {
		return err
	}
	var p logPage
	enough := true
	if q.wait == 0 {
		p, err = l.page(at.server, q)
	} else {
		extendDeadlines(w)
		p, enough, err = l.wait(s, at, q, r)
	}
	switch {
	case err != nil:
		return err
	case !enough:
		message := fmt.Sprintf("%d of %d matched within %s; seen are the last that did not", len(p.Items), q.count, q.wait)
		writeJSON(w, http.StatusRequestTimeout, failure{Error: CommandError{Message: message}, logPage: p})
		return nil
	}
	writeJSON(w, http.StatusOK, struct {
		Items []json.RawMessage `json:"items"`
		Next  int               `json:"next"`
	}{p.Items, p.Next})
	return nil
}

func (l logOf[T]) wait(s *Simulator, at *world, q logQuery, r *http.Request) (p logPage, enough bool, err error) {
	select {
	case s.waits <- struct{}{}:
		defer func() { <-s.waits }()
	default:
		return p, false, refused(http.StatusTooManyRequests, fmt.Sprintf("at most %d requests can wait at a time", maxWaits))
	}
	end, poll := time.NewTimer(q.wait), time.NewTicker(pollInterval)
	defer end.Stop()
	defer poll.Stop()
	for {
		changed := at.changed.next()
		if p, err = l.page(at.server, q); err != nil || len(p.Items) >= q.count {
			return p, true, err
		}
		select {
		case <-changed:
		case <-poll.C:
		case <-end.C:
			return p, false, nil
		case <-s.closed:
			return p, false, nil
		case <-r.Context().Done():
			return p, false, nil
		}
	}
}
