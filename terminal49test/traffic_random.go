package terminal49test

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"time"
)

// portableRand draws the same numbers on every machine. Those of rand.Rand depend on the size of an
// int: its IntN masks other bits for a power of two on 32 bits, and its Int is shorter there.
type portableRand struct{ *rand.Rand }

// random returns the source of random numbers for the i-th decision of a kind.
func (t *traffic) random(kind string, i int) portableRand {
	return portableRand{rand.New(rand.NewPCG(t.seed^uint64(numberHash(kind)), uint64(i)))}
}

// IntN returns what rand.Rand.IntN returns on 64 bits, but for one value in 2^64/n, which IntN
// rejects.
func (r portableRand) IntN(n int) int {
	x, m := r.Uint64(), uint64(n)
	if m&(m-1) == 0 {
		return int(x & (m - 1))
	}
	high, _ := bits.Mul64(x, m)
	return int(high)
}

// hours returns a duration of up to n hours, in whole minutes.
func hours(draw portableRand, n float64) time.Duration {
	return time.Duration(math.Floor(draw.Float64()*n*60)) * time.Minute
}
