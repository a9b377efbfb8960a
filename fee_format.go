package terminal49

import (
	"strings"

	"github.com/shopspring/decimal"
)

// FormatMoney writes an amount for people with the decimals that ISO 4217 gives its currency, such as "USD 1,300.00" or
// "JPY 5,000". It never rounds: an amount with more decimals keeps them. A code that has not the form of a currency code
// is written as it is, with the decimals that the amount has; an empty one as "(currency not reported)" after the amount.
func FormatMoney(amount decimal.Decimal, currencyCode string) string {
	digits := max(0, -amount.Exponent())
	if usual, ok := minorUnits(currencyCode); ok {
		digits = usual
		for !amount.Equal(amount.Truncate(digits)) {
			digits++
		}
	}
	text := groupThousands(amount.StringFixed(digits))
	if currencyCode == "" {
		return text + " (currency not reported)"
	}
	return currencyCode + " " + text
}

// minorUnits returns the decimals of a currency by ISO 4217. It is a list of our own because the one of Unicode, which
// golang.org/x/text has, gives no decimals to some twenty currencies that have two, such as IDR, COP and PKR.
func minorUnits(code string) (int32, bool) {
	switch code {
	case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF":
		return 0, true
	case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND":
		return 3, true
	case "CLF", "UYW":
		return 4, true
	}
	return 2, len(code) == 3 && !strings.ContainsFunc(code, func(r rune) bool { return !isLetter(r) })
}

// groupThousands puts a comma before every three digits of the whole part.
func groupThousands(number string) string {
	sign := ""
	if strings.HasPrefix(number, "-") {
		sign, number = "-", number[1:]
	}
	whole, fraction, _ := strings.Cut(number, ".")
	var b strings.Builder
	b.WriteString(sign)
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	if fraction != "" {
		b.WriteString("." + fraction)
	}
	return b.String()
}

// String writes the fee for people, such as "demurrage USD 1,300.00"; an amount of 0 as "demurrage (not posted yet)".
func (f Fee) String() string {
	kind := strings.ReplaceAll(string(f.Type), "_", " ")
	if f.Amount.IsZero() {
		return kind + " (not posted yet)"
	}
	return kind + " " + FormatMoney(f.Amount, f.CurrencyCode)
}
