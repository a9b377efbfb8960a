package questions

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Questions that the tools worklist and summarize answer: about the whole account.

// listed asks the tool worklist for the containers that are tracked, all pages that two calls give.
func (p *prober) listed(with args) (rows []answer) {
	with["tracking"], with["limit"] = "active", 200
	a := p.ask("worklist", with)
	rows = a.list("rows")
	if next := a.str("next_offset"); next != "" {
		with["offset"], _ = strconv.Atoi(next)
		rows = append(rows, p.ask("worklist", with).list("rows")...)
	}
	return rows
}

// list adds a question that the tool worklist answers, in the order of the answer if the question
// has one, and sorted otherwise.
func list(id int, with args, write func(answer) string) {
	probes[id] = func(p *prober) ([]string, wanted) {
		var got []string
		for _, r := range p.listed(with) {
			if text := write(r); text != "" {
				got = append(got, text)
			}
		}
		slices.Sort(got)
		return got, sorted(worklists[id])
	}
}

var waiting = []string{"waiting"}

func lfdRow(r answer) string { return row(r.str("number"), date(r.str("last_free_day"))) }

// past is the days that the last free day has passed.
func past(r answer) string { return strings.TrimPrefix(r.str("days_left"), "-") }

func init() {
	list(33, args{"work": waiting, "days_left_from": 1, "days_left_to": 1, "fields": []string{"situation", "terminal"}}, func(r answer) string {
		return row(r.str("number"), r.str("terminal"), verdictOf(r))
	})
	list(35, args{"work": waiting, "days_left_to": -1}, func(r answer) string { return row(lfdRow(r), past(r)) })
	list(36, args{"work": waiting, "terminal": []string{term}, "last_free_day_to": "2000-01-27"}, lfdRow)
	list(38, args{"work": []string{"holds"}, "port": []string{portName}}, func(r answer) string { return row(r.str("number"), holdsOf(r.str("holds"))) })
	list(39, args{"terminal": []string{term}, "situation": []string{"ready", "pay_first"}}, func(r answer) string { return r.str("number") })
	list(43, args{"port": []string{portName}, "stage": []string{"at_sea", "before_voyage"}, "eta_from": "2000-01-26", "eta_to": "2000-02-01",
		"fields": []string{"vessel", "voyage", "port_eta"}}, func(r answer) string {
		return row(r.str("number"), none(r.str("vessel")), r.str("voyage"), r.str("port_eta"))
	})
	list(44, args{"customer": []string{customer}, "stage": []string{"at_sea", "before_voyage"}, "eta_from": "2000-01-31", "eta_to": "2000-02-06"},
		func(r answer) string { return row(r.str("number"), r.str("eta")) })
	list(45, args{"line": []string{line}, "work": []string{"empty_due"}, "days": 5}, func(r answer) string {
		if days, _ := strconv.Atoi(r.str("days_out")); days <= 5 {
			return ""
		}
		return row(r.str("number"), date(r.str("picked_up")), r.str("days_out"))
	})
	list(47, args{"work": waiting, "days_left_from": 0, "days_left_to": 3, "situation": []string{"held", "not_released", "not_released_inland", "stale", "unknown"}},
		func(r answer) string { return row(lfdRow(r), verdictOf(r)) })
	list(49, args{"work": waiting, "appointment": "late", "fields": []string{"last_free_day", "appointment"}},
		func(r answer) string { return row(lfdRow(r), when(r.str("appointment")).Format(time.DateTime)) })
	list(50, args{"work": waiting, "port": []string{"USLAX", "USLGB"}, "situation": []string{"ready", "pay_first"}, "days_left_from": 0, "days_left_to": 1,
		"appointment": "none", "fields": []string{"last_free_day", "terminal"}}, func(r answer) string { return row(lfdRow(r), r.str("terminal")) })
	list(53, args{"destination": []string{dest}, "stage": []string{"at_ramp"}, "fields": []string{"at_ramp", "last_free_day"}}, func(r answer) string {
		return row(r.str("number"), r.str("at_ramp"), days(date(r.str("at_ramp")), "2000-01-26"), date(r.str("last_free_day")))
	})
	list(54, args{"tags": []string{tag}, "stage": []string{"at_port"}, "fields": []string{"situation", "terminal"}}, func(r answer) string {
		return row(r.str("number"), r.str("terminal"), verdictOf(r))
	})
	list(56, args{"customer": []string{"juniper"}, "stage": []string{"at_sea", "before_voyage"}, "eta_to": "2000-01-26"}, func(r answer) string {
		eta := when(r.str("eta"))
		return boolText(eta.Before(now), row(r.str("number"), r.str("eta"), hours(now.Sub(eta))))
	})
	list(34, args{"work": waiting, "last_free_day_from": "2000-01-24", "last_free_day_to": "2000-01-30"}, lfdRow)
	list(51, args{"stage": []string{"arrived"}, "fields": []string{"arrived"}}, func(r answer) string {
		at := when(r.str("arrived"))
		return boolText(now.Sub(at) >= 48*time.Hour, row(r.str("number"), at.Unix(), hours(now.Sub(at))))
	})
	list(55, args{"work": []string{"dwelling"}, "days": 4, "stage": []string{"at_port"}, "fields": []string{"situation", "terminal", "holds", "discharged"}}, func(r answer) string {
		free := r.str("holds") == "none" || r.str("holds") == unknown
		return boolText(free, row(r.str("number"), r.str("terminal"), days(date(r.str("discharged")), now.In(when(r.str("discharged")).Location()).Format(time.DateOnly)), verdictOf(r)))
	})
	probes[48] = func(p *prober) ([]string, wanted) {
		list(48, args{"vessel": []string{p.vessel()}, "stage": here, "fields": []string{"voyage", "holds", "available", "owed", "days_left", "discharged"}}, func(r answer) string {
			var all []string
			for name, is := range map[string]bool{
				"hold": r.str("holds") != "none" && r.str("holds") != unknown, "not available": r.str("discharged") != "" && r.str("available") == "no",
				"fees": r.str("owed") != "none" && r.str("owed") != unknown, "past": strings.HasPrefix(r.str("days_left"), "-"),
			} {
				if is {
					all = append(all, name)
				}
			}
			slices.SortFunc(all, func(a, b string) int { return strings.Index(problems, a) - strings.Index(problems, b) })
			return boolText(len(all) > 0, row(r.str("number"), r.str("voyage"), strings.Join(all, "+")))
		})
		return probes[48](p)
	}
	probes[41] = func(p *prober) ([]string, wanted) {
		a := p.ask("worklist", args{"work": []string{"owing"}, "tracking": "active", "order": "owed", "limit": 200,
			"stage": []string{"before_voyage", "at_sea", "arrived", "at_port", "on_rail", "at_ramp", "unknown"}})
		var owing []answer
		for _, r := range a.list("rows") {
			if strings.Contains(r.str("owed"), "USD") {
				owing = append(owing, r)
			}
		}
		dollars := func(r answer) int64 { return parseMoney(amounts(r.str("owed")))["USD"] }
		slices.SortFunc(owing, func(a, b answer) int { // of equal sums, the number decides
			return cmp.Or(cmp.Compare(dollars(b), dollars(a)), cmp.Compare(a.str("number"), b.str("number")))
		})
		var got []string
		for _, r := range owing[:min(25, len(owing))] {
			got = append(got, row(r.str("number"), amounts(r.str("owed"))))
		}
		return got, worklists[41]
	}
	initSummaries()
}

