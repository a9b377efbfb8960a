package terminal49

import (
	"strings"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// Hold is a restriction that keeps a container at its terminal. A cleared hold disappears from the
// list; there is no "released" status.
type Hold struct {
	Name        HoldName   `json:"name"`
	Status      HoldStatus `json:"status"`
	Description string     `json:"description,omitempty"` // the terminal's own text, human-readable; "" if there is none
	Detail      RawJSON    `json:"detail,omitempty"`      // each source's own wording; its form is undocumented
}

// UnmarshalJSON parses a hold in the service's form.
func (h *Hold) UnmarshalJSON(data []byte) error {
	return unmarshalObject(data, "hold", holdMembers, h)
}

// String returns the hold and who clears it, such as "a customs hold (customs broker)".
func (h Hold) String() string {
	name := printable(string(h.Name))
	if name == "" {
		return "a hold without a name (" + h.Name.ClearedBy().String() + ")"
	}
	article := "a "
	if strings.ContainsRune("aeioAEIO", rune(name[0])) { // not u: "a USDA hold"
		article = "an "
	}
	return article + name + " hold (" + h.Name.ClearedBy().String() + ")"
}

func (h Hold) isActive() bool { return h.Status == HoldStatusActive }

// HoldName is the kind of a hold, in the case that the service uses.
type HoldName string

// The values of HoldName.
const (
	HoldFreight HoldName = "freight" // unpaid freight charges of the carrier
	HoldCustoms HoldName = "customs" // customs authority: documents, exam or inspection
	HoldUSDA    HoldName = "USDA"    // agricultural inspection
	HoldVACIS   HoldName = "VACIS"   // non-intrusive scan; its fee, if any, has type exam
	HoldTMF     HoldName = "TMF"     // terminal management fee
	HoldLine    HoldName = "line"    // carrier release pending, not freight; named in drafts of the service's guides
	HoldOther   HoldName = "other"   // not classified by the service: see the description
)

var holdNames = []HoldName{HoldFreight, HoldCustoms, HoldUSDA, HoldVACIS, HoldTMF, HoldLine, HoldOther}

// Known reports whether n is one of the constants of this version. Unknown values are kept
// unchanged.
func (n HoldName) Known() bool { return isKnown(n, holdNames) }

// HoldClearer identifies who can clear a hold.
type HoldClearer string

// The values of HoldClearer.
const (
	ClearedByLine            HoldClearer = "line"
	ClearedByLineOrForwarder HoldClearer = "line_or_forwarder"
	ClearedByBroker          HoldClearer = "broker"
	ClearedByBrokerOrUSDA    HoldClearer = "broker_or_usda"
	ClearedByTerminal        HoldClearer = "terminal"
	ClearedBySeeDescription  HoldClearer = "see_description" // unknown; see the description of the hold
)

// String returns a human-readable form, such as "shipping line or forwarder".
func (c HoldClearer) String() string {
	switch c {
	case ClearedByLine:
		return "shipping line"
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

// ClearedBy returns who clears holds of this name: ClearedBySeeDescription for HoldOther and for
// names unknown to this version.
func (n HoldName) ClearedBy() HoldClearer {
	switch n {
	case HoldLine:
		return ClearedByLine
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

// HoldStatus is the status of a hold.
type HoldStatus string

// The values of HoldStatus.
const (
	HoldStatusActive  HoldStatus = "hold"    // in force
	HoldStatusPending HoldStatus = "pending" // expected, not in force yet
)

var holdStatuses = []HoldStatus{HoldStatusActive, HoldStatusPending}

// Known reports whether s is one of the constants of this version. Unknown values are kept
// unchanged.
func (s HoldStatus) Known() bool { return isKnown(s, holdStatuses) }

var holdMembers = jsonapi.NewTable(model{}, new(Hold))

func (h *Hold) members(m *jsonapi.Members) {
	m.Add("name", &h.Name)
	m.Add("status", &h.Status)
	m.Add("description", &h.Description)
	m.Add("detail", &h.Detail)
}
