package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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

// A wide character has two cells of a terminal, and a combining one none (UAX #11).
func TestColumns_CountCells(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	require.NoError(t, printColumns(&b, [][]string{{"push 山本", "a\n"}, {"e\u0301", "b"}, {"status", ""}}))
	require.Equal(t, "push 山本  a?\ne\u0301          b\nstatus     \n", b.String())
	require.NoError(t, printColumns(&b, nil))
}
