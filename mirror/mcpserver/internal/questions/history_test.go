package questions

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Questions about the past of one container, which the tool history answers.

// period is a period of an answer.
type period struct {
	kind, what, value string
	from, until       time.Time
}

// history asks for the past of a container.
func (p *prober) history(b *box, kinds ...string) (all []period) {
	a := p.ask("history", args{"number": b.c.Number, "kinds": kinds})
	for _, r := range a.list("periods") {
		all = append(all, period{r.str("kind"), r.str("what"), r.str("value"), when(r.str("from")), when(r.str("until"))})
	}
	return all
}

// spelled writes periods as the right answers do.
func spelled(all []spell) (rows []string) {
	for _, s := range all {
		rows = append(rows, row(minute(s.from), until(s.until), s.value))
	}
	return rows
}

func until(at time.Time) string {
	if at.IsZero() {
		return "still on"
	}
	return minute(at)
}

// of writes the periods of one thing, joined where only the status of a hold changed.
func of(all []period, what string, value func(string) string) (rows []string) {
	var spells []spell
	for _, p := range all {
		if p.what == what {
			spells = append(spells, spell{p.from, p.until, value(p.value)})
		}
	}
	slices.SortStableFunc(spells, func(a, b spell) int { return a.from.Compare(b.from) })
	for i := 1; i < len(spells); i++ {
		if spells[i].value == spells[i-1].value && spells[i].from.Equal(spells[i-1].until) {
			spells[i-1].until = spells[i].until
			spells = slices.Delete(spells, i, i+1)
			i--
		}
	}
	return spelled(spells)
}

func same(text string) string { return text }

func constant(text string) func(string) string { return func(string) string { return text } }

// pick is a probe of the history of a container.
func pastOf(pick func(*world) *box, kinds []string, read func([]period) []string, want func(w *world, b *box) []string) probe {
	return func(p *prober) ([]string, wanted) {
		b := pick(p.world)
		return read(p.history(b, kinds...)), func(w *world, _ rules) []string { return want(w, b) }
	}
}

