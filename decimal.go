package terminal49

import (
	"errors"
	"strings"

	"github.com/shopspring/decimal"
)

// maxExponent bounds the power of ten of a number, so that a few hostile bytes ("1e999999999") cannot become a number
// of a billion digits.
const maxExponent = 30

var errNotDecimal = errors.New("not a number of reasonable size")

// parseDecimal reads a number exactly. Its length is bounded by the caller, its exponent here.
func parseDecimal(s string) (decimal.Decimal, error) {
	n, err := decimal.NewFromString(strings.TrimSpace(s))
	if err != nil || n.Exponent() > maxExponent || n.Exponent() < -maxExponent {
		return decimal.Decimal{}, errNotDecimal
	}
	return n, nil
}
