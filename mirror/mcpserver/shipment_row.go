package mcpserver

import (
	"slices"
	"strings"

	"github.com/go-freight/terminal49"
)

// shipmentRow is a shipment with its containers.
type shipmentRow struct {
	Input        string         `json:"input,omitempty"`
	ID           string         `json:"id"`
	BillOfLading string         `json:"bill_of_lading"`
	Line         string         `json:"line"`
	Customer     string         `json:"customer"`
	Origin       string         `json:"origin"`
	Port         string         `json:"port"`
	Destination  string         `json:"destination,omitempty"`
	ETA          string         `json:"eta,omitempty"`
	Arrived      string         `json:"arrived,omitempty"`
	Vessel       string         `json:"vessel"`
	Voyage       string         `json:"voyage"`
	References   []string       `json:"references,omitempty"`
	Tracking     string         `json:"tracking"`
	Summary      string         `json:"summary"`
	Containers   []containerRow `json:"containers,omitempty"`
}

// mostOfShipment is how many containers of a shipment are shown in a list of shipments.
const mostOfShipment = 50

func (f *finding) shipmentRow(s *terminal49.Shipment, input string) shipmentRow {
	r := shipmentRowOf(s)
	if input = clean(input); input != r.BillOfLading {
		r.Input = input
	}
	containers := sortedContainers(s)
	r.Summary = f.summary(containers)
	for _, c := range containers[:min(len(containers), mostOfShipment)] {
		r.Containers = append(r.Containers, f.row(c, f.fields, []field{"situation"}))
	}
	if len(containers) > mostOfShipment {
		f.a.note("Only 50 containers of a shipment are shown; the tool shipment has all.")
	}
	return r
}

func shipmentRowOf(s *terminal49.Shipment) shipmentRow {
	of := containerRow{}
	of.addShipment(&terminal49.Container{}, s)
	r := shipmentRow{
		ID: s.ID, BillOfLading: of.BillOfLading, Line: of.Line, Customer: of.Customer, Origin: of.Origin, Port: of.Port, Destination: of.Destination,
		ETA: of.PortETA, Arrived: local(s.PODATA), Vessel: of.Vessel, Voyage: of.Voyage, References: of.References, Tracking: of.Tracking,
	}
	if r.Arrived != "" {
		r.ETA = ""
	}
	return r
}

// sortedContainers returns the containers of a shipment by number.
func sortedContainers(s *terminal49.Shipment) []*terminal49.Container {
	list, _ := s.Containers.Values()
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b *terminal49.Container) int { return strings.Compare(a.Number, b.Number) })
	return list
}

// summary adds up the verdicts of containers.
func (s *server) summary(containers []*terminal49.Container) string {
	verdicts := make([]terminal49.Verdict, len(containers))
	for i, c := range containers {
		verdicts[i] = terminal49.Assess(c, s.Now(), terminal49.VerdictOptions{})
	}
	return clean(terminal49.SumVerdicts(verdicts).String())
}

func (r *shipmentRow) write(p *page) {
	p.line("Shipment %s%s: line %s, customer %s, from %s to %s%s, vessel %s %s, %s%s. %s", quoted(r.BillOfLading), ofInput(r.Input), quoted(r.Line), quoted(r.Customer),
		quoted(r.Origin), quoted(r.Port), before(" and ", quotedOrNone(r.Destination)), quoted(r.Vessel), quoted(r.Voyage),
		before("ETA ", r.ETA), before("arrived ", r.Arrived), quoted(r.Summary))
	writeRows(p, r.Containers)
}

func quotedOrNone(text string) own {
	if text == "" {
		return ""
	}
	return quoted(text)
}
