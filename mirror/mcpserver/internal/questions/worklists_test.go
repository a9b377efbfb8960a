package questions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// The right answers of questions 33 to 56: which containers.

type wanted func(w *world, r rules) []string

// term is the terminal, port, customer, line, vessel and destination that questions name.
const (
	term     = "LBCT"
	portName = "USLAX"
	customer = "Bluestem Furniture"
	line     = "MAEU"
	dest     = "USCHI"
	tag      = "priority"
)

func (b *box) of(name string) bool { return b.s.CustomerName == name }

func within(day, from, to string) bool { return day != unknown && from <= day && day <= to }

var worklists = map[int]wanted{
	33: func(w *world, r rules) []string {
		return w.list(waitsWith(r, func(b *box, lfd string) bool { return lfd == later(b.today(), 1) }), by((*box).terminal), func(b *box) string {
			return row(b.c.Number, b.terminal(), b.verdictText(r))
		})
	},
	34: func(w *world, r rules) []string {
		return w.list(waitsWith(r, func(b *box, lfd string) bool { return within(lfd, monday(b.today()), later(monday(b.today()), 6)) }),
			by(func(b *box) string { return b.lfd(r) }), func(b *box) string { return row(b.c.Number, b.lfd(r)) })
	},
	35: func(w *world, r rules) []string {
		return w.list(func(b *box) bool { return b.waits(r) && b.pastDays(r) > 0 }, most(func(b *box) int { return b.pastDays(r) }),
			func(b *box) string { return row(b.c.Number, b.lfd(r), b.pastDays(r)) })
	},
	36: func(w *world, r rules) []string {
		return w.list(waitsWith(r, func(b *box, lfd string) bool { return b.terminal() == term && lfd < friday(b.today()) }),
			by(func(b *box) string { return b.lfd(r) }), func(b *box) string { return row(b.c.Number, b.lfd(r)) })
	},
	38: func(w *world, r rules) []string {
		return w.list(func(b *box) bool { return b.port() == portName && !b.left() && b.hasHold(r, "") }, byNumber, func(b *box) string { return row(b.c.Number, b.holds()) })
	},
	39: func(w *world, r rules) []string {
		return w.list(func(b *box) bool { return b.terminal() == term && b.verdictText(r) == "yes" }, by(func(b *box) string { return b.lfd(r) }), numberOf)
	},
	41: func(w *world, r rules) []string {
		rows := w.list(func(b *box) bool { return !b.left() && b.owed()["USD"] > 0 }, most(func(b *box) int64 { return b.owed()["USD"] }),
			func(b *box) string { return row(b.c.Number, b.owed()) })
		return rows[:min(25, len(rows))]
	},
	43: func(w *world, _ rules) []string {
		return w.list(func(b *box) bool {
			today := dayOf(now, b.podZone())
			return b.isDue() && b.port() == portName && within(b.etaDay(), today, later(today, 6))
		}, by((*box).eta), func(b *box) string { return row(b.c.Number, b.s.PODVesselName, b.s.PODVoyageNumber, b.eta()) })
	},
	44: func(w *world, _ rules) []string {
		return w.list(func(b *box) bool {
			next := later(monday(dayOf(now, b.podZone())), 7)
			return b.isDue() && b.of(customer) && within(b.etaDay(), next, later(next, 6))
		}, by((*box).eta), func(b *box) string { return row(b.c.Number, b.eta()) })
	},
	45: func(w *world, _ rules) []string {
		return w.list(func(b *box) bool { return b.s.ShippingLineSCAC == line && b.daysOut() > 5 }, most((*box).daysOut),
			func(b *box) string { return row(b.c.Number, dayOf(b.fullOut(), b.zone()), b.daysOut()) })
	},
	47: func(w *world, r rules) []string {
		return w.list(waitsWith(r, func(b *box, lfd string) bool {
			return within(lfd, b.today(), later(b.today(), 3)) && b.verdictText(r) != "yes"
		}),
			by(func(b *box) string { return b.lfd(r) }), func(b *box) string { return row(b.c.Number, b.lfd(r), b.verdictText(r)) })
	},
	48: func(w *world, r rules) []string {
		vessel := w.vessel()
		return w.list(func(b *box) bool { return b.s.PODVesselName == vessel && !b.left() && b.problems(r) != "" }, byNumber,
			func(b *box) string { return row(b.c.Number, b.s.PODVoyageNumber, b.problems(r)) })
	},
	49: func(w *world, r rules) []string {
		return w.list(waitsWith(r, func(b *box, lfd string) bool {
			return !b.raw.PickupAppointmentAt.IsZero() && dayOf(b.raw.PickupAppointmentAt, b.zone()) > lfd
		}),
			by(func(b *box) string { return b.lfd(r) }), func(b *box) string {
				return row(b.c.Number, b.lfd(r), b.raw.PickupAppointmentAt.In(b.podZone()).Format(time.DateTime))
			})
	},
	50: func(w *world, r rules) []string {
		return w.list(waitsWith(r, func(b *box, lfd string) bool {
			return (b.port() == "USLAX" || b.port() == "USLGB") && within(lfd, b.today(), later(b.today(), 1)) && b.verdictText(r) == "yes" && b.raw.PickupAppointmentAt.IsZero()
		}), by(func(b *box) string { return b.lfd(r) + b.terminal() }), func(b *box) string { return row(b.c.Number, b.lfd(r), b.terminal()) })
	},
	51: func(w *world, _ rules) []string {
		since := func(b *box) time.Duration {
			at, _ := b.s.PODATA.Instant()
			return now.Sub(laterOf(at, b.raw.PODArrivedAt))
		}
		return w.list(func(b *box) bool { return b.stage() == "arrived, not discharged" && since(b) >= 48*time.Hour }, most(since),
			func(b *box) string { return row(b.c.Number, now.Add(-since(b)).Unix(), hours(since(b))) })
	},
	53: func(w *world, r rules) []string {
		return w.list(func(b *box) bool { return b.stageBy(r) == "at inland ramp" && b.s.DestinationLOCODE == dest },
			by(func(b *box) string { return b.atRamp(r) }), func(b *box) string {
				return row(b.c.Number, b.atRamp(r), days(date(b.atRamp(r)), b.today()), b.lfd(r))
			})
	},
	54: func(w *world, r rules) []string {
		return w.list(func(b *box) bool { return b.isOnGround(r) && slices.Contains(b.s.Tags, tag) }, by((*box).terminal),
			func(b *box) string { return row(b.c.Number, b.terminal(), b.verdictText(r)) })
	},
	55: func(w *world, r rules) []string {
		return w.list(func(b *box) bool { return b.isOnGround(r) && b.daysHere() > 4 && !b.hasHold(r, "") }, most((*box).daysHere),
			func(b *box) string { return row(b.c.Number, b.terminal(), b.daysHere(), b.verdictText(r)) })
	},
	56: func(w *world, _ rules) []string {
		return w.list(func(b *box) bool { return b.of("Juniper Lighting") && b.isDue() && b.etaAt().Before(now) },
			most(func(b *box) time.Duration { return now.Sub(b.etaAt()) }), func(b *box) string { return row(b.c.Number, b.eta(), hours(now.Sub(b.etaAt()))) })
	},
}

