// Package notice decides which notices the feed of changes has of containers: of what happened
// since the last one, and of what the clock alone makes due. It is pure: no SQL, no requests, no
// clock.
package notice

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
)

// The names of notices that are not the name of a situation.
const (
	HoldPlaced       = "hold_placed"
	HoldCleared      = "hold_cleared"
	FeePosted        = "fee_posted"
	ETASlipped       = "eta_slipped"
	LastFreeDay      = "last_free_day"
	Overdue          = "overdue"
	LastFreeDayMoved = "last_free_day_moved"
)

// names are the names of notices that are not the name of a situation.
var names = []string{HoldPlaced, HoldCleared, FeePosted, ETASlipped, LastFreeDay, Overdue, LastFreeDayMoved}

// IsName reports whether notices have a name.
func IsName(name string) bool {
	return slices.Contains(names, name) || terminal49.Situation(name).Known()
}

// Notice is something that happened to a container, with the facts before and after.
type Notice struct {
	ContainerID string
	Number      string
	Name        string
	Sentence    string
	Hold        terminal49.HoldName
	Fee         terminal49.Fee
	Hours       int
	Days        terminal49.Opt[int]
	Before      *Facts
	After       Facts
}

// Facts are what is known of a container at a moment, as far as notices are about it.
type Facts struct {
	Situation         terminal49.Situation       `json:"situation"`
	Place             terminal49.VerdictPlace    `json:"place,omitzero"`
	BoundFor          terminal49.VerdictPlace    `json:"bound_for,omitzero"`
	ETA               terminal49.Time            `json:"eta"`
	LastFreeDay       terminal49.Date            `json:"last_free_day"`
	LastFreeDayAt     terminal49.Time            `json:"last_free_day_at"`
	LastFreeDaySource terminal49.LFDSource       `json:"last_free_day_source,omitempty"`
	DaysLeft          terminal49.Opt[int]        `json:"days_left"`
	ActiveHolds       []terminal49.HoldName      `json:"active_holds"`
	Owed              map[string]decimal.Decimal `json:"owed"`
	TerminalCheckedAt terminal49.Time            `json:"terminal_checked_at"`
}

// news is the JSON form of a notice: the facts after it, and what it is about.
type news struct {
	Number   string              `json:"number"`
	Sentence string              `json:"sentence"`
	Hold     terminal49.HoldName `json:"hold,omitempty"`
	Fee      *terminal49.Fee     `json:"fee,omitempty"`
	Hours    int                 `json:"hours,omitempty"`
	Days     terminal49.Opt[int] `json:"days,omitzero"`
	Facts
}

// JSON returns the old and the new value of the change that is the notice; old is nil if the
// container was assessed for the first time.
func (n *Notice) JSON() (old, after json.RawMessage, err error) {
	if n.Before != nil {
		if old, err = json.Marshal(n.Before); err != nil {
			return nil, nil, err
		}
	}
	w := news{Number: n.Number, Sentence: n.Sentence, Hold: n.Hold, Hours: n.Hours, Days: n.Days, Facts: n.After}
	if n.Fee.Type != "" || n.Name == FeePosted {
		w.Fee = &n.Fee
	}
	after, err = json.Marshal(w)
	return old, after, err
}

// Read returns the notice of a change: its attribute, and its old and new value.
func Read(containerID, attribute string, old, after json.RawMessage) (Notice, error) {
	var w news
	if err := json.Unmarshal(after, &w); err != nil {
		return Notice{}, fmt.Errorf("terminal49: notice %s of container %s: new: %w", attribute, containerID, err)
	}
	n := Notice{
		ContainerID: containerID, Number: w.Number, Name: attribute, Sentence: w.Sentence, Hold: w.Hold, Hours: w.Hours, Days: w.Days, After: w.Facts,
	}
	if w.Fee != nil {
		n.Fee = *w.Fee
	}
	if len(old) == 0 || string(old) == "null" {
		return n, nil
	}
	n.Before = new(Facts)
	if err := json.Unmarshal(old, n.Before); err != nil {
		return Notice{}, fmt.Errorf("terminal49: notice %s of container %s: old: %w", attribute, containerID, err)
	}
	return n, nil
}

// factsOf returns the facts of a container and its verdict.
func factsOf(c *terminal49.Container, v *terminal49.Verdict) Facts {
	f := Facts{
		Situation: v.Situation, Place: v.Place, BoundFor: v.BoundFor, ETA: v.ETA,
		LastFreeDayAt: v.LastFreeDay.At, LastFreeDaySource: v.LastFreeDay.Source, DaysLeft: terminal49.Null[int](),
		TerminalCheckedAt: v.Readiness.TerminalCheckedAt,
	}
	if day, known := v.LastFreeDay.At.Date(); known {
		f.LastFreeDay = day
	}
	if days, known := v.DaysLeft.Get(); known {
		f.DaysLeft = terminal49.Some(days)
	}
	if holds, reported := holdsOf(c, v); reported {
		f.ActiveHolds = holds.active
	}
	if v.Fees.Reported {
		f.Owed = owedOf(v.Fees)
	}
	return f
}

// owedOf returns what is owed by currency. A currency whose totals contradict each other is left
// out: what is owed in it is unknown.
func owedOf(fees terminal49.FeeSummary) map[string]decimal.Decimal {
	owed := map[string]decimal.Decimal{}
	for _, sum := range fees.Currencies() {
		if !sum.Owed.IsZero() {
			owed[sum.CurrencyCode] = sum.Owed
		}
	}
	return owed
}
