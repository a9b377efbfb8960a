package mcpserver

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/demurrage"
)

// containerRow is a container. Which members it has depends on the question: those that were not
// asked for are absent, and so are those that do not apply, such as the last free day after the
// pickup.
type containerRow struct {
	Input  string `json:"input,omitempty"`
	Number string `json:"number"`
	ID     string `json:"id,omitempty"`

	Situation   string `json:"situation,omitempty"`
	Stage       string `json:"stage,omitempty"`
	Place       string `json:"place,omitempty"`
	BoundFor    string `json:"bound_for,omitempty"`
	Since       string `json:"since,omitempty"`
	LastFreeDay string `json:"last_free_day,omitempty"`
	DaysLeft    *int   `json:"days_left,omitempty"`
	LFDSource   string `json:"lfd_source,omitempty"`
	Urgency     string `json:"urgency,omitempty"`
	Holds       joined `json:"holds,omitempty"`
	Owed        joined `json:"owed,omitempty"`
	Available   string `json:"available,omitempty"`
	Checked     string `json:"checked,omitempty"`
	Appointment string `json:"appointment,omitempty"`

	ETA         string `json:"eta,omitempty"`
	PortETA     string `json:"port_eta,omitempty"`
	OriginalETA string `json:"original_port_eta,omitempty"`
	Arrived     string `json:"arrived,omitempty"`
	Discharged  string `json:"discharged,omitempty"`
	OnRail      string `json:"on_rail,omitempty"`
	RailETA     string `json:"rail_eta,omitempty"`
	AtRamp      string `json:"at_ramp,omitempty"`
	LeftPort    string `json:"left_port,omitempty"`
	PickedUp    string `json:"picked_up,omitempty"`
	Returned    string `json:"returned_empty,omitempty"`
	DaysOut     *int   `json:"days_out,omitempty"`

	Line         string   `json:"line,omitempty"`
	Customer     string   `json:"customer,omitempty"`
	BillOfLading string   `json:"bill_of_lading,omitempty"`
	References   []string `json:"references,omitempty"`
	Tags         []string `json:"tags,omitempty"`
	Origin       string   `json:"origin,omitempty"`
	Port         string   `json:"port,omitempty"`
	Terminal     string   `json:"terminal,omitempty"`
	Destination  string   `json:"destination,omitempty"`
	Vessel       string   `json:"vessel,omitempty"`
	Voyage       string   `json:"voyage,omitempty"`
	Railroad     string   `json:"railroad,omitempty"`

	Size         string `json:"size,omitempty"`
	Type         string `json:"type,omitempty"`
	WeightPounds string `json:"weight_lb,omitempty"`
	Seal         string `json:"seal,omitempty"`
	Tracking     string `json:"tracking,omitempty"`
	Journeys     int    `json:"journeys,omitempty"`
}

// field is the name of a member of a containerRow that can be asked for.
type field string

// fields are the members that can be asked for, in their order.
var fields = enumOf(fieldsOf()...)

func fieldsOf() (list []field) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[containerRow]()) {
		if name := memberOf(f); name != "input" && name != "number" && name != "journeys" {
			list = append(list, field(name))
		}
	}
	return list
}

