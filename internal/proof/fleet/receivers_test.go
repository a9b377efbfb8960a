package fleet_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// ledger records what the receivers' callbacks did, as a database of the user would.
type ledger struct {
	*httptest.Server
	mu      sync.Mutex
	handled map[string]int
	open    map[string]int // handlings whose completion was not reported
}

func newLedger(t *testing.T) *ledger {
	l := &ledger{handled: map[string]int{}, open: map[string]int{}}
	l.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		id := r.URL.Query().Get("id")
		step, _ := strconv.Atoi(r.URL.Query().Get("step"))
		l.mu.Lock()
		defer l.mu.Unlock()
		if step == handled {
			l.handled[id]++
			l.open[id]++
			return
		}
		l.open[id]--
	}))
	t.Cleanup(l.Close)
	return l
}

// group is a number of receivers; each is started again when it ends.
type group struct {
	t       *testing.T
	order   order
	mu      sync.Mutex
	running []*process
	crashes atomic.Int64
	stop    chan struct{}
	done    sync.WaitGroup
}

func startGroup(t *testing.T, n int, o order) *group {
	g := &group{t: t, order: o, running: make([]*process, n), stop: make(chan struct{})}
	for i := range n {
		g.replace(i)
		g.done.Go(func() { g.keep(i) })
	}
	return g
}

func (g *group) replace(i int) {
	o := g.order
	o.Seed = rand.Int64()
	p := start(g.t, o, true)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running[i] = p
}

func (g *group) keep(i int) {
	for {
		g.mu.Lock()
		p := g.running[i]
		g.mu.Unlock()
		select {
		case <-g.stop:
			return
		case <-p.ended:
			g.crashes.Add(1)
			g.replace(i)
		}
	}
}

func (g *group) close() {
	close(g.stop)
	g.done.Wait()
}

func (g *group) address() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.running[rand.IntN(len(g.running))].address
}

// delivery returns the body of a delivery with an id of its own for each i.
func delivery(i int) []byte {
	return fmt.Appendf(nil, `{"data":{"id":"n-%[1]d","type":"webhook_notification","attributes":{"id":"n-%[1]d","event":"container.updated",`+
		`"delivery_status":"succeeded","created_at":"2024-07-01T12:00:00Z"},"relationships":{"reference_object":{"data":{"id":"ref","type":"container_updated_event"}},`+
		`"webhook":{"data":{"id":"w-1","type":"webhook"}}}},"included":[{"id":"ref","type":"container_updated_event"}]}`, i)
}

// deliver sends a notification until a receiver acknowledges it, as the service does.
func (g *group) deliver(client *http.Client, body []byte) error {
	for range 400 {
		req, err := http.NewRequest(http.MethodPost, g.address(), bytes.NewReader(body))
		if err != nil {
			return err
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set(webhook.SignatureHeader, terminal49test.SignWebhook(webhookSecret, body))
		res, err := client.Do(req)
		if err == nil {
			_ = res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return nil
			}
		}
		rest(rand.N(200 * time.Millisecond))
	}
	return fmt.Errorf("not acknowledged in 400 attempts: %.80s", body)
}

// Receivers are killed at random between claim, callback and completion. Every notification is
// handled. It is handled again only if the process was killed between the callback and the
// completion.
func TestReceivers_LoseNothing(t *testing.T) {
	for _, e := range engineList {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			count := scale(1000, 4000)
			if long() {
				count = 10_000
			}
			books := newLedger(t)
			g := startGroup(t, 4, order{Role: "receiver", Store: e.start(t), Name: "receivers", Ledger: books.URL, Crash: 400})
			client := &http.Client{Timeout: 20 * time.Second}
			ids := make(chan int)
			var senders sync.WaitGroup
			for range 32 {
				senders.Go(func() {
					for i := range ids {
						if err := g.deliver(client, delivery(i)); err != nil {
							t.Error(err)
						}
					}
				})
			}
			for i := range count {
				ids <- i
				if i%10 == 0 { // the service delivers one in ten twice
					ids <- i
				}
			}
			close(ids)
			senders.Wait()
			g.close()

			books.mu.Lock()
			defer books.mu.Unlock()
			again := 0
			for i := range count {
				id := fmt.Sprintf("n-%d", i)
				require.GreaterOrEqual(t, books.handled[id], 1, "%s is lost", id)
				require.LessOrEqual(t, books.handled[id]-1, books.open[id], "%s was handled again although it was completed", id)
				again += books.handled[id] - 1
			}
			require.Len(t, books.handled, count)
			require.Positive(t, g.crashes.Load(), "no receiver ended")
			t.Logf("figure: %s: %d notifications, 4 receivers, %d crashes: 0 lost, %d handled again",
				e.name, count, g.crashes.Load(), again)
		})
	}
}
