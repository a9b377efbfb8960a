package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/verdicttest"
)

// The days are those of the expected verdicts.
func TestDaysLeft_IsTheVerdict(t *testing.T) {
	for _, c := range verdicttest.Cases() {
		if c.Want.DaysLeft == nil {
			continue // the case is about something else
		}
		days := *c.Want.DaysLeft
		for text, want := range map[string]bool{
			fmt.Sprint(days): true, fmt.Sprint(days - 1): false, fmt.Sprintf("%d..%d", days, days): true,
			fmt.Sprintf("%d..%d", days+1, days+9): false,
		} {
			var s selection
			var err error
			s.DaysLeftFrom, s.DaysLeftTo, err = parseDaysLeft(text, true)
			require.NoError(t, err)
			require.Equal(t, want, s.includes(c.Container(), c.Now), "%s: %s", c.Name, text)
		}
	}
}

func TestDaysLeft_SelectsFromTheList(t *testing.T) {
	a := newAccount(t)
	here := a.here()
	overdue := here.must("containers", "--days-left", "-1", "--csv")
	require.Contains(t, overdue, "CMAU4716554", "the container with demurrage")
	require.NotContains(t, here.must("containers", "--days-left", "0..400"), "CMAU4716554")
	require.NotContains(t, here.must("containers", "--days-left", "400"), "EGHU9023165", "at sea there is no last free day")
	require.Equal(t, 2, strings.Count(here.must("containers", "--days-left", "400", "--limit", "1"), "\n"))

	for _, shipment := range a.demo.Shipments {
		for _, id := range a.srv.ContainerIDs(shipment) {
			a.srv.UpdateContainer(id, func(c *terminal49test.Container) { c.ImportDeadlines = terminal49test.Deadlines{} })
		}
	}
	status, out, log := here.do("containers", "--days-left", "400", "--json")
	require.Zero(t, status, log)
	require.Empty(t, out)
	require.Contains(t, log, "5 that may wait for pickup are left out: their last free day is not known")

	before := len(a.srv.Requests())
	for _, wrong := range []string{"soon", "", "3..0", "..", "2026-11-29"} {
		status, out, log = here.do("containers", "--days-left", wrong)
		require.Equal(t, exitUsage, status, wrong)
		require.Empty(t, out)
		require.Contains(t, log, "0..3")
	}
	status, _, log = here.do("containers", "--days-left", "3", "MSKU7182047")
	require.Equal(t, exitUsage, status, log)
	for _, excluded := range [][]string{{"--days-left", "3", "--count-by", "line"}, {"--holds", "--no-holds"}} {
		status, _, log = here.do(append([]string{"containers"}, excluded...)...)
		require.Equal(t, exitUsage, status, log)
	}
	require.Len(t, a.srv.Requests(), before, "nothing is sent")
}
