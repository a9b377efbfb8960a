package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// The forms of tracking_slots are those of the document of October 2026: counts, null for no limit,
// or missing.
func TestWhoami_Slots(t *testing.T) {
	some := terminal49.Some[int]
	require.Equal(t, "120 of 500 used, 380 left", slots(terminal49.TrackingSlots{Limit: some(500), Used: some(120), Remaining: some(380)}))
	require.Equal(t, "120 of unknown used, unknown left", slots(terminal49.TrackingSlots{Used: some(120)}))
	require.Equal(t, "unlimited", slots(terminal49.TrackingSlots{Unlimited: true}))
	require.Empty(t, slots(terminal49.TrackingSlots{}), "not reported")
}

// A service that does not have the operation yet still shows whether it accepts the key.
func TestWhoami_OfAServiceWithoutIt(t *testing.T) {
	a := newAccount(t, terminal49test.WithoutAutumn2026())
	require.Regexp(t, `(?m)^key +accepted; the service does not report more yet$`, a.must("whoami"))
	require.Equal(t, a.must("whoami"), a.must("me"))
	status, out, _ := a.do("whoami", "--json")
	require.Equal(t, exitNotFound, status, "there is nothing to print")
	require.Empty(t, out)
	right := a.env
	a.env = append(slices.Clone(right), "T49_API_BASE_URL="+strings.TrimSuffix(a.srv.URL, "/v2"))
	status, _, log := a.do("whoami")
	require.Equal(t, exitNotFound, status)
	require.Contains(t, log, "me.get")
	require.NotContains(t, log, "webhooks.list", "that the command also tried")
	a.env = right
	a.env[0] = "T49_API_TOKEN=wrong"
	status, out, log = a.do("whoami")
	require.Equal(t, exitAuth, status)
	require.Empty(t, out)
	require.Contains(t, log, "T49_API_TOKEN")
}

// With --account, nothing is done in another account, not even read.
func TestAccount_IsCheckedBeforeAnythingIsDone(t *testing.T) {
	a := newAccount(t)
	here := a.here()
	here.must("track", a.demo.Untracked, "--account", "simulated account")
	before := len(a.srv.Requests())
	for _, args := range [][]string{{"track", "MAEU240711009"}, {"shipments", "stop", "MAEU240711002"}, {"api", "-X", "DELETE", "/custom_fields/" + a.demo.Shipments[0]}} {
		for _, other := range []string{"Lakeside", ""} {
			status, out, log := here.do(append(args, "--account", other)...)
			require.Equal(t, exitUsage, status, log)
			require.Empty(t, out)
			require.Contains(t, log, `t49: T49_API_TOKEN is of the account "Simulated Account", not of "`+other+`"; nothing was done`)
		}
	}
	for _, request := range a.srv.Requests()[before:] {
		require.Equal(t, "me.get", request.Operation)
	}
	a.srv.AddFault(terminal49test.Fault{Operation: "me.get", Status: 403})
	status, _, log := here.do("shipments", "--account", "Simulated Account")
	require.Equal(t, exitAuth, status)
	require.Contains(t, log, "--account cannot be checked")
}
