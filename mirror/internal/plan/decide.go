// Package plan holds the rules of the mirror: what a reading means for a row and for a mark, which
// lists are walked, and when. It is pure: no SQL, no requests, no clock.
package plan

import (
	"encoding/json"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
)

// Reading is a response of the service, and when it was requested. Tickets are numbers that the
// database issues in order. A request that was sent later has a later ticket. So of two readings
// that do not overlap, the one with the later ticket is newer.
type Reading struct {
	Ticket int64     // drawn before the request was sent; 0 for what a notification included
	Until  int64     // the latest ticket that had been drawn when the response had arrived
	Sent   time.Time // when the request was sent
	Source string    // "walk", "poll", "cursor" or "notification"

	Page Page // of a list; the zero Page for anything else

	// Repairs is the resource whose row is written even if the digests are equal; zero for none.
	Repairs model.Ref
}

// Page is a page of a list. What it shows is recorded with it, so the rows that it confirms are not
// written.
type Page struct {
	List   *List // nil for none
	Number int   // from 1
}

// Overlaps reports whether one of two readings was sent before the response to the other had
// arrived. Which of the two is newer is then unknown.
func (r Reading) Overlaps(ticket, until int64) bool { return r.Ticket <= until && ticket <= r.Until }

// Row is what a table has of a resource.
type Row struct {
	Digest        string
	Ticket, Until int64 // of the reading that it shows; Until also of readings that changed nothing
	Deleted       bool
	ChangedAt     time.Time
	Raw           json.RawMessage // nil if the reading has the same digest, and the row is not deleted
}

// Action is what happens to a row.
type Action uint8

const (
	Leave   Action = iota // the row stays; Until is noted
	Confirm               // the row stays; Ticket, Until and the time of the reading are noted
	Store                 // the row is written
)

// Decision is what a reading means for a row.
type Decision struct {
	Action   Action
	Resource *model.Resource // to be stored
	Digest   string          // of what the service sent of it
	Ticket   int64
	Until    int64
	Appeared bool               // there was no row, or a deleted one
	Changes  []model.Difference // to be recorded
	Doubtful bool               // a reading that overlaps differs: it must be read again
	Damaged  bool               // the JSON of the row cannot be parsed
}

// Decide returns what a reading of a resource means for its row, which is nil if there is none. A
// row whose JSON cannot be parsed is replaced by the next reading, and all that this has is a
// change: what it was is unknown.
func Decide(row *Row, r Reading, res *model.Resource, digest string) Decision {
	fact := model.IsFact(res.Type)
	switch {
	case row == nil:
		return first(r, res, digest, fact)
	case row.Raw == nil && r.Ticket > row.Ticket:
		return Decision{Action: Confirm, Ticket: r.Ticket, Until: max(r.Until, row.Until)}
	case row.Raw == nil || r.Ticket == 0 && !fact:
		return leave(row, r)
	}
	was, err := model.Parse(row.Raw)
	if err != nil {
		was = &model.Resource{Ref: res.Ref}
	}
	var d Decision
	if r.Ticket > row.Ticket {
		d = newer(row, r, res, was, digest, fact)
	} else {
		d = older(row, r, res, was, fact)
	}
	d.Damaged = err != nil
	return d
}

// leave keeps a row. A reading without a ticket has no time.
func leave(row *Row, r Reading) Decision {
	return Decision{Action: Leave, Ticket: row.Ticket, Until: max(r.Until, row.Until)}
}

// first decides to store a resource that has no row.
func first(r Reading, res *model.Resource, digest string, fact bool) Decision {
	if r.Ticket == 0 && fact {
		res = model.PlainFact(res)
		digest = model.Digest(res.Raw)
	}
	return Decision{Action: Store, Resource: res, Digest: digest, Ticket: r.Ticket, Until: r.Until, Appeared: true}
}

// newer stores a reading that has a later ticket than the row.
func newer(row *Row, r Reading, res, was *model.Resource, digest string, fact bool) Decision {
	if fact {
		res = model.KeepInvalidated(res, was)
	}
	differences := model.Compare(was, res)
	if digest == row.Digest { // the service has sent the same before, whatever raw is now
		differences = nil
	}
	whole := model.Complete(res, was)
	if r.Repairs == res.Ref && !fact {
		whole = res
	}
	return Decision{
		Action: Store, Resource: whole, Digest: digest, Ticket: r.Ticket, Until: max(r.Until, row.Until),
		Appeared: row.Deleted, Changes: changes(row, res, was, differences), Doubtful: doubtful(row, r, differences),
	}
}

// older leaves a row that has a later ticket. It adds the attributes of a fact that the row lacks.
func older(row *Row, r Reading, res, was *model.Resource, fact bool) Decision {
	d := leave(row, r)
	d.Doubtful = r.Ticket > 0 && doubtful(row, r, model.Compare(was, res))
	if !fact {
		return d
	}
	merged := model.JoinFacts(was, res, row.Ticket == 0)
	if merged == was {
		return d
	}
	d.Action, d.Resource, d.Digest = Store, merged, row.Digest
	d.Changes = changes(row, merged, was, model.Compare(was, merged))
	if row.Ticket == 0 {
		d.Resource = model.PlainFact(merged)
		d.Digest = model.Digest(d.Resource.Raw)
	}
	return d
}

// doubtful reports whether the reading overlaps the one of the row, and the two differ.
func doubtful(row *Row, r Reading, differences []model.Difference) bool {
	return r.Overlaps(row.Ticket, row.Until) && (row.Deleted || model.Weigh(differences) > model.OfCheck)
}

// changes returns the differences to be recorded. An attribute that a notification did not have,
// and a reading has, is not a change.
func changes(row *Row, res, was *model.Resource, all []model.Difference) (recorded []model.Difference) {
	for _, d := range all {
		_, had := was.Attributes[d.Name]
		_, has := res.Attributes[d.Name]
		if d.Weight == model.OfChange && (had || !has || row.Ticket > 0) {
			recorded = append(recorded, d)
		}
	}
	return recorded
}

// Removal is the change to the row of a resource that a reading did not find.
type Removal struct {
	Ticket, Until int64
	Delete        bool
	Doubtful      bool // a reading that overlaps found the resource: it must be read again
}

// Remove returns the change to the row of a resource that r did not find. After a 404, [Absent]
// decides whether the row is removed at all.
func Remove(row Row, r Reading) Removal {
	d := Removal{Ticket: row.Ticket, Until: max(r.Until, row.Until)}
	if !row.Deleted && r.Overlaps(row.Ticket, row.Until) {
		d.Doubtful = true
		return d
	}
	d.Ticket = max(r.Ticket, row.Ticket)
	d.Delete = !row.Deleted && row.Ticket < r.Ticket
	return d
}
