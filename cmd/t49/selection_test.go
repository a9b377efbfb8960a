package main

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// records are the rows of a CSV.
func records(t *testing.T, text string) [][]string {
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, byteOrderMark))).ReadAll()
	require.NoError(t, err)
	return rows
}

func column(t *testing.T, rows [][]string, title string) (cells []string) {
	at := slices.Index(rows[0], title)
	require.GreaterOrEqual(t, at, 0, "%s of %v", title, rows[0])
	for _, row := range rows[1:] {
		cells = append(cells, row[at])
	}
	return cells
}

// The demo has one container that is held, one that owes demurrage, and a fee that is not posted.
func TestContainers_Problems(t *testing.T) {
	a := newAccount(t)
	here := a.here()
	found := column(t, records(t, here.must("containers", "--problems", "--csv")), "CONTAINER")
	slices.Sort(found)
	require.Equal(t, []string{"CMAU4716554", "MEDU3309188"}, found)
	for i, shipment := range a.demo.Shipments {
		for _, id := range a.srv.ContainerIDs(shipment) {
			a.srv.UpdateContainer(id, func(c *terminal49test.Container) {
				c.Holds, c.Fees = nil, nil
				if i == 3 {
					c.ImportDeadlines = terminal49test.Deadlines{}
				}
			})
		}
	}
	require.Empty(t, here.must("containers", "--problems"), "nothing for cron to mail")
}

func TestContainers_OfAVessel(t *testing.T) {
	a := newAccount(t)
	here := a.here()
	all := records(t, here.must("containers", "--csv"))
	vessel := column(t, all, "VESSEL")[0]
	require.NotEmpty(t, vessel)
	wanted := 0
	for _, one := range column(t, all, "VESSEL") {
		if one == vessel {
			wanted++
		}
	}
	found := records(t, here.must("containers", "--vessel", strings.ToLower(vessel), "--sort", "arrival", "--csv"))
	require.Len(t, found, 1+wanted)
	status, out, log := here.do("containers", "--vessel", "no such vessel")
	require.Zero(t, status, log)
	require.Empty(t, out)
	require.Contains(t, log, "none of the 8 containers that were read has such a place or vessel")
	require.Equal(t, []string{"MEDU3309188"}, column(t, records(t, here.must("containers", "--place", "lbct", "--csv")), "CONTAINER"))
	require.Equal(t, 2, strings.Count(here.must("containers", "--place", "USSAV"), "\n"))
	require.Contains(t, a.srv.Requests()[len(a.srv.Requests())-4].Query, "sort=arrival")
	at := slices.Index(column(t, all, "CONTAINER"), "CMAU4716554")
	require.Equal(t, []string{"PO-7702", "Lakeside Home Goods", "555.00", "USD", "CMDU"}, []string{
		column(t, all, "REFERENCES")[at], column(t, all, "CUSTOMER")[at], column(t, all, "OWED")[at], column(t, all, "CURRENCY")[at], column(t, all, "LINE")[at],
	})
	_, out, log = here.do("containers", "--place", "WBCT", "--problems")
	require.Empty(t, out+log, "they have none, and the place exists")
}

func TestFees_ByPlace(t *testing.T) {
	a := newAccount(t)
	here := a.here()
	require.Regexp(t, `(?m)^APMT LA \(USLAX\) +1 +USD +555\.00 +0$`, here.must("fees", "--by-place"))
	one := records(t, here.must("fees", "--by-place", "MEDU3309188", "--csv"))
	require.Equal(t, []string{"LBCT (USLGB)", "1", "USD", "0.00", "1"}, one[1], "an exam whose fee is not posted")
	require.Len(t, one, 2)
	status, _, _ := here.do("fees", "--by-place", "--json")
	require.Equal(t, exitUsage, status)
	a.srv.AddFault(terminal49test.Fault{Operation: "containers.list", Status: 422})
	status, out, _ := here.do("fees", "--by-place")
	require.Equal(t, exitInvalid, status)
	require.Empty(t, out)
}

// How fresh the data is, which a refresh changes later, has a column.
func TestReady_TerminalChecked(t *testing.T) {
	rows := records(t, newAccount(t).here().must("ready", "MSKU7182047", "--csv"))
	require.Equal(t, []string{"WBCT (USLAX)"}, column(t, rows, "PLACE"))
	require.Regexp(t, `^20\d\d-\d\d-\d\d \d\d:\d\d (UTC|[+-]\d\d:00)$`, column(t, rows, "TERMINAL CHECKED")[0])
}
