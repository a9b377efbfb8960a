package mirror

import (
	"errors"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/notice"
	"github.com/go-freight/terminal49/mirror/internal/worker"
)

// KindSituation is the Kind of the changes that are notices; see [Change.Notice].
const KindSituation = model.KindNotice

// Notice is something that happened to a container and that its people must know: it became ready,
// a hold was placed, its last free day is near. Each is in the feed once, and again only after a
// fact has moved.
type Notice struct {
	ContainerID, Number string // of the container

	// Name is the [terminal49.Situation] that the container has entered, such as "ready", "out",
	// "returned" or "stale", or one of the other names, such as [NoticeHoldPlaced].
	Name     string
	Sentence string // human-readable, such as "last free day in 2 days: Aug 3, at WBCT"

	Hold  terminal49.HoldName // of hold_placed and hold_cleared
	Fee   terminal49.Fee      // of fee_posted: the type with its whole amount
	Hours int                 // of eta_slipped; negative if the container is expected earlier
	Days  terminal49.Opt[int] // of last_free_day: the number of the rules; After.DaysLeft may be less

	// Before are the facts after the last notice about the container, also one of the same moment;
	// nil in those of the first moment, before which nothing was known of it. What the notice is
	// about is as it was last reported: the ETA of eta_slipped, the day of last_free_day_moved, the
	// days left of last_free_day and overdue, the holds of hold_placed and hold_cleared, what was
	// owed of fee_posted.
	Before *SituationFacts
	After  SituationFacts
}

// The values of Notice.Name that are not a [terminal49.Situation].
const (
	NoticeHoldPlaced       = notice.HoldPlaced       // a hold is in force that was not
	NoticeHoldCleared      = notice.HoldCleared      // a hold is no longer in force
	NoticeFeePosted        = notice.FeePosted        // a fee has an amount, or a greater one
	NoticeETASlipped       = notice.ETASlipped       // the ETA has moved, later or earlier, since the last such notice
	NoticeLastFreeDay      = notice.LastFreeDay      // the last free day is near, on the calendar of its place
	NoticeOverdue          = notice.Overdue          // the last free day has passed
	NoticeLastFreeDayMoved = notice.LastFreeDayMoved // another day binds
)

// SituationFacts are what was known of a container at a moment; see [Notice] and
// [terminal49.Verdict]. What is zero, nil or missing was unknown.
type SituationFacts struct {
	Situation         terminal49.Situation       `json:"situation"`
	Place             terminal49.VerdictPlace    `json:"place,omitzero"`     // where it is
	BoundFor          terminal49.VerdictPlace    `json:"bound_for,omitzero"` // where it goes next
	ETA               terminal49.Time            `json:"eta"`                // at BoundFor
	LastFreeDay       terminal49.Date            `json:"last_free_day"`      // that binds, on the calendar of its place
	LastFreeDayAt     terminal49.Time            `json:"last_free_day_at"`   // with its zone
	LastFreeDaySource terminal49.LFDSource       `json:"last_free_day_source,omitempty"`
	DaysLeft          terminal49.Opt[int]        `json:"days_left"`    // to the last free day; negative if it has passed
	ActiveHolds       []terminal49.HoldName      `json:"active_holds"` // sorted; empty for none
	Owed              map[string]decimal.Decimal `json:"owed"`         // by currency; empty for nothing
	TerminalCheckedAt terminal49.Time            `json:"terminal_checked_at"`
}

// Notice returns the notice that the change is, and false if it is another change. The error means
// that the change was written by a newer version, or altered.
func (c Change) Notice() (n Notice, ok bool, err error) {
	if c.Kind != KindSituation {
		return Notice{}, false, nil
	}
	read, err := notice.Read(c.ID, c.Attribute, c.Old, c.New)
	if err != nil {
		return Notice{}, false, err
	}
	n = Notice{
		ContainerID: read.ContainerID, Number: read.Number, Name: read.Name, Sentence: read.Sentence,
		Hold: read.Hold, Fee: read.Fee, Hours: read.Hours, Days: read.Days,
		Before: (*SituationFacts)(read.Before), After: SituationFacts(read.After),
	}
	return n, true, nil
}

// SituationRules are the numbers that decide which notices are in the feed. [ParseSituationRules]
// reads them from a file. A field that is 0, and LastFreeDays if it is nil, has the default.
type SituationRules struct {
	// LastFreeDays are numbers of calendar days from 0 to 60: there is a last_free_day notice when at
	// most so many days are left, once for each. If several are reached at once, there is one notice,
	// for the smallest. The default is 2 and 0. An empty list leaves only overdue.
	LastFreeDays []int

	ETASlipHours    int // there is an eta_slipped notice when the ETA has moved by at least this; default 24
	StaleAfterHours int // how old the terminal's data may be for ready and pay_first; default 24

	// DeadlineStaleAfterHours is how old the terminal's data may be for last_free_day and overdue; the
	// default is 168, a week.
	DeadlineStaleAfterHours int
}

// ParseSituationRules parses a JSON object such as
//
//	{"last_free_days": [2, 0], "eta_slip_hours": 24, "stale_after_hours": 24,
//	 "deadline_stale_after_hours": 168}
//
// A member that is missing has the default. Hours are whole numbers from 1 to 8760.
//
// Errors: *terminal49.ArgumentError, with the member and what to write, for a member that does not
// exist or is there twice, and for a value of another type or range.
func ParseSituationRules(data []byte) (SituationRules, error) {
	rules, err := notice.Parse(data)
	if problem := (*notice.ParseError)(nil); errors.As(err, &problem) {
		field := problem.Member
		if field == "" {
			field = "rules"
		}
		return SituationRules{}, &terminal49.ArgumentError{Op: "mirror.ParseSituationRules", Field: field, Problem: problem.Problem}
	}
	return SituationRules(rules), err
}

// WithSituationRules sets the numbers that decide which notices are in the feed. After a change of
// the numbers, what they make due is reported at once; nothing is reported twice.
func WithSituationRules(rules SituationRules) Option {
	return func(o *worker.Options) error {
		if member, problem := notice.Rules(rules).Problem(); problem != "" {
			return invalid("WithSituationRules", member+" "+problem)
		}
		o.Notices = notice.Rules(rules)
		return nil
	}
}
