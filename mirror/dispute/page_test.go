package dispute_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	_ "modernc.org/sqlite"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/demurrage"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/mirror/dispute"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/terminal49test"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var tariff = []byte(`{"name": "Contract 4711", "source": "appendix B", "currency": "USD", "charges": [{"kind": "demurrage", "starts": ["discharge"], "starts_next_day": true,
	"stops": "full_out", "free_days": 2, "tiers_from": "first_charged_day", "tiers": [{"from": 1, "per_day": "100.00"}]}]}`)

// story mirrors a container that is held, released, charged and picked up, and returns its reader.
// The clock of the service begins at midnight UTC on 1 January 2000, a Saturday; Los Angeles is 8
// hours behind. More may happen to it a day later each.
func story(t *testing.T, srv *terminal49test.Server, hold string, more ...func(*terminal49test.Container)) (r *mirror.Reader, id string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "mirror.db")+"?_pragma=busy_timeout(5000)&_txlock=immediate")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()))
	require.NoError(t, err)
	m, err := mirror.New(client, db)
	require.NoError(t, err)

	shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU240711002", ShippingLine: "MAEU", PortOfDischarge: "USLAX", PODTerminal: "WBCT"})
	lfd := time.Date(2000, 1, 5, 8, 0, 0, 0, time.UTC)
	id = srv.AddContainer(terminal49test.Container{
		Number: "MSKU7182047", Shipment: shipment, PODDischargedAt: srv.Now().Add(-time.Hour), TerminalCheckedAt: srv.Now(),
		AvailableForPickup: terminal49test.Bool(false), Holds: []terminal49test.Hold{{Name: "customs", Status: "hold", Description: hold}},
		ImportDeadlines: terminal49test.Deadlines{Terminal: lfd},
	})
	steps := []func(*terminal49test.Container){
		func(*terminal49test.Container) {},
		func(c *terminal49test.Container) {
			c.AvailabilityKnown = terminal49test.Bool(true)
			c.Holds, c.AvailableForPickup = []terminal49test.Hold{}, terminal49test.Bool(true)
		},
		func(c *terminal49test.Container) { c.ImportDeadlines.Terminal = lfd.AddDate(0, 0, 1) },
		func(c *terminal49test.Container) {
			c.Fees = []terminal49test.Fee{{Type: "demurrage", Amount: 300}}
			c.TerminalCheckedAt = time.Now()
		},
		func(c *terminal49test.Container) { c.PODFullOutAt = time.Now() },
	}
	for _, step := range append(steps, more...) {
		srv.UpdateContainer(id, step)
		require.NoError(t, m.Reconcile(t.Context()))
		mirrortest.Advance(24 * time.Hour)
	}
	return mirror.NewReader(db), id
}

func pageOf(t *testing.T, srv *terminal49test.Server, hold string) *dispute.Page {
	t.Helper()
	r, id := story(t, srv, hold)
	parsed, err := demurrage.ParseTariff(tariff)
	require.NoError(t, err)
	p, err := dispute.New(t.Context(), r, id, dispute.Options{Tariff: parsed})
	require.NoError(t, err)
	return p
}

func markdownOf(t *testing.T, p *dispute.Page) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, p.Markdown(&b))
	return b.String()
}

// The page has what happened on each day of the story, with when it was read.
func TestPage_Story(t *testing.T) {
	mirrortest.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		p := pageOf(t, srv, "exam")
		md := markdownOf(t, p)
		for _, line := range []string{
			"last read 2000-01-05 00:00 UTC. It was read first 2000-01-01 00:00 UTC",
			"| discharged from the vessel | 1999-12-31 15:00 -08:00, at the latest 2000-01-01 00:00 UTC | the container's pod\\_discharged\\_at, read by a walk |",
			"| full out of the port | 2000-01-04 16:00 -08:00, read 2000-01-05 00:00 UTC | the container's pod\\_full\\_out\\_at, read by a walk |",
			"| not available for pickup | at the latest 2000-01-01 00:00 UTC, no longer 2000-01-02 00:00 UTC | the terminal, read by a walk |",
			"| available for pickup | read 2000-01-02 00:00 UTC | the terminal, read by a walk |",
			"| customs hold, hold: exam | at the latest 2000-01-01 00:00 UTC, no longer 2000-01-02 00:00 UTC | the terminal, read by a walk |",
			"| last free day of the terminal: 2000-01-05 | at the latest 2000-01-01 00:00 UTC, no longer 2000-01-03 00:00 UTC | the terminal, read by a walk |",
			"| last free day of the terminal: 2000-01-06 | read 2000-01-03 00:00 UTC | the terminal, read by a walk |",
			"| demurrage USD 300.00 | read 2000-01-04 00:00 UTC | the terminal, read by a walk |",
			"- demurrage USD 200.00, free until 2000-01-02",
			"- the terminal has posted USD 300.00 of demurrage: posted more", // checked on 3 January in Los Angeles: one day was charged
			"| demurrage | 2000-01-04 | USD 100.00 | charged day 2, tier 1 |",
			"| ☐ | 541.6(b)(6) | for imports, the date when the container was available | first read as available 2000-01-02 00:00 UTC |",
			"| ☐ | 541.6(b)(8) | the dates that are charged | demurrage: 2 days from 2000-01-03 to 2000-01-04 by the tariff |",
			"| ☐ | 541.6(e)(2) | that the billing party did not cause or contribute to them | only on the invoice |",
		} {
			require.Contains(t, md, line)
		}
		for _, s := range p.Sections {
			for _, f := range s.Facts {
				require.NotEmpty(t, f.Source, f.What)
			}
		}
		require.Len(t, p.Checklist, 20)

		data, err := json.Marshal(p)
		require.NoError(t, err)
		var read struct {
			Estimate struct{ Total struct{ Least string } }
		}
		require.NoError(t, json.Unmarshal(data, &read))
		require.Equal(t, "200", read.Estimate.Total.Least)
	})
}

// A container at its ramp was not picked up, although pod_full_out_at is set
// (docs/service-containers.md#rail): it costs USD 100 for each day after the two free ones, and no
// detention.
func TestPage_AtTheRamp(t *testing.T) {
	two := strings.Replace(string(tariff), `[{"kind"`, `[{"kind": "detention", "starts": ["full_out"], "stops": "empty_return", "free_days": 0,
		"tiers_from": "first_charged_day", "tiers": [{"from": 1, "per_day": "120.00"}]}, {"kind"`, 1)
	parsed, err := demurrage.ParseTariff([]byte(two))
	require.NoError(t, err)
	mirrortest.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		r, id := story(t, srv, "exam", func(c *terminal49test.Container) { // out of the port on the 4th
			c.PODRailDepartedAt, c.INDRailUnloadedAt = c.PODFullOutAt, c.PODFullOutAt.Add(time.Hour)
		})
		p, err := dispute.New(t.Context(), r, id, dispute.Options{Tariff: parsed, Until: terminal49.Date{Year: 2000, Month: time.January, Day: 6}})
		require.NoError(t, err)
		md := markdownOf(t, p)
		require.Contains(t, md, "- detention USD 0.00 (full out is not reported, so the clock has not started)")
		require.Contains(t, md, "- demurrage USD 400.00 until 2000-01-06, free until 2000-01-02")
	})
}

// A checklist has the free days of a charge only if it is the only one with its kind and name, and
// free time begins on the first day that is free.
func TestPage_Checklist(t *testing.T) {
	parsed, err := demurrage.ParseTariff([]byte(`{"currency": "USD", "weekend": ["saturday", "sunday"], "charges": [
		{"kind": "demurrage", "applies": {"shipping_lines": ["HLCU"]}, "starts": ["discharge"], "stops": "full_out",
			"free_days": 9, "tiers_from": "first_charged_day", "tiers": [{"from": 1, "per_day": "50.00"}]},
		{"kind": "demurrage", "starts": ["discharge"], "starts_next_day": true, "stops": "full_out",
			"free_days": 2, "free_skips": ["weekends"], "tiers_from": "first_charged_day", "tiers": [{"from": 1, "per_day": "100.00"}]},
		{"kind": "storage", "starts": ["availability"], "stops": "full_out",
			"free_days": 2, "tiers_from": "first_charged_day", "tiers": [{"from": 1, "per_day": "10.00"}]}]}`))
	require.NoError(t, err)
	mirrortest.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		r, id := story(t, srv, "exam")
		p, err := dispute.New(t.Context(), r, id, dispute.Options{Tariff: parsed})
		require.NoError(t, err)
		md := markdownOf(t, p)
		for _, line := range []string{ // discharged on a Friday; available on 31 December or 1 January
			"| 541.6(b)(3) | the free time in days | demurrage: 2 used |",
			"| 541.6(b)(4) | the first day of free time | demurrage: 2000-01-03 |",
			"| 541.6(b)(8) | the dates that are charged | storage: at most 3 days from 2000-01-02 to 2000-01-04 by the tariff |",
		} {
			require.Contains(t, md, line)
		}
	})
}

// A page without a tariff has no amounts of its own.
func TestPage_WithoutTariff(t *testing.T) {
	mirrortest.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		r, id := story(t, srv, "exam")
		p, err := dispute.New(t.Context(), r, id, dispute.Options{})
		require.NoError(t, err)
		require.NotContains(t, markdownOf(t, p), "Estimate")
		_, err = dispute.New(t.Context(), r, "no such id", dispute.Options{})
		require.ErrorIs(t, err, sql.ErrNoRows)
	})
}

// Texts of terminals are shown, and cannot become links, elements or other cells.
func TestPage_HostileTexts(t *testing.T) {
	const hostile = "a | b <script>alert(1)</script> [x](https://evil.example/) ![](https://evil.example/i) www.evil.example \x1b[31m \u202e \n# Paid _em_ __strong__ ~~struck~~ ~gone~ *em* `code`"
	mirrortest.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		p := pageOf(t, srv, hostile)
		var html bytes.Buffer
		require.NoError(t, p.HTML(&html))
		md := markdownOf(t, p)
		for _, text := range []string{"<script", "a | b", "https://", "www.", " ![", "\x1b", "\u202e", "\n# Paid", " _", "__", "~~", " ~", " *", " `"} {
			require.NotContains(t, md, text)
		}
		for _, text := range []string{"<script", "<img", "<a ", "\x1b", "\u202e"} {
			require.NotContains(t, html.String(), text)
		}
		require.Contains(t, html.String(), "&lt;script&gt;alert(1)")
		require.Contains(t, strings.ReplaceAll(md, "\\", ""), "a | b &lt;script&gt;alert(1)&lt;/script&gt; [x](https://evil.example/)")
	})
}
