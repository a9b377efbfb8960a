package plan

import "fmt"

// A row is deleted on proof alone, or if the user confirms it. That a list does not show a row is
// not proof: the row is read by id. A 404 for it is not proof either: the service may answer 404
// for everything, or the token may be that of another account. What proves that a row is gone:
//
//	1. The list works: it shows at least one row of its kind that was known before ([Listing]).
//	2. Reads by id work: right after the 404, such a row, the control, is read by id ([Control]).
//	3. The service answered 404 for the row in two whole walks, each time with 1 and 2 ([Absent]).
//
// The proof is one for each row, so it does not matter how many rows are missing. A row was known
// before if a reading showed it before the walk began that precedes the latest one in which the
// list worked, and reads by id too; or by the end of the first walk. So what another account has
// shown beside a walk, or since, does not count.
//
// Without proof, a row waits for a [Reason], until the service shows it, proves that it is gone, or
// the user confirms that it is.

// Listing is what a whole walk found out about the rows of its kind that are not deleted.
type Listing struct {
	Unseen int // rows that no reading has shown since the walk began
	Known  int // rows that were known before
	Listed int // of these, the ones that a list shows
	Fresh  int // rows that a list shows and that were not known before
}

// Finding is what a listing means for the rows that it did not show.
type Finding uint8

const (
	Complete   Finding = iota // there are none
	Provable                  // the list works, so two 404s prove that one is gone
	TooEarly                  // nothing was known before: the next walk decides
	NoneListed                // the list shows none of the rows that were known before
)

// Finding returns what the listing means.
func (l Listing) Finding() Finding {
	switch {
	case l.Unseen == 0:
		return Complete
	case l.Listed > 0:
		return Provable
	case l.Known == 0 && l.Fresh > 0:
		return TooEarly
	}
	return NoneListed
}

// Problem returns what is wrong with the list itself; "" for nothing. found is how many rows it did
// not show although the service has them. Some may move between pages while a walk reads these.
func (l Listing) Problem(found int) string {
	switch {
	case l.Finding() == NoneListed:
		return "the list shows none of the rows that it had; check the account, the token and the service; nothing is deleted"
	case found > max(20, l.Known/100):
		return "the list did not show " + Rows(found) + " that reads by id show; they are kept"
	}
	return ""
}

// ByID is how the service answered when a row was read by id.
type ByID string

const (
	NotFound   ByID = "404"              // a 404 of the service, not of a proxy
	Nothing    ByID = "nothing"          // success without any resource: 204, or data null
	Another    ByID = "another resource" // success with other resources alone
	Refused    ByID = "refused"          // another 4xx, such as 403
	Failed     ByID = "failed"           // 5xx, or no JSON
	Fails      ByID = "fails"            // failed in two walks
	Unread     ByID = ""                 // it was not read yet
	StillThere ByID = "found"            // the resource
)

// ByIDs are the answers for rows that are missing.
var ByIDs = []ByID{NotFound, Nothing, Another, Refused, Failed, Fails, Unread}

// IsFinal reports whether the answer may stay as it is, and is not a 404: only the user can know
// what it means.
func (a ByID) IsFinal() bool { return a == Nothing || a == Another || a == Refused || a == Fails }

// Control reports whether the answer for a row that the list shows means that reads by id work.
func Control(a ByID) bool { return a == StillThere }

// Absence is what a 404 in a whole walk means for a row that the walk did not show.
type Absence uint8

const (
	KnownAbsent  Absence = iota // nothing new
	FirstAbsent                 // it is missing from now on
	SecondAbsent                // it is removed
)

// Absent returns what a 404 that passed the control means. All arguments are tickets, so that no
// clock matters: shown of the row's latest reading, first of the 404 that made it missing, 0 for
// none, and walk of the walk. A 404 before a later reading of the row does not count any more.
func Absent(shown, first, walk int64, deleted bool) Absence {
	switch {
	case deleted:
		return KnownAbsent
	case first == 0 || first <= shown:
		return FirstAbsent
	case first < walk:
		return SecondAbsent
	}
	return KnownAbsent
}

// Reason is why a row that the service does not show is not deleted, and waits.
type Reason string

const (
	NoReason     Reason = ""              // it does not wait
	ReasonList   Reason = "none listed"   // the list shows none of the rows that were known before
	ReasonByID   Reason = "none readable" // the service answers for no row that is listed
	ReasonAnswer Reason = "no 404"        // the answer for this row is final, and not a 404
)

// ReasonFor returns why a row waits. of is the reason that holds for the whole list.
func ReasonFor(of Reason, a ByID) Reason {
	if of == NoReason && a.IsFinal() {
		return ReasonAnswer
	}
	return of
}

// Waiting is how many rows of a list wait for a reason.
type Waiting struct {
	List   string // such as "containers"
	Reason Reason
	Rows   int
}

// String returns what the rows wait for, and how the user ends that; "" without rows.
func (w Waiting) String() string {
	if w.Rows == 0 {
		return ""
	}
	return fmt.Sprintf("%s not deleted: %s; if they are gone for good, run: terminal49-mirror confirm-deletions %s --expect %d",
		Rows(w.Rows), w.Reason.text(), w.List, w.Rows)
}

// Rows returns a number of rows in words.
func Rows(n int) string {
	if n == 1 {
		return "1 row"
	}
	return fmt.Sprint(n, " rows")
}

func (r Reason) text() string {
	switch r {
	case ReasonList:
		return "the list shows none of the rows that it had; check the account, the token and the service, and the next walk tries again"
	case ReasonByID:
		return "the list does not show them, and reads by id fail even for rows that it shows, so a 404 proves nothing; the next walk tries again"
	}
	return "the list does not show them, and reads by id answer neither with them nor with 404, as may happen after a merge"
}
