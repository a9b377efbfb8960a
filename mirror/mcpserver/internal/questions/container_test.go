package questions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Questions that the tool container answers: about one container.

// single asks the tool container.
func single(pick func(w *world) *box, read func(a, r answer) []string, want func(w *world, b *box, r rules) []string) probe {
	return func(p *prober) ([]string, wanted) {
		b := pick(p.world)
		a := p.ask("container", args{"number": b.c.Number})
		return read(a, answer{value: a.get("container")}), func(w *world, r rules) []string { return want(w, b, r) }
	}
}

// theCase picks the container of a case.
func theCase(name string) func(w *world) *box { return func(w *world) *box { return w.of(name) } }

// goOf is what an answer says about the pickup, as [box.canGo] does.
func goOf(_, r answer) []string {
	return []string{
		"verdict " + verdictOf(r), "holds " + holdsOf(r.str("holds")), "lfd " + date(r.str("last_free_day")), "owed " + amounts(r.str("owed")),
		"appointment " + cmp.Or(none(r.str("appointment")), "none"), "checked " + utc(r.str("checked")),
	}
}

func utc(text string) string {
	if t := when(text); !t.IsZero() {
		return t.UTC().Format(time.RFC3339)
	}
	return ""
}

func canGo(_ *world, b *box, r rules) []string { return b.canGo(r) }

func eventOf(m answer) string {
	return row(m.str("event"), m.str("at"), codeOf(m.str("place")), m.str("vessel"), m.str("voyage"))
}

// happened are the milestones of an answer that are no estimates.
func happened(a answer) (all []answer) {
	for _, m := range a.list("journey") {
		if m.str("estimated") == "" && m.str("at") != unknown {
			all = append(all, m)
		}
	}
	return all
}

func feesOf(a answer) (rows []string) {
	lines := slices.ContainsFunc(a.list("fees"), func(f answer) bool { return f.str("type") != "total" })
	for _, f := range a.list("fees") {
		if f.str("type") != "total" || !lines {
			rows = append(rows, row(f.str("type"), f.str("amount")))
		}
	}
	slices.Sort(rows)
	return append(rows, "owed "+amounts(answer{value: a.get("container")}.str("owed")))
}

