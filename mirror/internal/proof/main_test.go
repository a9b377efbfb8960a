package proof

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// tests ends what all tests share before the check for leaks.
type tests struct{ *testing.M }

func (m tests) Run() int {
	code := m.M.Run()
	for _, f := range atEnd {
		f()
	}
	return code
}

// TestMain runs the tests, or in a child process its order.
func TestMain(m *testing.M) {
	text, child := os.LookupEnv(orderVariable)
	if !child {
		goleak.VerifyTestMain(tests{m}) // ends the process
	}
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		panic(err)
	}
	if err := o.run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "child:", err)
		os.Exit(1)
	}
}

// long reports whether the proofs take hours: see CONTRIBUTING.md.
func long() bool { return os.Getenv("T49_MIRROR") == "long" }

// amount returns how much of a proof runs: in a short test, in the gate, and with T49_MIRROR=long.
func amount[T any](short, gate, all T) T {
	switch {
	case long():
		return all
	case testing.Short():
		return short
	}
	return gate
}
