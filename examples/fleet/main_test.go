package main

import (
	"context"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// The package starts copies of its own program, which is the test program here. Nothing that it
// starts may outlive the tests.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == childArgument {
		runChild()
		return
	}
	goleak.VerifyTestMain(m)
}

// The limits are those of the service's documents: 100 requests, 100 creations, 200 inferences and
// 10 refreshes a minute. That nothing is lost is what webhook.DedupeStore documents.
func TestRun_KeepsTheLimitsAndLosesNothing(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var out strings.Builder
	if err := run(t.Context(), []string{"-engine", "sqlite", "-for", "6s", "-without"}, &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	table := map[string][]int{} // by row: shared, without
	_, text, _ := strings.Cut(out.String(), "without\n")
	for line := range strings.Lines(text) {
		shared, err := strconv.Atoi(strings.TrimSpace(line[42:52]))
		without, err2 := strconv.Atoi(strings.TrimSpace(line[52:]))
		if err != nil || err2 != nil {
			t.Fatalf("the line %q must have two numbers", line)
		}
		table[strings.TrimSpace(line[:36])] = []int{shared, without}
	}
	for row, most := range map[string]int{
		"default": 100, "of these, background (0.6)": 60, "create": 100, "infer": 200, "refresh": 10,
		"requests answered 429": 0, "notifications lost": 0,
	} {
		if got := table[row]; got == nil || got[0] > most {
			t.Errorf("%s: got %v, want at most %d", row, got, most)
		}
	}
	if got := table["notifications handled once"]; got == nil || got[0] == 0 {
		t.Error("no notification was handled")
	}
	// Only the crash may happen between a callback and its completion.
	if got := table["notifications handled again"]; got == nil || got[0] > 1 || got[1] <= got[0] {
		t.Errorf("handled again: %v, want at most 1 with a shared store and more without", got)
	}
	if t.Failed() {
		t.Log(out.String())
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("left in the temporary folder: %v %v", left, err)
	}
}

func TestRun_EndsWithItsContext(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := run(ctx, []string{"-engine", "sqlite", "-for", "1h"}, io.Discard); err == nil {
		t.Error("an interrupted run must return an error")
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("left in the temporary folder: %v %v", left, err)
	}
}

func TestRun_InvalidArguments(t *testing.T) {
	for _, args := range [][]string{{"-engine", "abacus"}, {"-for", "0s"}, {"now"}} {
		if err := run(t.Context(), args, io.Discard); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}
