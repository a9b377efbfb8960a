package terminal49

import (
	"errors"
	"strings"

	"github.com/shopspring/decimal"
)

// Bounds of a number, so that a few hostile bytes ("1e999999999") cannot become one of a billion digits. Within them a
// number written out without an exponent stays shorter than maxAmountLength, so that what was read can be read again.
const (
	maxExponent = 30
	maxDigits   = 60 // before the exponent and after it was written out
)

var errNotDecimal = errors.New("not a number of reasonable size")

// parseDecimal reads a number exactly. Its length is bounded by the caller, its size here.
func parseDecimal(s string) (decimal.Decimal, error) {
	n, err := decimal.NewFromString(strings.TrimSpace(s))
	if err != nil || n.Exponent() > maxExponent || n.Exponent() < -maxExponent || n.NumDigits()+int(max(0, n.Exponent())) > maxDigits {
		return decimal.Decimal{}, errNotDecimal
	}
	return n, nil
}