// daysOut is how many days the empty container is out; -1 if it is not.
func (b *box) daysOut() int {
	if b.fullOut().IsZero() || !b.raw.EmptyTerminatedAt.IsZero() {
		return -1
	}
	return days(dayOf(b.fullOut(), b.zone()), b.today())
}

// daysHere is how many days the container has been at the terminal of the port.
func (b *box) daysHere() int {
	return days(dayOf(b.raw.PODDischargedAt, b.podZone()), dayOf(now, b.podZone()))
}

// problems are what question 48 asks for.
func (b *box) problems(r rules) string {
	var all []string
	if b.hasHold(r, "") {
		all = append(all, "hold")
	}
	if yes := b.raw.AvailableForPickup; !b.raw.PODDischargedAt.IsZero() && isKnown(&b.raw) && yes != nil && !*yes {
		all = append(all, "not available")
	}
	if b.owing() {
		all = append(all, "fees")
	}
	if b.pastDays(r) > 0 {
		all = append(all, "past")
	}
	return strings.Join(all, "+")
}

// vessel is the one with the most containers that are not picked up.
func (w *world) vessel() string {
	n := map[string]int{}
	for _, b := range w.boxes {
		if !b.left() && b.s.PODVesselName != "" && !b.stopped() {
			n[b.s.PODVesselName] += 1 + 3*min(1, len(b.problems(written)))
		}
	}
	best := ""
	for name := range n {
		if best == "" || cmp.Or(cmp.Compare(n[name], n[best]), cmp.Compare(best, name)) > 0 {
			best = name
		}
	}
	return best
}

// Counts: questions 57 to 72.

