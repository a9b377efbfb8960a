package main

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/terminal49test"
)

// demoPast is how much of the simulated account's past the copy has seen when the first tool
// answers, so that there is something to say about what changed.
const demoPast = 24 * time.Hour

// demoPatience is how long calls wait for that after the start. On a slow machine the first ones
// have less of it.
const demoPatience = 3 * time.Second

// demoMCP answers about a simulated account, whose clock shows the time of this machine.
func (a *app) demoMCP(ctx context.Context, f mcpFlags) error {
	a.level = slog.LevelWarn
	d, err := a.openDemo([]terminal49test.Option{terminal49test.WithStart(time.Now().Add(-demoPast))})
	if err != nil {
		return err
	}
	c, err := a.answering(d.m, d.db, f)
	if c.Now, c.Account = d.srv.Now, "simulated account"; f.write {
		c.Client = d.client
	}
	if err == nil {
		past := &demoHistory{demo: d, known: make(chan struct{}), patience: time.After(demoPatience)}
		err = a.serveMCP(ctx, c, f.listen, past.ready, past.keep)
	}
	return errors.Join(err, d.close())
}

// demoHistory has a copy see the past of a simulated account.
type demoHistory struct {
	*demo
	known    chan struct{} // closed when it has, or calls do not wait any more
	patience <-chan time.Time
	once     sync.Once // closes known
}

// ready waits until the copy is whole and has seen the past, but not long.
func (h *demoHistory) ready(ctx context.Context) error {
	select {
	case <-h.known:
	case <-h.patience:
		h.answer()
	case <-ctx.Done():
	}
	return nil
}

// answer lets calls go on.
func (h *demoHistory) answer() { h.once.Do(func() { close(h.known) }) }

// keep keeps the copy until ctx ends.
func (h *demoHistory) keep(ctx context.Context) error {
	if err := h.m.Migrate(ctx); err != nil { // before a notification comes
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	h.srv.SeedTraffic(demoShipments)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	passed := make(chan struct{})
	go func() {
		defer close(passed)
		h.pass(ctx)
	}()
	err := h.m.Run(ctx)
	stop()
	<-passed
	return err
}

// pass lets the past pass after the first walk, and then time as it does here.
func (h *demoHistory) pass(ctx context.Context) {
	if !h.until(ctx, func(s *mirror.Status) bool { return !s.WholeWalk.IsZero() }) {
		return
	}
	h.srv.Advance(demoPast)
	if h.until(ctx, func(s *mirror.Status) bool { return s.Marked == 0 && s.Inbox == 0 }) {
		h.srv.SetSpeed(1)
		h.answer()
	}
}

// until waits for a status. It returns false if ctx ends before.
func (h *demoHistory) until(ctx context.Context, is func(*mirror.Status) bool) bool {
	for sleep(ctx, 50*time.Millisecond) {
		if s, err := h.m.Status(ctx); err == nil && is(s) {
			return true
		}
	}
	return false
}
