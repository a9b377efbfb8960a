package decimals

import "strings"

// MinorUnits returns the number of decimal places of a currency by ISO 4217. It does not use
// golang.org/x/text, whose Unicode data lists no decimal places for about twenty currencies that
// have two, such as IDR, COP and PKR.
func MinorUnits(code string) (int32, bool) {
	switch code {
	case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF":
		return 0, true
	case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND":
		return 3, true
	case "CLF", "UYW":
		return 4, true
	}
	return 2, len(code) == 3 && !strings.ContainsFunc(code, func(r rune) bool { return r < 'A' || r > 'Z' })
}

// GroupThousands inserts a comma before every three digits of the integer part.
func GroupThousands(number string) string {
	sign := ""
	if strings.HasPrefix(number, "-") {
		sign, number = "-", number[1:]
	}
	integer, fraction, _ := strings.Cut(number, ".")
	var b strings.Builder
	b.WriteString(sign)
	for i, digit := range integer {
		if i > 0 && (len(integer)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	if fraction != "" {
		b.WriteString("." + fraction)
	}
	return b.String()
}
