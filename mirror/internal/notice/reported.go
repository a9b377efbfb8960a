package notice

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
)

// Reported is what the feed has reported of a container, so that nothing is reported twice. Its
// JSON has a version, and is stored in the transaction that stores the notices.
type Reported struct {
	At    time.Time             `json:"at"`              // when the last notice was made
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

// deadline is the last free day that binds, and what was reported of it.
type deadline struct {
	Day    terminal49.Date      `json:"day,omitzero"` // zero if it is unknown
	At     terminal49.Time      `json:"at"`
	Source terminal49.LFDSource `json:"source,omitempty"`
	Warned *int                 `json:"warned,omitempty"` // the fewest days that were reported; -1 for overdue
	Known  terminal49.Date      `json:"known,omitzero"`   // the last day that was known, if Day is not
}

// lastKnown returns the last day that was known.
func (d deadline) lastKnown() terminal49.Date {
	if d.Day.IsZero() {
		return d.Known
	}
	return d.Day
}

// reportedVersion is the version of the JSON form of Reported.
const reportedVersion = 1

// reportedFields is Reported without its methods.
type reportedFields Reported

type reportedJSON struct {
	Version int `json:"v"`
	reportedFields
}

// MarshalJSON returns the fields with the version of this form.
func (r Reported) MarshalJSON() ([]byte, error) {
	return json.Marshal(reportedJSON{reportedVersion, reportedFields(r)})
}

// UnmarshalJSON reads what MarshalJSON returned, in this version of the form or an earlier one.
func (r *Reported) UnmarshalJSON(data []byte) error {
	var form reportedJSON
	if err := json.Unmarshal(data, &form); err != nil {
		return fmt.Errorf("terminal49: what was reported of a container: %w", err)
	}
	if form.Version < 1 || form.Version > reportedVersion {
		return fmt.Errorf("terminal49: what was reported of a container has version %d, and this program reads 1 to %d; use a newer one",
			form.Version, reportedVersion)
	}
	*r = Reported(form.reportedFields)
	return nil
}

// clone returns a copy that shares nothing that [Rules.Next] changes, and an empty one for nil.
func (r *Reported) clone() *Reported {
	if r == nil {
		return new(Reported)
	}
	after := *r
	after.Holds, after.Fees = slices.Clone(r.Holds), slices.Clone(r.Fees)
	return &after
}

// eta returns the ETA of a leg from which its slips are counted.
func (r *Reported) eta(toPort bool) *terminal49.Time {
	if toPort {
		return &r.PortETA
	}
	return &r.InlandETA
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