func init() {
	probes[1] = single((*world).atSea, func(a, r answer) []string {
		all := happened(a)
		return []string{stageOf(r), eventOf(all[len(all)-1])}
	}, func(_ *world, b *box, _ rules) []string { return []string{b.stage(), b.latest()} })
	probes[2] = single(theCase("two holds"), goOf, canGo)
	probes[3] = single((*world).ready, func(a, r answer) []string { return append(goOf(a, r), r.str("terminal")) },
		func(_ *world, b *box, r rules) []string { return append(b.canGo(r), b.terminal()) })
	probes[4] = single((*world).twoDays, func(a, _ answer) []string {
		return a.rows("last_free_days", func(d answer) string { return d.str("source") + " " + d.str("day") })
	}, func(_ *world, b *box, _ rules) []string { return b.freeDays() })
	probes[5] = single(theCase("fees with a total"), func(a, _ answer) []string { return feesOf(a) }, func(_ *world, b *box, _ rules) []string { return b.feeRows() })
	probes[6] = single(theCase("two holds"), func(a, _ answer) []string { return holdList(a) }, func(w *world, b *box, _ rules) []string { return w.holdRows(b) })
	probes[11] = single((*world).appointed, func(_, r answer) []string {
		return []string{r.str("appointment"), fmt.Sprint(date(r.str("appointment")) > date(r.str("last_free_day"))), utc(r.str("checked"))}
	}, func(_ *world, b *box, r rules) []string {
		at := b.raw.PickupAppointmentAt
		return []string{local(at, b.podZone()), fmt.Sprint(dayOf(at, b.podZone()) > b.lfd(r)), local(b.raw.TerminalCheckedAt, time.UTC)}
	})
	probes[12] = single(theCase("empty 3"), func(_, r answer) []string {
		return []string{r.str("picked_up"), none(r.str("returned_empty")), r.str("days_out")}
	}, func(_ *world, b *box, _ rules) []string {
		return []string{local(b.fullOut(), b.podZone()), "", fmt.Sprint(b.daysOut())}
	})
	probes[13] = single(theCase("heavy"), func(_, r answer) []string {
		return []string{strings.Split(r.str("size"), " ")[0], r.str("type"), strings.ReplaceAll(r.str("weight_lb"), ",", "")}
	}, func(_ *world, b *box, _ rules) []string {
		return []string{fmt.Sprint(b.raw.EquipmentLength), b.raw.EquipmentType, fmt.Sprint(b.raw.WeightPounds)}
	})
	probes[94] = single((*world).appointed, func(_, r answer) []string { return []string{strings.ReplaceAll(r.str("weight_lb"), ",", "")} },
		func(_ *world, b *box, _ rules) []string { return []string{fmt.Sprint(b.raw.WeightPounds)} })
	probes[14] = single(theCase("heavy"), func(_, r answer) []string { return []string{r.str("seal")} },
		func(_ *world, b *box, _ rules) []string { return []string{b.raw.SealNumber} })
	probes[15] = single((*world).onRail, func(a, r answer) []string {
		return []string{r.str("railroad"), r.str("on_rail"), r.str("rail_eta"), codeOf(r.str("destination")), verdictOf(r)}
	}, func(_ *world, b *box, r rules) []string {
		return []string{b.raw.PODRailCarrierSCAC, local(b.raw.PODRailDepartedAt, b.podZone()), local(b.raw.INDETA, b.zone()), b.s.DestinationLOCODE, b.verdictText(r)}
	})
	probes[16] = single(theCase("fees grow"), func(a, r answer) []string {
		days := r.str("days_left")
		return []string{feesOf(a)[0], date(r.str("last_free_day")), days}
	}, func(_ *world, b *box, r rules) []string {
		return []string{b.feeRows()[0], b.lfd(r), fmt.Sprint(days(b.today(), b.lfd(r)))}
	})
	probes[17] = single(theCase("two holds"), func(_, r answer) []string {
		return []string{r.str("discharged"), fmt.Sprint(days(date(r.str("discharged")), "2000-01-26")), stageOf(r)} // today there
	}, func(_ *world, b *box, _ rules) []string {
		return []string{local(b.raw.PODDischargedAt, b.podZone()), fmt.Sprint(b.daysHere()), b.stage()}
	})
	probes[18] = single(theCase("transshipped"), func(a, r answer) (rows []string) {
		for _, m := range happened(a) {
			if strings.HasPrefix(m.str("event"), "transshipment_") {
				rows = append(rows, eventOf(m))
			}
		}
		return append(rows, row(r.str("vessel"), r.str("voyage")))
	}, func(_ *world, b *box, _ rules) (rows []string) {
		for _, e := range b.moves() {
			if strings.Contains(string(e.Event), ".transshipment_") {
				rows = append(rows, eventRow(e))
			}
		}
		return append(rows, row(b.s.PODVesselName, b.s.PODVoyageNumber))
	})
	probes[19] = single((*world).atSea, func(_, r answer) []string { return []string{codeOf(r.str("port")), r.str("terminal"), r.str("line")} },
		func(_ *world, b *box, _ rules) []string {
			return []string{b.port(), b.terminal(), b.s.ShippingLineSCAC}
		})
	probes[20] = single(theCase("unknown"), goOf, canGo)
	probes[91] = single(theCase("fees grow"), func(a, r answer) []string {
		lfd := date(r.str("last_free_day"))
		return append(feesOf(a), lfd, fmt.Sprint(days(lfd, friday("2000-01-26"))))
	}, func(_ *world, b *box, r rules) []string {
		return append(b.feeRows(), b.lfd(r), fmt.Sprint(days(b.lfd(r), friday(b.today()))))
	})
	probes[95] = single(theCase("stopped"), func(_, r answer) []string { return []string{r.str("tracking"), stageOf(r), utc(r.str("checked"))} },
		func(_ *world, b *box, _ rules) []string {
			at, _ := b.s.LineTrackingStoppedAt.Instant()
			return []string{"stopped " + at.UTC().Format(time.DateOnly) + " cancelled by user", b.stage(), local(b.raw.TerminalCheckedAt, time.UTC)}
		})
	probes[97] = single(theCase("new journey"), func(a, _ answer) []string {
		return a.rows("journeys", func(j answer) string {
			return row(j.str("bill_of_lading"), codeOf(j.str("port")), j.str("situation"))
		})
	}, func(*world, *box, rules) []string {
		return []string{row("MAEU700000941", "USLAX", "at_sea"), row("MAEU700000940", "USLAX", "returned")}
	})
	probes[99] = single(theCase("old"), func(_, r answer) []string {
		return []string{r.str("available"), utc(r.str("checked")), holdsOf(r.str("holds")), date(r.str("last_free_day")), r.str("situation")}
	}, func(_ *world, b *box, r rules) []string {
		return []string{"yes", local(b.raw.TerminalCheckedAt, time.UTC), b.holds(), b.lfd(r), "stale"}
	})
}

func holdList(a answer) []string {
	rows := a.rows("holds", func(h answer) string {
		return row(h.str("name"), h.str("status"), h.str("description"), minute(when(h.str("since"))))
	})
	slices.Sort(rows)
	return rows
}
