package main

import (
	"context"
	"errors"

	"github.com/go-freight/terminal49"
)

// job is one run over one file.
type job struct {
	client *terminal49.Client
	// service is written with each outcome: outcomes of another service do not count.
	service       string
	input, output string // CSV files
	column        string // of the numbers; "" is the default
	concurrency   int
	progress      func(total int) func(terminal49.TrackProgress)
	warn          func(warning string)
}

// run tracks the rows that have no final outcome from an earlier run.
func (j *job) run(ctx context.Context) (counts terminal49.TrackProgress, err error) {
	total := 0
	for _, err := range readRows(j.input, j.column, j.warn) {
		if err != nil {
			return counts, err // nothing has been created yet
		}
		total++
	}
	out, err := openOutcomes(j.output, j.service)
	if err != nil {
		return counts, err
	}
	defer func() { err = errors.Join(err, out.close()) }()

	show := j.progress(total)
	var inputErr error
	started, index := map[int]row{}, 0 // the rows without an outcome, by index
	rows := func(yield func(terminal49.TrackingRequestCreate) bool) {
		for r, err := range readRows(j.input, j.column, func(string) {}) {
			if inputErr = err; err != nil {
				return
			}
			started[index] = r
			index++
			if !yield(r.TrackingRequestCreate) {
				return
			}
		}
	}
	params := &terminal49.TrackAllParams{
		Concurrency: j.concurrency,
		Skip: func(index int, number string) bool {
			done := out.finished(number)
			if done {
				delete(started, index)
			}
			return done
		},
		OnProgress: func(p terminal49.TrackProgress) { counts = p; show(p) },
	}
	for outcome := range j.client.TrackingRequests.TrackAll(ctx, rows, params) {
		r := started[outcome.Index]
		delete(started, outcome.Index)
		if outcome.Err != nil && ctx.Err() != nil {
			continue // interrupted, not failed: the next run determines the outcome
		}
		if err := out.write(r, outcome); err != nil {
			return counts, err
		}
		if errors.Is(outcome.Err, terminal49.ErrUnauthorized) {
			return counts, outcome.Err // every other number would fail too
		}
	}
	return counts, inputErr
}
