package fleet_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/webhook"
)

// The steps of a delivery after which a receiver may end without a chance to clean up.
const (
	beforeClaim = iota
	claimed
	inCallback
	handled // the callback has done its work
	completed
)

// webhookSecret signs the deliveries.
const webhookSecret = "5ecre7-of-the-webhook"

// receive handles deliveries until it is killed or ends itself.
func receive(ctx context.Context, o order) error {
	store, err := o.Store.dedupe(o.Name)
	if err != nil {
		return err
	}
	r := &receiver{DedupeStore: store, order: o, random: rand.New(rand.NewPCG(uint64(o.Seed), 1))}
	h, err := webhook.NewHandler(webhook.WithSecrets(terminal49.NewSecret(webhookSecret)),
		webhook.WithDedupe(r, time.Hour), webhook.WithTimeout(2*time.Second),
		webhook.OnAny(func(ctx context.Context, n *webhook.Notification) error {
			r.step(n.ID, inCallback)
			return r.report(ctx, n.ID, handled)
		}))
	if err != nil {
		return err
	}
	l, err := listen(0)
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", l.Addr())
	return http.Serve(l, h)
}

// receiver is a store whose process may end at any step, and whose leases are short.
type receiver struct {
	webhook.DedupeStore
	order  order
	mu     sync.Mutex
	random *rand.Rand
}

func (r *receiver) Claim(ctx context.Context, id, owner string, _ time.Duration) (webhook.DedupeState, error) {
	r.step(id, beforeClaim)
	state, err := r.DedupeStore.Claim(ctx, id, owner, 10*time.Second)
	if state == webhook.DedupeClaimed {
		r.step(id, claimed)
	}
	return state, err
}

func (r *receiver) Complete(ctx context.Context, id, owner string, retention time.Duration) error {
	r.step(id, handled)
	if err := r.DedupeStore.Complete(ctx, id, owner, retention); err != nil {
		return err
	}
	err := r.report(ctx, id, completed)
	r.step(id, completed)
	return err
}

// step kills the process in one of so many calls, at random.
func (r *receiver) step(id string, at int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.order.Crash > 0 && r.random.IntN(r.order.Crash) == 0 {
		self, _ := os.FindProcess(os.Getpid())
		_ = self.Kill()
		select {}
	}
}

// report adds a step that this process has done to the ledger.
func (r *receiver) report(ctx context.Context, id string, step int) error {
	query := url.Values{"id": {id}, "step": {fmt.Sprint(step)}, "process": {fmt.Sprint(os.Getpid())}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.order.Ledger+"/?"+query.Encode(), nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return res.Body.Close()
}
