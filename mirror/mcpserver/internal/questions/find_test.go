package questions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Questions that the tool find answers: about numbers, bills of lading, bookings and references.

// stageOf names what a row says with the words of the definitions.
func stageOf(r answer) string {
	switch {
	case is(r, "returned_empty"):
		return "empty returned"
	case is(r, "picked_up"):
		return "picked up"
	case is(r, "at_ramp"):
		return "at inland ramp"
	case is(r, "on_rail"):
		return "on rail"
	case is(r, "discharged"):
		return "at POD terminal"
	case is(r, "arrived"):
		return "arrived, not discharged"
	case r.str("situation") == "at_sea":
		return "on the water"
	case r.str("situation") == "before_voyage":
		return "not departed yet"
	}
	return unknown
}

func is(r answer, member string) bool { return r.str(member) != "" && r.str(member) != unknown }

// stageFields are the fields that stageOf needs.
var stageFields = []string{"situation", "returned_empty", "picked_up", "at_ramp", "on_rail", "discharged", "arrived"}

// verdictOf is what a row says about the pickup: its situation, by the rules.
func verdictOf(r answer) string { return byRule(r.str("situation")) }

func fields(more ...string) []string { return append(slices.Clone(stageFields), more...) }

// none replaces "none" and "unknown" by what the right answers have.
func none(text string) string {
	if text == "none" || text == unknown {
		return ""
	}
	return text
}

// amounts writes what is owed as the right answers do, without amounts that are not posted yet.
func amounts(text string) string {
	var all []string
	for amount := range strings.SplitSeq(none(text), " + ") {
		if amount != "" && !strings.HasPrefix(amount, unknown) {
			all = append(all, strings.ReplaceAll(amount, ",", ""))
		}
	}
	return strings.Join(all, " + ")
}

// date is the day of a local time.
func date(text string) string { return cmp.Or(text, unknown)[:min(10, len(cmp.Or(text, unknown)))] }

// find asks for numbers and returns the containers by number.
func (p *prober) find(numbers []string, fields []string) (all answer, by map[string]answer) {
	with := args{"numbers": numbers}
	if len(fields) > 0 {
		with["fields"] = fields
	}
	all, by = p.ask("find", with), map[string]answer{}
	for _, r := range all.list("containers") {
		by[r.str("number")] = r
		by[cmp.Or(r.str("input"), r.str("number"))] = r
	}
	return all, by
}

// each writes a row for each number: what the right answer has, or "not found".
func each(numbers []string, found func(number string) *box, write func(*box) string) (rows []string) {
	for _, number := range numbers {
		if b := found(number); b != nil {
			rows = append(rows, row(number, write(b)))
		} else {
			rows = append(rows, row(number, "not found"))
		}
	}
	return rows
}

func (w *world) byNumber(number string) *box {
	for _, b := range w.boxes {
		if b.c.Number == number {
			return b
		}
	}
	return nil
}

// asked writes a row for each number that was asked for.
func asked(numbers []string, by map[string]answer, write func(answer) string) (rows []string) {
	for _, number := range numbers {
		if r, ok := by[number]; ok {
			rows = append(rows, row(number, write(r)))
		} else {
			rows = append(rows, row(number, "not found"))
		}
	}
	return rows
}

// batch asks for boxes and numbers that are not ours.
func batch(p *prober, boxes []*box, others int, more []string, read func(answer) string, want func(*box, rules) string) ([]string, wanted) {
	numbers := texts(boxes)
	for i := range others {
		numbers = append(numbers, foreign(i))
	}
	_, by := p.find(numbers, fields(more...))
	return asked(numbers, by, read), func(w *world, r rules) []string {
		return each(numbers, w.byNumber, func(b *box) string { return want(b, r) })
	}
}

