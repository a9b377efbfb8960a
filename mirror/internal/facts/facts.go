// Package facts has what filters and counts need of a container in addition to its standing.
package facts

import (
	"encoding/json"
	"slices"
	"unique"

	"github.com/go-freight/terminal49"
)

// Facts are what a container and its shipment report, apart from the standing. They depend on
// nothing else, and not on the clock. The JSON form is stored.
type Facts struct {
	Line            Name     `json:"line,omitzero"`              // SCAC and name
	PortOfDischarge Name     `json:"port_of_discharge,omitzero"` // UN/LOCODE and name
	Destination     Name     `json:"destination,omitzero"`       // likewise
	Vessel          Name     `json:"vessel,omitzero"`            // IMO number and name
	Customer        string   `json:"customer,omitempty"`
	References      []string `json:"references,omitempty"` // of the container and of the shipment, each once
	Tags            []string `json:"tags,omitempty"`
	Stopped         bool     `json:"stopped,omitempty"` // the shipping line is no longer tracked

	OriginalETA terminal49.Date `json:"original_eta,omitzero"` // of the arrival that the standing expects; zero if unknown

	Holds         []string         `json:"holds,omitempty"` // names of those in force, each once
	HoldsReported bool             `json:"holds_reported,omitempty"`
	Fees          []terminal49.Fee `json:"fees,omitempty"`
	FeesReported  bool             `json:"fees_reported,omitempty"`
}

// Name is a code with a human-readable name. Either may be unknown.
type Name struct {
	Code string `json:"code,omitempty"`
	Name string `json:"name,omitempty"`
}

// Of returns the facts of a container, from its verdict at any time.
func Of(c *terminal49.Container, v *terminal49.Verdict) Facts {
	f := Facts{Fees: c.Fees, FeesReported: v.Fees.Reported, HoldsReported: holdsReported(&v.Readiness), References: c.ReferenceNumbers}
	if s, ok := c.Shipment.Value(); ok && s != nil {
		f.Line = Name{s.ShippingLineSCAC, s.ShippingLineName}
		f.PortOfDischarge = Name{s.PortOfDischargeLOCODE, s.PortOfDischargeName}
		f.Destination = Name{s.DestinationLOCODE, s.DestinationName}
		f.Vessel = Name{s.PODVesselIMO, s.PODVesselName}
		f.Customer, f.Tags, f.Stopped = s.CustomerName, once(s.Tags), !s.LineTrackingStoppedAt.IsZero()
		f.References = slices.Concat(f.References, s.ReferenceNumbers)
		f.OriginalETA = originalETA(s, v.Standing().Situation)
	}
	f.References = once(f.References)
	for _, hold := range v.Readiness.ActiveHolds {
		f.Holds = append(f.Holds, string(hold.Name))
	}
	f.Holds = once(f.Holds)
	return f
}

// holdsReported reports whether a list of holds says that there are no others.
func holdsReported(r *terminal49.Readiness) bool {
	return !slices.Contains(r.Warnings, terminal49.WarnHoldsNotReported) && !slices.Contains(r.Warnings, terminal49.WarnHoldsNotProvided)
}

// once returns the texts that are not empty, sorted, each once.
func once(texts []string) []string {
	texts = slices.DeleteFunc(slices.Clone(texts), func(s string) bool { return s == "" })
	slices.Sort(texts)
	return slices.Compact(texts)
}

// originalETA returns the day of the first estimate of the arrival that a container in a situation
// expects next.
func originalETA(s *terminal49.Shipment, situation terminal49.Situation) (day terminal49.Date) {
	switch situation {
	case terminal49.SituationBeforeVoyage, terminal49.SituationAtSea:
		day, _ = s.PODOriginalETA.Date()
	case terminal49.SituationUnknown, terminal49.SituationOut, terminal49.SituationReturned:
	default:
		day, _ = s.DestinationOriginalETA.Date()
	}
	if day.Year < 1 || day.Year > 9999 { // has no text
		return terminal49.Date{}
	}
	return day
}

// Owed returns what is owed.
func (f *Facts) Owed() terminal49.FeeSummary {
	if len(f.Fees) == 0 && f.FeesReported {
		return terminal49.SumFees([]terminal49.Fee{})
	}
	return terminal49.SumFees(f.Fees)
}

// Read reads the stored form. Texts that many containers share are stored once.
func (f *Facts) Read(stored []byte) error {
	if err := json.Unmarshal(stored, f); err != nil {
		return err
	}
	for _, name := range []*Name{&f.Line, &f.PortOfDischarge, &f.Destination, &f.Vessel} {
		share(&name.Code, &name.Name)
	}
	share(&f.Customer)
	for _, list := range [][]string{f.Tags, f.Holds} {
		for i := range list {
			share(&list[i])
		}
	}
	return nil
}

// share replaces texts by the one copy of each.
func share(texts ...*string) {
	for _, text := range texts {
		*text = unique.Make(*text).Value()
	}
}
