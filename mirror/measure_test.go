package mirror

import (
	"bytes"
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// TestMeasure_Acknowledgements measures how many deliveries of 4.6 KB a receiver acknowledges that
// the database has on the disk. It asserts only that none is lost:
//
//	MIRROR_MEASURE=1 go test -run Measure_Acknowledgements -v ./mirror
func TestMeasure_Acknowledgements(t *testing.T) { measured(t, measureReceiver) }

// measured runs a measure on SQLite and on Postgres, whose commits are durable.
func measured(t *testing.T, f func(t *testing.T, db *sql.DB)) {
	if os.Getenv("MIRROR_MEASURE") == "" {
		t.Skip("set MIRROR_MEASURE=1")
	}
	t.Run("SQLite", func(t *testing.T) { f(t, sqliteFull(t)) })
	t.Run("Postgres", func(t *testing.T) { f(t, durable(t)) })
}

func measureReceiver(t *testing.T, db *sql.DB) {
	client, err := terminal49.New("0123456789abcdef0123456789abcdef")
	require.NoError(t, err)
	m, err := New(client, db, WithSecrets(terminal49.NewSecret(mirrortest.WebhookSecret)))
	require.NoError(t, err)
	require.NoError(t, m.Migrate(t.Context()))
	srv := httptest.NewServer(m.Receiver())
	defer srv.Close()
	load := &deliveries{url: srv.URL, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}}, t: t}
	defer load.client.CloseIdleConnections()
	load.send(2_000, 64, 0) // warm
	for _, connections := range []int{16, 64, 256} {
		took, times := load.send(20_000, connections, 0)
		t.Logf("%d connections: %.0f/s, p50 %v, p99 %v", connections, 20_000/took.Seconds(), at(times, 50), at(times, 99))
	}
	_, times := load.send(10_000, 256, time.Second/1000)
	t.Logf("1,000/s: p50 %v, p99 %v, p99.9 %v", at(times, 50), at(times, 99), times[len(times)*999/1000])
	require.Len(t, m.strings(t, inboxIDs), int(load.n.Load()))
}

func at(sorted []time.Duration, percent int) time.Duration {
	return sorted[len(sorted)*percent/100].Round(10 * time.Microsecond)
}

// deliveries sends deliveries over a socket.
type deliveries struct {
	t      *testing.T
	url    string
	client *http.Client
	n      atomic.Int64
}

// send sends n deliveries over some connections, one each period or as fast as it can. It returns
// how long each took from the time at which it was due, sorted.
func (d *deliveries) send(n, connections int, period time.Duration) (took time.Duration, times []time.Duration) {
	bodies := d.bodies(n)
	times = make([]time.Duration, n)
	var next atomic.Int64
	var all sync.WaitGroup
	start, whole := time.Now(), mirrortest.Stopwatch()
	for range connections {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				due := time.Now()
				if period > 0 {
					due = start.Add(time.Duration(i) * period)
					pass(time.Until(due))
				}
				d.deliver(bodies[i])
				times[i] = time.Since(due)
			}
		})
	}
	all.Wait()
	took = whole()
	slices.Sort(times)
	return took, times
}

// pass lets time pass in a measure: between deliveries that are sent at a rate, on the way to a
// database that is far away, and from one look of a reader at the feed to the next.
func pass(d time.Duration) { time.Sleep(d) }

type signedBody struct {
	body      []byte
	signature string
}

// bodies returns bodies of 4.6 KB, each with an id of its own.
func (d *deliveries) bodies(n int) []signedBody {
	sample := mirrortest.SampleDelivery(d.t, terminal49.EventVesselDischarged)
	parsed, err := webhook.ParseNotification(sample)
	require.NoError(d.t, err)
	sample = append(sample, bytes.Repeat([]byte(" "), max(0, 4600-len(sample)))...)
	list := make([]signedBody, n)
	for i := range list {
		id := fmt.Appendf(nil, "00000000-0000-4000-8000-%012d", d.n.Add(1))
		body := bytes.ReplaceAll(sample, []byte(parsed.ID), id)
		list[i] = signedBody{body, terminal49test.SignWebhook(mirrortest.WebhookSecret, body)}
	}
	return list
}

func (d *deliveries) deliver(b signedBody) {
	req, err := http.NewRequest(http.MethodPost, d.url, bytes.NewReader(b.body))
	if err != nil {
		d.t.Error(err)
		return
	}
	req.Header.Set(webhook.SignatureHeader, b.signature)
	resp, err := d.client.Do(req)
	if err != nil {
		d.t.Error(err)
		return
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		d.t.Errorf("status %d", resp.StatusCode)
	}
}
