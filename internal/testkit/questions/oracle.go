package questions

import (
	"fmt"
	"slices"
	"time"

	"github.com/go-freight/terminal49"
)

// Oracle answers questions about containers by a loop over all of them.
type Oracle struct {
	containers []*terminal49.Container
	verdicts   map[Clock][]terminal49.Verdict
}

// NewOracle returns an oracle of containers. It answers as documented.
func NewOracle(containers []*terminal49.Container) *Oracle {
	return &Oracle{containers: containers, verdicts: map[Clock][]terminal49.Verdict{}}
}

// one is a container with its verdict.
type one struct {
	*terminal49.Container
	shipment *terminal49.Shipment // empty if there is none
	v        *terminal49.Verdict
}

// at returns all containers at a time.
func (o *Oracle) at(c Clock) []*one {
	verdicts := o.assess(c)
	all := make([]*one, len(verdicts))
	for i, container := range o.containers {
		s, ok := container.Shipment.Value()
		if !ok || s == nil {
			s = &terminal49.Shipment{}
		}
		all[i] = &one{container, s, &verdicts[i]}
	}
	return all
}

// assess returns the verdicts at a time, by the index of the container.
func (o *Oracle) assess(c Clock) []terminal49.Verdict {
	if o.verdicts[c] == nil {
		for _, container := range o.containers {
			o.verdicts[c] = append(o.verdicts[c], terminal49.Assess(container, c.Time(), c.Options()))
		}
	}
	return o.verdicts[c]
}

// Ask returns the answer to a question.
func (o *Oracle) Ask(q Question) (a Answer) {
	all := o.at(q.Clock)
	selects, unknown := textsOf(q.Filter, o.at(Clock{})) // a place that is reported for later has a name, too
	if unknown != "" {
		return Answer{Unknown: unknown}
	}
	var found []*one
	for _, c := range all {
		if selects(c) && hasOther(q, c) && a.isDated(q.Filter, c) && a.isTracked(q.Filter, c) {
			found = append(found, c)
		}
	}
	a.Total, a.Days = len(found), daysUsed(q.Filter)
	if len(q.By) > 0 {
		a.count(q, found)
		return a
	}
	a.page(q, found)
	return a
}

// isTracked reports whether a container meets Filter.Tracking, and counts those that are no longer
// tracked, whether or not the filter leaves them out.
func (a *Answer) isTracked(f Filter, c *one) bool {
	if isStopped(c) {
		a.Stopped++
	}
	return meetsTracking(f, c)
}

func isStopped(c *one) bool { return !c.shipment.LineTrackingStoppedAt.IsZero() }

func meetsTracking(f Filter, c *one) bool {
	return f.Tracking == "" || f.Tracking == "stopped" == isStopped(c)
}

// page sets the containers of a page. The default limit is 50.
func (a *Answer) page(q Question, found []*one) {
	slices.SortFunc(found, orderOf(q.Order))
	limit := q.Limit
	if limit == 0 {
		limit = 50
	}
	from := min(q.Offset, len(found))
	for _, c := range found[from:min(from+limit, len(found))] {
		a.IDs, a.Rows = append(a.IDs, c.ID), append(a.Rows, RowOf(c.Container, c.v))
	}
}

// hasOther reports whether a container meets the fields that are neither texts nor bounds of days.
func hasOther(q Question, c *one) bool {
	f := q.Filter
	switch {
	case len(f.Situations) > 0 && !slices.Contains(f.Situations, string(c.v.Situation)),
		len(f.Stages) > 0 && !slices.Contains(f.Stages, string(c.v.Stage())),
		f.LastFreeDayUnknown && (c.v.Situation.HasLeft() || textOf(c.v.LastFreeDay.At) != ""),
		f.LastFreeDaysDiffer && !daysDiffer(c),
		f.UncheckedHours > 0 && !isUnchecked(c, q.Clock.Time().Add(-time.Duration(f.UncheckedHours)*time.Hour)),
		!meetsAppointment(f.Appointment, c):
		return false
	}
	return len(f.Work) == 0 || slices.ContainsFunc(f.Work, func(w string) bool { return isWork(w, q, c) })
}

// isUnchecked reports whether a terminal was last checked before a time, or never.
func isUnchecked(c *one, before time.Time) bool {
	at, known := c.Container.TerminalCheckedAt.Instant()
	return !known || at.Before(before)
}

// daysDiffer reports whether two sources report different last free days.
func daysDiffer(c *one) bool {
	days := map[string]bool{}
	for _, d := range terminal49.LastFreeDays(c.Container).Reported {
		if day := textOf(d.At); day != "" {
			days[day] = true
		}
	}
	return len(days) > 1
}

// meetsAppointment: none if none is reported, made if one is, late if it is after the last free day
// that binds.
func meetsAppointment(want string, c *one) bool {
	switch want {
	case "none":
		return c.PickupAppointmentAt.IsZero()
	case "made":
		return !c.PickupAppointmentAt.IsZero()
	case "late":
		last := textOf(c.v.LastFreeDay.At)
		return last != "" && textOf(c.PickupAppointmentAt) > last
	}
	return true
}

// UnknownText returns a text of a field that no container has, as Answer.Unknown has it.
func UnknownText(field, text string) string { return fmt.Sprintf("%s %q", field, text) }
