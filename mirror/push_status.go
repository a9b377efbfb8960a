package mirror

import (
	"errors"
	"fmt"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// PushStatus is how far a push is. [Status] has one for each push.
type PushStatus struct {
	Name     string
	Receiver string   // scheme and host
	Filter   string   // "" for everything
	Position Position // everything up to it was accepted, or is pending or parked

	Lag     time.Duration // the age of the oldest change that was not accepted; without what is parked
	Behind  int64         // changes after the position, those that the filter does not select too
	Pending int64         // deliveries that failed and are repeated, or wait for such
	Parked  int64         // deliveries that failed for the last time

	Sent      int64     // deliveries that were accepted
	SentAt    time.Time // when the latest was; zero if none
	Problem   string    // of the latest failure, also if all is well since; "" for none
	ProblemAt time.Time
	AwaySince time.Time // since when the receiver accepts nothing; zero if it does
	Stopped   string    // why the sender has ended by itself; "" if it has not
	Renewed   time.Time // when a sender was last seen; zero if never
}

func pushStatuses(rows []store.Push, now time.Time) (list []PushStatus) {
	for _, p := range rows {
		s := PushStatus{
			Name: p.Name, Receiver: p.Receiver, Filter: p.Filter, Position: Position(p.Position),
			Behind: p.Behind, Pending: p.Pending, Parked: p.Parked, Sent: p.Sent, SentAt: p.SentAt,
			Problem: p.Problem, ProblemAt: p.ProblemAt, AwaySince: p.AwaySince, Stopped: p.Stopped, Renewed: p.Renewed,
		}
		if !p.Oldest.IsZero() {
			s.Lag = max(0, now.Sub(p.Oldest))
		}
		list = append(list, s)
	}
	return list
}

const (
	lagLimit  = 5 * time.Minute // of a healthy push
	awayLimit = time.Minute     // for which a receiver may be away
)

// Healthy returns an error if a push does not do its work, in words without secrets: its sender has
// stopped; the receiver accepts nothing for a minute; a change is not accepted for five; something
// is parked. [Status.Healthy] leaves pushes out: a receiver that is away does not make the copy
// wrong.
func (s PushStatus) Healthy(now time.Time) error {
	var all []error
	add := func(is bool, format string, args ...any) {
		if is {
			all = append(all, fmt.Errorf("mirror: the push "+s.Name+" "+format, args...))
		}
	}
	away := !s.AwaySince.IsZero() && now.Sub(s.AwaySince) > awayLimit
	silent := now.Sub(s.Renewed) > writeLimit || plan.IsAhead(s.Renewed, now)
	add(s.Stopped != "", "has stopped: %s", s.Stopped)
	add(s.Stopped == "" && silent, "is not being sent: no process runs it; if it is not wanted any more, remove it")
	add(away, "has a receiver that accepts nothing since %s: %s", s.AwaySince.UTC().Format(time.RFC3339), s.Problem)
	add(!away && s.Lag > lagLimit, "is %s behind, %d changes and %d deliveries; the latest problem: %s", s.Lag.Round(time.Second), s.Behind, s.Pending, orNone(s.Problem))
	add(s.Parked > 0, "has parked %d deliveries; terminal49-mirror push replay sends them again. The latest problem: %s", s.Parked, orNone(s.Problem))
	return errors.Join(all...)
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}
