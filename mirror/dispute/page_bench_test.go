package dispute_test

import (
	"bytes"
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/demurrage"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/mirror/dispute"
	"github.com/go-freight/terminal49/terminal49test"
)

// BenchmarkPage makes and writes the page of a container with 200 fees and last free days, which
// the mirror read one after the other.
func BenchmarkPage(b *testing.B) {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithoutRateLimits())
	defer srv.Close()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(b.TempDir(), "mirror.db")+"?_pragma=busy_timeout(5000)&_txlock=immediate")
	require.NoError(b, err)
	defer db.Close() //nolint:errcheck // of a test
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()), terminal49.WithoutRateLimits())
	require.NoError(b, err)
	m, err := mirror.New(client, db, mirror.WithSettle(time.Millisecond))
	require.NoError(b, err)
	id := srv.AddContainer(terminal49test.Container{Number: "MSKU7182047", PODDischargedAt: srv.Now()})
	lfd := srv.Now()
	for i := range 100 {
		srv.UpdateContainer(id, func(c *terminal49test.Container) {
			c.Fees = []terminal49test.Fee{{Type: "demurrage", Amount: float64(100 + i)}}
			c.ImportDeadlines = terminal49test.Deadlines{Terminal: lfd.AddDate(0, 0, i)}
		})
		require.NoError(b, m.Reconcile(b.Context()))
	}
	parsed, err := demurrage.ParseTariff(tariff)
	require.NoError(b, err)
	facts := 0
	for b.Loop() {
		p, err := dispute.New(b.Context(), mirror.NewReader(db), id, dispute.Options{Tariff: parsed})
		require.NoError(b, err)
		var page bytes.Buffer
		require.NoError(b, p.Markdown(&page))
		facts = 0
		for _, s := range p.Sections {
			facts += len(s.Facts)
		}
	}
	require.GreaterOrEqual(b, facts, 200)
	b.ReportMetric(float64(facts), "facts")
}
