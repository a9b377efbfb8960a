package fleettest

import (
	"math"
	"slices"
	"time"

	"github.com/go-freight/terminal49"
)

// audit reports each bucket that had more requests than times its limit in a window that began at
// from or later.
func (f *limiterFleet) audit(from time.Time, times int) {
	for _, b := range buckets {
		f.auditBucket(b, times*f.limit(b), func(r *limitedRequest) bool { return r.to.IsZero() || !r.to.Before(from) })
	}
}

// auditShare reports a window in which a share and smaller ones have more requests than it allows.
func (f *limiterFleet) auditShare(part float64) {
	f.auditBucket(terminal49.BucketDefault, top(part, f.setup.Limits.Default), func(r *limitedRequest) bool { return r.share <= part })
}

// top is how many requests of limit a share allows: rounded down, at least one.
func top(part float64, limit int) int {
	const rounding = 1e-9 // 0.29*100 is below 29
	return max(1, int(math.Floor(part*float64(limit)+rounding)))
}

func (f *limiterFleet) auditBucket(b terminal49.Bucket, limit int, counts func(*limitedRequest) bool) {
	f.logging.Lock()
	defer f.logging.Unlock()
	var from, to []time.Time
	for _, r := range f.sent[b] {
		if !counts(r) {
			continue
		}
		from, to = append(from, r.from), append(to, r.to)
		if r.to.IsZero() {
			to[len(to)-1] = time.Now()
		}
	}
	if worst := worstWindow(from, to, f.window); worst > limit {
		f.errorf("bucket %s: the service can count %d requests in a window of %v; the limit is %d", b, worst, f.window, limit)
	}
}

// worstWindow returns the most requests that the service can count in any window. A window that
// begins at the last moment of a request counts that request and all that end later and begin
// before the window's end.
func worstWindow(from, to []time.Time, window time.Duration) (worst int) {
	slices.SortFunc(from, time.Time.Compare)
	slices.SortFunc(to, time.Time.Compare)
	begun := 0
	for ended, begin := range to {
		for begun < len(from) && from[begun].Sub(begin) < window {
			begun++
		}
		if ended == 0 || to[ended-1].Before(begin) {
			worst = max(worst, begun-ended)
		}
	}
	return worst
}
