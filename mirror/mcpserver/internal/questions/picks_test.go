package questions

import (
	"slices"
	"strings"

	"github.com/go-freight/terminal49/terminal49test"
)

// The containers, bills and bookings that the questions name.

func (w *world) atSea() *box {
	return w.any(func(b *box) bool {
		return b.stage() == "on the water" && !b.stopped() && len(b.moves()) >= 3 && len(b.events())-len(b.moves()) >= 2
	})
}

func (w *world) ready() *box {
	return w.any(func(b *box) bool {
		return b.verdictText(written) == "yes" && b.verdictText(ruled) == "yes" && !b.inland()
	})
}

func (w *world) twoDays() *box {
	return w.any(func(b *box) bool {
		t, l := dateOf(b.c.ImportDeadlines.Terminal), dateOf(b.c.ImportDeadlines.Line)
		return b.waiting() && t != unknown && l != unknown && t != l
	})
}

func (w *world) appointed() *box {
	return w.any(func(b *box) bool { return b.waiting() && !b.raw.PickupAppointmentAt.IsZero() })
}

func (w *world) onRail() *box {
	return w.any(func(b *box) bool { return !b.raw.PODRailDepartedAt.IsZero() && b.raw.INDATA.IsZero() && !b.left() })
}

// bill is a bill of lading with containers in several places, or with customs holds.
func (w *world) bill(fits func(all []*box) bool) string {
	of := map[string][]*box{}
	for _, b := range w.boxes {
		of[b.s.BillOfLadingNumber] = append(of[b.s.BillOfLadingNumber], b)
	}
	for _, b := range w.boxes {
		if fits(of[b.s.BillOfLadingNumber]) {
			return b.s.BillOfLadingNumber
		}
	}
	panic("the world has no such bill of lading")
}

func (w *world) billed(number string) (all []*box) {
	for _, b := range w.boxes {
		if b.s.BillOfLadingNumber == number {
			all = append(all, b)
		}
	}
	return all
}

// mixed is a bill of lading with several containers, at best in several stages.
func (w *world) mixed() string {
	return w.bill(func(all []*box) bool {
		return len(all) >= 3 && slices.ContainsFunc(all, func(b *box) bool { return b.stage() != all[0].stage() })
	})
}

// foreign are numbers with a right check digit that the account does not have.
func foreign(i int) string { return terminal49test.ContainerNumber("XQZU", 770_000+i*13) }

// wrongDigit changes the check digit of a number.
func wrongDigit(number string) string {
	return number[:10] + string('0'+(number[10]-'0'+3)%10)
}

func texts(all []*box) (numbers []string) {
	for _, b := range all {
		numbers = append(numbers, b.c.Number)
	}
	return numbers
}

// single keeps boxes whose number the account has once.
func (w *world) single(b *box) bool { return w.journeys[b.c.Number] == 1 }

// mix are boxes in different stages, with numbers of their own.
func (w *world) mix(n int) (all []*box) {
	for _, stage := range stages {
		all = append(all, w.some(2, func(b *box) bool { return b.stage() == stage && w.single(b) })...)
	}
	return all[:min(n, len(all))]
}

// typed writes a number as people type it.
func typed(number string, i int) string {
	n := strings.ToLower(number)
	return []string{n[:4] + " " + n[4:10] + "-" + n[10:], n[:4] + "  " + n[4:], n + ",", n[:4] + "-" + n[4:]}[i%4]
}
