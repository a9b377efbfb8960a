package questions

// wants are the right answers that are lists of the whole account, by question.
import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// list writes the rows of the boxes that fit, in an order.
func (w *world) list(fits func(*box) bool, order func(a, b *box) int, write func(*box) string) (rows []string) {
	all, _ := w.active(fits)
	slices.SortStableFunc(all, func(a, b *box) int { return cmp.Or(order(a, b), byNumber(a, b)) })
	for _, b := range all {
		rows = append(rows, write(b))
	}
	return rows
}

func numberOf(b *box) string { return b.c.Number }

// by orders by a text; "unknown" is last.
func by(text func(*box) string) func(a, b *box) int {
	return func(a, b *box) int {
		x, y := text(a), text(b)
		if (x == unknown) != (y == unknown) {
			return cmp.Compare(boolInt(x == unknown), boolInt(y == unknown))
		}
		return cmp.Compare(x, y)
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// most orders by a number, the greatest first.
func most[N cmp.Ordered](n func(*box) N) func(a, b *box) int {
	return func(a, b *box) int { return cmp.Compare(n(b), n(a)) }
}

// counts counts the boxes that fit by a key, in the order of the keys.
func (w *world) counts(fits func(*box) bool, keys func(*box) []string) (rows []string) {
	n := map[string]int{}
	all, _ := w.active(fits)
	for _, b := range all {
		for _, key := range keys(b) {
			n[key]++
		}
	}
	for key, count := range n {
		rows = append(rows, row(key, count))
	}
	slices.Sort(rows)
	return rows
}

func everything(*box) bool { return true }

func one(text func(*box) string) func(*box) []string {
	return func(b *box) []string { return []string{text(b)} }
}

// sinceMonday is the first day of the week of a day.
func monday(of string) string {
	t, _ := time.Parse(time.DateOnly, of)
	return t.AddDate(0, 0, -(int(t.Weekday())+6)%7).Format(time.DateOnly)
}

// friday is the first Friday on or after a day.
func friday(of string) string {
	t, _ := time.Parse(time.DateOnly, of)
	return t.AddDate(0, 0, (int(time.Friday)-int(t.Weekday())+7)%7).Format(time.DateOnly)
}

// pastDays is how many days the last free day has passed; 0 if not.
func (b *box) pastDays(r rules) int {
	if lfd := b.lfd(r); lfd != unknown {
		return max(0, days(lfd, b.today()))
	}
	return 0
}

// etaAt is the estimated arrival.
func (b *box) etaAt() time.Time {
	at, _ := b.s.PODETA.Instant()
	return at
}

func (b *box) etaDay() string { return dayOf(b.etaAt(), b.podZone()) }

func (b *box) isDue() bool { return b.notArrived() && !b.etaAt().IsZero() }

// hours writes a number of hours, without minutes.
func hours(d time.Duration) string { return fmt.Sprint(int(d.Hours())) }

// waitsWith returns the boxes waiting for pickup whose last free day fits.
func waitsWith(r rules, fits func(b *box, lfd string) bool) func(*box) bool {
	return func(b *box) bool { return b.waits(r) && b.lfd(r) != unknown && fits(b, b.lfd(r)) }
}
