package fleet_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/terminal49test"
)

// Two processes share one engine, here in memory. Packages redisstore and sqlstore return limiters
// with a real one.
func ExampleNew() {
	srv := terminal49test.NewServer()
	defer srv.Close()
	engine := newMemory(1, 0) // what processes share

	for process := range 2 {
		limiter, err := fleet.New(engine, srv.Token,
			fleet.WithFallback(fleet.Fail()), // instead of waiting for an engine that is away
			fleet.WithEvents(func(e fleet.Event) { log.Print(e) }))
		if err != nil {
			log.Fatal(err)
		}
		client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithLimiter(limiter))
		if err != nil {
			log.Fatal(err)
		}
		if _, err := client.Shipments.List(context.Background(), nil); err != nil {
			log.Fatal(err)
		}
		fmt.Println("process", process+1, "- slots in use:", engine.taken())
	}
	// Output:
	// process 1 - slots in use: 1
	// process 2 - slots in use: 2
}

// A limiter can be used without a client of this package.
func ExampleLimiter_Acquire() {
	limiter, err := fleet.New(newMemory(1, 0), "key")
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	release, err := limiter.Acquire(ctx, terminal49.BucketDefault)
	if err != nil {
		log.Fatal(err)
	}
	defer release() // once the response has arrived
	fmt.Println("one request may be sent")
	// Output: one request may be sent
}

// Two keys of one account share its limits, which are lower than usual. While the engine is away,
// calls wait, which is the default; after it has lost slots nothing is sent for a while.
func ExampleWithRateLimits() {
	engine := newMemory(1, 0)
	for _, key := range []string{"a key", "another key"} {
		limiter, err := fleet.New(engine, key, fleet.WithNamespace("our-account"), fleet.WithRateLimits(terminal49.RateLimits{Default: 50}),
			fleet.WithFallback(fleet.Wait()))
		if err != nil {
			log.Fatal(err)
		}
		release, err := limiter.Acquire(context.Background(), terminal49.BucketDefault)
		if err != nil {
			log.Fatal(err)
		}
		release()
	}
	fmt.Println("slots in use:", engine.taken())
	// Output: slots in use: 2
}
