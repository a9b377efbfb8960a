package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
)

// row is what the board says of a container.
type row struct {
	ID, Number, BillOfLading, Customer, Terminal string
	Status                                       string
	State                                        state
	Why                                          string
	Holds                                        string
	Fees, FeesDoubt                              string // amounts; why they may be too low
	LFD                                          string // day at the terminal
	Left                                         string // days left, in words
	Level                                        terminal49.UrgencyLevel
	ETA, ETADay, Slip                            string // local time at the port; days later than at first
	rank                                         int
}

// state is the answer to "can it be picked up?".
type state string

const (
	stateReady   state = "ready"
	stateBlocked state = "held"
	stateWaiting state = "not released"
	stateUnknown state = "unknown"
	stateAway    state = "under way" // not at the place of pickup yet
	stateLeft    state = "left"
)

// states are all of them, in the order of the filter.
var states = []state{stateReady, stateBlocked, stateWaiting, stateUnknown, stateAway, stateLeft}

// maxAge is how old the terminal's data may be for a container to be ready.
const maxAge = 24 * time.Hour

func newRow(c *terminal49.Container, now time.Time) row {
	ready := terminal49.PickupReadiness(c)
	urgency := terminal49.LastFreeDays(c).Urgency(now, terminal49.UrgencyRules{})
	r := row{
		ID: c.ID, Number: c.Number, Status: words(string(c.CurrentStatus)), State: stateOf(c, ready, now), Why: ready.Reason(),
		Holds: holds(c), Level: urgency.Level,
	}
	if r.State == stateAway {
		r.Why = "It is not at its terminal yet."
	}
	r.Fees, r.FeesDoubt, _ = strings.Cut(strings.TrimSuffix(terminal49.SumFees(c.Fees).String(), ")"), " (")
	if place, ok := c.PickupPlace(); ok {
		r.Terminal = place.Name
		if t, ok := place.Terminal.Value(); ok {
			r.Terminal = cmp.Or(t.Nickname, place.Name)
		}
	}
	if day, ok := urgency.Deadline.At.Date(); ok {
		r.LFD = day.String()
	}
	days, counted := urgency.DaysLeft.Get()
	if counted {
		r.Left = inDays(days)
	}
	if s, ok := c.Shipment.Value(); ok {
		r.arrival(s, c)
	}
	r.rank = rank(r, days, counted)
	return r
}

// arrival describes the shipment: its number, for whom it is, and when it arrives.
func (r *row) arrival(s *terminal49.Shipment, c *terminal49.Container) {
	r.BillOfLading, r.Customer = s.BillOfLadingNumber, s.CustomerName
	at := s.PODETA
	switch {
	case !c.PODArrivedAt.IsZero():
		at = c.PODArrivedAt
		r.ETA = "arrived "
	case !s.PODATA.IsZero():
		at = s.PODATA
		r.ETA = "arrived "
	}
	if at.IsZero() {
		return
	}
	r.ETA += at.Format("Jan 2, 15:04 MST")
	later, ok := at.Sub(s.PODOriginalETA)
	if days := int(later.Round(24*time.Hour) / (24 * time.Hour)); ok && days != 0 {
		r.Slip = slip(days)
	}
}

func slip(days int) string {
	unit, than := "days", "later"
	if days == 1 || days == -1 {
		unit = "day"
	}
	if days < 0 {
		days, than = -days, "earlier"
	}
	return fmt.Sprintf("%d %s %s than at first", days, unit, than)
}

func stateOf(c *terminal49.Container, r terminal49.Readiness, now time.Time) state {
	switch {
	case r.Left:
		return stateLeft
	case r.CanPickUp(now, maxAge):
		return stateReady
	case r.State == terminal49.ReadinessBlocked:
		return stateBlocked
	case r.State == terminal49.ReadinessNotReleased:
		return stateWaiting
	case slices.Contains(away, c.CurrentStatus):
		return stateAway
	}
	return stateUnknown
}

// away are the statuses before a container is at the place where it is picked up.
var away = []terminal49.ContainerStatus{
	terminal49.StatusNew, terminal49.StatusLoaded, terminal49.StatusOnShip, terminal49.StatusOnRail, terminal49.StatusAwaitingInlandTransfer,
}

func holds(c *terminal49.Container) string {
	if c.Holds == nil {
		return "not reported"
	}
	var names []string
	for _, h := range c.Holds {
		name := string(h.Name)
		if h.Status != terminal49.HoldActive {
			name += " (" + string(h.Status) + ")"
		}
		names = append(names, name)
	}
	return cmp.Or(strings.Join(names, ", "), "none")
}

// inDays writes a number of calendar days.
func inDays(n int) string {
	switch {
	case n < -1:
		return fmt.Sprintf("%d days over", -n)
	case n == -1:
		return "1 day over"
	case n == 0:
		return "today"
	case n == 1:
		return "1 day left"
	}
	return fmt.Sprintf("%d days left", n)
}

func words(s string) string { return strings.ReplaceAll(s, "_", " ") }

// rank orders rows: what is at a terminal by its days left, then what is on its way, then what has
// left.
func rank(r row, days int, counted bool) int {
	switch {
	case r.State == stateLeft:
		return 3000
	case counted:
		return days
	case r.State == stateAway:
		return 2000
	}
	return 1000
}

func byUrgency(a, b row) int {
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(slices.Index(states, a.State), slices.Index(states, b.State)),
		strings.Compare(a.Number, b.Number), strings.Compare(a.ID, b.ID))
}
