package questions

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// Questions about what changed in the whole account, which the tool changes answers.

// changeKinds are the kinds of changes that questions name, with what the copy had of each.
var changeKinds = map[string]func(seenBox) string{
	"hold": func(s seenBox) string { return holdText(s.Holds) },
	"fee":  func(s seenBox) string { return fmt.Sprint(s.Fees) },
	"last_free_day": func(s seenBox) string {
		d := s.ImportDeadlines
		return fmt.Sprint(d.Terminal, d.Line, d.Rail)
	},
	"eta":          func(s seenBox) string { return fmt.Sprint(s.shipment.PODETA, s.INDETA, s.shipment.DestinationETA) },
	"availability": availability,
	"appointment":  func(s seenBox) string { return s.PickupAppointmentAt.String() },
}

// changedSince writes what changed in the copy after a time: the kind, and the container.
func (w *world) changedSince(at time.Time) (rows []string) {
	for _, b := range w.boxes {
		for kind, value := range changeKinds {
			past := w.past(b, value)
			for i, m := range past {
				if i > 0 && m.at.After(at) {
					rows = append(rows, row(kind, b.c.Number))
				}
			}
		}
	}
	slices.Sort(rows)
	return slices.Compact(rows)
}

// changed writes what an answer has of it.
func changed(a answer) (rows []string) {
	for _, list := range []string{"containers", "shipments"} {
		for _, r := range a.list(list) {
			numbers := []string{r.str("number")}
			if list == "shipments" {
				numbers = r.rows("containers", func(a answer) string { return fmt.Sprint(a.value) })
			}
			for _, c := range r.list("changes") {
				for _, number := range numbers {
					rows = append(rows, row(c.str("kind"), number))
				}
			}
		}
	}
	slices.Sort(rows)
	return slices.Compact(rows)
}

func init() {
	kinds := []string{"hold", "fee", "last_free_day", "eta", "availability", "appointment"}
	since := time.Date(2000, 1, 26, 8, 0, 0, 0, time.UTC)
	probes[73] = func(p *prober) ([]string, wanted) {
		a := p.ask("changes", args{"since": since.Format(time.RFC3339), "kinds": kinds, "limit": 1000})
		got := changed(a)
		if a.str("shown") != a.str("total") { // the position is where the answer ends
			a = p.ask("changes", args{"since": a.str("position"), "kinds": kinds, "limit": 1000})
			got = append(got, changed(a)...)
			slices.Sort(got)
		}
		p.world.position = a.str("position")
		return slices.Compact(got), func(w *world, _ rules) []string { return w.changedSince(since) }
	}
	probes[74] = func(p *prober) ([]string, wanted) {
		numbers := []string{p.of("stopped").c.Number, p.of("heavy").c.Number}
		for _, name := range []string{"stopped", "heavy"} {
			p.srv.UpdateContainer(p.cases[name], func(c *sim) { c.Holds = []terminal49test.Hold{{Name: "USDA", Description: "USDA INSPECTION"}} })
		}
		require.NoError(p, p.mirror.Reconcile(context.Background()))
		first := p.ask("changes", args{"since": p.position, "kinds": kinds})
		again := p.ask("changes", args{"since": first.str("position"), "kinds": kinds})
		return append(changed(first), changed(again)...), func(*world, rules) []string {
			rows := []string{row("hold", numbers[0]), row("hold", numbers[1])}
			slices.Sort(rows)
			return rows
		}
	}
}
