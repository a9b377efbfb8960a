package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

// result is what the service counted, compared with what the receivers handled.
type result struct {
	requests []terminal49test.Request
	sent     []terminal49test.WebhookNotification
	handled  []string // ids

	worst             []int // requests in the worst minute, by limit
	refused           int   // requests answered 429
	once, again, lost int   // notifications
}

// limits are those of the service, and the share of the background worker.
var limits = []struct {
	name  string
	limit int
	of    func(operation string) bool
}{
	{"default", 100, func(op string) bool { return !own[op] }},
	{fmt.Sprintf("  of these, background (%g)", background), background * 100, func(op string) bool { return op == "shipments.list" }},
	{"create", 100, func(op string) bool { return op == "tracking_requests.create" }},
	{"infer", 200, func(op string) bool { return op == "tracking_requests.infer" }},
	{"refresh", 10, func(op string) bool { return op == "containers.refresh" }},
}

// own are the operations with a limit of their own.
var own = map[string]bool{"tracking_requests.create": true, "tracking_requests.infer": true, "containers.refresh": true}

func (r *result) count() {
	r.worst, r.refused, r.once, r.again, r.lost = nil, 0, 0, 0, 0
	for _, l := range limits {
		var at []time.Time
		for _, request := range r.requests {
			if l.of(request.Operation) {
				at = append(at, request.At)
			}
		}
		r.worst = append(r.worst, worstMinute(at))
	}
	for _, request := range r.requests {
		if request.Status == 429 {
			r.refused++
		}
	}
	times := map[string]int{}
	for _, id := range r.handled {
		times[id]++
	}
	for _, n := range r.sent {
		switch times[n.ID] {
		case 0:
			r.lost++
		case 1:
			r.once++
		default:
			r.again++
		}
	}
}

// worstMinute returns the most times within any 60 seconds.
func worstMinute(at []time.Time) (most int) {
	first := 0
	for i := range at {
		for at[i].Sub(at[first]) >= time.Minute {
			first++
		}
		most = max(most, i-first+1)
	}
	return most
}

// err returns an error if a limit was exceeded or a notification was lost.
func (r *result) err() error {
	for i, l := range limits {
		if r.worst[i] > l.limit {
			return fmt.Errorf("the limit %q was exceeded", strings.TrimSpace(l.name))
		}
	}
	switch {
	case r.refused > 0:
		return errors.New("requests were answered 429")
	case r.lost > 0:
		return errors.New("notifications were lost")
	case r.once == 0:
		return errors.New("no notification was sent; choose a longer -for")
	}
	return nil
}

func printTable(out io.Writer, results []result) {
	row := func(name, limit string, value func(result) int) {
		fmt.Fprintf(out, "%-36s%6s", name, limit)
		for _, r := range results {
			fmt.Fprintf(out, "%10d", value(r))
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "\n%-36s%6s%10s%s\n", "requests in the worst minute", "limit", "shared",
		strings.Repeat("   without", len(results)-1))
	for i, l := range limits {
		row("  "+l.name, fmt.Sprint(l.limit), func(r result) int { return r.worst[i] })
	}
	row("requests answered 429", "0", func(r result) int { return r.refused })
	row("notifications handled once", "", func(r result) int { return r.once })
	row("notifications handled again", "", func(r result) int { return r.again })
	row("notifications lost", "0", func(r result) int { return r.lost })
	if len(results) == 1 {
		fmt.Fprintln(out, "\nWith -without, a second column shows processes that share nothing.")
	}
}
