package fleettest

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-freight/terminal49"
)

// places is how many waiters a line has.
const places = 10

// line is a full bucket whose slots become free one after another, and the calls that wait for
// them.
type line struct {
	*limiterFleet
	asked  []string
	mu     sync.Mutex
	served []string
}

// line fills the default bucket, and releases slots window/20 apart. Calls can ask for the second
// half of the window, until the first is free.
func (f *limiterFleet) line() *line {
	owner := f.process(0)
	inFlight := owner.fill(terminal49.BucketDefault)
	for _, r := range inFlight[:places] {
		releaseAll([]*limitedRequest{r})
		time.Sleep(f.windows(0.05))
	}
	return &line{limiterFleet: f}
}

// ask makes a call wait with a context that has no deadline.
func (q *line) ask(p *limitedProcess, ctx context.Context, name string) {
	q.asked = append(q.asked, name)
	q.workers.Go(func() {
		r := p.mustIn(ctx, p.patience(), terminal49.BucketDefault)
		q.mu.Lock()
		q.served = append(q.served, name)
		q.mu.Unlock()
		releaseAll([]*limitedRequest{r})
	})
}

// require reports if the calls are not served in this order.
func (q *line) require(order []string) {
	q.workers.Wait()
	if !slices.Equal(q.served, order) {
		q.errorf("calls were served in the order %s; want %s", strings.Join(q.served, ", "), strings.Join(order, ", "))
	}
	q.audit()
}
