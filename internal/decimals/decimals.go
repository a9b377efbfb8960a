// Package decimals parses decimal numbers exactly, within limits: a short hostile text such as
// "1e999999999" must not become a number with a billion digits. It also formats money.
package decimals

import (
	"errors"
	"strings"

	"github.com/shopspring/decimal"
)

// The limits of a number. A number within MaxExponent and MaxDigits, written without an exponent,
// is shorter than twice MaxLength, so what was parsed can be written and parsed again.
const (
	MaxLength   = 64 // of the text; more than any amount of money needs
	MaxExponent = 30
	MaxDigits   = 60 // after the exponent is expanded
)

// ErrSize is returned for text that is not a number within the limits.
var ErrSize = errors.New("not a number of reasonable size")

// Parse parses a number exactly. The caller limits the length of s to MaxLength.
func Parse(s string) (decimal.Decimal, error) {
	n, err := decimal.NewFromString(strings.TrimSpace(s))
	if err != nil || n.Exponent() > MaxExponent || n.Exponent() < -MaxExponent || n.NumDigits()+int(max(0, n.Exponent())) > MaxDigits {
		return decimal.Decimal{}, ErrSize
	}
	return n, nil
}
