package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDispute_PrintsAPage(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.srv.SeedDemo()
	b.copy()
	b.must("run", "--once")
	tariff := filepath.Join(t.TempDir(), "tariff.json")
	require.NoError(t, os.WriteFile(tariff, []byte(`{"currency": "USD", "charges": [{"kind": "demurrage", "starts": ["discharge"],
		"stops": "full_out", "free_days": 2, "tiers_from": "first_charged_day", "tiers": [{"from": 1, "per_day": "100.00"}]}]}`), 0o600))

	md := b.must("dispute", "MEDU3309188")
	require.Contains(t, md, "# The stay of MEDU3309188\n")
	require.Contains(t, md, "| customs hold, hold")
	require.Contains(t, md, "541.6(e)(2)")
	require.NotContains(t, md, "Estimate")
	require.Contains(t, b.must("dispute", "medu 330918-8", "--tariff", tariff), "## Estimate by a tariff")
	require.Contains(t, b.must("dispute", "MEDU3309188", "--format", "html"), "<title>The stay of MEDU3309188</title>")
	var page struct {
		Number    string
		Checklist []struct{ Paragraph string }
	}
	require.NoError(t, json.Unmarshal([]byte(b.must("dispute", "MEDU3309188", "--format", "json", "--tariff", tariff, "--until", "2026-12-04")), &page))
	require.Equal(t, "MEDU3309188", page.Number)
	require.Len(t, page.Checklist, 20)

	for want, args := range map[string][]string{
		"--format must be":                    {"dispute", "MEDU3309188", "--format", "pdf"},
		"--until needs --tariff":              {"dispute", "MEDU3309188", "--until", "2026-12-04"},
		"--until must be a day":               {"dispute", "MEDU3309188", "--tariff", tariff, "--until", "soon"},
		"--tariff must be a file":             {"dispute", "MEDU3309188", "--tariff", tariff + "x"},
		"--id must be one of the journeys of": {"dispute", "MEDU3309188", "--id", "x"},
	} {
		status, out, log := b.do(args...)
		require.Equal(t, exitUsage, status, want)
		require.Empty(t, out)
		require.Contains(t, log, want)
	}
	status, _, log := b.do("dispute", "MSCU0000000")
	require.Equal(t, exitUsage, status)
	require.Contains(t, log, `the copy has no container with the number "MSCU0000000"`)
}
