package main

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/worklist"
)

func TestWorklist_PrintsATableOrLines(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.srv.SeedDemo()
	b.copy()
	b.must("run", "--once")
	table := b.must("worklist", "held")
	require.Contains(t, table, "MEDU3309188  At LBCT (USLGB), held by a customs hold")
	require.Contains(t, table, "\n1 of 1\n")
	require.NotContains(t, table, "wait to be assessed")
	var line struct {
		Container struct{ Attributes struct{ Number string } }
		Verdict   struct{ Situation string }
	}
	require.NoError(t, json.Unmarshal([]byte(b.must("worklist", "held", "--json")), &line))
	require.Equal(t, "MEDU3309188", line.Container.Attributes.Number)
	require.Equal(t, "held", line.Verdict.Situation)
	require.True(t, strings.HasSuffix(b.must("worklist", "ready", "--limit", "1"), "1 of 2\n"))

	b.exec(`insert into unassessed (kind, id) values ('container', 'x')`)
	require.Contains(t, b.must("worklist", "held"), "1 stored resources wait to be assessed, so the list may be incomplete")
	b.exec(`delete from unassessed`)
	require.Regexp(t, `^CSNU6445708 .*\n1 of 1, days: 5\n$`, b.must("worklist", "arriving"))
	require.Contains(t, b.must("worklist", "arriving", "--days", "300", "--json"), `,"days":300}`)
	status, _, log := b.do("worklist", "ready", "--days", "3")
	require.Equal(t, exitUsage, status)
	require.Contains(t, log, "must not be set without a kind of work that has days: arriving")
	for _, zero := range []string{"--days=0", "--limit=0"} {
		status, _, log := b.do("worklist", "arriving", zero)
		require.Equal(t, exitUsage, status)
		require.Contains(t, log, zero[:len(zero)-2]+" must be at least 1, not 0")
	}
	status, _, log = b.do("worklist", "helt")
	require.Equal(t, exitUsage, status)
	require.Contains(t, log, `or a situation such as ready, not "helt"`)
}

// The filters are those of the board and of agents, and their errors name the flag.
func TestWorklist_Filters(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.srv.SeedDemo()
	b.copy()
	b.must("run", "--once")
	require.Regexp(t, `^MSKU7182411 .*\nMSKU7182047 .*\n2 of 2\n$`, b.must("worklist", "--line", "maeu", "--order=-number"))
	require.Regexp(t, `^MEDU3309188 .*\n1 of 1\n$`, b.must("worklist", "--holds", "customs", "--terminal", "lbct", "--terminal", "wbct"))
	require.Regexp(t, `^MSKU7182411 .*\n1 of 2\n$`, b.must("worklist", "ready", "--terminal", "USLAX", "--order=-number", "--limit=1"))
	require.Equal(t, b.must("worklist", "held"), b.must("worklist", "--situation", "held"))
	for args, want := range map[string]string{
		"--line MAEX":              `--line: no container has "MAEX"; the nearest are `,
		"--stage sunk":             `--stage must be `,
		"--days-left-to soon":      `--days-left-to must be a whole number of days, not "soon"`,
		"--last-free-day-from May": `--last-free-day-from must be a day such as 2026-11-27`,
		"--order weight":           `--order must be empty, urgency, last_free_day`,
	} {
		status, _, log := b.do(append([]string{"worklist"}, strings.Fields(args)...)...)
		require.Equal(t, exitUsage, status, args)
		require.Contains(t, log, want, args)
	}
	for _, empty := range [][]string{{""}, {"--customer", " "}, {"ready", "--line", "MAEU", "--line="}} {
		status, _, log := b.do(append([]string{"worklist"}, empty...)...)
		require.Equal(t, exitUsage, status, empty)
		require.Contains(t, log, " must not be empty; without it all", empty)
	}
	_, _, log := b.do("worklist", "--last-free-day-to", "2100-01-01")
	require.Contains(t, log, "are left out, because a day that is asked for is not known")
}

// Each field of a filter has a flag, but for the kind of work and its days, which have others.
func TestWorklist_HasAllFilters(t *testing.T) {
	t.Parallel()
	named := map[string]bool{"work": true, "days": true}
	for _, f := range worklistFilters {
		named[f.parameter] = true
	}
	for field := range reflect.TypeFor[worklist.Filter]().Fields() {
		require.True(t, named[worklist.ParameterName(field.Name)], field.Name)
	}
}

// A wide character has two cells of a terminal, and a combining one none (UAX #11).
func TestColumns_CountCells(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	require.NoError(t, printColumns(&b, [][]string{{"push 山本", "a\n"}, {"e\u0301", "b"}, {"status", ""}}))
	require.Equal(t, "push 山本  a?\ne\u0301          b\nstatus     \n", b.String())
	require.NoError(t, printColumns(&b, nil))
}
