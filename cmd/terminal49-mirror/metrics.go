package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49/mirror"
)

// writeMetrics writes a status in Prometheus' text form.
func writeMetrics(to io.Writer, s *mirror.Status, now time.Time) error {
	w := &metrics{to: to}
	w.metric("healthy", "gauge", "1 if nothing is wrong or too old, as /healthz reports.")
	w.value("healthy", "", oneIf(s.Healthy(now) == nil))
	w.metric("age_seconds", "gauge", "Time since something was last done. What was never done, or is in the future, is absent.")
	for _, age := range ages(s) {
		if !age.last.IsZero() && !age.last.After(now) {
			w.value("age_seconds", label("of", strings.ReplaceAll(age.what, " ", "_")), now.Sub(age.last).Seconds())
		}
	}
	w.metric("clock_wrong", "gauge", "1 if the clock was wrong in the last hour.")
	w.value("clock_wrong", "", oneIf(s.Clock != ""))
	w.metric("writes_fail", "gauge", "1 if writes to the database fail, such as on a full disk.")
	w.value("writes_fail", "", oneIf(s.Failure != ""))
	w.metric("backlog", "gauge", "Notifications to apply, quarantined and dead, resources marked to be read, problems of walks.")
	w.value("backlog", label("of", "inbox"), float64(s.Inbox))
	w.value("backlog", label("of", "quarantined"), float64(s.Quarantined))
	w.value("backlog", label("of", "dead"), float64(s.Dead))
	w.value("backlog", label("of", "marked"), float64(s.Marked))
	w.value("backlog", label("of", "problems"), float64(len(s.Problems)))
	w.metric("rows", "gauge", "Rows by table, those that are missing or deleted aside.")
	for _, table := range slices.Sorted(maps.Keys(s.Rows)) {
		w.value("rows", label("table", table), float64(s.Rows[table]))
	}
	w.metric("rows_missing", "gauge", "Rows whose resource was not found, but not yet twice.")
	w.value("rows_missing", "", float64(s.Missing))
	w.metric("rows_deleted", "gauge", "Rows whose resource is gone.")
	w.value("rows_deleted", "", float64(s.Deleted))
	w.metric("changes_total", "counter", "The seq of the latest change.")
	w.value("changes_total", "", float64(s.Changes))
	w.metric("walk_seen", "gauge", "Resources that the latest walk has read, by list.")
	for _, walk := range s.Walks {
		w.value("walk_seen", label("scope", walk.Scope), float64(walk.Seen))
	}
	w.metric("webhook_active", "gauge", "1 if the mirror has a webhook that is active.")
	w.value("webhook_active", "", oneIf(s.Webhook == "active"))
	w.pushes(s.Pushes, now)
	return w.err
}

// pushes writes how far each push is.
func (w *metrics) pushes(list []mirror.PushStatus, now time.Time) {
	for _, m := range []struct {
		name, kind, help string
		value            func(mirror.PushStatus) float64
	}{
		{"push_healthy", "gauge", "1 if nothing is wrong with a push.", func(p mirror.PushStatus) float64 { return oneIf(p.Healthy(now) == nil) }},
		{"push_lag_seconds", "gauge", "Age of the oldest change that the receiver has not accepted; without what is parked.",
			func(p mirror.PushStatus) float64 { return p.Lag.Seconds() }},
		{"push_behind", "gauge", "Changes after the position of a push.", func(p mirror.PushStatus) float64 { return float64(p.Behind) }},
		{"push_pending", "gauge", "Deliveries that are sent again.", func(p mirror.PushStatus) float64 { return float64(p.Pending) }},
		{"push_parked", "gauge", "Deliveries that failed for the last time.", func(p mirror.PushStatus) float64 { return float64(p.Parked) }},
		{"push_sent_total", "counter", "Deliveries that the receiver accepted.", func(p mirror.PushStatus) float64 { return float64(p.Sent) }},
	} {
		if len(list) > 0 {
			w.metric(m.name, m.kind, m.help)
		}
		for _, p := range list {
			w.value(m.name, label("push", p.Name), m.value(p))
		}
	}
}

func oneIf(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// metrics writes until a write fails.
type metrics struct {
	to  io.Writer
	err error
}

const prefix = "terminal49_mirror_"

func (w *metrics) metric(name, kind, help string) {
	w.print("# HELP %s %s\n# TYPE %[1]s %[3]s\n", prefix+name, help, kind)
}

func (w *metrics) value(name, labels string, value float64) {
	w.print("%s%s %g\n", prefix+name, labels, value)
}

func (w *metrics) print(format string, args ...any) {
	if w.err == nil {
		_, w.err = fmt.Fprintf(w.to, format, args...)
	}
}

// label returns a label. Names of tables and lists need no escapes.
func label(name, value string) string { return "{" + name + `="` + value + `"}` }
