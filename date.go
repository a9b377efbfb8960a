package terminal49

import (
	"cmp"
	"fmt"
	"time"
)

// Date is a calendar day with no time of day and no zone, such as a last free day. The zero Date is no day.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// DateOf returns the calendar day that t's own zone is in.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{y, m, d}
}

// IsZero reports whether d is no day.
func (d Date) IsZero() bool { return d == Date{} }

// Sub returns the number of calendar days from other to d: negative when d is earlier. Daylight saving does not count.
func (d Date) Sub(other Date) int {
	const day = 24 * 60 * 60 // seconds; a time.Duration would end after 292 years
	return int((d.midnight().Unix() - other.midnight().Unix()) / day)
}

// Compare returns -1 if d is before other, 0 if they are the same day, and 1 if d is after. No day is before every day.
func (d Date) Compare(other Date) int {
	return cmp.Or(cmp.Compare(d.Year, other.Year), cmp.Compare(d.Month, other.Month), cmp.Compare(d.Day, other.Day))
}

// String returns the day as 2006-01-02, or "-" for no day.
func (d Date) String() string {
	if d.IsZero() {
		return "-"
	}
	return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day)
}

// midnight is in UTC, where every day has 24 hours.
func (d Date) midnight() time.Time { return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC) }
