//go:build unix

package measure

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
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
//	MEASURE=1 go test -run Acknowledgements -v .
func TestMeasure_Acknowledgements(t *testing.T) {
	onBoth(t, func(t *testing.T, in source) { newBackfill(t, in).receive() })
}

func (b *backfill) receive() {
	srv := httptest.NewServer(b.m.Receiver())
	defer srv.Close()
	load := &deliveries{url: srv.URL, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}}, t: b.T}
	defer load.client.CloseIdleConnections()
	load.send(2_000, 64, 0) // warm
	for _, connections := range []int{16, 64, 256} {
		took, times := load.send(20_000, connections, 0)
		b.figure(fmt.Sprint("deliveries over ", connections, " connections"), fmt.Sprintf("%.0f a second, p50 %v, p99 %v", 20_000/took.Seconds(), at(times, 50), at(times, 99)))
	}
	_, times := load.send(10_000, 256, time.Second/1000)
	b.figure("deliveries, 1,000 a second", fmt.Sprintf("p50 %v, p99 %v, p99.9 %v", at(times, 50), at(times, 99), times[len(times)*999/1000]))
	require.Equal(b, load.n.Load(), b.number("select count(*) from t49.inbox"))
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
				times[i] = since(due)
			}
		})
	}
	all.Wait()
	took = whole()
	slices.Sort(times)
	return took, times
}

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