// summed asks the tool summarize, and writes the groups as the right answers do.
func summed(id int, with args, write func(group answer) string) {
	probes[id] = func(p *prober) ([]string, wanted) {
		with["tracking"], with["limit"] = "active", 500
		var got []string
		for _, g := range p.ask("summarize", with).list("groups") {
			if text := write(g); text != "" {
				got = append(got, text)
			}
		}
		slices.Sort(got)
		return got, sorted(summaries[id])
	}
}

// stageNames are the words of the definitions for the stages of the tools.
var stageNames = map[string]string{
	"returned": "empty returned", "out": "picked up", "at_ramp": "at inland ramp", "on_rail": "on rail", "at_port": "at POD terminal",
	"arrived": "arrived, not discharged", "at_sea": "on the water", "before_voyage": "not departed yet", "unknown": unknown,
}

var here = []string{"before_voyage", "at_sea", "arrived", "at_port", "on_rail", "at_ramp", "unknown"}

func countOf(g answer) string { return g.str("containers") }

// count reads a number of containers; 0 if it is absent.
func count(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// problems are those of question 48, in the order of its answer.
const problems = "hold, not available, fees, past"

func initSummaries() {
	summed(67, args{"by": []string{"customer"}, "work": waiting, "days_left_to": -1}, func(g answer) string {
		return row(cmp.Or(none(g.str("key")), "none"), countOf(g), g.str("days_past"))
	})
	summed(72, args{"by": []string{"port", "holds"}, "stage": here}, func(g answer) string {
		status := map[string]string{"customs": "hold", "customs (pending)": "pending"}[g.str("second_key")]
		return boolText(status != "", row(row(g.str("key"), status), countOf(g)))
	})
	summed(61, args{"by": []string{"terminal"}, "work": []string{"owing"}, "stage": here}, func(g answer) string {
		dollars := parseMoney(amounts(g.str("owed")))["USD"]
		return boolText(dollars > 0, row(strings.Split(g.str("key"), " (")[0], countOf(g), money{"USD": dollars}))
	})
	probes[60] = func(p *prober) ([]string, wanted) {
		a := p.ask("summarize", args{"by": []string{"fees"}, "work": []string{"owing"}, "stage": here, "tracking": "active", "limit": 500})
		sums := map[string]money{}
		for _, o := range a.list("fees") {
			sum := parseMoney(amounts(o.str("amount")))
			if of := sums[o.str("type")]; of != nil {
				of.add(sum)
			} else {
				sums[o.str("type")] = sum
			}
		}
		var got []string
		for _, g := range a.list("groups") {
			if sum := sums[g.str("key")]; sum != nil {
				got = append(got, row(g.str("key"), countOf(g), sum))
			}
		}
		slices.Sort(got)
		return got, summaries[60]
	}
	probes[70] = func(p *prober) ([]string, wanted) {
		n := map[string]int{}
		for _, g := range p.ask("summarize", args{"by": []string{"equipment"}, "tracking": "active", "limit": 500}).list("groups") {
			feet, kind, _ := strings.Cut(g.str("key"), " ")
			if _, err := strconv.Atoi(feet); err != nil {
				feet, kind = unknown, g.str("key")
			}
			switch kind {
			case "", unknown:
				kind = unknown
			case "reefer":
			default:
				kind = "other"
			}
			n[row(feet, kind)] += count(countOf(g))
		}
		var got []string
		for key, many := range n {
			got = append(got, row(key, many))
		}
		slices.Sort(got)
		return got, summaries[70]
	}
	byStage := func(g answer) string { return row(stageNames[g.str("key")], countOf(g)) }
	summed(57, args{"by": []string{"stage"}}, byStage)
	summed(71, args{"by": []string{"stage"}, "customer": []string{customer}}, byStage)
	summed(58, args{"by": []string{"terminal"}, "stage": []string{"at_port"}}, func(g answer) string { return row(strings.Split(g.str("key"), " (")[0], countOf(g)) })
	summed(63, args{"by": []string{"line", "stage"}}, func(g answer) string { return row(row(g.str("key"), stageNames[g.str("second_key")]), countOf(g)) })
	probes[59] = func(p *prober) ([]string, wanted) {
		a := p.ask("summarize", args{"by": []string{"holds"}, "stage": here, "tracking": "active"})
		all, _ := strconv.Atoi(a.str("containers"))
		var got []string
		for _, g := range a.list("groups") {
			n, _ := strconv.Atoi(countOf(g))
			switch key := g.str("key"); {
			case key == "none", key == unknown:
				all -= n
			default:
				got = append(got, row(key, n))
			}
		}
		got = append(got, row("any", all))
		slices.Sort(got)
		return got, func(w *world, r rules) []string { return holdGroups(w, r) }
	}
	summed(62, args{"by": []string{"customer"}, "work": []string{"owing"}}, func(g answer) string {
		return row(cmp.Or(none(g.str("key")), "none"), g.str("owing"), amounts(g.str("owed")))
	})
	probes[66] = func(p *prober) ([]string, wanted) { // several situations have one answer
		a := p.ask("summarize", args{"by": []string{"situation"}, "terminal": []string{term}, "stage": []string{"at_port"}, "tracking": "active"})
		n := map[string]int{}
		for _, g := range a.list("groups") {
			answer := byRule(g.str("key"))
			if answer == "not at the ramp yet" {
				answer = "awaiting rail"
			}
			n[answer] += count(countOf(g))
		}
		var got []string
		for answer, many := range n {
			got = append(got, row(answer, many))
		}
		slices.Sort(got)
		return got, sorted(summaries[66])
	}
	probes[64] = func(p *prober) ([]string, wanted) { // what is today in one place is past in another
		with := args{"by": []string{"last_free_day"}, "work": waiting, "tracking": "active", "limit": 500}
		all := p.ask("summarize", with)
		with["days_left_from"], with["days_left_to"] = 0, 9
		next := p.ask("summarize", with)
		n := map[string]int{unknown: count(next.str("undated"))}
		for _, g := range next.list("groups") {
			n[g.str("key")] = count(countOf(g))
		}
		for _, g := range all.list("groups") {
			switch rest := count(countOf(g)) - n[g.str("key")]; {
			case g.str("key") > "2000-01-27":
				n["later"] += rest
			default:
				n["past"] += rest
			}
		}
		var got []string
		for key, many := range n {
			if many > 0 {
				got = append(got, row(key, many))
			}
		}
		slices.Sort(got)
		return got, summaries[64]
	}
	probes[65] = func(p *prober) ([]string, wanted) {
		a := p.ask("summarize", args{"by": []string{"port", "eta_week"}, "stage": []string{"at_sea", "before_voyage"}, "tracking": "active", "limit": 500})
		n := map[string]int{}
		for _, g := range a.list("groups") {
			week := g.str("second_key")
			switch {
			case week == unknown:
				week = "no ETA"
			case week < "2000-01-24":
				week = "overdue"
			case week > "2000-02-28":
				week = "later"
			}
			count, _ := strconv.Atoi(countOf(g))
			n[row(g.str("key"), week)] += count
		}
		var got []string
		for key, count := range n {
			got = append(got, row(key, count))
		}
		slices.Sort(got)
		return got, summaries[65]
	}
	probes[92] = func(p *prober) ([]string, wanted) {
		all := p.ask("summarize", args{"work": waiting, "tracking": "active", "by": []string{"stage"}})
		late := p.ask("summarize", args{"work": waiting, "tracking": "active", "days_left_to": -1})
		over, unknowns := count(late.str("containers")), count(late.str("undated"))
		return []string{row(over, count(all.str("containers"))-over-unknowns, unknowns)}, func(w *world, r rules) []string {
			n := [3]int{}
			list, _ := w.active(func(b *box) bool { return b.waits(r) })
			for _, b := range list {
				switch {
				case b.lfd(r) == unknown:
					n[2]++
				case b.pastDays(r) > 0:
					n[0]++
				default:
					n[1]++
				}
			}
			return []string{row(n[0], n[1], n[2])}
		}
	}
	probes[93] = func(p *prober) ([]string, wanted) {
		with := args{"port": []string{"Savanah"}, "stage": here, "tracking": "active"}
		a := p.ask("summarize", with)
		if strings.Contains(p.failed, "Savannah") {
			p.failed, with["port"] = "", []string{"Savannah"}
			a = p.ask("summarize", with)
		}
		return []string{countOf(a)}, func(w *world, _ rules) []string {
			list, _ := w.active(func(b *box) bool { return b.port() == "USSAV" && !b.left() })
			return []string{fmt.Sprint(len(list))}
		}
	}
	probes[98] = func(p *prober) ([]string, wanted) {
		a := p.ask("summarize", args{"stage": here, "tracking": "active"})
		got := a.rows("owed", func(o answer) string { return amounts(o.str("amount")) })
		slices.Sort(got)
		return got, func(w *world, _ rules) []string {
			all := money{}
			list, _ := w.active(func(b *box) bool { return !b.left() })
			for _, b := range list {
				all.add(b.owed())
			}
			return strings.Split(all.String(), " + ")
		}
	}
	probes[100] = func(p *prober) ([]string, wanted) {
		status := p.ask("status", nil)
		a := p.ask("summarize", args{"work": []string{"holds"}, "tracking": "active"})
		return []string{status.str("name"), a.str("containers")}, func(w *world, r rules) []string {
			list, _ := w.active(func(b *box) bool { return !b.left() && b.hasHold(r, "") })
			return []string{"Harbor Street Imports", fmt.Sprint(len(list))}
		}
	}
}

// holdGroups counts the containers by hold and status, and those with any.
func holdGroups(w *world, _ rules) []string {
	return w.counts(func(b *box) bool { return !b.left() }, func(b *box) (kinds []string) {
		for _, h := range b.raw.Holds {
			name := h.Name
			if h.Status == "pending" {
				name += " (pending)"
			}
			kinds = append(kinds, name)
		}
		if len(kinds) > 0 {
			kinds = append(kinds, "any")
		}
		return kinds
	})
}

// when reads an instant of an answer.
func when(text string) time.Time {
	text = strings.Trim(text, `"`)
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t
		}
	}
	return time.Time{}
}

// sorted is a right answer whose order does not matter.
func sorted(want wanted) wanted {
	return func(w *world, r rules) []string {
		rows := want(w, r)
		slices.Sort(rows)
		return rows
	}
}
