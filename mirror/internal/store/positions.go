package store

import (
	"errors"
	"fmt"

	"github.com/go-freight/terminal49/mirror/internal/model"
)

// The errors of a position from which reading cannot go on. ErrPositionLost is also each of the
// others.
var (
	ErrPositionLost    = errors.New("mirror: the feed of changes cannot be read from this position")
	ErrPositionAhead   = errors.New("the database is behind it")
	ErrPositionUnknown = errors.New("it is of another database, or of changes that a restore undid")
	ErrPositionPruned  = errors.New("changes after it were deleted by age")
)

// wayBack is the end of their texts.
const wayBack = "; to go on, take the position of the end, then read the tables again, and continue from that position"

// feedEnds is what the table changes has at and around a position.
type feedEnds struct {
	at             string // the position of the change with the same seq; "" if there is none
	oldest         int64  // seq of the oldest change; 0 if there is none
	oldestSource   string
	newest         int64 // seq of the newest change
	newestPosition string
}

// check returns why no reader may go on after a position; nil if it may.
func (f *feedEnds) check(after model.Position) error {
	pruned := f.oldestSource == sourcePruned
	switch {
	case after.Seq == 0 && !pruned, after.Seq > 0 && f.at == after.String():
		return nil
	case after.Seq == 0:
		return lost(ErrPositionPruned, "the beginning is asked for, and what is left begins after seq %d", f.oldest)
	case after.Seq > f.newest:
		return lost(ErrPositionAhead, "the position is %s, and the last change is %s: a backup was restored, or a copy that lagged has taken over", after, orNothing(f.newestPosition))
	case after.Seq < f.oldest:
		return lost(ErrPositionPruned, "the position is %s, and what is left begins after seq %d", after, f.oldest)
	}
	return lost(ErrPositionUnknown, "the position is %s, and the change with that seq is %s", after, orNothing(f.at))
}

func lost(which error, format string, args ...any) error {
	return fmt.Errorf("%w: %w: %s%s", ErrPositionLost, which, fmt.Sprintf(format, args...), wayBack)
}

func orNothing(position string) string {
	if position == "" {
		return "missing"
	}
	return position
}
