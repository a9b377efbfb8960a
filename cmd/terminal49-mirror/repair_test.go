package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// A bit of the stored JSON is wrong, although its digest is right: verify finds it and says what
// mends it, repair does.
func TestRepair_MendsWhatVerifyFinds(t *testing.T) {
	b := newBench(t)
	demo := b.srv.SeedDemo()
	b.copy()
	container := b.srv.ContainerIDs(demo.Shipments[0])[0]
	for _, damage := range []string{"json_set(raw, '$.attributes.number', 'XSKU0000000')", "substr(raw, 1, 100)"} {
		b.exec("update containers set raw = " + damage + " where id = '" + container + "'")
		status, out, log := b.here("verify")
		require.Equal(t, exitDiffers, status)
		require.Contains(t, out, "container "+container+": ")
		require.Contains(t, log, "terminal49-mirror repair ID")
		changes := b.must("tail")
		require.Equal(t, "container "+container+": written\n", b.must("repair", container))
		require.Contains(t, b.must("verify"), "no difference")
		require.Equal(t, changes, b.must("tail"))
	}
	require.Contains(t, b.must("repair", "container", container), ": unchanged")
	b.srv.RemoveContainer(container)
	status, out, _ := b.do("repair", container)
	require.Equal(t, exitDiffers, status)
	require.Contains(t, out, "the service has no such resource (404)")
	status, _, log := b.do("repair", "4f0c0a2e-9d3f-4f0b-9a43-0b9f2c6a5f11")
	require.Equal(t, exitUsage, status)
	require.Contains(t, log, "no row has the id")
	b.srv.AddFault(terminal49test.Fault{Operation: "containers.get", Times: -1, Status: 500})
	status, _, _ = b.do("repair", container)
	require.Equal(t, exitFailed, status)
}
