package questions

import (
	"slices"

	"github.com/go-freight/terminal49"
)

// isDated reports whether a container meets the bounds of days, and counts those that have not left
// and may meet them: all other fields are met, and a day that is asked for is unknown, a last free
// day at a place or an arrival under way.
func (a *Answer) isDated(f Filter, c *one) bool {
	underWay := slices.Contains([]terminal49.Stage{"before_voyage", "at_sea", "on_rail"}, c.v.Stage())
	bounds := []bound{
		{f.LastFreeDayFrom, f.LastFreeDayTo, c.v.LastFreeDay.At, !underWay},
		{f.ETAFrom, f.ETATo, c.v.ETA, underWay},
	}
	is, may := daysLeftWithin(f, c, !underWay)
	for _, b := range bounds {
		met, mayBe := b.meets()
		is, may = is && met, may && (met || mayBe)
	}
	if !is && may && !c.v.Situation.HasLeft() && meetsTracking(f, c) {
		a.Undated++
	}
	return is
}

// bound is the days within which a time must be. The zero days set none.
type bound struct {
	from, to terminal49.Date
	at       terminal49.Time
	awaited  bool // so an unknown day counts as left out
}

func (b bound) meets() (is, may bool) {
	if b.from.IsZero() && b.to.IsZero() {
		return true, true
	}
	day := textOf(b.at)
	if day == "" {
		return false, b.awaited
	}
	is = (b.from.IsZero() || day >= b.from.String()) && (b.to.IsZero() || day <= b.to.String())
	return is, is
}

// daysLeftWithin is the same of the days left.
func daysLeftWithin(f Filter, c *one, awaited bool) (is, may bool) {
	from, hasFrom := f.DaysLeftFrom.Get()
	to, hasTo := f.DaysLeftTo.Get()
	days, known := c.v.DaysLeft.Get()
	switch {
	case !hasFrom && !hasTo:
		return true, true
	case !known:
		return false, awaited
	}
	is = (!hasFrom || days >= from) && (!hasTo || days <= to)
	return is, is
}
