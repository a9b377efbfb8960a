package worklist

import (
	"slices"

	"github.com/go-freight/terminal49"
)

// mostDays bounds days: a [time.Duration] has 292 years.
const mostDays = 36_500

// mostTexts bounds Filter.Texts.
const mostTexts = 200

// urgencies are the values of Filter.Urgencies.
var urgencies = []terminal49.Urgency{terminal49.UrgencyOverdue, terminal49.UrgencyImminent, terminal49.UrgencyNone, terminal49.UrgencyUnknown}

// workNames are the kinds of work in an error.
const workNames = "waiting, overdue, imminent, at_risk, owing, holds, arriving, eta_slipped, dwelling, empty_due or a situation such as ready"

// check returns what is wrong with a filter.
func (f *Filter) check() error {
	if err := f.checkNames(); err != nil {
		return err
	}
	switch {
	case len(f.Texts) > mostTexts:
		return problem("Texts", "must be at most 200")
	case slices.ContainsFunc(f.Texts, func(text string) bool { return comparable(text) == "" }):
		return problem("Texts", "must have letters or digits")
	case f.Days < 0 || f.Days > mostDays:
		return problem("Days", "must be from 0 to 36500")
	case f.UncheckedHours < 0 || f.UncheckedHours > mostDays*24:
		return problem("UncheckedHours", "must be from 0 to 876000")
	case f.Days != 0 && f.days() == nil:
		return problem("Days", "must not be set without a kind of work that has days: arriving, eta_slipped, dwelling or empty_due")
	case !f.LastFreeDayTo.IsZero() && f.LastFreeDayTo.Before(f.LastFreeDayFrom):
		return problem("LastFreeDayTo", "must not be before LastFreeDayFrom")
	case !f.ETATo.IsZero() && f.ETATo.Before(f.ETAFrom):
		return problem("ETATo", "must not be before ETAFrom")
	}
	return nil
}

// checkNames returns what is wrong with the fields that are enumerations.
func (f *Filter) checkNames() error {
	unknown := slices.IndexFunc(f.Work, func(w Work) bool { return !w.known() })
	other := slices.IndexFunc(f.Situations, func(s terminal49.Situation) bool { return !s.Known() })
	switch {
	case unknown >= 0:
		return problem("Work", "must be "+workNames+", not "+quoted(string(f.Work[unknown])))
	case other >= 0:
		return problem("Situations", "must be situations such as ready, not "+quoted(string(f.Situations[other])))
	case slices.ContainsFunc(f.Urgencies, func(u terminal49.Urgency) bool { return !slices.Contains(urgencies, u) }):
		return problem("Urgencies", "must be overdue, imminent, none or unknown")
	case slices.ContainsFunc(f.Stages, func(s terminal49.Stage) bool { return !s.Known() }):
		return problem("Stages", "must be stages such as at_port")
	case !slices.Contains([]Appointment{"", AppointmentNone, AppointmentMade, AppointmentLate}, f.Appointment):
		return problem("Appointment", "must be empty, none, made or late, not "+quoted(string(f.Appointment)))
	case f.Tracking != "" && f.Tracking != TrackingActive && f.Tracking != TrackingStopped:
		return problem("Tracking", "must be empty, active or stopped, not "+quoted(string(f.Tracking)))
	}
	return nil
}
