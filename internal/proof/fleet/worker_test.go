package fleet_test

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9/logging"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
)

const someID = "6f1c2b9e-2b7d-4b6e-9a7e-0c5d7f3a1b2c"

// calls has a call of each of the buckets.
var calls = []func(context.Context, *terminal49.Client) error{
	func(ctx context.Context, c *terminal49.Client) error {
		_, err := c.Shipments.List(ctx, nil)
		return err
	},
	func(ctx context.Context, c *terminal49.Client) error {
		_, err := c.TrackingRequests.Create(ctx, terminal49.TrackingRequestCreate{
			RequestType: terminal49.RequestTypeBillOfLading, RequestNumber: "MAEU123456789", SCAC: "MAEU"})
		return err
	},
	func(ctx context.Context, c *terminal49.Client) error {
		_, err := c.TrackingRequests.Infer(ctx, "MAEU123456789")
		return err
	},
	func(ctx context.Context, c *terminal49.Client) error {
		_, err := c.Containers.Refresh(ctx, someID)
		return err
	},
}

// options returns those of a worker's limiter. With the service's window, everything has its
// default.
func (o order) options() []fleet.Option {
	var opts []fleet.Option
	if o.Window != time.Minute {
		opts = append(opts, fleet.WithWindow(o.Window),
			fleet.WithRateLimits(terminal49.RateLimits{PerSecond: terminal49.DefaultRateLimits().PerSecond * float64(time.Minute/o.Window)}))
	}
	if o.Settling {
		opts = append(opts, fleet.WithSettling())
	}
	return opts
}

// work calls the API at full demand in all buckets until the process is killed.
func work(ctx context.Context, o order) error {
	logging.Disable()
	limiter, _, err := o.Store.limiter(o.options()...)
	if err != nil {
		return err
	}
	opts := []terminal49.Option{
		terminal49.WithBaseURL(o.API + "/v2"), terminal49.WithLimiter(limiter), terminal49.WithMaxAttempts(1),
		terminal49.WithUserAgent(o.Agent),
	}
	if o.Share > 0 {
		opts = append(opts, terminal49.WithRateLimitShare(o.Share))
	}
	client, err := terminal49.New(token, opts...)
	if err != nil {
		return err
	}
	var callers sync.WaitGroup
	for _, call := range calls {
		for range o.Callers {
			callers.Go(func() {
				for ctx.Err() == nil {
					o.call(ctx, client, call)
				}
			})
		}
	}
	callers.Wait()
	return nil
}

// call makes a call, which its caller may give up, and reports its failure to the service.
func (o order) call(ctx context.Context, client *terminal49.Client, call func(context.Context, *terminal49.Client) error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if o.Patience > 0 {
		defer time.AfterFunc(rand.N(o.Patience), cancel).Stop()
	}
	err := call(ctx, client)
	if err == nil || ctx.Err() != nil {
		return
	}
	if res, err := http.Post(o.API+"/failure", "text/plain", strings.NewReader(err.Error())); err == nil {
		_ = res.Body.Close()
	}
	rest(o.Window / 10)
}
