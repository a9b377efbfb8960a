package worklist

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-freight/terminal49"
)

// Facts are what a container and its shipment report, in addition to the standing.
type Facts struct {
	Line            Name     `json:"line,omitzero"`              // SCAC and name
	PortOfDischarge Name     `json:"port_of_discharge,omitzero"` // UN/LOCODE and name
	Destination     Name     `json:"destination,omitzero"`       // likewise
	Vessel          Name     `json:"vessel,omitzero"`            // IMO number and name
	Voyage          string   `json:"voyage,omitempty"`           // of the vessel
	Customer        string   `json:"customer,omitempty"`
	BillOfLading    string   `json:"bill_of_lading,omitempty"`
	References      []string `json:"references,omitempty"` // of the container and of the shipment, each once
	Tags            []string `json:"tags,omitempty"`
	Stopped         bool     `json:"stopped,omitempty"` // the shipping line is no longer tracked

	OriginalETA terminal49.Date `json:"original_eta,omitzero"` // of the arrival that the standing expects; zero if unknown

	Stage       terminal49.Stage `json:"stage,omitempty"`
	Appointment terminal49.Date  `json:"appointment,omitzero"`  // at the terminal; zero if none is reported, or if its day is unknown
	Appointed   bool             `json:"appointed,omitempty"`   // an appointment is reported
	LFDsDiffer  bool             `json:"lfds_differ,omitempty"` // two sources report different last free days
	Equipment   string           `json:"equipment,omitempty"`   // length and type, such as "40 reefer"; "" if unknown

	Holds         []string         `json:"holds,omitempty"`       // names of those in force, sorted; "" for one without a name
	OtherHolds    []string         `json:"other_holds,omitempty"` // of the others, with their status, such as "customs (pending)"
	HoldsReported bool             `json:"holds_reported,omitempty"`
	Fees          []terminal49.Fee `json:"fees,omitempty"` // nil in a record that was stored: Owed has the sum
	FeesReported  bool             `json:"fees_reported,omitempty"`

	owes, priced bool // something is owed; all amounts are known
	owed         *terminal49.FeeSummary
}

// Name is a code with a human-readable name. Either may be unknown.
type Name struct {
	Code string `json:"code,omitempty"`
	Name string `json:"name,omitempty"`
}

// factsOf returns the facts of a container with its verdict.
func factsOf(c *terminal49.Container, v *terminal49.Verdict) Facts {
	f := Facts{Fees: c.Fees, FeesReported: v.Fees.Reported, HoldsReported: holdsReported(&v.Readiness), References: c.ReferenceNumbers}
	if s, ok := c.Shipment.Value(); ok && s != nil {
		f.Line = Name{s.ShippingLineSCAC, s.ShippingLineName}
		f.PortOfDischarge = Name{s.PortOfDischargeLOCODE, s.PortOfDischargeName}
		f.Destination = Name{s.DestinationLOCODE, s.DestinationName}
		f.Vessel, f.Voyage = Name{s.PODVesselIMO, s.PODVesselName}, s.PODVoyageNumber
		f.Customer, f.BillOfLading, f.Tags, f.Stopped = s.CustomerName, s.BillOfLadingNumber, once(nonEmpty(s.Tags)), !s.LineTrackingStoppedAt.IsZero()
		f.References = slices.Concat(f.References, s.ReferenceNumbers)
		f.OriginalETA = originalETA(s, v.Stage())
	}
	f.References = once(nonEmpty(f.References))
	for _, hold := range v.Readiness.ActiveHolds {
		f.Holds = append(f.Holds, string(hold.Name))
	}
	for _, hold := range slices.Concat(v.Readiness.PendingHolds, v.Readiness.UnknownHolds) {
		f.OtherHolds = append(f.OtherHolds, strings.TrimSpace(fmt.Sprintf("%s (%s)", hold.Name, hold.Status)))
	}
	slices.Sort(f.Holds)
	slices.Sort(f.OtherHolds)
	f.sumFees()
	f.Appointed = !c.PickupAppointmentAt.IsZero()
	f.Stage, f.Appointment, f.LFDsDiffer, f.Equipment = v.Stage(), written(c.PickupAppointmentAt), lfdsDiffer(c), equipmentOf(c)
	return f
}

// lfdsDiffer reports whether two sources report last free days on different days of the calendar.
func lfdsDiffer(c *terminal49.Container) bool {
	first := terminal49.Date{}
	for _, d := range terminal49.LastFreeDays(c).Reported {
		if day := written(d.At); !day.IsZero() && !first.IsZero() && day != first {
			return true
		} else if !day.IsZero() {
			first = day
		}
	}
	return false
}

// equipmentOf returns the length in feet and the type, as far as they are known.
func equipmentOf(c *terminal49.Container) string {
	kind := strings.ReplaceAll(string(c.EquipmentType), "_", " ")
	if feet, known := c.EquipmentLength.Get(); known {
		return strings.TrimSpace(fmt.Sprint(feet) + " " + kind)
	}
	return kind
}

// written returns the day of a time at its place; zero if it is unknown, or in a year that has no
// text.
func written(t terminal49.Time) terminal49.Date {
	if day, known := t.Date(); known && day.Year >= 1 && day.Year <= 9999 {
		return day
	}
	return terminal49.Date{}
}

// holdsReported reports whether a list of holds says that there are no others.
func holdsReported(r *terminal49.Readiness) bool {
	return !slices.Contains(r.Warnings, terminal49.WarnHoldsNotReported) && !slices.Contains(r.Warnings, terminal49.WarnHoldsNotProvided)
}

// nonEmpty returns the texts that are not empty.
func nonEmpty(texts []string) []string {
	return slices.DeleteFunc(slices.Clone(texts), func(s string) bool { return s == "" })
}

// once returns texts sorted, each once.
func once(texts []string) []string {
	slices.Sort(texts)
	return slices.Compact(texts)
}

// originalETA returns the day of the first estimate of the arrival that a container at a stage
// expects next, if it expects one.
func originalETA(s *terminal49.Shipment, stage terminal49.Stage) terminal49.Date {
	if stage == terminal49.StageBeforeVoyage || stage == terminal49.StageAtSea {
		return written(s.PODOriginalETA)
	}
	return written(s.DestinationOriginalETA)
}

// Owed returns what is owed; nil if there are no fees, or none that are reported.
func (f *Facts) Owed() *terminal49.FeeSummary { return f.owed }

func (f *Facts) sumFees() {
	if f.priced = true; len(f.Fees) > 0 {
		owed := terminal49.SumFees(f.Fees)
		f.owed, f.owes, f.priced = &owed, owed.Owes(), isPriced(&owed)
	}
}
