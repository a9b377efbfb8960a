package worklist

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
)

// Question is which containers a list or a count is about, at a time. It is asked of the records
// that the set had at [Set.Ask]. It is not safe for concurrent use.
type Question struct {
	filter   Filter
	now      time.Time
	verdict  terminal49.VerdictOptions
	records  []*Record
	named    []named // what the texts mean
	meanings []Meaning
	texts    []string           // of the filter, in the form that is compared
	latest   terminal49.Verdict // here, because it is large
	aside    Aside
}

// Aside is what a list or a count does not have by itself.
type Aside struct {
	// Stopped is how many containers that meet the rest of the filter are no longer tracked, whether
	// or not Filter.Tracking leaves them out.
	Stopped int
	// Undated is how many meet the rest of the filter, have not left, and were left out because a day
	// that the filter asks for is unknown: a last free day at a place, an arrival under way.
	Undated int
	// Days are the days that were used, Filter.Days or the default, by kind of work; nil if the filter
	// has no kind with days.
	Days map[Work]int
	// Without are those of Filter.Texts that no record has.
	Without []string
	// Hidden is how many records have one of Filter.Texts and do not meet the rest of the filter.
	Hidden int
}

// Ask returns a question to the records of the set. The rules of the clock are those of the
// options; their Events and TrackingStopped are ignored.
//
// Errors: *terminal49.ArgumentError for a field of the filter; *[UnknownNameError] for a text that
// no container has.
func (s *Set) Ask(now time.Time, f Filter, opts terminal49.VerdictOptions) (*Question, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	opts.Events, opts.TrackingStopped = nil, false
	q := &Question{filter: f, now: now, verdict: opts}
	for _, text := range f.Texts {
		q.texts = append(q.texts, comparable(text))
	}
	if err := q.resolve(s); err != nil {
		return nil, err
	}
	q.records, s.shared = s.records, true
	return q, nil
}

// Meanings returns what the texts of the filter mean; nil if it has none.
func (q *Question) Meanings() []Meaning { return q.meanings }

// Days returns the days that count, Filter.Days or the default, by kind of work; nil if the filter
// has no kind with days.
func (q *Question) Days() map[Work]int { return q.filter.days() }

// Has reports whether the question is about a container.
func (q *Question) Has(r *Record) bool {
	q.aside = Aside{}
	_, has := q.verdictOf(r)
	return has
}

// each calls f for each container, with its verdict until the next call.
func (q *Question) each(records iter.Seq[*Record], f func(*Record, *terminal49.Verdict)) Aside {
	q.aside = Aside{Days: q.Days()}
	found := make([]bool, len(q.texts))
	for r := range records {
		if !q.hasText(r, found) {
			continue
		}
		if v, has := q.verdictOf(r); has {
			f(r, v)
		} else if len(q.texts) > 0 {
			q.aside.Hidden++
		}
	}
	for i, is := range found {
		if !is {
			q.aside.Without = append(q.aside.Without, q.filter.Texts[i])
		}
	}
	return q.aside
}

// comparable returns the form of a text that is compared.
func comparable(text string) string { return terminal49.NormalizeContainerNumber(text) }

// hasText reports whether a record has one of the texts, and notes which.
func (q *Question) hasText(r *Record, found []bool) (has bool) {
	if len(q.texts) == 0 {
		return true
	}
	f := &r.Facts
	for _, of := range append([]string{r.Standing.Number, f.BillOfLading, f.Vessel.Name + " " + f.Voyage, r.port()}, f.References...) {
		of = comparable(of)
		for i, text := range q.texts {
			if strings.Contains(of, text) {
				has, found[i] = true, true
			}
		}
	}
	return has
}

// port returns the name of the port of discharge with its code, if the container is there or bound
// for it.
func (r *Record) port() string {
	port, s := r.Facts.PortOfDischarge, &r.Standing
	if port.Code == "" || s.Place.LOCODE != port.Code && s.BoundFor.LOCODE != port.Code {
		return ""
	}
	return port.Name + " " + port.Code
}

// verdictOf returns the verdict on a container, until the next call, and whether the question is
// about it, apart from its texts.
func (q *Question) verdictOf(r *Record) (v *terminal49.Verdict, has bool) {
	if !q.selects(r) {
		return nil, false
	}
	v = &q.latest
	if *v = r.Standing.Verdict(q.now, q.verdict); !q.meetsClock(r, v) {
		return nil, false
	}
	switch is, unknown := q.isOnDays(r, v); {
	case unknown && q.isTracked(r):
		q.aside.Undated++
		return nil, false
	case !is:
		return nil, false
	case r.Facts.Stopped:
		q.aside.Stopped++
	}
	return v, q.isTracked(r)
}

// meets reports whether the question is about a container with a verdict.
func (q *Question) meets(r *Record, v *terminal49.Verdict) bool {
	is, _ := q.isOnDays(r, v)
	return is && q.selects(r) && q.meetsClock(r, v) && q.isTracked(r) && q.hasText(r, make([]bool, len(q.texts)))
}

func (q *Question) isTracked(r *Record) bool {
	return q.filter.Tracking == "" || r.Facts.Stopped == (q.filter.Tracking == TrackingStopped)
}

// selects reports whether a container meets what does not depend on the clock.
func (q *Question) selects(r *Record) bool {
	f := &q.filter
	if len(f.Stages) > 0 && !slices.Contains(f.Stages, r.Facts.Stage) || f.LastFreeDaysDiffer && !r.Facts.LFDsDiffer {
		return false
	}
	for i := range q.named {
		if !q.named[i].has(r) {
			return false
		}
	}
	return true
}

// meetsClock reports whether a container meets the rest.
func (q *Question) meetsClock(r *Record, v *terminal49.Verdict) bool {
	f := &q.filter
	switch {
	case len(f.Situations) > 0 && !slices.Contains(f.Situations, v.Situation),
		len(f.Urgencies) > 0 && !slices.Contains(f.Urgencies, v.Urgency),
		f.LastFreeDayUnknown && (v.Situation.HasLeft() || !dayOf(v.LastFreeDay.At).IsZero()),
		f.UncheckedHours > 0 && isChecked(r, q.now.Add(-time.Duration(f.UncheckedHours)*time.Hour)),
		f.Appointment == AppointmentNone && r.Facts.Appointed,
		f.Appointment == AppointmentMade && !r.Facts.Appointed,
		len(f.Terminals) > 0 && v.Place == terminal49.VerdictPlace{} && v.BoundFor == terminal49.VerdictPlace{}, // it is reported for the future
		f.Appointment == AppointmentLate && !isLate(r, v):
		return false
	}
	return q.hasWork(r, v)
}

// isChecked reports whether the terminal was checked at a time or later.
func isChecked(r *Record, since time.Time) bool {
	at, known := r.Standing.CheckedAt.Instant()
	return known && !at.Before(since)
}

// problem returns the error of a field.
func problem(field, text string) error {
	return &terminal49.ArgumentError{Op: "worklist", Field: field, Problem: text}
}

// quoted quotes the beginning of a text for an error.
func quoted(text string) string { return fmt.Sprintf("%.40q", text) }
