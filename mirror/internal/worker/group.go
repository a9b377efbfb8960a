package worker

import (
	"context"
	"sync"
	"time"
)

// Pause waits, and reports false if ctx ended. It returns early when wake receives, and reports
// false if wake is closed.
func Pause(ctx context.Context, d time.Duration, wake <-chan struct{}) bool {
	timer := time.NewTimer(max(d, 0))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case _, open := <-wake:
		return open
	case <-ctx.Done():
		return false
	}
}

// group runs functions side by side. The first error ends the others.
type group struct {
	ctx      context.Context
	Cancel   context.CancelFunc
	running  sync.WaitGroup
	once     sync.Once
	err      error
	panicked any
}

func NewGroup(ctx context.Context) *group {
	g := new(group)
	g.ctx, g.Cancel = context.WithCancel(ctx)
	return g
}

func (g *group) Start(f func(context.Context) error) {
	g.running.Add(1)
	go func() {
		defer g.running.Done()
		defer func() {
			if p := recover(); p != nil {
				g.end(nil, p)
			}
		}()
		if err := f(g.ctx); err != nil {
			g.end(err, nil)
		}
	}()
}

func (g *group) end(err error, panicked any) {
	g.once.Do(func() { g.err, g.panicked = err, panicked })
	g.Cancel()
}

// Wait returns the first error, after all have returned. It panics if one of them did, so that the
// caller of Run can recover from it.
func (g *group) Wait() error {
	g.running.Wait()
	g.Cancel()
	if g.panicked != nil {
		panic(g.panicked)
	}
	return g.err
}

// each calls f for every item of a list, width of them concurrently, until one fails.
func each[T any](ctx context.Context, width int, list []T, f func(context.Context, T) error) error {
	g := NewGroup(ctx)
	var mu sync.Mutex
	take := func() (one T, has bool) {
		mu.Lock()
		defer mu.Unlock()
		if has = len(list) > 0; has {
			one, list = list[0], list[1:]
		}
		return one, has
	}
	for range min(width, len(list)) {
		g.Start(func(ctx context.Context) error {
			for one, has := take(); has && ctx.Err() == nil; one, has = take() {
				if err := f(ctx, one); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return g.Wait()
}
