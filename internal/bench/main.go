// Command bench compares the client with what it could be replaced by: encoding/json, another
// JSON:API library and bare net/http, in one run and on the same bytes. It prints ratios, because
// times differ from machine to machine. It is a module of its own, so its peers are not
// dependencies of the client, and commands at the root do not enter it.
//
//	go run -C internal/bench .          # the table, in Markdown
//	go run -C internal/bench . -check   # fails if the client allocates more than recorded
//	go run -C internal/bench . -record  # records what it allocates
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"
)

const (
	recorded = "allocations.txt"
	allowed  = 1.10 // times the recorded allocations

	// The ways take short turns, so that what else the machine does affects all of them. Package
	// testing collects the garbage before each turn.
	rounds = 7
	turn   = "300ms"
)

func main() {
	check := flag.Bool("check", false, "compare the client's allocations with "+recorded)
	record := flag.Bool("record", false, "write the client's allocations to "+recorded)
	testing.Init()
	_ = flag.Set("test.benchtime", turn) // the flag exists
	flag.Parse()
	run := compare
	switch {
	case *check:
		run = checkAllocations
	case *record:
		run = recordAllocations
	}
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// compare prints a table for each work.
func compare(ctx context.Context) error {
	works, stop := all(ctx)
	defer stop()
	for _, w := range works {
		if err := w.compare(); err != nil {
			return err
		}
	}
	return nil
}

func all(ctx context.Context) (works []work, stop func()) {
	get, stopGet := getOne(ctx)
	walk, stopWalk := walk(ctx)
	late, stopLate := walkLate(ctx)
	return []work{decodePage(ctx), decodeSorted(ctx), get, walk, late}, func() { stopGet(); stopWalk(); stopLate() }
}

// result is what one way takes: the median of the rounds.
type result struct {
	time          time.Duration
	allocs, bytes int64
}

func (w work) compare() error {
	fmt.Printf("\n%s\n\n| | time | allocations | memory |\n|---|---|---|---|\n", w.name)
	measured := make([][]result, len(w.ways))
	for range rounds {
		for i, way := range w.ways {
			r, err := way.measure()
			if err != nil {
				return fmt.Errorf("%s: %s: %w", w.name, way.name, err)
			}
			measured[i] = append(measured[i], r)
		}
	}
	ours := median(measured[0])
	fmt.Printf("| %s | 1 | %d | %d KB |\n", w.ways[0].name, ours.allocs, ours.bytes/1000)
	for i, way := range w.ways[1:] {
		r := median(measured[i+1])
		fmt.Printf("| %s | %.2f | %.2f | %.2f |\n", way.name, ratio(int64(r.time), int64(ours.time)), ratio(r.allocs, ours.allocs),
			ratio(r.bytes, ours.bytes))
	}
	return nil
}

func (w way) measure() (r result, err error) {
	if err := w.run(); err != nil { // once for the connection
		return r, err
	}
	b := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() && err == nil {
			err = w.run()
		}
	})
	return result{time.Duration(b.NsPerOp()), b.AllocsPerOp(), b.AllocedBytesPerOp()}, err
}

func median(of []result) result {
	slices.SortFunc(of, func(a, b result) int { return int(a.time - b.time) })
	return of[len(of)/2]
}

func ratio(a, b int64) float64 { return float64(a) / float64(b) }