func init() {
	probes[21] = func(p *prober) ([]string, wanted) {
		return batch(p, p.mix(12), 0, []string{"last_free_day"}, func(r answer) string { return row(verdictOf(r), date(r.str("last_free_day"))) },
			func(b *box, r rules) string { return row(b.verdictText(r), b.lfd(r)) })
	}
	probes[22] = func(p *prober) ([]string, wanted) {
		return batch(p, p.mix(13), 2, []string{"holds", "available"}, verdictOf, func(b *box, r rules) string { return b.verdictText(r) })
	}
	probes[23] = func(p *prober) ([]string, wanted) {
		boxes, numbers := p.mix(8), []string{}
		for i, b := range boxes {
			numbers = append(numbers, typed(b.c.Number, i))
		}
		all, _ := p.find(numbers, []string{"last_free_day", "lfd_source"})
		return all.rows("containers", func(r answer) string {
				return row(r.str("number"), date(r.str("last_free_day")), cmp.Or(r.str("lfd_source"), unknown))
			}), func(_ *world, r rules) (rows []string) {
				for _, b := range boxes {
					rows = append(rows, row(b.c.Number, b.lfd(r), b.lfdSource(r)))
				}
				return rows
			}
	}
	probes[24] = func(p *prober) ([]string, wanted) {
		var numbers, want []string
		for i, b := range p.mix(10) {
			number := b.c.Number
			if i%3 == 1 {
				number = wrongDigit(number)
				want = append(want, row(number, "not found", b.c.Number))
			} else {
				want = append(want, row(number, "found"))
			}
			numbers = append(numbers, number)
		}
		all, by := p.find(numbers, nil)
		got := asked(numbers, by, func(answer) string { return "found" })
		for _, m := range all.list("missing") {
			i := slices.Index(got, row(m.str("input"), "not found"))
			got[i] = row(m.str("input"), "not found", m.str("correct"))
		}
		return got, func(*world, rules) []string { return want }
	}
	probes[25] = func(p *prober) ([]string, wanted) {
		boxes := slices.Concat(p.some(6, func(b *box) bool { return b.owing() && p.single(b) }), []*box{p.of("canadian")}, p.some(6, func(b *box) bool { return !b.owing() && p.single(b) }))
		numbers := append(texts(boxes), boxes[0].c.Number, foreign(1), foreign(2))
		all, by := p.find(numbers, []string{"owed"})
		sum, n, seen := money{}, map[string]int{"not found": len(all.list("missing"))}, map[string]bool{}
		for _, number := range numbers {
			r, ok := by[number]
			if !ok || seen[number] {
				continue
			}
			seen[number] = true
			switch owed := r.str("owed"); {
			case amounts(owed) == "":
				n[owed]++
			default:
				n["owing"]++
				sum.add(parseMoney(amounts(owed)))
			}
		}
		return []string{sum.String(), row(n["owing"], n["none"], n[unknown], n["not found"])}, func(_ *world, _ rules) []string {
			all, owing, none := money{}, map[string]bool{}, map[string]bool{}
			for _, b := range boxes {
				if b.owing() && !owing[b.c.ID] {
					all.add(b.owed())
				}
				if b.owing() {
					owing[b.c.ID] = true
				} else {
					none[b.c.ID] = true
				}
			}
			return []string{all.String(), row(len(owing), len(none), 0, 2)}
		}
	}
	probes[28] = func(p *prober) ([]string, wanted) {
		return batch(p, append(p.mix(10), p.of("arrived 0")), 1, []string{"port_eta"}, func(r answer) string {
			switch stage := stageOf(r); stage {
			case "arrived, not discharged":
				return row("aboard", r.str("arrived"))
			case "on the water", "not departed yet":
				return row("aboard", none(r.str("port_eta")))
			}
			return "off"
		}, func(b *box, r rules) string {
			switch stage := b.stageBy(r); stage {
			case "arrived, not discharged":
				return row("aboard", b.ata())
			case "on the water", "not departed yet":
				return row("aboard", b.eta())
			}
			return "off"
		})
	}
	probes[30] = func(p *prober) ([]string, wanted) {
		boxes := slices.Concat(p.some(6, func(b *box) bool { return b.daysOut() >= 0 && p.single(b) }), p.mix(7))
		return batch(p, boxes, 1, []string{"days_out"}, func(r answer) string {
			if stageOf(r) != "picked up" {
				return stageOf(r)
			}
			return row(date(r.str("picked_up")), r.str("days_out"))
		}, func(b *box, r rules) string {
			if b.daysOut() < 0 {
				return b.stageBy(r)
			}
			return row(dayOf(b.fullOut(), b.zone()), b.daysOut())
		})
	}
	probes[32] = func(p *prober) ([]string, wanted) {
		boxes := slices.Concat(p.some(8, func(b *box) bool { return b.holds() != "" }), p.some(25, func(b *box) bool { return b.holds() == "" && !b.left() && p.single(b) }))
		return batch(p, boxes, 2, []string{"holds"}, func(r answer) string { return holdsOf(r.str("holds")) }, func(b *box, _ rules) string { return b.holds() })
	}
	probes[89] = func(p *prober) ([]string, wanted) {
		all, _ := p.find([]string{foreign(5)}, nil)
		return all.rows("missing", func(m answer) string { return row(m.str("input"), m.str("why"), m.str("correct")) }),
			func(*world, rules) []string { return []string{row(foreign(5), "not tracked in this account", "")} }
	}
	initShipments()
}

