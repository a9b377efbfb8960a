package fleet_test

import (
	"context"
	"sync"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
)

// fallback returns the part of the budget that each process has while the engine is away; with none
// it waits.
func fallback(o order) fleet.Fallback {
	if o.Local == 0 {
		return fleet.Wait()
	}
	return fleet.LocalShare(o.Local)
}

// work calls the API at full demand until the process is killed.
func work(ctx context.Context, o order) error {
	limiter, err := o.Store.limiter(ctx,
		fleet.WithNamespace(o.Name), fleet.WithWindow(o.Window), fleet.WithFallback(fallback(o)),
		fleet.WithLimits(terminal49.Limits{Default: o.Limit, PerSecond: 10_000, Burst: o.Limit}))
	if err != nil {
		return err
	}
	opts := []terminal49.Option{
		terminal49.WithBaseURL(o.API + "/v2"), terminal49.WithLimiter(limiter), terminal49.WithMaxAttempts(1),
	}
	if o.Share > 0 {
		opts = append(opts, terminal49.WithShare(o.Share), terminal49.WithUserAgent("background"))
	}
	client, err := terminal49.New("a-key-of-the-fleet", opts...)
	if err != nil {
		return err
	}
	var callers sync.WaitGroup
	for range o.Callers {
		callers.Go(func() {
			for ctx.Err() == nil {
				if _, err := client.Shipments.List(ctx, nil); err != nil {
					time.Sleep(10 * time.Millisecond)
				}
			}
		})
	}
	callers.Wait()
	return nil
}
