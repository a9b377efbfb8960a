package terminal49

import (
	"strings"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// Hold is something that keeps a container at its terminal. A hold that is cleared disappears from the list; there is
// no "released" status.
type Hold struct {
	Name        HoldName   `json:"name"`
	Status      HoldStatus `json:"status"`
	Description string     `json:"description,omitempty"` // the terminal's own words, for people only; "" if there are none
}

// UnmarshalJSON reads a hold as the service writes it.
func (h *Hold) UnmarshalJSON(data []byte) error {
	return unmarshalObject(data, "hold", holdMembers, h)
}

// String names the hold and who clears it, such as "a customs hold (customs broker)".
func (h Hold) String() string {
	name := string(h.Name)
	if name == "" {
		name = "nameless"
	}
	article := "a "
	if strings.ContainsRune("aeioAEIO", rune(name[0])) { // not u: "a USDA hold"
		article = "an "
	}
	return article + name + " hold (" + h.Name.ClearedBy().String() + ")"
}

// HoldName is the kind of a hold, in the exact case the service uses.
type HoldName string

const (
	HoldFreight HoldName = "freight" // carrier freight charges unpaid
	HoldCustoms HoldName = "customs" // customs authority: documents, exam or inspection
	HoldUSDA    HoldName = "USDA"    // agricultural inspection
	HoldVACIS   HoldName = "VACIS"   // non-intrusive scan; its fee, if any, is of type exam
	HoldTMF     HoldName = "TMF"     // terminal management fee
	HoldOther   HoldName = "other"   // not mapped by the service: see the description
)

var holdNames = []HoldName{HoldFreight, HoldCustoms, HoldUSDA, HoldVACIS, HoldTMF, HoldOther}

// Known reports whether n is one of the constants of this version. Unknown values are kept as they came.
func (n HoldName) Known() bool { return isKnown(n, holdNames) }

// HoldClearer says who gets a hold lifted. Its String is for people.
type HoldClearer string

const (
	ClearedByLineOrForwarder HoldClearer = "line_or_forwarder"
	ClearedByBroker          HoldClearer = "broker"
	ClearedByBrokerOrUSDA    HoldClearer = "broker_or_usda"
	ClearedByTerminal        HoldClearer = "terminal"
	ClearedBySeeDescription  HoldClearer = "see_description" // the service did not map the hold
)

// String returns words such as "shipping line or forwarder".
func (c HoldClearer) String() string {
	switch c {
	case ClearedByLineOrForwarder:
		return "shipping line or forwarder"
	case ClearedByBroker:
		return "customs broker"
	case ClearedByBrokerOrUSDA:
		return "customs broker or USDA"
	case ClearedBySeeDescription:
		return "see its description"
	default:
		return string(c)
	}
}

// ClearedBy returns who clears holds of this name. For HoldOther, and for names that this version does not know, only
// the hold's description can tell.
func (n HoldName) ClearedBy() HoldClearer {
	switch n {
	case HoldFreight:
		return ClearedByLineOrForwarder
	case HoldCustoms, HoldVACIS:
		return ClearedByBroker
	case HoldUSDA:
		return ClearedByBrokerOrUSDA
	case HoldTMF:
		return ClearedByTerminal
	default:
		return ClearedBySeeDescription
	}
}

// HoldStatus says whether a hold is in force.
type HoldStatus string

const (
	HoldActive  HoldStatus = "hold"    // in force
	HoldPending HoldStatus = "pending" // expected, not yet in force
)

var holdStatuses = []HoldStatus{HoldActive, HoldPending}

// Known reports whether s is one of the constants of this version. Unknown values are kept as they came.
func (s HoldStatus) Known() bool { return isKnown(s, holdStatuses) }

var holdMembers = jsonapi.NewMembers(
	textField("name", func(h *Hold) *HoldName { return &h.Name }),
	textField("status", func(h *Hold) *HoldStatus { return &h.Status }),
	textField("description", func(h *Hold) *string { return &h.Description }),
)