// holdsOf writes the holds of a row as the right answers do.
func holdsOf(text string) string {
	var list []string
	for hold := range strings.SplitSeq(none(text), ", ") {
		name, status, pending := strings.Cut(hold, " (")
		if hold != "" {
			list = append(list, name+"/"+map[bool]string{true: strings.TrimSuffix(status, ")"), false: "hold"}[pending])
		}
	}
	slices.Sort(list)
	return strings.Join(list, "+")
}

func parseMoney(text string) money {
	m := money{}
	for amount := range strings.SplitSeq(text, " + ") {
		var code string
		var value float64
		if n, _ := fmt.Sscanf(strings.ReplaceAll(amount, ",", ""), "%s %f", &code, &value); n == 2 {
			m[code] += int64(value*100 + 0.5)
		}
	}
	return m
}

// initShipments adds the questions about bills of lading, bookings and references.
func initShipments() {
	probes[8] = func(p *prober) ([]string, wanted) {
		bill := p.mixed()
		all, _ := p.find([]string{bill}, fields("size", "type", "holds"))
		return all.list("shipments")[0].rows("containers", func(r answer) string {
				return row(r.str("number"), strings.Split(r.str("size"), " ")[0], r.str("type"), stageOf(r), holdsOf(r.str("holds")))
			}), func(w *world, r rules) (rows []string) {
				for _, b := range w.billed(bill) {
					rows = append(rows, row(b.c.Number, b.raw.EquipmentLength, b.raw.EquipmentType, b.stageBy(r), b.holds()))
				}
				return rows
			}
	}
	probes[9] = func(p *prober) ([]string, wanted) { return askBookings(p, bookings[:1]) }
	probes[31] = func(p *prober) ([]string, wanted) { return askBookings(p, bookings) }
	probes[10] = func(p *prober) ([]string, wanted) {
		b := p.any(func(b *box) bool {
			return len(b.s.ReferenceNumbers) == 1 && strings.HasPrefix(b.s.ReferenceNumbers[0], "PO-") && len(p.billed(b.s.BillOfLadingNumber)) <= 3 && b.notArrived()
		})
		all, _ := p.find([]string{strings.ToLower(b.s.ReferenceNumbers[0])}, fields())
		var got []string
		for _, s := range all.list("shipments") {
			got = append(got, row(s.str("bill_of_lading"), s.str("line"), codeOf(s.str("origin")), codeOf(s.str("port")), cmp.Or(s.str("arrived"), s.str("eta"))))
			got = append(got, s.rows("containers", func(r answer) string { return row(r.str("number"), stageOf(r)) })...)
		}
		return got, func(w *world, r rules) []string {
			rows := []string{row(b.s.BillOfLadingNumber, b.s.ShippingLineSCAC, b.s.PortOfLadingLOCODE, b.port(), cmp.Or(b.ata(), b.eta()))}
			for _, b := range w.billed(b.s.BillOfLadingNumber) {
				rows = append(rows, row(b.c.Number, b.stageBy(r)))
			}
			return rows
		}
	}
	probes[26] = func(p *prober) ([]string, wanted) {
		var bills []string
		for _, b := range append(p.some(20, func(b *box) bool { return b.hasHold(written, "customs") }), p.some(20, func(b *box) bool { return b.atTerminal() })...) {
			if len(bills) < 5 && !slices.Contains(bills, b.s.BillOfLadingNumber) {
				bills = append(bills, b.s.BillOfLadingNumber)
			}
		}
		typo := bills[0][:6] + bills[0][7:8] + bills[0][6:7] + bills[0][8:]
		if typo == bills[0] {
			typo = bills[0][:4] + "9" + bills[0][5:]
		}
		all, _ := p.find(append(bills, typo), []string{"holds"})
		count := func(holds []string) string {
			n := [3]int{}
			for _, h := range holds {
				switch {
				case strings.Contains(h, "customs/"):
					n[0]++
				case h != "":
					n[1]++
				default:
					n[2]++
				}
			}
			return row(len(holds), n[0], n[1], n[2])
		}
		got := all.rows("shipments", func(s answer) string {
			return row(s.str("bill_of_lading"), count(s.rows("containers", func(r answer) string { return holdsOf(r.str("holds")) })))
		})
		got = append(got, all.rows("missing", func(m answer) string { return row(m.str("input"), "not found") })...)
		return got, func(w *world, _ rules) (rows []string) {
			for _, bill := range bills {
				var holds []string
				for _, b := range w.billed(bill) {
					holds = append(holds, b.holds())
				}
				rows = append(rows, row(bill, count(holds)))
			}
			return append(rows, row(typo, "not found"))
		}
	}
	probes[27] = func(p *prober) ([]string, wanted) {
		boxes := p.mix(4)
		reference := p.any(func(b *box) bool {
			return len(b.s.ReferenceNumbers) == 1 && strings.HasPrefix(b.s.ReferenceNumbers[0], "PO-")
		})
		bill := p.mixed()
		numbers := append(texts(boxes), bill, bookings[1], bookings[2], reference.s.ReferenceNumbers[0])
		all, by := p.find(numbers, fields())
		got := asked(texts(boxes), by, stageOf)
		for _, s := range all.list("shipments") {
			input := cmp.Or(s.str("input"), s.str("bill_of_lading"))
			got = append(got, s.rows("containers", func(r answer) string { return row(input, r.str("number"), stageOf(r)) })...)
		}
		return got, func(w *world, r rules) []string {
			rows := each(texts(boxes), w.byNumber, func(b *box) string { return b.stageBy(r) })
			for input, number := range map[int]string{0: bill, 1: bookings[1], 2: bookings[2], 3: reference.s.BillOfLadingNumber} {
				for _, b := range w.billed(number) {
					rows = append(rows, row(numbers[4+input], b.c.Number, b.stageBy(r)))
				}
			}
			order := func(text string) int { return slices.Index(numbers, strings.SplitN(text, " | ", 2)[0]) }
			slices.SortStableFunc(rows, func(a, b string) int { return cmp.Or(cmp.Compare(order(a), order(b)), cmp.Compare(a, b)) })
			return rows
		}
	}
	probes[90] = func(p *prober) ([]string, wanted) {
		all, _ := p.find([]string{"SO-5512"}, nil)
		got := all.rows("shipments", func(s answer) string {
			return row(s.str("bill_of_lading"), s.str("customer"), codeOf(s.str("port")), len(s.list("containers")))
		})
		slices.Sort(got)
		return append(got, all.rows("ambiguous", func(a answer) string { return fmt.Sprint("ambiguous ", a.value) })...), func(w *world, _ rules) (rows []string) {
			for i := range 3 {
				b := w.of(fmt.Sprint("shared ", i))
				rows = append(rows, row(b.s.BillOfLadingNumber, b.s.CustomerName, b.port(), 1))
			}
			return append(rows, "ambiguous SO-5512")
		}
	}
}

