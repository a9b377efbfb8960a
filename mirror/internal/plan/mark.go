package plan

import (
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
)

// Mark is a note that a resource may have changed. The resource is read until the mirror has stored
// a reading that has a later ticket and was sent at or after NotBefore.
type Mark struct {
	model.Ref
	Ticket    int64     // drawn when the mark was made
	Due       time.Time // when it is read
	NotBefore time.Time // an earlier reading may come from a replica that lags
	Attempts  int       // reads that failed
}

// Again returns the mark of a resource that is marked again. It stays due at the earlier time, so
// that repeated marking does not postpone the read.
func (m Mark) Again(ticket int64, notBefore time.Time) Mark {
	again := Mark{Ref: m.Ref, Ticket: ticket, Due: notBefore, NotBefore: notBefore}
	if m.Due.Before(again.Due) {
		again.Due = m.Due
	}
	if m.NotBefore.After(again.NotBefore) {
		again.NotBefore = m.NotBefore
	}
	return again
}

// Answer is what a reading means for a mark.
type Answer uint8

const (
	Unanswered Answer = iota // the mark is newer than the reading
	Postponed                // the reading may come from a replica: the mark is due at NotBefore
	Answered                 // the mark is removed
)

// AnswerTo returns what a reading that shows the resource means for its mark.
func (r Reading) AnswerTo(m Mark) Answer {
	switch {
	case m.Ticket >= r.Ticket:
		return Unanswered
	case m.NotBefore.After(r.Sent):
		return Postponed
	}
	return Answered
}
