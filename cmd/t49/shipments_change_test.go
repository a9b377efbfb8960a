package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// References are added to those that a shipment has, once each, and a number that no shipment has
// is named.
func TestReferences_AreAdded(t *testing.T) {
	a := newAccount(t)
	here := a.here()
	require.Regexp(t, `MAEU240711002 +PO-10231, PO-1 +added`, here.must("shipments", "references", "MAEU240711002", "PO-1"))
	require.Regexp(t, `MAEU240711002 +PO-10231, PO-1 +existing`, here.must("shipments", "references", "MAEU240711002", "PO-1", "PO-10231"))
	s, _ := a.srv.Shipment(a.demo.Shipments[0])
	require.Equal(t, []string{"PO-10231", "PO-1"}, s.ReferenceNumbers)

	for n, text := range []string{
		"B/L,PO\nMSCU240988417,0042\nNOPE1,X\n\n# a note\nONEY240655120,\"A, B\", C \n", "\ufeffB/L;PO\r\nMSCU240988417;0043\r\nNOPE1;X\r\n", "MSCU240988417\t0044\nNOPE1\tX\n",
	} {
		file := filepath.Join(t.TempDir(), "po.csv")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		status, out, log := here.do("shipments", "references", "--from", file, "--csv")
		require.Equal(t, exitNotFound, status, log)
		require.Contains(t, log, "t49: NOPE1: not found\n")
		require.Contains(t, out, "MSCU240988417,\"PO-10244, 0042", text)
		require.Equal(t, n == 0, strings.Contains(out, `"PO-7719, A, B, C",added`), out)
	}
	for _, wrong := range [][]string{{}, {"MAEU240711002"}, {"MAEU240711002", "PO-2", "--from", "x"}} {
		status, out, log := here.do(append([]string{"shipments", "references"}, wrong...)...)
		require.Equal(t, exitUsage, status, log)
		require.NotContains(t, out, "MAEU")
	}
}

// A reference that is not set is not success, and a repeated command is.
func TestTrack_ReferenceOfATrackedNumber(t *testing.T) {
	a := newAccount(t)
	here := a.here()
	status, out, log := here.do("track", "MAEU240711002", "--reference", "PO-9")
	require.Equal(t, exitNo, status)
	require.Contains(t, out, "existing")
	require.Contains(t, log, "t49: MAEU240711002: it was tracked already, without this reference or tag: PO-9; t49 shipments references")
	here.must("track", a.demo.Untracked, "--reference", "PO-9")
	here.must("track", a.demo.Untracked, "--reference", "PO-9")
}

// --dry-run shows what stop would change. A wrong number does not keep the others from it.
func TestStop_Several(t *testing.T) {
	a := newAccount(t)
	here := a.here()
	first, second := a.demo.Shipments[0], a.demo.Shipments[1]
	stopped := func(id string) bool {
		s, _ := a.srv.Shipment(id)
		return !s.LineTrackingStoppedAt.IsZero()
	}
	status, out, log := here.do("shipments", "stop", "--dry-run", "MAEU240711002", "NOPE1", "MSCU240988417")
	require.Equal(t, exitNotFound, status)
	require.Contains(t, log, "t49: NOPE1: not found\n")
	require.Regexp(t, `(?m)^MAEU240711002 +MAEU +Harbor Street Imports +2 +-$`, out)
	require.False(t, stopped(first) || stopped(second))
	status, _, _ = here.do("shipments", "stop", "MAEU240711002", "NOPE1", "MSCU240988417")
	require.Equal(t, exitNotFound, status)
	require.True(t, stopped(first) && stopped(second))
	here.must("shipments", "resume", "MSCU240988417")
	require.False(t, stopped(second))
}
