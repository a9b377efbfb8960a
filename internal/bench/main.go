// Command bench compares the client with what a program without it would do: net/http alone, and
// encoding/json into plain structs, in one run and on the same bytes. It prints ratios, because
// times differ from machine to machine.
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
)

const (
	recorded = "allocations.txt"
	allowed  = 1.10 // times the recorded allocations
)

func main() {
	check := flag.Bool("check", false, "compare the client's allocations with "+recorded)
	record := flag.Bool("record", false, "write the client's allocations to "+recorded)
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
	works = []work{decodePage(ctx), decodeSorted(ctx), get, get.paused(), get.sideBySide(callers), walk, late}
	return works, func() { stopGet(); stopWalk(); stopLate() }
}
