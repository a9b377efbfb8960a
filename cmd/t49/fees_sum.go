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

// placeFees is what is owed at a place.
type placeFees struct {
	containers int
	sum        terminal49.FeeSummary
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
	places, unknown := map[string]placeFees{}, 0
	add := func(c *terminal49.Container) error {
		v := terminal49.Assess(c, time.Now(), terminal49.VerdictOptions{})
		switch {
		case len(v.Fees.Currencies()) > 0:
			name := cmp.Or(v.Place.String(), "(not known)")
			places[name] = placeFees{places[name].containers + 1, places[name].sum.Add(v.Fees)}
		case !v.Fees.Reported && v.Place != terminal49.VerdictPlace{}:
			unknown++
		}
		return nil
	}
	if len(which) > 0 {
		err = a.eachOf(ctx, which, presentJourney, add)
	} else {
		for c, failed := range client.Containers.All(ctx, &terminal49.ContainerListParams{Include: related}) {
			if err = failed; err != nil {
				return err // a part of the containers has no sum
			}
			_ = add(c)
		}
	}
	return errors.Join(err, a.printPlaces(places, unknown))
}

func (a *app) printPlaces(places map[string]placeFees, unknown int) error {
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
