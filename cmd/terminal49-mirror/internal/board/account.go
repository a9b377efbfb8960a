package board

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

// account is a real account. Nothing in it is changed, so it has no webhook for the board.
type account struct {
	own
	service health // that of own is of the database
}

// How often the lists are read. Of the rate limit, what a walk leaves is for probes and pages.
const (
	activeInterval = 5 * time.Minute
	wholeInterval  = 30 * time.Minute
	walkShare      = 0.85
)

// AccountOptions are the options of a mirror for [Account].
func AccountOptions() []mirror.Option {
	return []mirror.Option{mirror.WithActiveInterval(activeInterval), mirror.WithWholeInterval(wholeInterval), mirror.WithRateLimitShare(walkShare)}
}

func newAccount(o Own) *account {
	return &account{own: newOwn(o, fmt.Sprintf(", and is read every %.0f minutes, what is tracked every %.0f", wholeInterval.Minutes(), activeInterval.Minutes()))}
}

func (a *account) tick() time.Duration { return 20 * time.Second }

func (a *account) state() state {
	s := a.own.state()
	s.Problem = cmp.Or(a.service.report(), s.Problem)
	return s
}

// follow mirrors the account. It fails if the token is refused before anything was read.
func (a *account) follow(ctx context.Context, m *model) error {
	ctx, cancel := context.WithCancel(ctx)
	watching := make(chan struct{})
	go func() {
		defer close(watching)
		a.watch(ctx, m)
	}()
	err := a.connect(ctx)
	if err == nil {
		err = a.own.follow(ctx, m)
	}
	cancel()
	<-watching
	return err
}

// connectAgain is the time between two first requests, while the service is away.
const connectAgain = 15 * time.Second

// connect waits until the service answers, and returns an error if it refuses the token.
func (a *account) connect(ctx context.Context) error {
	for {
		err := a.count(ctx)
		if errors.Is(err, terminal49.ErrUnauthorized) || errors.Is(err, terminal49.ErrForbidden) {
			return UsageError(explain(err))
		}
		if a.heard(ctx, err); err == nil || !wait(ctx, connectAgain) {
			return nil
		}
	}
}

// heard notes a response, or a failure that is about the service.
func (a *account) heard(ctx context.Context, err error) {
	if err == nil {
		a.service.ok()
	} else if problem := explain(err); problem != "" && ctx.Err() == nil {
		a.service.fail(problem)
	}
}

// While a page is open, the service is asked for the owner of the token: so the page says within
// ten seconds that the service is away or the token revoked.
const (
	probeInterval = 5 * time.Second
	probeTimeout  = 3 * time.Second
)

func (a *account) watch(ctx context.Context, m *model) {
	var asked time.Time
	for wait(ctx, probeInterval/20) {
		if m.streams() == 0 || time.Since(asked) < probeInterval {
			continue
		}
		asked = time.Now()
		bounded, cancel := context.WithTimeout(ctx, probeTimeout)
		_, err := a.client.Me(bounded, terminal49.WithMaxAttempts(1))
		cancel()
		a.heard(ctx, err)
	}
}
