package worker

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

const (
	watchEvery = 2 * time.Second
	// ClockNoteTime is how long the status reports that the clock was wrong.
	ClockNoteTime = time.Hour
)

// watch notes in the database what readers of the status cannot find out: that the clock has
// jumped, and why this process fails to write.
type watch struct {
	turn   *turn
	asked  *asked
	settle time.Duration

	wall    time.Time // the clock, which may jump, when it was compared last
	even    time.Time // the same moment on the clock of waits, which never jumps
	clock   string    // what is wrong with the clock
	clearAt time.Time // when that is forgotten
	ahead   bool      // the clock was ahead, and stored times are wrong

	notedClock, notedFailure string // as stored
}

func newWatch(t *turn, asked *asked, settle time.Duration) *watch {
	return &watch{turn: t, asked: asked, settle: settle, wall: t.db.Now().Round(0), even: time.Now()}
}

// begin compares the clock with the times that earlier processes have stored.
func (w *watch) begin(ctx context.Context) (err error) {
	if w.notedClock, err = w.turn.db.Cursor(ctx, store.CursorClock); err != nil {
		return err
	}
	if w.notedFailure, err = w.turn.db.Cursor(ctx, store.CursorFailure); err != nil {
		return err
	}
	w.clock, w.clearAt = w.notedClock, time.Now().Add(ClockNoteTime)
	what, by, err := w.turn.db.Ahead(ctx)
	if err != nil {
		return err
	}
	if by >= plan.ClockSlack {
		w.ahead = true
		w.wrong(fmt.Sprintf("an earlier process's clock was ahead, or the clock went back before %s: %s is %s in the future",
			stamp(w.turn.db.Now()), what, by.Round(time.Second)))
	}
	return w.note(ctx)
}

// look detects a jump, and stores what has changed. The first call is begin's, again if that
// failed.
func (w *watch) look(ctx context.Context) error {
	wall, even := w.turn.db.Now().Round(0), time.Now()
	jump := (wall.Sub(w.wall) - even.Sub(w.even)).Round(time.Second)
	w.wall, w.even = wall, even
	switch {
	case jump <= -plan.ClockSlack:
		w.ahead = true
		w.wrong(fmt.Sprintf("the clock went back by %s at %s", -jump, stamp(wall)))
		w.asked.jumped()
	case jump >= plan.ClockSlack:
		w.wrong(fmt.Sprintf("the clock went forward by %s at %s, or the machine was suspended", jump, stamp(wall)))
		w.asked.jumped()
	case w.clock != "" && even.After(w.clearAt):
		w.clock = ""
	}
	return w.note(ctx)
}

func stamp(at time.Time) string { return at.UTC().Format(time.DateTime) + " UTC" }

func (w *watch) wrong(text string) {
	w.clock, w.clearAt = text, time.Now().Add(ClockNoteTime)
	w.turn.log.Warn("mirror: the clock is or was wrong; lists are walked over again if their times are in the future", slog.String("problem", text))
}

// note stores what is not stored yet. A failure is stored for other processes, if it lets even that
// be stored; this process reports its own failures without it.
func (w *watch) note(ctx context.Context) error {
	if failure := w.turn.db.Failure(); failure != w.notedFailure {
		store := func(tx *store.Tx) error { return tx.Note(ctx, store.CursorFailure, failure) }
		err := w.turn.write(ctx, "failure", store)
		if w.turn.isOver(ctx, err) {
			return err
		}
		if err == nil {
			w.notedFailure = failure
		}
	}
	if w.clock == w.notedClock && !w.ahead {
		return nil
	}
	err := w.turn.write(ctx, "clock", w.storeClock(ctx))
	if err == nil {
		w.notedClock, w.ahead = w.clock, false
	}
	return err
}

// storeClock stores what is wrong with the clock, and corrects times that would delay something:
// marks, and when this process began, on which the status depends.
func (w *watch) storeClock(ctx context.Context) func(*store.Tx) error {
	return func(tx *store.Tx) error {
		if err := tx.Note(ctx, store.CursorClock, w.clock); err != nil || !w.ahead {
			return err
		}
		if err := tx.NoteDone(ctx, store.CursorBegun); err != nil {
			return err
		}
		due := tx.Now.Add(w.settle)
		return tx.ResetMarks(ctx, due, due)
	}
}