var summaries = map[int]wanted{
	57: func(w *world, r rules) []string {
		return w.counts(everything, one(func(b *box) string { return b.stageBy(r) }))
	},
	58: func(w *world, r rules) []string {
		return w.counts(func(b *box) bool { return b.isOnGround(r) }, one((*box).terminal))
	},
	59: func(w *world, r rules) []string {
		return w.counts(func(b *box) bool { return !b.left() }, func(b *box) (kinds []string) {
			for _, h := range b.raw.Holds {
				if b.hasHold(r, h.Name) && !slices.Contains(kinds, h.Name) {
					kinds = append(kinds, h.Name)
				}
			}
			if len(kinds) > 0 {
				kinds = append(kinds, "any")
			}
			return kinds
		})
	},
	60: func(w *world, _ rules) []string {
		return w.sums(func(b *box) bool { return !b.left() && b.owing() }, func(b *box) map[string]money {
			m := map[string]money{}
			for _, f := range feeList(b.raw.Fees) {
				if f.Amount > 0 {
					m[f.Type] = money{}
					m[f.Type].add(owedOf([]fee{f}))
				}
			}
			return m
		})
	},
	61: func(w *world, _ rules) []string {
		return w.sums(func(b *box) bool { return !b.left() && b.owed()["USD"] > 0 }, func(b *box) map[string]money {
			return map[string]money{b.terminal(): {"USD": b.owed()["USD"]}}
		})
	},
	62: func(w *world, r rules) []string {
		return w.sums(func(b *box) bool { return b.owingBy(r) }, func(b *box) map[string]money { return map[string]money{cmp.Or(b.s.CustomerName, "none"): b.owed()} })
	},
	63: func(w *world, r rules) []string {
		return w.counts(everything, func(b *box) []string { return []string{row(b.s.ShippingLineSCAC, b.stageBy(r))} })
	},
	64: func(w *world, r rules) []string {
		return w.counts(func(b *box) bool { return b.waits(r) }, func(b *box) []string {
			switch lfd := b.lfd(r); {
			case lfd == unknown:
				return []string{unknown}
			case lfd < b.today():
				return []string{"past"}
			case lfd > later(b.today(), 9):
				return []string{"later"}
			default:
				return []string{lfd}
			}
		})
	},
	65: func(w *world, _ rules) []string {
		return w.counts((*box).notArrived, func(b *box) []string {
			week := "no ETA"
			if b.isDue() {
				this := monday(dayOf(now, b.podZone()))
				switch week = monday(b.etaDay()); {
				case week < this:
					week = "overdue"
				case week > later(this, 35):
					week = "later"
				}
			}
			return []string{row(b.port(), week)}
		})
	},
	66: func(w *world, r rules) []string {
		return w.counts(func(b *box) bool { return b.isOnGround(r) && b.terminal() == term }, func(b *box) []string {
			if b.verdictText(r) == "not at the ramp yet" {
				return []string{"awaiting rail"}
			}
			return []string{b.verdictText(r)}
		})
	},
	67: func(w *world, r rules) []string {
		n, sum := map[string]int{}, map[string]int{}
		all, _ := w.active(func(b *box) bool { return b.waits(r) && b.pastDays(r) > 0 })
		for _, b := range all {
			name := cmp.Or(b.s.CustomerName, "none")
			n[name]++
			sum[name] += b.pastDays(r)
		}
		var rows []string
		for name := range n {
			rows = append(rows, row(name, n[name], sum[name]))
		}
		slices.Sort(rows)
		return rows
	},
	70: func(w *world, _ rules) []string {
		return w.counts(everything, func(b *box) []string {
			size, kind := unknown, unknown
			if b.raw.EquipmentLength != 0 {
				size = fmt.Sprint(b.raw.EquipmentLength)
			}
			if b.raw.EquipmentType != "" {
				kind = map[bool]string{true: "reefer", false: "other"}[b.raw.EquipmentType == "reefer"]
			}
			return []string{row(size, kind)}
		})
	},
	71: func(w *world, r rules) []string {
		return w.counts(func(b *box) bool { return b.of(customer) }, one(func(b *box) string { return b.stageBy(r) }))
	},
	72: func(w *world, _ rules) []string {
		return w.counts(func(b *box) bool { return !b.left() && b.hasHold(written, "customs") }, func(b *box) (keys []string) {
			for _, h := range b.raw.Holds {
				if h.Name == "customs" {
					keys = append(keys, row(b.port(), cmp.Or(h.Status, "hold")))
				}
			}
			return keys
		})
	},
}

// sums adds up money by a key, with the number of containers.
func (w *world) sums(fits func(*box) bool, of func(*box) map[string]money) (rows []string) {
	n, all := map[string]int{}, map[string]money{}
	boxes, _ := w.active(fits)
	for _, b := range boxes {
		for key, m := range of(b) {
			if all[key] == nil {
				all[key] = money{}
			}
			all[key].add(m)
			n[key]++
		}
	}
	for key := range all {
		rows = append(rows, row(key, n[key], all[key]))
	}
	slices.Sort(rows)
	return rows
}
