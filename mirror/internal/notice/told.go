package notice

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
)

// Told is what the feed has said of a container, so that each thing is said once. Its JSON has a
// version, and is stored in the transaction that stores the notices.
type Told struct {
	At    time.Time             `json:"at"`              // when the last notice was said
	Facts Facts                 `json:"facts"`           // those after the last notice
	Holds []terminal49.HoldName `json:"holds,omitempty"` // placed, and not cleared
	Fees  []postedFee           `json:"fees,omitempty"`  // that are posted

	PortETA   terminal49.Time `json:"port_eta,omitzero"`   // from which slips at the port are counted
	InlandETA terminal49.Time `json:"inland_eta,omitzero"` // from which slips inland are counted

	LastFreeDay deadline `json:"last_free_day,omitzero"`
}

// postedFee is the amount of the fees of a type in a currency.
type postedFee struct {
	Type     terminal49.FeeType `json:"type"`
	Currency string             `json:"currency,omitempty"`
	Amount   decimal.Decimal    `json:"amount"`
}

// deadline is the last free day that binds, and how much of it was said.
type deadline struct {
	Day    terminal49.Date      `json:"day,omitzero"` // zero if it is unknown
	At     terminal49.Time      `json:"at"`
	Source terminal49.LFDSource `json:"source,omitempty"`
	Warned *int                 `json:"warned,omitempty"` // the fewest days that were said; -1 for overdue
	Known  terminal49.Date      `json:"known,omitzero"`   // the last day that was known, if Day is not
}

// lastKnown returns the last day that was known.
func (d deadline) lastKnown() terminal49.Date {
	if d.Day.IsZero() {
		return d.Known
	}
	return d.Day
}

// toldVersion is the version of the JSON form of Told.
const toldVersion = 1

// toldFields is Told without its methods.
type toldFields Told

type toldJSON struct {
	Version int `json:"v"`
	toldFields
}

// MarshalJSON returns the fields with the version of this form.
func (t Told) MarshalJSON() ([]byte, error) {
	return json.Marshal(toldJSON{toldVersion, toldFields(t)})
}

// UnmarshalJSON reads what MarshalJSON returned, in this version of the form or an earlier one.
func (t *Told) UnmarshalJSON(data []byte) error {
	var form toldJSON
	if err := json.Unmarshal(data, &form); err != nil {
		return fmt.Errorf("terminal49: what was said of a container: %w", err)
	}
	if form.Version < 1 || form.Version > toldVersion {
		return fmt.Errorf("terminal49: what was said of a container has version %d, and this program reads 1 to %d; use a newer one",
			form.Version, toldVersion)
	}
	*t = Told(form.toldFields)
	return nil
}

// clone returns a copy that shares nothing that [Rules.Next] changes, and an empty one for nil.
func (t *Told) clone() *Told {
	if t == nil {
		return new(Told)
	}
	after := *t
	after.Holds, after.Fees = slices.Clone(t.Holds), slices.Clone(t.Fees)
	return &after
}

// eta returns the ETA of a leg from which its slips are counted.
func (t *Told) eta(toPort bool) *terminal49.Time {
	if toPort {
		return &t.PortETA
	}
	return &t.InlandETA
}

// isAbout reports whether d is the same last free day as another, as far as is known: the same day
// of the same source.
func (d deadline) isAbout(other deadline) bool {
	switch {
	case d.Source != other.Source:
		return false
	case d.Day.IsZero() || other.Day.IsZero():
		return d.At.Compare(other.At) == 0
	}
	return d.Day == other.Day
}
