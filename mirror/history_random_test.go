package mirror

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
)

// life is what the reads of a container and its shipment show, one an hour; "" is null.
type life struct {
	customs, tmf            []string // "hold", "pending" or ""
	line, rail, inland, pod []string // days of March 2026
}

func randomLife(r *rand.Rand, hours int) (l life) {
	for range hours {
		for _, hold := range []*[]string{&l.customs, &l.tmf} {
			*hold = append(*hold, lasting(r, *hold, "hold", "pending", ""))
		}
		for _, day := range []*[]string{&l.line, &l.rail, &l.inland, &l.pod} {
			*day = append(*day, lasting(r, *day, "20", "21", "22", ""))
		}
	}
	return l
}

// lasting returns the last value, or now and then one of the others.
func lasting(r *rand.Rand, before []string, values ...string) string {
	if n := len(before); n > 0 && r.IntN(3) > 0 {
		return before[n-1]
	}
	return values[r.IntN(len(values))]
}

// at is what a read at an hour shows.
func (l life) at(hour int) (container, shipment string) {
	var holds []string
	for name, status := range map[string]string{"customs": l.customs[hour], "TMF": l.tmf[hour]} {
		if status != "" {
			holds = append(holds, fmt.Sprintf(`{"name":%q,"status":%q}`, name, status))
		}
	}
	day := func(d string) string {
		if d == "" {
			return "null"
		}
		return `"2026-03-` + d + `T07:00:00Z"`
	}
	return containerWith(fmt.Sprintf(`"final_destination_timezone":"America/Los_Angeles","holds_at_pod_terminal":[%s],"import_deadlines":{"pickup_lfd_line":%s,"pickup_lfd_rail":%s},"ind_eta_at":%s`,
		strings.Join(holds, ","), day(l.line[hour]), day(l.rail[hour]), day(l.inland[hour]))), shipmentWith(`"pod_eta_at":` + day(l.pod[hour]))
}

// periods are the runs of equal values, as pastOf.lines writes them.
func (l life) periods() (all []string) {
	for format, values := range map[string][]string{
		"customs %s": l.customs, "TMF %s": l.tmf, "line 2026-03-%s": l.line, "rail 2026-03-%s": l.rail,
		"ind 2026-03-%s 00:00 -07:00": l.inland, "pod 2026-03-%s 00:00 -07:00": l.pod,
	} {
		for from := 0; from < len(values); {
			until := from
			for until < len(values) && values[until] == values[from] {
				until++
			}
			end, earlier := fmt.Sprint(until), ""
			if until == len(values) {
				end = "-"
			}
			if from == 0 {
				earlier = " or earlier"
			}
			if values[from] != "" {
				all = append(all, fmt.Sprintf(format+" %d %s%s poll", values[from], from, end, earlier))
			}
			from = until
		}
	}
	return all
}

// The periods of random lives are the runs of what the reads showed, no matter how they overlap.
func TestHistory_OfRandomLives(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		p := newPast(t, db)
		ticket := int64(0)
		for seed := range mirrortest.Scale(uint64(10), 500) {
			for _, table := range []string{"containers", "shipments", "holds", "changes"} {
				p.exec("delete from t49." + table)
			}
			l := randomLife(rand.New(rand.NewPCG(seed, 30)), 20)
			for hour := range 20 {
				ticket++
				p.hours = int64(hour)
				container, shipment := l.at(hour)
				p.write(between(ticket, ticket), container, shipment)
			}
			require.ElementsMatch(t, l.periods(), p.lines(p.history()), "seed %d", seed)
		}
	})
}
