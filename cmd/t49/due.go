package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-freight/terminal49"
)

// dueDays selects by how many calendar days there are to the last free day.
type dueDays struct {
	from, to int
	unknown  int // containers that were left out because their last free day is not known
}

// parseDaysLeft returns what --days-left selects; nil without it.
func parseDaysLeft(text string, set bool) (*dueDays, error) {
	from, to, isRange := strings.Cut(text, "..")
	if !isRange {
		from, to = strconv.Itoa(math.MinInt), text
	}
	d := new(dueDays)
	var failed [2]error
	d.from, failed[0] = strconv.Atoi(from)
	d.to, failed[1] = strconv.Atoi(to)
	switch {
	case !set:
		return nil, nil
	case failed != [2]error{} || d.from > d.to:
		return nil, usageError{fmt.Errorf("--days-left %s is not a number of days, such as 3, or a range of them, such as 0..3", plain(text))}
	}
	return d, nil
}

// includes reports whether the last free day is that near. It counts the containers whose day is
// not known although they may wait for pickup.
func (d *dueDays) includes(v terminal49.Verdict) bool {
	days, known := v.DaysLeft.Get()
	if !known && mayWait(v) {
		d.unknown++
	}
	return known && d.from <= days && days <= d.to
}

// mayWait reports whether a container is at a place of pickup, as far as that is known.
func mayWait(v terminal49.Verdict) bool {
	switch v.Situation {
	case terminal49.SituationBeforeVoyage, terminal49.SituationAtSea, terminal49.SituationOnRail:
		return false
	}
	return !v.Situation.HasLeft()
}