func memberOf(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// rowSchema returns the schema of a row. Most members are texts whose names are those of fields, so
// it has only the usual ones of them.
func rowSchema() *jsonschema.Schema {
	schema := schemaOf(reflect.TypeFor[containerRow]())
	for name, member := range schema.Properties {
		if member.Type == "string" && !slices.Contains(few, field(name)) && name != "number" {
			delete(schema.Properties, name)
		}
	}
	schema.PropertyOrder = nil
	schema.AdditionalProperties = &jsonschema.Schema{Type: "string"}
	return schema
}

// few are the fields of a row that nobody has asked for others of.
var few = []field{"situation", "place", "last_free_day", "days_left"}

// only returns a row with some members.
func (r containerRow) only(names ...field) containerRow {
	v := reflect.ValueOf(&r).Elem()
	for _, f := range reflect.VisibleFields(v.Type()) {
		if name := memberOf(f); slices.Contains(fields, field(name)) && !slices.Contains(names, field(name)) {
			v.FieldByIndex(f.Index).SetZero()
		}
	}
	return r
}

// rowOf returns a row with every member that applies.
func rowOf(c *terminal49.Container, v *terminal49.Verdict, now time.Time) containerRow {
	r := containerRow{Number: clean(c.Number), ID: c.ID, Situation: string(v.Situation), Stage: string(v.Stage()), Place: clean(v.Place.String()), BoundFor: clean(v.BoundFor.String()), Since: local(v.Since)}
	r.addPickup(c, v)
	r.addTimes(c, v, now)
	s, _ := c.Shipment.Value()
	r.addShipment(c, s)
	r.Size, r.Type = known(equipmentOf(c)), known(strings.ReplaceAll(string(c.EquipmentType), "_", " "))
	r.WeightPounds, r.Seal = unknown, known(c.SealNumber)
	if pounds, ok := c.WeightPounds.Get(); ok {
		r.WeightPounds = number(pounds)
	}
	return r
}

// addPickup adds what matters for the pickup, unless the container has left.
func (r *containerRow) addPickup(c *terminal49.Container, v *terminal49.Verdict) {
	r.Checked, r.Owed = known(local(c.TerminalCheckedAt)), owedOf(v.Fees)
	if v.Situation.HasLeft() {
		return
	}
	r.LastFreeDay, r.LFDSource, r.Urgency = known(day(v.LastFreeDay.At)), string(v.LastFreeDay.Source), string(v.Urgency)
	if days, ok := v.DaysLeft.Get(); ok {
		r.DaysLeft = &days
	}
	r.Holds, r.Available = holdsOf(c.Holds), threeState(c)
	r.Appointment = known(local(c.PickupAppointmentAt))
}

// threeState returns what the terminal last said about the availability.
func threeState(c *terminal49.Container) string {
	yes, ok := c.Availability()
	switch {
	case !ok:
		return unknown
	case yes:
		return "yes"
	}
	return "no"
}

// holdsOf returns the holds of a list that was reported or not.
func holdsOf(holds []terminal49.Hold) joined {
	if holds == nil {
		return unknown
	}
	var all []string
	for _, h := range holds {
		text := clean(string(h.Name))
		if h.Status != terminal49.HoldStatusActive {
			text += " (" + clean(string(h.Status)) + ")"
		}
		all = append(all, text)
	}
	return joined(cmp.Or(strings.Join(cleaned(all), ", "), "none"))
}

// owedOf returns what is owed, "none" or "unknown".
func owedOf(fees terminal49.FeeSummary) joined {
	if !fees.Reported {
		return unknown
	}
	var all []string
	for _, sum := range fees.Currencies() {
		switch {
		case sum.Unclear():
			all = append(all, unknown)
		case !sum.Owed.IsZero():
			all = append(all, clean(terminal49.FormatMoney(sum.Owed, sum.CurrencyCode)))
		}
	}
	for _, kind := range fees.NotPosted {
		all = append(all, unknown+" ("+clean(strings.ReplaceAll(string(kind), "_", " "))+")")
	}
	return joined(cmp.Or(strings.Join(all, " + "), "none"))
}

// addTimes adds the milestones that are reported. What has not happened is absent.
func (r *containerRow) addTimes(c *terminal49.Container, v *terminal49.Verdict, now time.Time) {
	r.ETA = local(v.ETA)
	if r.BoundFor != "" || v.Situation == terminal49.SituationAtSea || v.Situation == terminal49.SituationOnRail || v.Situation == terminal49.SituationBeforeVoyage {
		r.ETA = known(r.ETA)
	}
	r.Arrived, r.Discharged = local(arrivalOf(c, v)), local(c.PODDischargedAt)
	r.OnRail, r.RailETA, r.AtRamp = local(cmp.Or(c.PODRailDepartedAt, c.PODRailLoadedAt)), local(c.INDETA), local(c.INDATA)
	r.LeftPort = local(c.PODFullOutAt)
	switch v.Stage() {
	case terminal49.StageOnRail:
		r.OnRail = cmp.Or(r.OnRail, local(provenBy(v, terminal49.EventRailDeparted)), local(provenBy(v, terminal49.EventRailLoaded)))
	case terminal49.StageAtRamp:
		r.AtRamp = cmp.Or(r.AtRamp, local(v.Since))
	}
	r.addEnd(c, v, now)
}

// arrivalOf returns when the ship arrived at the port of discharge. The shipment's arrival is not
// that of a container that is still at sea: the bill of lading may name another port.
func arrivalOf(c *terminal49.Container, v *terminal49.Verdict) terminal49.Time {
	at := c.PODArrivedAt
	switch v.Stage() {
	case terminal49.StageBeforeVoyage, terminal49.StageAtSea:
		return at
	case terminal49.StageArrived:
		at = cmp.Or(at, v.Since)
	}
	if s, ok := c.Shipment.Value(); ok {
		at = cmp.Or(at, s.PODATA)
	}
	return at
}

// provenBy returns when an event happened that the verdict follows from; zero if there is none.
func provenBy(v *terminal49.Verdict, event terminal49.EventName) terminal49.Time {
	for _, f := range v.Proof {
		if f.Name == string(event) {
			return f.At
		}
	}
	return terminal49.Time{}
}

// addEnd adds when the container was picked up and returned, by the facts of the verdict: the gate
// of the port is not that of the pickup inland, which only an event may report.
func (r *containerRow) addEnd(c *terminal49.Container, v *terminal49.Verdict, now time.Time) {
	switch v.Situation {
	case terminal49.SituationReturned:
		r.PickedUp = known(local(demurrage.StayOf(c).Events[demurrage.FullOut]))
		r.Returned = known(local(v.Since))
	case terminal49.SituationOut:
		r.PickedUp, r.Returned = known(local(v.Since)), unknown
		if days, ok := v.Since.DaysLeft(now); ok {
			days = -days
			r.DaysOut = &days
		}
	}
}

// addShipment adds what a container has of its shipment.
func (r *containerRow) addShipment(c *terminal49.Container, s *terminal49.Shipment) {
	r.References = cleaned(c.ReferenceNumbers)
	r.Terminal = known(terminalOf(c, s))
	r.Railroad = clean(cmp.Or(c.INDRailCarrierSCAC, c.PODRailCarrierSCAC))
	r.Tracking = unknown
	if s == nil {
		return
	}
	r.PortETA, r.OriginalETA = known(local(s.PODETA)), known(local(s.PODOriginalETA))
	if r.Arrived != "" {
		r.PortETA = local(s.PODETA)
	}
	r.Line, r.Customer, r.BillOfLading = known(s.ShippingLineSCAC), known(s.CustomerName), known(s.BillOfLadingNumber)
	r.References = cleaned(slices.Concat(c.ReferenceNumbers, s.ReferenceNumbers))
	r.Tags = cleaned(s.Tags)
	r.Origin = known(placeOf(s.PortOfLadingName, s.PortOfLadingLOCODE))
	r.Port = known(placeOf(s.PortOfDischargeName, s.PortOfDischargeLOCODE))
	if s.DestinationLOCODE != s.PortOfDischargeLOCODE {
		r.Destination = placeOf(s.DestinationName, s.DestinationLOCODE)
	}
	r.Vessel, r.Voyage = known(s.PODVesselName), known(s.PODVoyageNumber)
	r.Tracking = "active"
	if !s.LineTrackingStoppedAt.IsZero() || s.LineTrackingStoppedReason != "" {
		r.Tracking = strings.TrimSpace("stopped " + day(s.LineTrackingStoppedAt) + " " + strings.ReplaceAll(clean(string(s.LineTrackingStoppedReason)), "_", " "))
	}
}

// terminalOf returns the terminal at the port of discharge, or "".
func terminalOf(c *terminal49.Container, s *terminal49.Shipment) string {
	t, _ := c.PODTerminal.Value()
	if t == nil && s != nil {
		t, _ = s.PODTerminal.Value()
	}
	if t == nil {
		return ""
	}
	return clean(cmp.Or(t.Nickname, t.Name))
}

// placeOf returns a name with its UN/LOCODE.
func placeOf(name, locode string) string {
	if name != "" && locode != "" {
		return clean(name) + " (" + clean(locode) + ")"
	}
	return clean(name + locode)
}

func equipmentOf(c *terminal49.Container) string {
	feet, ok := c.EquipmentLength.Get()
	if !ok {
		return ""
	}
	return strings.TrimSpace(number(float64(feet)) + " ft " + strings.ReplaceAll(clean(string(c.EquipmentHeight)), "_", " "))
}

// mostTexts bounds a list of texts from outside.
const mostTexts = 20

// cleaned returns texts from outside, each once, and how many more there are.
func cleaned(texts []string) (list []string) {
	for i, text := range texts {
		if len(list) == mostTexts {
			return append(list, fmt.Sprintf("and %d more", len(texts)-i))
		}
		if text = clean(text); text != "" && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}
