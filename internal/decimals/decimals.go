// Package decimals reads numbers exactly, within bounds: a few hostile bytes such as "1e999999999"
// must not become a number of a billion digits.
package decimals

import (
	"errors"
	"strings"

	"github.com/shopspring/decimal"
)

// Bounds of a number. Within MaxExponent and the bound on digits, a number written out without an
// exponent stays shorter than two times MaxLength, so that what was read can be read again.
const (
	MaxLength   = 64 // of its text: more than any amount of money needs
	MaxExponent = 30
	MaxDigits   = 60 // before the exponent and after it was written out
)

// ErrSize is returned for text that is not a number within the bounds.
var ErrSize = errors.New("not a number of reasonable size")

// Parse reads a number exactly. The caller bounds its length.
func Parse(s string) (decimal.Decimal, error) {
	n, err := decimal.NewFromString(strings.TrimSpace(s))
	if err != nil || n.Exponent() > MaxExponent || n.Exponent() < -MaxExponent || n.NumDigits()+int(max(0, n.Exponent())) > MaxDigits {
		return decimal.Decimal{}, ErrSize
	}
	return n, nil
}
