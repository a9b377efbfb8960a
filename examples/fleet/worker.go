package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-freight/terminal49"
)

// jobs are what each kind of worker does, as often as the limits permit.
var jobs = map[string][]func(context.Context, *terminal49.Client) error{
	"walk":  {walk},          // reads lists in the background
	"read":  {read, refresh}, // is the application, which reads single containers
	"track": {infer, create}, // tracks new numbers
}

// sideBySide is how many of each job a worker runs at once.
const sideBySide = 3

// work runs the jobs of a worker until ctx ends, and prints the number of waiting calls five times
// a second. Only the limiter differs from a program that runs alone.
func work(ctx context.Context, p process) error {
	limiter, err := p.Engine.limiter(p.Token)
	if err != nil {
		return err
	}
	client, err := terminal49.New(p.Token, terminal49.WithBaseURL(p.Service), terminal49.WithLimiter(limiter),
		terminal49.WithHooks(hooks))
	if err != nil {
		return err
	}
	var running sync.WaitGroup
	for _, job := range jobs[p.Role] {
		for range sideBySide {
			running.Go(func() { repeat(ctx, client, job) })
		}
	}
	for ctx.Err() == nil {
		fmt.Println(waiting.Load())
		time.Sleep(200 * time.Millisecond)
	}
	running.Wait()
	return nil
}

// waiting is the number of calls that have begun and not ended. They wait for the limiter, because
// a response of the simulated service takes less than a millisecond.
var waiting atomic.Int64

var hooks = terminal49.Hooks{
	OnCall: func(context.Context, terminal49.CallInfo) (context.Context, func(terminal49.CallResult)) {
		waiting.Add(1)
		return nil, func(terminal49.CallResult) { waiting.Add(-1) }
	},
}

func repeat(ctx context.Context, client *terminal49.Client, job func(context.Context, *terminal49.Client) error) {
	for ctx.Err() == nil {
		err := job(ctx, client)
		if err != nil && ctx.Err() == nil && !errors.Is(err, terminal49.ErrRateLimited) { // the service counts these
			log.Print(err)
			time.Sleep(time.Second)
		}
	}
}

// background leaves two fifths of a budget to the application.
const background = 0.6

func walk(ctx context.Context, client *terminal49.Client) error {
	for _, err := range client.Shipments.All(ctx, nil, terminal49.WithRateLimitShare(background)) {
		if err != nil {
			return err
		}
	}
	return nil
}

func read(ctx context.Context, client *terminal49.Client) error {
	return each(ctx, client, func(id string) error {
		_, err := client.Containers.Get(ctx, id, nil)
		return err
	})
}

func refresh(ctx context.Context, client *terminal49.Client) error {
	return each(ctx, client, func(id string) error {
		_, err := client.Containers.Refresh(ctx, id)
		return err
	})
}

// each calls do for every container on the first page.
func each(ctx context.Context, client *terminal49.Client, do func(id string) error) error {
	page, err := client.Containers.List(ctx, nil)
	if err != nil {
		return err
	}
	for _, container := range page.Items {
		if err := do(container.ID); err != nil {
			return err
		}
	}
	return nil
}

func infer(ctx context.Context, client *terminal49.Client) error {
	_, err := client.TrackingRequests.Infer(ctx, number(0))
	return err
}

// created is the number of tracking requests so far.
var created atomic.Int64

func create(ctx context.Context, client *terminal49.Client) error {
	_, err := client.TrackingRequests.Create(ctx, terminal49.TrackingRequestCreate{
		RequestType: terminal49.RequestTypeBillOfLading, RequestNumber: number(int(created.Add(1))), SCAC: "MAEU",
	})
	return err
}

// number returns one of the bill of lading numbers of the simulated service.
func number(i int) string { return fmt.Sprintf("MAEU%09d", i) }
