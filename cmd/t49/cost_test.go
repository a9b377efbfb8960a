package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// Four calendar days after the discharge are free, each other day costs USD 75.
const costTariff = `{"currency": "USD", "charges": [{"kind": "demurrage", "starts": ["discharge"], "starts_next_day": true, "stops": "full_out",
	"free_days": 4, "tiers_from": "first_charged_day", "tiers": [{"from": 1, "per_day": "75.00"}]}]}`

// costAccount is an account with a container that was discharged in Los Angeles on 2 November, at
// 22:00.
func costAccount(t *testing.T) (a *account, number, tariff string) {
	a = newAccount(t)
	number = "TCLU4265487"
	shipment := a.srv.AddShipment(terminal49test.Shipment{ShippingLine: "MAEU", PortOfDischarge: "USLAX", PODTerminal: "WBCT"})
	a.srv.AddContainer(terminal49test.Container{
		Number: number, Shipment: shipment, PODDischargedAt: time.Date(2026, time.November, 3, 6, 0, 0, 0, time.UTC),
	})
	tariff = filepath.Join(t.TempDir(), "tariff.json")
	require.NoError(t, os.WriteFile(tariff, []byte(costTariff), 0o600))
	return a, number, tariff
}

func TestCost(t *testing.T) {
	a, number, tariff := costAccount(t)
	here := a.here()
	out := here.must("cost", number, "--tariff", tariff, "--until", "2026-11-09", "--csv")
	require.Contains(t, out, number+",demurrage,2026-11-09,USD 225.00,2026-11-06,USD 75.00,\n")
	out = here.must("cost", number, "--tariff", tariff, "--until", "2026-11-07", "--days", "--csv")
	require.Contains(t, out, number+",demurrage,2026-11-06,USD 0.00,free day 4\n")
	require.Contains(t, out, number+`,demurrage,2026-11-07,USD 75.00,"charged day 1, tier 1"`+"\n")

	var row struct {
		Number   string
		Currency string
		Total    struct{ Least, Most string }
		OneMore  struct{ Least string } `json:"one_more_day"`
	}
	require.NoError(t, json.Unmarshal([]byte(here.must("cost", number, "--tariff", tariff, "--until", "2026-11-09", "--json")), &row))
	require.Equal(t, number, row.Number)
	require.Equal(t, [3]string{"225", "225", "75"}, [3]string{row.Total.Least, row.Total.Most, row.OneMore.Least})
}

// What one more day costs is on the row of the total, because it is that of all charges.
func TestCost_SeveralCharges(t *testing.T) {
	a, number, tariff := costAccount(t)
	two := strings.Replace(costTariff, `[{"kind": "demurrage"`, `[{"kind": "storage", "starts": ["discharge"], "stops": "full_out", "free_days": 0,
		"tiers_from": "first_charged_day", "tiers": [{"from": 1, "per_day": "10.00"}]}, {"kind": "demurrage"`, 1)
	require.NoError(t, os.WriteFile(tariff, []byte(two), 0o600))
	out := a.here().must("cost", number, "--tariff", tariff, "--until", "2026-11-09", "--csv")
	require.Contains(t, out, number+",storage,2026-11-09,USD 80.00,,,\n"+number+",demurrage,2026-11-09,USD 225.00,2026-11-06,,\n"+
		number+",total,2026-11-09,USD 305.00,,USD 85.00,\n")
}

// A container at its ramp was not picked up, although pod_full_out_at is set
// (docs/service-containers.md#rail).
func TestCost_AtTheRamp(t *testing.T) {
	a, _, tariff := costAccount(t)
	two := strings.Replace(costTariff, `[{"kind": "demurrage"`, `[{"kind": "detention", "starts": ["full_out"], "stops": "empty_return", "free_days": 0,
		"tiers_from": "first_charged_day", "tiers": [{"from": 1, "per_day": "120.00"}]}, {"kind": "demurrage"`, 1)
	require.NoError(t, os.WriteFile(tariff, []byte(two), 0o600))
	number, discharged := "TCLU4265508", time.Date(2026, time.November, 3, 6, 0, 0, 0, time.UTC)
	id := a.srv.AddContainer(terminal49test.Container{
		Number: number, Shipment: a.srv.AddShipment(terminal49test.Shipment{ShippingLine: "MAEU", PortOfDischarge: "USLAX", PODTerminal: "WBCT", Destination: "USCHI"}),
		PODDischargedAt: discharged, PODFullOutAt: discharged.Add(24 * time.Hour), INDRailUnloadedAt: discharged.Add(72 * time.Hour),
	})
	cost := func() string {
		return a.here().must("cost", number, "--tariff", tariff, "--until", "2026-11-09", "--csv")
	}
	require.Contains(t, cost(), number+`,detention,2026-11-09,USD 0.00,,,"full out is not reported, so the clock has not started"`+"\n"+
		number+",demurrage,2026-11-09,USD 225.00,2026-11-06,,\n")

	a.srv.UpdateContainer(id, func(c *terminal49test.Container) { c.INDRailUnloadedAt = time.Time{} }) // by truck or by rail, since the 3rd
	require.Contains(t, cost(), number+",detention,2026-11-09,USD 0.00 to USD 840.00,,,whether full out has happened is not known\n"+
		number+",demurrage,2026-11-09,USD 0.00 to USD 225.00,2026-11-06,,whether full out has happened is not known\n")
}

// What is not reported is unknown, never zero.
func TestCost_Unknown(t *testing.T) {
	a, _, tariff := costAccount(t)
	atSea := "TCLU4265492"
	a.srv.AddContainer(terminal49test.Container{Number: atSea, Shipment: a.demo.Shipments[0]})
	require.Contains(t, a.here().must("cost", atSea, "--tariff", tariff, "--until", "2026-11-09", "--csv"),
		atSea+",demurrage,2026-11-09,unknown,,unknown,discharge is not reported\n")
}

func TestCost_RefusesWhatItCannotRead(t *testing.T) {
	a, number, tariff := costAccount(t)
	here, before := a.here(), len(a.srv.Requests())
	bad := filepath.Join(t.TempDir(), "bad.json")
	require.NoError(t, os.WriteFile(bad, []byte(`{"currency": "USD", "charges": []}`), 0o600))
	for want, args := range map[string][]string{
		"--tariff is required":          {"cost", number},
		"--until soon is not a day":     {"cost", number, "--tariff", tariff, "--until", "soon"},
		"--tariff " + bad + ": charges": {"cost", number, "--tariff", bad},
		"--fields works":                {"cost", number, "--tariff", tariff, "--json", "--fields", "number"},
	} {
		status, out, log := here.do(args...)
		require.Equal(t, exitUsage, status, want)
		require.Empty(t, out)
		require.Contains(t, log, want)
	}
	require.Len(t, a.srv.Requests(), before)
}