func init() {
	probes[75] = pastOf(theCase("customs twice"), []string{"hold"}, func(all []period) []string { return of(all, "customs", constant("customs")) },
		func(w *world, b *box) []string { return spelled(w.customsSpells(b)) })
	probes[7] = pastOf(theCase("customs cleared"), []string{"hold"}, func(all []period) []string {
		return append(of(all, "customs", constant("customs")), of(all, "freight", constant("freight"))...)
	}, func(w *world, b *box) []string {
		freight := w.spells(b, func(s seenBox) string { return boolText(openHold(s, "freight") != "", "freight") })
		return append(spelled(w.customsSpells(b)), spelled(freight)...)
	})
	probes[76] = pastOf(theCase("eta moved"), []string{"eta"}, func(all []period) []string { return of(all, "port of discharge", same) },
		func(w *world, b *box) []string {
			return spelled(w.spells(b, func(s seenBox) string { return local(s.shipment.PODETA, b.podZone()) }))
		})
	probes[77] = pastOf(theCase("lfd moved"), []string{"last_free_day"}, func(all []period) []string {
		return append(of(all, "terminal", same), of(all, "service", same)...)
	}, func(w *world, b *box) []string {
		terminal := w.spells(b, func(s seenBox) string { return dayOrNone(s.ImportDeadlines.Terminal, b) })
		return append(spelled(terminal), spelled(w.spells(b, func(s seenBox) string { return dayOrNone(s.ImportDeadlines.PickupLFD(), b) }))...)
	})
	probes[82] = pastOf(theCase("fees grow"), []string{"fee"}, func(all []period) []string { return of(all, "demurrage", same) },
		func(w *world, b *box) []string {
			return spelled(w.spells(b, func(s seenBox) string { return owedOf(s.Fees).String() }))
		})
	probes[78] = func(p *prober) ([]string, wanted) {
		b, on := p.opened()
		start, _ := time.ParseInLocation(time.DateOnly, on, b.podZone())
		during := func(from, until time.Time) bool {
			return from.Before(start.AddDate(0, 0, 1)) && (until.IsZero() || until.After(start))
		}
		var got []string
		for _, s := range p.history(b, "availability") {
			if during(s.from, s.until) {
				got = append(got, row(minute(s.from), strings.ReplaceAll(strings.ReplaceAll(s.value, "not available", "no"), "available", "yes")))
			}
		}
		return got, func(w *world, _ rules) (rows []string) {
			for _, s := range w.spells(b, availability) {
				if during(s.from, s.until) && s.value != unknown {
					rows = append(rows, row(minute(s.from), s.value))
				}
			}
			return rows
		}
	}
	probes[84] = func(p *prober) ([]string, wanted) {
		b, on := p.of("eta moved"), "2000-01-20"
		a := p.ask("history", args{"number": b.c.Number, "at": on, "kinds": []string{"eta"}})
		_, by := p.find([]string{b.c.Number}, []string{"port_eta"})
		return []string{a.list("periods")[0].str("value"), by[b.c.Number].str("port_eta")}, func(w *world, _ rules) []string {
			end, _ := time.ParseInLocation(time.DateOnly, later(on, 1), b.podZone())
			then, _ := w.etaSeen(b, end)
			return []string{local(then, b.podZone()), b.eta()}
		}
	}
	probes[88] = func(p *prober) ([]string, wanted) {
		b, _ := p.opened()
		_, by := p.find([]string{b.c.Number}, []string{"checked", "available", "holds", "owed"})
		r := by[b.c.Number]
		got := []string{utc(r.str("checked")), r.str("available"), holdsOf(r.str("holds")), amounts(r.str("owed"))}
		for _, s := range p.history(b, "availability") {
			got = append(got, row(minute(s.from), strings.ReplaceAll(strings.ReplaceAll(s.value, "not available", "no"), "available", "yes")))
		}
		return got, func(w *world, _ rules) []string {
			rows := []string{local(b.raw.TerminalCheckedAt, time.UTC), "yes", b.holds(), b.owed().String()}
			for _, s := range w.spells(b, availability) {
				if s.value != unknown {
					rows = append(rows, row(minute(s.from), s.value))
				}
			}
			return rows
		}
	}
	probes[79] = func(p *prober) ([]string, wanted) {
		b := p.eventful()
		a := p.ask("container", args{"number": b.c.Number})
		var got []string
		for _, m := range happened(a) {
			got = append(got, row(m.str("event"), m.str("at"), codeOf(m.str("place"))))
		}
		for _, s := range p.history(b) {
			if s.kind == "hold" || s.kind == "availability" {
				got = append(got, row(minute(s.from), cmp.Or(strings.ReplaceAll(map[bool]string{true: s.what, false: s.value}[s.kind == "hold"], "terminal", ""))))
			}
		}
		slices.Sort(got)
		return got, func(w *world, _ rules) (rows []string) {
			for _, e := range b.moves() {
				at, _ := e.Timestamp.Instant()
				rows = append(rows, row(strings.TrimPrefix(string(e.Event), "container.transport."), local(at, zone(cmp.Or(e.Timezone, "UTC"))), e.LocationLOCODE))
			}
			for _, name := range holdNames {
				for _, s := range w.spells(b, func(s seenBox) string { return openHold(s, name) }) {
					rows = append(rows, row(minute(s.from), name))
				}
			}
			for _, s := range w.spells(b, availability) {
				if s.value != unknown {
					rows = append(rows, row(minute(s.from), map[string]string{"yes": "available", "no": "not available"}[s.value]))
				}
			}
			slices.Sort(rows)
			return rows
		}
	}
}

func dayOrNone(at time.Time, b *box) string {
	if at.IsZero() {
		return ""
	}
	return dayOf(at, b.podZone())
}

// eventful is a container that a hold was on, and that is back.
func (w *world) eventful() *box {
	return w.any(func(b *box) bool {
		return !b.raw.EmptyTerminatedAt.IsZero() && w.single(b) && len(w.past(b, func(s seenBox) string { return holdText(s.Holds) })) > 1
	})
}

// opened is a container that became available in the history, and the day.
func (w *world) opened() (b *box, on string) {
	b = w.any(func(b *box) bool {
		past := w.past(b, availability)
		return !b.inland() && w.single(b) && len(past) > 1 && past[len(past)-1].value == "yes" && past[len(past)-1].at.After(now.Add(-9*day))
	})
	past := w.past(b, availability)
	return b, dayOf(past[len(past)-1].at, b.podZone())
}

func availability(s seenBox) string {
	switch yes := s.AvailableForPickup; {
	case yes == nil || !isKnown(&s.Container):
		return unknown
	case *yes:
		return "yes"
	}
	return "no"
}
