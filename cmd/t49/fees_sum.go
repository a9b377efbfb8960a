package main

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/go-freight/terminal49"
)

// ledger is what is owed for containers. A box on several bills of lading has a record on each, and
// its terminal reports the same fees on all of them, so they count once: as it last reported them.
type ledger struct {
	entries []entry
	indices map[string][]int // of the entries with a number
}

// entry is what the ledger has of a container.
type entry struct {
	id, place    string
	isPlaceKnown bool
	discharged   terminal49.Date
	isDischarged bool // discharged is known
	checked      terminal49.Time
	fees         terminal49.FeeSummary
}

func (l *ledger) add(c *terminal49.Container, v *terminal49.Verdict, fees terminal49.FeeSummary) {
	e := entry{id: c.ID, place: cmp.Or(v.Place.String(), "(not known)"), isPlaceKnown: v.Place != terminal49.VerdictPlace{}, checked: c.TerminalCheckedAt, fees: fees}
	e.discharged, e.isDischarged = discharged(c)
	for _, i := range l.indices[c.Number] {
		if other := &l.entries[i]; e.isOfJourney(other) {
			if e.isBetterThan(other) {
				*other = e
			}
			return
		}
	}
	if l.indices == nil {
		l.indices = map[string][]int{}
	}
	l.indices[c.Number] = append(l.indices[c.Number], len(l.entries))
	l.entries = append(l.entries, e)
}

// isOfJourney reports whether another entry with the same number is of the same journey.
func (e *entry) isOfJourney(other *entry) bool {
	return e.id == other.id || e.isDischarged && other.isDischarged && isOneDischarge(e.discharged, other.discharged)
}

// isBetterThan reports whether an entry has fees and the other, of the same journey, does not have
// them or is older.
func (e *entry) isBetterThan(other *entry) bool {
	if e.fees.Reported != other.fees.Reported {
		return e.fees.Reported
	}
	return e.checked.Compare(other.checked) > 0
}

// sum returns what is owed for all.
func (l *ledger) sum() (all terminal49.FeeSummary) {
	for i := range l.entries {
		all = all.Add(l.entries[i].fees)
	}
	return all
}

// placeFees is what is owed at a place.
type placeFees struct {
	containers int
	sum        terminal49.FeeSummary
}

// byPlace returns what is owed at each place, and how many containers are at one that does not
// report fees.
func (l *ledger) byPlace() (places map[string]placeFees, unknown int) {
	places = map[string]placeFees{}
	for i := range l.entries {
		switch e := &l.entries[i]; {
		case len(e.fees.Currencies()) > 0:
			at := places[e.place]
			places[e.place] = placeFees{at.containers + 1, at.sum.Add(e.fees)}
		case !e.fees.Reported && e.isPlaceKnown:
			unknown++
		}
	}
	return places, unknown
}

// feesByPlace prints what is owed at each place in each currency: for some containers, or for all.
func (a *app) feesByPlace(ctx context.Context, which []string) error {
	if a.json || len(a.fields) > 0 {
		return usageError{errors.New("--by-place prints a table or --csv; --json prints each container, and --fields selects from it")}
	}
	client, err := a.connect()
	if err != nil {
		return err
	}
	var all ledger
	add := func(c *terminal49.Container) error {
		v := terminal49.Assess(c, time.Now(), terminal49.VerdictOptions{})
		all.add(c, &v, v.Fees)
		return nil
	}
	if len(which) > 0 {
		err = a.eachOf(ctx, which, presentJourney, add)
	} else {
		for c, failed := range client.Containers.All(ctx, &terminal49.ContainerListParams{Include: related}, terminal49.WithResponse(&a.read)) {
			if err = failed; err != nil {
				return err // a part of the containers has no sum
			}
			_ = add(c)
		}
	}
	return errors.Join(err, a.printPlaces(&all))
}

func (a *app) printPlaces(all *ledger) error {
	places, unknown := all.byPlace()
	t := a.print("PLACE", "CONTAINERS", "CURRENCY", "OWED", "NOT POSTED YET")
	for _, name := range slices.Sorted(maps.Keys(places)) {
		at := places[name]
		for _, c := range at.sum.Currencies() {
			owed := c.Owed.StringFixed(2)
			if c.TotalConflict && c.LineCount == 0 {
				owed = "unknown"
			}
			t.cells(name, strconv.Itoa(at.containers), cmp.Or(c.CurrencyCode, "not reported"), owed, strconv.Itoa(c.NotPostedCount))
		}
	}
	if unknown > 0 {
		a.note("%d are not in the sums: their fees are not reported", unknown)
	}
	return t.end(nil)
}
