package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// The report about a container has what this version concludes and why, and nothing of the account.
func TestDoctor_OfAContainer(t *testing.T) {
	a := newAccount(t)
	here := a.here()
	out := here.must("doctor", "MEDU3309188")
	for _, want := range []string{
		"\nContainer 1\n", "- situation: held\n", "- can be picked up: no\n", "- current_status: not_available\n", "- holds: customs hold\n",
		"- last free day from: terminal\n", "- reported: ", "; set: T49_API_BASE_URL\n", "pod_arrived_at", "not reported of the shipment: ",
	} {
		require.Contains(t, out, want)
	}
	status, out, log := here.do("doctor", "NOPE1234567", "MSKU7182047")
	require.Equal(t, exitNotFound, status)
	require.Contains(t, out, "- situation: ready\n")
	require.Contains(t, out, "Not all could be read: exit status 5 of t49.\n")
	require.NotContains(t, out, "NOPE1234567")
	require.Contains(t, log, "NOPE1234567", "standard error is not for publication")
}

// SECURITY: texts of the account are in no report, also where this version expects a word.
func TestDoctor_OfAContainerHasNoTexts(t *testing.T) {
	a := newAccount(t)
	const secret = "Harbor Secret"
	ids := []string{}
	for _, shipment := range a.demo.Shipments {
		for _, id := range a.srv.ContainerIDs(shipment) {
			ids = append(ids, id)
			a.srv.UpdateContainer(id, func(c *terminal49test.Container) {
				c.Holds = []terminal49test.Hold{{Name: secret, Status: secret, Description: secret}}
				c.Fees = []terminal49test.Fee{{Type: secret, Amount: 5, CurrencyCode: secret}}
				c.CurrentStatus, c.SealNumber = secret, secret
			})
		}
		a.srv.UpdateShipment(shipment, func(s *terminal49test.Shipment) {
			s.ReferenceNumbers, s.Attributes = []string{secret}, map[string]any{"customer_name": secret, "x_" + secret: secret}
		})
	}
	out := a.here().must(append([]string{"doctor"}, ids...)...)
	require.Contains(t, out, "- holds: … …\n- fees: …\n")
	for _, text := range append(ids, secret, "Secret", "MSKU", "MAEU", "USLAX", "WBCT", "PO-", "2026") {
		require.NotContains(t, out, text)
	}
	require.Equal(t, len(ids), strings.Count(out, "\nContainer "))
}
