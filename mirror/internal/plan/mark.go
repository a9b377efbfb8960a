package plan

import (
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
)

// Mark notes that a resource may have changed: it is read until a reading with a later ticket,
// which was sent at or after NotBefore, has been stored.
type Mark struct {
	model.Ref
	Ticket    int64     // drawn when the mark was made
	Due       time.Time // when it is read
	NotBefore time.Time // an earlier reading may come from a replica that lags
	Attempts  int       // reads that failed
}

// Again returns the mark of a resource that is marked once more. It is still read when it was due,
// so that it is read however often it is marked.
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
