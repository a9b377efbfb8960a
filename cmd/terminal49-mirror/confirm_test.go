package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A list becomes empty. run --once does its work, says what waits and how that ends, and exits with
// 1; the command that it prints ends it.
func TestConfirmDeletions_EndsTheStop(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.srv.SeedDemo()
	b.copy()
	n := 0
	for r := range b.srv.Snapshot("container") {
		b.srv.RemoveContainer(r.ID)
		n++
	}
	command := fmt.Sprintf("terminal49-mirror confirm-deletions containers --expect %d", n)
	for range 2 {
		status, out, log := b.do("run", "--once")
		require.Equal(t, exitDiffers, status, log)
		require.Contains(t, out, "walk over containers")
		require.Contains(t, log, "the list shows none of the rows that it had")
		require.Contains(t, log, command)
	}
	require.Contains(t, b.must("status"), command)
	require.Equal(t, n, strings.Count(b.must("confirm-deletions", "containers"), "none listed; the answer by id: 404\n"))
	require.Equal(t, "no row waits for a confirmation\n", b.must("confirm-deletions", "shipments"))
	status, _, log := b.do("confirm-deletions", "containers", "--expect", "1")
	require.Equal(t, exitUsage, status)
	require.Contains(t, log, fmt.Sprintf("nothing was deleted: %d rows of containers wait for a confirmation, not 1", n))
	require.Zero(t, b.count("select count(*) from containers where deleted_at is not null"))
	require.Equal(t, fmt.Sprintf("%d deleted\n", n), b.must("confirm-deletions", "containers", "--expect", fmt.Sprint(n)))
	require.Equal(t, n, b.count("select count(*) from containers where deleted_at is not null"))
	b.must("run", "--once")
	require.Contains(t, b.must("verify"), "no difference")
	require.Equal(t, "no row waits for a confirmation\n", b.must("confirm-deletions"))
}

func TestConfirmDeletions_Mistakes(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.srv.SeedDemo()
	b.copy()
	var container string
	for r := range b.srv.Snapshot("container") {
		container = r.ID
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{"--expect needs one LIST", []string{"--expect", "3"}},
		{"--expect needs one LIST", []string{"container", container, "--expect", "1"}},
		{"must be the name of a list, such as containers", []string{"container", "--expect", "3"}},
		{"no row of containers waits", []string{"containers", "--expect", "3"}},
		{"the service still shows container " + container, []string{"container", container}},
		{"there is no row of container x", []string{"container", "x"}},
		{"the service still shows container " + container, []string{"containers", container}}, // as docs/mirror.md names it
		{"there is no row of shipment x", []string{"shipments", "x"}},
		{"TYPE must be that of a row", []string{"boat", "x"}},
	} {
		status, _, log := b.do(append([]string{"confirm-deletions"}, c.args...)...)
		require.Equal(t, exitUsage, status, "%s: %s", c.args, log)
		require.Contains(t, log, c.want, "%s", c.args)
	}
	require.Zero(t, b.count("select count(*) from containers where deleted_at is not null"))
}
