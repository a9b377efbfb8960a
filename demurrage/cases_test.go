package demurrage_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/demurrage"
)

// handCase is a case that was worked by hand: from a tariff that somebody publishes, or with an
// invented one.
type handCase struct {
	ID     string
	Source json.RawMessage
	Tariff json.RawMessage
	Stay   struct {
		Zone, Equipment string
		Events          map[demurrage.Event]string // local times at the place
		Zones           map[demurrage.Event]string // of events at another place
		Between         map[demurrage.Event][2]terminal49.Date
		Holds           []struct {
			Kind, From, To string
		}
	}
	Until  terminal49.Date
	Expect struct {
		Days    []string // "first last kind state amount" of days in a row
		Total   *decimal.Decimal
		Range   []*decimal.Decimal // least and most; null for unknown
		Unknown string
	}
}

// readCases reads a file of cases. Those of testdata/cases.jsonl were worked by hand before this
// package was written: from tariffs that shipping lines, terminals and ports publish, with address
// and date, and with invented ones.
func readCases[T any](t *testing.T, file string) (all []T) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	for line := range bytes.Lines(data) {
		var one T
		require.NoError(t, json.Unmarshal(line, &one))
		all = append(all, one)
	}
	return all
}

func (c *handCase) stay(t *testing.T) demurrage.Stay {
	t.Helper()
	s := demurrage.Stay{Equipment: c.Stay.Equipment, Events: map[demurrage.Event]terminal49.Time{}}
	for event, text := range c.Stay.Events {
		zone := cmp.Or(c.Stay.Zones[event], c.Stay.Zone)
		place, err := time.LoadLocation(zone)
		require.NoError(t, err)
		for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02"} {
			if at, err := time.ParseInLocation(layout, text, place); err == nil {
				s.Events[event] = terminal49.NewTime(at, zone)
			}
		}
		require.NotZero(t, s.Events[event], "%s: %s", c.ID, text)
	}
	for event, days := range c.Stay.Between {
		if s.Between == nil {
			s.Between = map[demurrage.Event]demurrage.Days{}
		}
		s.Between[event] = demurrage.Days{First: days[0], Last: days[1]}
	}
	for _, hold := range c.Stay.Holds {
		from, err := terminal49.ParseDate(hold.From[:10])
		require.NoError(t, err)
		to, err := terminal49.ParseDate(hold.To[:10])
		require.NoError(t, err)
		s.Interruptions = append(s.Interruptions, demurrage.Interruption{Kind: hold.Kind, Days: demurrage.Days{First: from, Last: to}})
	}
	return s
}

func TestEstimate_CasesWorkedByHand(t *testing.T) {
	cases, published := readCases[handCase](t, "testdata/cases.jsonl"), 0
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) { c.require(t) })
		if bytes.HasPrefix(c.Source, []byte("{")) {
			published++
		}
	}
	require.Greater(t, published, 30)
	t.Logf("figure: %d cases worked by hand, %d of them of published tariffs", len(cases), published)
}

func (c *handCase) require(t *testing.T) {
	t.Helper()
	tariff, err := demurrage.ParseTariff(c.Tariff)
	require.NoError(t, err)
	e, err := tariff.Estimate(c.stay(t), c.Until)
	require.NoError(t, err)
	least, most := c.Expect.Total, c.Expect.Total
	if c.Expect.Range != nil {
		least, most = c.Expect.Range[0], c.Expect.Range[1]
	}
	require.Equal(t, text(least)+" to "+text(most), text(pointer(e.Total.Least))+" to "+text(pointer(e.Total.Most)), e.String())
	if c.Expect.Unknown != "" || len(c.Stay.Between) > 0 { // which days is unknown, even if the sum is not
		require.NotEmpty(t, e.Charges[0].Notes)
		return
	}
	want := c.days(t)
	got := map[string]string{}
	for _, charge := range e.Charges {
		for _, day := range charge.Days {
			amount, exact := day.Amount.Exact()
			require.True(t, exact)
			got[day.Date.String()+" "+string(charge.Kind)] = stateOf(day) + " " + amount.String()
		}
	}
	for key, day := range want { // the day of the event after which the clock starts is listed in some cases
		if got[key] == "" && day == "free 0" {
			delete(want, key)
		}
	}
	require.Equal(t, want, got)
}

// stateOf returns the state of a day in the words of the cases.
func stateOf(day demurrage.Day) string {
	if day.State == demurrage.Skipped || day.State == demurrage.Stopped {
		return "excluded"
	}
	return string(day.State)
}

func (c *handCase) days(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, run := range c.Expect.Days {
		words := strings.Fields(run)
		first, err := time.Parse(time.DateOnly, words[0])
		require.NoError(t, err)
		for day := first; day.Format(time.DateOnly) <= words[1]; day = day.AddDate(0, 0, 1) {
			all[day.Format(time.DateOnly)+" "+words[2]] = words[3] + " " + decimal.RequireFromString(words[4]).String()
		}
	}
	return all
}

func pointer(of terminal49.Opt[decimal.Decimal]) *decimal.Decimal {
	if d, ok := of.Get(); ok {
		return &d
	}
	return nil
}

func text(d *decimal.Decimal) string {
	if d == nil {
		return "unknown"
	}
	return d.String()
}
