package decimals_test

import (
	"math/rand/v2"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/decimals"
)

// A sum of numbers of all sizes has the value and the decimal places of one addition after the
// other.
func TestSum_IsThatOfDecimal(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	number := func() decimal.Decimal {
		digits := []int64{0, 1, r.Int64N(100_000), r.Int64(), 1<<62 - 1, 1 << 62, 1<<63 - 1}[r.IntN(7)]
		if r.IntN(3) == 0 {
			digits = -digits
		}
		n := decimal.New(digits, []int32{0, -2, -2, -2, 3, -30, 30}[r.IntN(7)])
		if r.IntN(9) == 0 {
			n = n.Mul(decimal.New(1<<62, 0)) // more than an int64 has
		}
		return n
	}
	for range 3_000 {
		sum, want := decimals.Sum{}, decimal.Decimal{}
		for range r.IntN(8) {
			n := number()
			sum.Add(n)
			want = want.Add(n)
			requireSame(t, want, sum.Value())
		}
		requireSame(t, want, sum.Value())
	}
}

func requireSame(t *testing.T, want, got decimal.Decimal) {
	t.Helper()
	require.True(t, want.Equal(got), "%s, %s", want, got)
	require.Equal(t, want.Exponent(), got.Exponent(), "%s", want)
}

// A sum of usual amounts allocates nothing.
func TestSum_AllocatesNothing(t *testing.T) {
	amount, sum := decimal.New(130_050, -2), decimals.Sum{}
	require.Zero(t, testing.AllocsPerRun(100, func() { sum.Add(amount) }))
}