func (b *box) atTerminal() bool { return b.onGround() }

// codeOf is the UN/LOCODE in "Los Angeles (USLAX)".
func codeOf(place string) string {
	if i := strings.LastIndex(place, "("); i >= 0 {
		return strings.TrimSuffix(place[i+1:], ")")
	}
	return place
}

// askBookings asks for the ETA and the vessel of bookings.
func askBookings(p *prober, numbers []string) ([]string, wanted) {
	all, _ := p.find(numbers, nil)
	got := all.rows("shipments", func(s answer) string {
		at := cmp.Or(s.str("arrived"), s.str("eta"))
		left := ""
		if s.str("arrived") == "" {
			left = fmt.Sprint(days("2000-01-26", date(at))) // today at the port, which the offset of the ETA shows
		}
		return row(s.str("bill_of_lading"), s.str("vessel"), s.str("voyage"), codeOf(s.str("origin")), codeOf(s.str("port")), at, s.str("arrived") != "", left)
	})
	got = append(got, all.rows("missing", func(m answer) string { return row(m.str("input"), "not found") })...)
	return got, func(w *world, _ rules) (rows []string) {
		for _, number := range numbers {
			b := w.byID[w.cases["booking "+number]]
			if b == nil {
				rows = append(rows, row(number, "not found"))
				continue
			}
			left := ""
			if b.ata() == "" {
				left = fmt.Sprint(days(dayOf(now, b.podZone()), b.etaDay()))
			}
			rows = append(rows, row(number, b.s.PODVesselName, b.s.PODVoyageNumber, b.s.PortOfLadingLOCODE, b.port(), cmp.Or(b.ata(), b.eta()), b.ata() != "", left))
		}
		return rows
	}
}
