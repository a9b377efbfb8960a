package questions

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// query asks a statement, and returns the cells of the rows. If there are more, it reads on once.
func (p *prober) query(id int) (rows [][]string) {
	a := p.ask("query", args{"sql": statements[id], "limit": 500, "seconds": 15})
	list := a.list("rows")
	if a.str("more") == "true" {
		a = p.ask("query", args{"sql": fmt.Sprintf("%s limit 500 offset %d", statements[id], len(list)), "limit": 500, "seconds": 15})
		list = append(list, a.list("rows")...)
	}
	for _, r := range list {
		var cells []string
		for _, c := range r.list("") {
			text := fmt.Sprint(c.value)
			if c.value == nil {
				text = ""
			}
			cells = append(cells, text)
		}
		rows = append(rows, cells)
	}
	return rows
}

// joinedRows writes each row with its cells.
func joinedRows(rows [][]string, write func(cells []string) string) (all []string) {
	for _, cells := range rows {
		all = append(all, write(cells))
	}
	return all
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

func number(text string) float64 {
	n, _ := strconv.ParseFloat(text, 64)
	return n
}

// sorted is a right answer whose order does not matter.
func sorted(want wanted) wanted {
	return func(w *world, r rules) []string {
		rows := want(w, r)
		slices.Sort(rows)
		return rows
	}
}

// stated asks a statement and writes its rows, in the order of the right answer.
func stated(id int, want wanted, write func(cells []string) string) {
	probes[id] = func(p *prober) ([]string, wanted) {
		got := joinedRows(p.query(id), write)
		got = slices.DeleteFunc(got, func(text string) bool { return text == "" })
		slices.Sort(got)
		return slices.Compact(got), sorted(want)
	}
}

func init() {
	stated(34, worklists[34], func(c []string) string { return row(c[0], c[1]) })
	stated(40, worklists[40], func(c []string) string { return row(c[0], c[1]) })
	stated(46, worklists[46], func(c []string) string {
		slip := when(c[2]).Sub(when(c[1]))
		if slip < 48*time.Hour || when(c[1]).IsZero() {
			return ""
		}
		return row(c[0], when(c[1]).Unix(), when(c[2]).Unix(), hours(slip))
	})
	stated(51, worklists[51], func(c []string) string { return row(c[0], when(c[1]).Unix(), hours(now.Sub(when(c[1])))) })
	stated(52, worklists[52], func(c []string) string { return row(c[0], c[1], c[2], days(c[1], c[2])) })
	stated(68, summaries[68], func(c []string) string { return row(c[0], c[1], fmt.Sprintf("%.1f", number(c[2]))) })
	stated(70, summaries[70], func(c []string) string {
		kind := c[1]
		if kind != "" && kind != "reefer" {
			kind = "other"
		}
		return row(cmp.Or(c[0], unknown), cmp.Or(kind, unknown), c[2])
	})
	stated(72, summaries[72], func(c []string) string { return row(row(c[0], c[1]), c[2]) })
	stated(83, pastWants[83], func(c []string) string { return row(c[0], c[1][:10]) })
	stated(87, pastWants[87], func(c []string) string { return row(c[0], minute(when(c[1]))) })
	stated(55, worklists[55], func(c []string) string { return row(c[0], c[1], c[2], c[3]) })
	stated(61, summaries[61], func(c []string) string { return row(c[0], c[1], money{"USD": int64(number(c[2])*100 + 0.5)}) })
	stated(67, summaries[67], func(c []string) string { return row(cmp.Or(c[0], "none"), c[1], c[2]) })
	stated(80, pastWants[80], func(c []string) string { return row(c[0], c[1], minute(when(c[2])), c[3]) })
	stated(81, pastWants[81], func(c []string) string { return row(c[0], c[1]) })
	stated(37, worklists[37], func(c []string) string { return row(c[0], c[1], c[2], c[3], minute(when(c[4])), cmp.Or(c[5], unknown)) })
	probes[42] = func(p *prober) ([]string, wanted) {
		fees, at := map[string][]string{}, map[string]string{}
		for _, c := range p.query(42) {
			fees[c[0]] = append(fees[c[0]], row(c[2], money{c[3]: int64(number(c[4])*100 + 0.5)}))
			at[c[0]] = c[1]
		}
		var got []string
		for number, list := range fees {
			slices.Sort(list)
			got = append(got, row(number, at[number], strings.Join(list, "+")))
		}
		slices.Sort(got)
		return got, sorted(worklists[42])
	}
	probes[96] = func(p *prober) ([]string, wanted) {
		a := p.ask("status", nil)
		got := append([]string{a.str("account"), a.str("name"), a.str("as_of")[:13]}, p.query(96)[0]...)
		return got, func(w *world, _ rules) []string {
			n := [4]int{len(w.boxes)}
			for _, b := range w.boxes {
				n[1] += boolInt(b.stopped())
				waits := b.waiting() && !b.stopped()
				n[2] += boolInt(waits && !b.raw.TerminalCheckedAt.IsZero() && b.raw.TerminalCheckedAt.Before(now.Add(-day)))
				n[3] += boolInt(waits && b.raw.TerminalCheckedAt.IsZero())
			}
			return append([]string{w.srv.AccountID, "Harbor Street Imports", now.Format(time.RFC3339)[:13]}, fmt.Sprint(n[0]), fmt.Sprint(n[1]), fmt.Sprint(n[2]), fmt.Sprint(n[3]))
		}
	}
	probes[48] = func(p *prober) ([]string, wanted) {
		statements[48] = strings.ReplaceAll(statements[48], "VESSEL", p.vessel())
		got := joinedRows(p.query(48), func(c []string) string {
			var all []string
			for i, name := range []string{"hold", "not available", "fees", "past"} {
				if c[i+2] != "0" && c[i+2] != "" {
					all = append(all, name)
				}
			}
			return boolText(len(all) > 0, row(c[0], c[1], strings.Join(all, "+")))
		})
		got = slices.DeleteFunc(got, func(text string) bool { return text == "" })
		slices.Sort(got)
		return got, sorted(worklists[48])
	}
	probes[85] = func(p *prober) ([]string, wanted) {
		was, is := map[string]string{}, map[string]string{}
		for _, c := range p.query(85) {
			if _, known := was[c[0]]; !known {
				was[c[0]], is[c[0]] = dayOf(when(c[1]), zone(c[3])), dayOf(when(c[2]), zone(c[3]))
			}
		}
		var got []string
		for number := range was {
			if was[number] != is[number] {
				got = append(got, row(number, was[number], is[number]))
			}
		}
		slices.Sort(got)
		return got, sorted(pastWants[85])
	}
	probes[60] = func(p *prober) ([]string, wanted) {
		sums, n := map[string]money{}, map[string]int{}
		for _, c := range p.query(60) {
			if sums[c[0]] == nil {
				sums[c[0]] = money{}
			}
			sums[c[0]][c[1]] += int64(number(c[3])*100 + 0.5)
			n[c[0]] += int(number(c[2]))
		}
		var got []string
		for kind := range sums {
			got = append(got, row(kind, n[kind], sums[kind]))
		}
		slices.Sort(got)
		return got, summaries[60]
	}
	probes[69] = func(p *prober) ([]string, wanted) {
		var got []string
		for _, c := range p.query(69) {
			for i, over := range []int{-1, 4, 7, 10} {
				if c[i+1] != "0" {
					got = append(got, row(row(c[0], over), c[i+1]))
				}
			}
		}
		slices.Sort(got)
		return got, summaries[69]
	}
	probes[86] = func(p *prober) ([]string, wanted) {
		c := p.query(86)[0]
		return []string{row(c[0], fmt.Sprintf("%.1f", number(c[1])), fmt.Sprintf("%.1f", number(c[2])))}, pastWants[86]
	}
	probes[29] = func(p *prober) ([]string, wanted) {
		boxes := slices.Concat(p.some(8, func(b *box) bool { return b.lfdAtGate(ruled) != unknown }), p.some(1, (*box).waiting),
			p.some(1, func(b *box) bool { return b.left() && b.lfdAtGate(written) == unknown }))
		numbers := texts(boxes)
		list, _ := json.Marshal(numbers)
		statements[29] = `select c.number, c.pod_full_out_at_local, c.final_destination_full_out_at_local, c.pickup_lfd_local, case when c.ind_ata_at is null then c.pod_timezone else c.final_destination_timezone end,
			coalesce(c.pickup_lfd, (select x.old from changes x where x.kind = 'container' and x.id = c.id and x.attribute = 'pickup_lfd' and x.new is null order by x.seq desc limit 1))
			from containers c where c.number in (` + strings.NewReplacer(`"`, "'", "[", "", "]", "").Replace(string(list)) + `)`
		by := map[string]string{}
		for _, c := range p.query(29) {
			out := date(cmp.Or(c[2], c[1]))
			lfd := dayOf(when(c[5]), zone(c[4]))
			switch {
			case out == unknown:
				by[c[0]] = "not picked up"
			case lfd == unknown:
				by[c[0]] = row(out, unknown)
			default:
				by[c[0]] = row(out, lfd, max(0, days(lfd, out)))
			}
		}
		var got []string
		for _, n := range numbers {
			got = append(got, row(n, by[n]))
		}
		return got, func(_ *world, r rules) (rows []string) {
			for _, b := range boxes {
				out, lfd := dayOf(b.fullOut(), b.zone()), b.lfdAtGate(r)
				switch {
				case out == unknown:
					rows = append(rows, row(b.c.Number, "not picked up"))
				case lfd == unknown:
					rows = append(rows, row(b.c.Number, row(out, unknown)))
				default:
					rows = append(rows, row(b.c.Number, row(out, lfd, max(0, days(lfd, out)))))
				}
			}
			return rows
		}
	}
}

// lfdAtGate is the last free day that the copy had last before the container left.
func (b *box) lfdAtGate(r rules) string {
	last := unknown
	if b.fullOut().IsZero() {
		return unknown
	}
	for _, m := range b.w.past(b, func(s seenBox) string { return b.lfdThen(s, r) }) {
		if m.value != unknown {
			last = m.value
		}
	}
	return last
}
