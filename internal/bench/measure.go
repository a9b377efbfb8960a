package main

import (
	"fmt"
	"runtime"
	"slices"
	"time"
)

// The ways of a work take turns, so that other load on the machine affects all of them alike. A
// round has one turn of each way, and turns are compared within their round. A turn starts after a
// garbage collection, so that no way pays for the garbage of another, and is long enough to pay for
// its own.
const (
	turn   = 50 * time.Millisecond // at least one call
	fewest = 7                     // rounds
	most   = 60
	enough = 20 * time.Second // no further round after this time
)

// turnResult is what a call took on average in one turn.
type turnResult struct{ time, allocs, bytes float64 }

// compare prints the table of a work: each value is the median of the rounds.
func (w work) compare() error {
	fmt.Printf("\n%s\n\n| | time | quarter to three quarters | allocations | memory |\n|---|---|---|---|---|\n", w.name)
	var rounds [][]turnResult
	for start := time.Now(); len(rounds) <= fewest || len(rounds) <= most && time.Since(start) < enough; {
		round, err := w.round(len(rounds))
		if err != nil {
			return err
		}
		rounds = append(rounds, round)
	}
	rounds = rounds[1:] // the first one made the connections
	_, allocs, _ := quartiles(rounds, func(r []turnResult) float64 { return r[0].allocs })
	_, bytes, _ := quartiles(rounds, func(r []turnResult) float64 { return r[0].bytes })
	fmt.Printf("| %s | 1 | | %.0f | %.0f KB |\n", w.ways[0].name, allocs, bytes/1000)
	for i := 1; i < len(w.ways); i++ {
		low, middle, high := quartiles(rounds, func(r []turnResult) float64 { return r[i].time / r[0].time })
		_, allocs, _ := quartiles(rounds, func(r []turnResult) float64 { return r[i].allocs / r[0].allocs })
		_, bytes, _ := quartiles(rounds, func(r []turnResult) float64 { return r[i].bytes / r[0].bytes })
		fmt.Printf("| %s | %.2f | %.2f to %.2f | %.2f | %.2f |\n", w.ways[i].name, middle, low, high, allocs, bytes)
	}
	return nil
}

// round runs each way once. Each round starts with a different way.
func (w work) round(n int) ([]turnResult, error) {
	results := make([]turnResult, len(w.ways))
	for i := range w.ways {
		i = (i + n) % len(w.ways)
		var err error
		if results[i], err = w.turn(w.ways[i]); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", w.name, w.ways[i].name, err)
		}
	}
	return results, nil
}

// turn calls a way for the duration of one turn. Pauses are not measured.
func (w work) turn(way way) (r turnResult, err error) {
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	calls, took := 0.0, time.Duration(0)
	for started := time.Now(); calls == 0 || time.Since(started) < turn; calls += float64(max(w.calls, 1)) {
		time.Sleep(w.pause)
		start := time.Now()
		if err := way.run(); err != nil {
			return r, err
		}
		took += time.Since(start)
	}
	runtime.ReadMemStats(&after)
	return turnResult{
		float64(took) / calls, float64(after.Mallocs-before.Mallocs) / calls, float64(after.TotalAlloc-before.TotalAlloc) / calls,
	}, nil
}

// quartiles returns the first quartile, the median and the third quartile of a value of the rounds.
func quartiles(rounds [][]turnResult, value func([]turnResult) float64) (low, middle, high float64) {
	values := make([]float64, len(rounds))
	for i, r := range rounds {
		values[i] = value(r)
	}
	slices.Sort(values)
	return values[len(values)/4], values[len(values)/2], values[len(values)*3/4]
}
