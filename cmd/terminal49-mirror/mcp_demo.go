package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/terminal49test"
)

// demoPast is how much of the simulated account's past the copy has seen when the first tool
// answers, so that there is something to say about what changed.
const demoPast = 24 * time.Hour

// demoMCP answers about a simulated account, whose clock shows the time of this machine when the
// first tool answers.
func (a *app) demoMCP(ctx context.Context, f mcpFlags) error {
	a.level = slog.LevelWarn
	d, err := a.openDemo([]terminal49test.Option{terminal49test.WithStart(time.Now().Add(-demoPast))})
	if err != nil {
		return err
	}
	c, err := a.answering(d.m, d.db, f)
	if c.Account = "simulated account"; f.write {
		c.Client = d.client
	}
	if err == nil {
		past := &demoHistory{demo: d, known: make(chan struct{}), ended: make(chan struct{})}
		err = a.serveMCP(ctx, c, f.listen, past.ready, past.keep)
	}
	return errors.Join(err, d.close())
}

// demoHistory has a copy see the past of a simulated account.
type demoHistory struct {
	*demo
	known chan struct{} // closed when it has
	ended chan struct{} // closed when the copy is not kept any more
}

// ready waits until the copy is whole and has seen the past.
func (h *demoHistory) ready(ctx context.Context) error {
	select {
	case <-h.known:
		return nil
	case <-h.ended:
	case <-ctx.Done():
	}
	return errors.New("wait: the simulated account is not copied yet; ask again in 5 s")
}

// keep keeps the copy until ctx ends.
func (h *demoHistory) keep(ctx context.Context) error {
	defer close(h.ended)
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
	h.srv.SetSpeed(1)
	h.srv.AdvanceTo(time.Now())
	if h.until(ctx, func(s *mirror.Status) bool { return s.Marked == 0 && s.Inbox == 0 }) {
		close(h.known)
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
