package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

// allocations counts what the client allocates for each work, with the server where there is one.
// Time is not checked: it depends on the machine, allocations do not.
func allocations(ctx context.Context) (names []string, counts map[string]float64, err error) {
	works, stop := all(ctx)
	defer stop()
	counts = map[string]float64{}
	for _, w := range works {
		if w.key == "" {
			continue
		}
		runs := 200
		if w.key == "walk" {
			runs = 3
		}
		counts[w.key] = testing.AllocsPerRun(runs, func() {
			if failed := w.ways[0].run(); failed != nil {
				err = fmt.Errorf("%s: %w", w.key, failed)
			}
		})
		names = append(names, w.key)
	}
	return names, counts, err
}

func recordAllocations(ctx context.Context) error {
	names, counts, err := allocations(ctx)
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, name := range names {
		fmt.Fprintf(&text, "%s %.0f\n", name, counts[name])
	}
	return os.WriteFile(recorded, []byte(text.String()), 0o644)
}

func checkAllocations(ctx context.Context) error {
	file, err := os.Open(recorded)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	names, counts, err := allocations(ctx)
	if err != nil {
		return err
	}
	limits := map[string]float64{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var name string
		var limit float64
		if _, err := fmt.Sscan(lines.Text(), &name, &limit); err != nil {
			return fmt.Errorf("%s: %q: %w", recorded, lines.Text(), err)
		}
		limits[name] = limit
	}
	var failed []error
	for _, name := range names {
		fmt.Printf("%s: %.0f allocations, recorded %.0f\n", name, counts[name], limits[name])
		if counts[name] > limits[name]*allowed {
			failed = append(failed, fmt.Errorf("%s takes %.0f allocations, more than %.2f times the recorded %.0f", name,
				counts[name], allowed, limits[name]))
		}
	}
	return errors.Join(failed...)
}
