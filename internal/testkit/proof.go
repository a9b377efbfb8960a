// Package testkit holds what the tests of several packages share: a fake API, a call of every
// operation, clients of the simulator, an HTTP/2 server that breaks its responses, and the switch
// between a sample of a proof and the whole.
package testkit

import (
	"fmt"
	"os"
	"sync"
)

// Whole reports whether proofs run whole, as the environment variable PROOF=whole asks. Otherwise a
// proof runs a sample: every operation and every fault, with fewer repetitions.
func Whole() bool { return whole() }

var whole = sync.OnceValue(func() bool {
	whole := os.Getenv("PROOF") == "whole"
	extent := "a sample; PROOF=whole runs everything"
	if whole {
		extent = "whole"
	}
	fmt.Println("proof:", extent)
	return whole
})

// Scale returns how much of a proof runs, such as a number of repetitions or a span of time:
// sample, or all of it.
func Scale[T any](sample, all T) T {
	if Whole() {
		return all
	}
	return sample
}
