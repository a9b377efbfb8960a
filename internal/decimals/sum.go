package decimals

import "github.com/shopspring/decimal"

// Sum is the sum of many numbers. It is that of [decimal.Decimal.Add], with as many decimal places,
// and needs no allocation for a number of usual size. The zero value is 0.
type Sum struct {
	small    int64           // in units of 10 to the power of exponent
	exponent int32           // the least of all, and of 0
	large    decimal.Decimal // what does not fit in small
}

// Add adds a number.
func (s *Sum) Add(n decimal.Decimal) {
	if below := s.exponent - n.Exponent(); below > 0 {
		s.lower(below)
	}
	if digits, fits := scaled(n, n.Exponent()-s.exponent); fits && fitsSum(s.small, digits) {
		s.small += digits
		return
	}
	s.addLarge(n)
}

func (s *Sum) addLarge(n decimal.Decimal) {
	if s.large == (decimal.Decimal{}) { // whose exponent does not count
		s.large = n
		return
	}
	s.large = s.large.Add(n)
}

// lower makes the exponent less.
func (s *Sum) lower(by int32) {
	exponent := s.exponent - by
	if more, fits := times(s.small, by); fits {
		s.small, s.exponent = more, exponent
		return
	}
	s.addLarge(decimal.New(s.small, s.exponent))
	s.small, s.exponent = 0, exponent
}

// Value returns the sum.
func (s *Sum) Value() decimal.Decimal {
	switch {
	case s.large != decimal.Decimal{}:
		return s.large.Add(decimal.New(s.small, s.exponent))
	case s.small == 0 && s.exponent == 0:
		return decimal.Decimal{}
	}
	return decimal.New(s.small, s.exponent)
}

// mostDigits is how many digits any int64 may have.
const mostDigits = 18

// scaled returns the digits of a number with more decimal places, if they are few.
func scaled(n decimal.Decimal, places int32) (digits int64, fits bool) {
	if n.NumDigits() > mostDigits {
		return 0, false
	}
	return times(n.CoefficientInt64(), places)
}

// times returns n times 10 to a power, if that is an int64.
func times(n int64, power int32) (int64, bool) {
	for ; power > 0 && n != 0; power-- {
		if n > 1e17 || n < -1e17 {
			return 0, false
		}
		n *= 10
	}
	return n, true
}

// fitsSum reports whether the sum of two numbers is certainly an int64.
func fitsSum(a, b int64) bool { return max(a, -a) < 1<<62 && max(b, -b) < 1<<62 }
