package main

import (
	"context"
	"fmt"
	"iter"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
)

// dueDays selects by how many calendar days there are to the last free day.
type dueDays struct {
	from, to int
	now      time.Time
	unknown  int // containers that were left out because their last free day is not known
}

// parseDaysLeft returns what --days-left selects; nil without it.
func parseDaysLeft(text string, set bool) (*dueDays, error) {
	from, to, isRange := strings.Cut(text, "..")
	if !isRange {
		from, to = strconv.Itoa(math.MinInt), text
	}
	d := &dueDays{now: time.Now()}
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

// of returns the containers of a list whose last free day is that near, or all of them if d
// is nil. It counts those whose day is not known although they may wait for pickup.
func (d *dueDays) of(all iter.Seq2[*terminal49.Container, error]) iter.Seq2[*terminal49.Container, error] {
	if d == nil {
		return all
	}
	return func(yield func(*terminal49.Container, error) bool) {
		for c, err := range all {
			if (err != nil || d.includes(c)) && !yield(c, err) {
				return
			}
		}
	}
}

func (d *dueDays) includes(c *terminal49.Container) bool {
	v := terminal49.Assess(c, d.now, terminal49.VerdictOptions{})
	days, known := v.DaysLeft.Get()
	if !known && mayWait(v) {
		d.unknown++
	}
	return known && d.from <= days && days <= d.to
}

// mayWait reports whether a container is at a place of pickup, as far as that is known.
func mayWait(v terminal49.Verdict) bool {
	switch v.Situation {
	case terminal49.SituationBeforeVoyage, terminal49.SituationAtSea, terminal49.SituationOnRail, terminal49.SituationOut,
		terminal49.SituationReturned:
		return false
	}
	return true
}

// listDue prints the containers of a list whose last free day is near.
func (a *app) listDue(ctx context.Context, t *table, params terminal49.ContainerListParams, d *dueDays, show func(*terminal49.Container) error) error {
	if d == nil {
		params.PageSize = a.pageSize() // with d, more are read than printed
	}
	err := printList(t, d.of(a.client.Containers.All(ctx, &params)), show)
	if d != nil && d.unknown > 0 {
		a.note("%d that may wait for pickup are left out: their last free day is not known", d.unknown)
	}
	return err
}
