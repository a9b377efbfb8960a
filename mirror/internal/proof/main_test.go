//go:build unix

package proof

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/go-freight/terminal49/internal/testkit/engines"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
)

// TestMain runs the tests, or in a child process its order.
func TestMain(m *testing.M) {
	text, child := os.LookupEnv(orderVariable)
	if !child {
		goleak.VerifyTestMain(engines.Tests{M: m}) // ends the process
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

// long reports whether the proofs take hours: see internal/proof/README.md.
func long() bool { return os.Getenv("T49_MIRROR") == "long" }

// amount returns how much of a proof runs: a sample, with PROOF=whole all that the gate has time
// for, or with T49_MIRROR=long all of it.
func amount[T any](sample, whole, all T) T {
	if long() {
		return all
	}
	return mirrortest.Scale(sample, whole)
}
