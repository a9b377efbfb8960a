package rules_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

// A site is a place of a made-up container's route.
type site struct{ locode, zone string }

// A deed is something that truly happened or will happen. own is the container's attribute for it.
type deed struct {
	name     terminal49.EventName
	at       site
	when     time.Time
	own      *terminal49.Time
	versions []terminal49.Time // how it is reported
}

// A story is what truly happened to a container, and how the service reports it.
type story struct {
	*rand.Rand
	container          *terminal49.Container
	pol, ts, pod, ramp site
	withShipment       bool
	deeds              []*deed
	happened           int // the deeds before this one have happened
	events             []*terminal49.TransportEvent
	estimated          map[terminal49.EventName]int // how many estimates are expected
	newest             []terminal49.Time            // the newest of each
}

func newStory(seed uint64) *story {
	s := &story{Rand: rand.New(rand.NewPCG(seed, 11)), container: &terminal49.Container{}, estimated: map[terminal49.EventName]int{}}
	s.pol = pick(s, site{"CNSHA", "Asia/Shanghai"}, site{"DEHAM", "Europe/Berlin"})
	s.ts = pick(s, site{"KRPUS", "Asia/Seoul"}, site{"SGSIN", "Asia/Singapore"})
	s.pod = pick(s, site{"USLAX", "America/Los_Angeles"}, site{"USNYC", "America/New_York"}, site{"USHOU", "America/Chicago"})
	s.ramp = pick(s, site{}, site{"USCHI", "America/Chicago"}, site{"USCVG", "US/Eastern"}, site{"USPIT", "America/New_York"})
	s.withShipment = s.flip()
	s.happen()
	s.happened = s.IntN(len(s.deeds) + 1)
	s.place()
	s.report()
	return s
}

func pick[T any](s *story, options ...T) T { return options[s.IntN(len(options))] }

func (s *story) flip() bool { return s.IntN(2) == 0 }

// happen makes up what happens, in the order of service-facts 4.1 and 10.5.
func (s *story) happen() {
	c, at := s.container, time.Date(2026, time.Month(1+s.IntN(12)), 1, 3, 0, 0, 0, time.UTC)
	add := func(where site, name string, own *terminal49.Time) {
		at = at.Add(time.Duration(12*60+s.IntN(60*60)) * time.Minute)
		s.deeds = append(s.deeds, &deed{name: terminal49.EventName("container.transport." + name), at: where, when: at, own: own})
	}
	add(s.pol, "empty_out", &c.EmptyOutAt)
	if s.flip() { // by rail to the port of lading
		origin := site{"CNCKG", s.pol.zone}
		add(origin, "rail_loaded", nil)
		add(origin, "rail_departed", nil)
		add(s.pol, "rail_arrived", nil)
		add(s.pol, "rail_unloaded", nil)
	}
	add(s.pol, "full_in", &c.POLFullInAt)
	add(s.pol, "vessel_loaded", &c.POLVesselLoadedAt)
	add(s.pol, "vessel_departed", &c.POLVesselDepartedAt)
	for _, name := range []string{"transshipment_arrived", "transshipment_discharged", "transshipment_loaded", "transshipment_departed"} {
		add(s.ts, name, nil)
	}
	add(s.pod, "vessel_arrived", &c.PODArrivedAt)
	add(s.pod, "vessel_discharged", &c.PODDischargedAt)
	end := s.pod
	if s.ramp != end && s.ramp.locode != "" {
		end = s.ramp
		interchange := pick(s, site{"USKCK", "America/Chicago"}, site{"USBUF", "America/New_York"})
		if s.flip() { // the container goes to a ramp outside the port by truck
			add(s.pod, "full_out", &c.PODFullOutAt)
		}
		add(s.pod, "rail_loaded", &c.PODRailLoadedAt)
		add(s.pod, "rail_departed", &c.PODRailDepartedAt)
		add(interchange, "rail_arrived", nil)
		add(interchange, "rail_departed", nil)
		add(end, "rail_arrived", nil)
		add(end, "arrived_at_inland_destination", &c.INDATA)
		add(end, "rail_unloaded", &c.INDRailUnloadedAt)
		add(end, "full_out", &c.FinalDestinationFullOutAt)
	} else {
		s.ramp = site{}
		add(end, "full_out", &c.PODFullOutAt)
	}
	add(end, "delivered", &c.DeliveredAt)
	add(end, "empty_in", &c.EmptyTerminatedAt)
}

// place sets what the response says of the places.
func (s *story) place() {
	c := s.container
	c.ID = "c"
	if s.withShipment {
		c.Shipment = terminal49.Included("s", &terminal49.Shipment{
			PortOfLadingLOCODE: s.pol.locode, PortOfDischargeLOCODE: s.pod.locode, DestinationLOCODE: s.ramp.locode,
			POLTimezone: s.pol.zone, PODTimezone: s.pod.zone, DestinationTimezone: s.ramp.zone,
		})
	}
	c.PODTimezone = pick(s, s.pod.zone, "")
	c.FinalDestinationTimezone = pick(s, s.ramp.zone, "")
}

// stamp is a time as the service sends it: at a place, or its wall clock if the zone is null.
func stamp(when time.Time, zone, nullable string) terminal49.Time {
	if nullable != "" {
		return terminal49.NewTime(when, nullable)
	}
	local, err := time.LoadLocation(zone)
	if err != nil {
		panic(err)
	}
	return terminal49.NewWallTime(when.In(local))
}

// report writes the events and attributes. Each deed that has happened is in at least one of them.
func (s *story) report() {
	for _, d := range s.deeds[:s.happened] {
		byAttribute := d.own != nil && s.flip()
		when := d.when
		if !byAttribute || s.flip() {
			e := s.event(d, d.when)
			when = s.again(d, e)
			s.falsely(d)
		}
		if byAttribute {
			*d.own = stamp(when, d.at.zone, s.ownZone(d))
			d.versions = append(d.versions, *d.own)
		}
	}
	s.neverHappened()
	s.estimate("estimated.vessel_departed", "vessel_departed", s.pol)
	s.estimate("estimated.vessel_arrived", "vessel_arrived", s.pod)
	if s.withShipment {
		s.estimate("estimated.vessel_arrived", "transshipment_arrived", s.ts)
		s.estimate("estimated.vessel_departed", "transshipment_departed", s.ts)
	}
	if s.ramp.locode != "" {
		s.estimate("estimated.arrived_at_inland_destination", "arrived_at_inland_destination", s.ramp)
	}
}

// ownZone is the zone that the response has for the container's own time.
func (s *story) ownZone(d *deed) string {
	switch {
	case d.at == s.pod:
		return s.container.PODTimezone
	case d.at == s.ramp:
		return s.container.FinalDestinationTimezone
	case s.withShipment:
		return s.pol.zone
	}
	return ""
}

// event reports a deed, with or without its place. Events at a port of transshipment and of rail
// have a place (service-facts 13, 2026-06-22).
func (s *story) event(d *deed, when time.Time) *terminal49.TransportEvent {
	e := &terminal49.TransportEvent{Event: d.name, LocationLOCODE: d.at.locode, Timezone: d.at.zone}
	if s.IntN(4) == 0 && !strings.Contains(string(d.name), "rail_") && d.at != s.ts {
		e.LocationLOCODE, e.Timezone = "", pick(s, d.at.zone, "")
	}
	e.ID = fmt.Sprintf("%03d-%d", s.IntN(1000), len(s.events))
	e.Timestamp = stamp(when, d.at.zone, e.Timezone)
	e.CreatedAt = terminal49.NewTime(when.Add(time.Hour), "")
	d.versions = append(d.versions, e.Timestamp)
	s.events = append(s.events, e)
	return e
}

// again reports the event again: twice in the list, under another id, or with a corrected time. It
// returns a time that the container's own time may have. An own time differs from that of the event
// only where the place says that both are the same.
func (s *story) again(d *deed, e *terminal49.TransportEvent) time.Time {
	switch s.IntN(5) {
	case 0:
		s.events = append(s.events, e)
	case 1:
		s.event(d, d.when).Timestamp = e.Timestamp
		s.events[len(s.events)-1].Timezone = e.Timezone
	case 2:
		next := s.event(d, d.when.Add(2*time.Hour))
		next.LocationLOCODE, next.Timezone = e.LocationLOCODE, e.Timezone
		next.Timestamp = stamp(d.when.Add(2*time.Hour), d.at.zone, e.Timezone)
		next.PreviousVersion = terminal49.Included(e.ID, e)
		d.versions = []terminal49.Time{next.Timestamp}
		if s.flip() {
			e.InvalidatedAt = next.CreatedAt
		}
		return d.when.Add(2 * time.Hour)
	case 3:
		if s.withShipment && e.LocationLOCODE != "" {
			return d.when.Add(time.Duration(s.IntN(5)-2) * time.Hour)
		}
	}
	return d.when
}

// falsely adds a withdrawn event, at times next to an earlier reading of it.
func (s *story) falsely(d *deed) {
	if s.IntN(4) > 0 {
		return
	}
	versions := d.versions
	e := s.event(d, d.when.Add(-5*time.Hour))
	d.versions = versions
	if s.flip() {
		before := *e
		s.events = append(s.events, &before)
	}
	e.InvalidatedAt = terminal49.NewTime(d.when, "")
}

// neverHappened adds a withdrawn event of something that has not happened.
func (s *story) neverHappened() {
	if s.happened < len(s.deeds) && s.flip() {
		d := *s.deeds[s.happened]
		s.event(&d, d.when).InvalidatedAt = terminal49.NewTime(d.when, "")
	}
}

// estimate adds estimates of a deed, the newest last. One is expected if it has not happened.
func (s *story) estimate(name, of string, where site) {
	target := s.find(of, where)
	n := s.IntN(4)
	made := s.deeds[0].when
	for i := range n {
		d := &deed{name: terminal49.EventName("container.transport." + name), at: where}
		e := s.event(d, target.when.Add(time.Duration(i-n)*time.Hour))
		e.CreatedAt = terminal49.NewTime(made.Add(time.Duration(i)*time.Hour), "")
		if i == n-1 {
			s.newest = append(s.newest, e.Timestamp)
		}
	}
	pending := slices.Index(s.deeds, target) >= s.happened
	if where == s.ramp && s.flip() {
		s.container.INDETA = stamp(target.when, where.zone, s.container.FinalDestinationTimezone)
		if n == 0 {
			s.newest = append(s.newest, s.container.INDETA)
		}
		n = max(n, 1)
	}
	if pending && n > 0 {
		s.estimated[terminal49.EventName("container.transport."+name)]++
	}
}

func (s *story) find(name string, where site) *deed {
	i := slices.IndexFunc(s.deeds, func(d *deed) bool {
		return string(d.name) == "container.transport."+name && d.at == where
	})
	return s.deeds[i]
}

// shown returns how many of the milestones are versions of the deed.
func (d *deed) shown(journey []terminal49.Milestone) int {
	n := 0
	for _, m := range journey {
		if m.Event == d.name && slices.Contains(d.versions, m.At) {
			n++
		}
	}
	return n
}

// The expected milestones are those of the story, which was made up before it was reported.
func TestJourney_ShowsEachFactOnce(t *testing.T) {
	for seed := range testkit.Scale(uint64(2000), 50000) {
		s := newStory(seed)
		journey := terminal49.Journey(s.container, terminal49.JourneyOptions{Events: s.events})
		if !s.matches(t, journey) {
			t.Fatalf("story %d\n%s", seed, s.text(journey))
		}
		s.Shuffle(len(s.events), func(i, j int) { s.events[i], s.events[j] = s.events[j], s.events[i] })
		require.Equal(t, journey, terminal49.Journey(s.container, terminal49.JourneyOptions{Events: s.events}),
			"story %d: the order of the events", seed)
		all := terminal49.Journey(s.container, terminal49.JourneyOptions{Events: s.events, Withdrawn: true})
		valid := slices.DeleteFunc(all, func(m terminal49.Milestone) bool { return m.Withdrawn })
		require.Equal(t, journey, valid, "story %d: Withdrawn only adds withdrawn ones", seed)
	}
}

// matches reports whether a journey shows each deed of the story once, the newest estimate of what
// has not happened, and nothing else.
func (s *story) matches(t *testing.T, journey []terminal49.Milestone) bool {
	facts, estimates, ok := 0, map[terminal49.EventName]int{}, true
	for _, m := range journey {
		if m.Estimated {
			estimates[m.Event]++
			ok = assert.Contains(t, s.newest, m.At, "not the newest estimate") && ok
		} else {
			facts++
		}
	}
	for _, d := range s.deeds[:s.happened] {
		ok = assert.Equal(t, 1, d.shown(journey), "%s at %v", d.name, d.at) && ok
	}
	return assert.Equal(t, s.happened, facts) && assert.Equal(t, s.estimated, estimates) && ok
}

// text returns what was reported and shown.
func (s *story) text(journey []terminal49.Milestone) string {
	var b strings.Builder
	fmt.Fprintln(&b, s.pod, s.ramp, s.container.PODTimezone, s.container.FinalDestinationTimezone, "shipment", s.withShipment)
	for _, d := range s.deeds[:s.happened] {
		fmt.Fprintln(&b, "true ", d.when, d.name, d.at, d.versions)
	}
	for _, e := range s.events {
		fmt.Fprintln(&b, "event", e.ID, e.Timestamp, e.Event, e.LocationLOCODE, e.InvalidatedAt, e.PreviousVersion.ID())
	}
	for _, m := range journey {
		fmt.Fprintln(&b, "shown", m.EventID, m)
	}
	return b.String()
}

const (
	losAngeles = "America/Los_Angeles"
	chicago    = "America/Chicago"
	shanghai   = "Asia/Shanghai"
)

func placed(t *testing.T, when, zone string) terminal49.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, when)
	require.NoError(t, err)
	if zone == "" {
		return terminal49.NewWallTime(at)
	}
	return terminal49.NewTime(at, zone)
}

// happening returns a valid event of the container without an id.
func happening(t *testing.T, name, when, locode, zone string) *terminal49.TransportEvent {
	t.Helper()
	e := &terminal49.TransportEvent{Event: terminal49.EventName("container.transport." + name), LocationLOCODE: locode, Timezone: zone}
	if when != "" {
		e.Timestamp = placed(t, when, zone)
	}
	return e
}

func journeyLines(c *terminal49.Container, events ...*terminal49.TransportEvent) []string {
	lines := []string{}
	for _, m := range terminal49.Journey(c, terminal49.JourneyOptions{Events: events}) {
		lines = append(lines, m.String())
	}
	return lines
}

// toChicago is a container that goes from Shanghai through Los Angeles to Chicago.
func toChicago() *terminal49.Container {
	return &terminal49.Container{
		PODTimezone: losAngeles, FinalDestinationTimezone: chicago,
		Shipment: terminal49.Included("s", &terminal49.Shipment{PortOfLadingLOCODE: "CNSHA", PortOfDischargeLOCODE: "USLAX",
			DestinationLOCODE: "USCHI", POLTimezone: shanghai}),
	}
}

// Service-facts 3.2: pod_full_out_at is at the port, final_destination_full_out_at at the inland
// destination; 10.5: full_out is after the arrival there.
func TestJourney_KeepsTheFullOutOfEachPlace(t *testing.T) {
	port, ramp := "2026-03-05 08:00 PST full out", "2026-03-12 10:00 CDT full out"
	for name, c := range map[string]struct {
		event *terminal49.TransportEvent
		want  []string
	}{
		"event at the port": {happening(t, "full_out", "2026-03-05T16:00:00Z", "USLAX", losAngeles), []string{port + ", USLAX", ramp}},
		"event at the ramp": {happening(t, "full_out", "2026-03-12T15:00:00Z", "USCHI", chicago), []string{port, ramp + ", USCHI"}},
		"only a zone":       {happening(t, "full_out", "2026-03-12T15:00:00Z", "", chicago), []string{port, ramp}},
		"only a wall clock": {happening(t, "full_out", "2026-03-05T08:00:00Z", "", ""), []string{"2026-03-05 08:00 (zone unknown) full out", ramp}},
		"corrected": {happening(t, "full_out", "2026-03-12T17:00:00Z", "USCHI", chicago),
			[]string{port, "2026-03-12 12:00 CDT full out, USCHI"}},
		"without a time":    {happening(t, "full_out", "", "USCHI", chicago), []string{port, ramp + ", USCHI"}},
		"no place or zone":  {happening(t, "full_out", "2026-03-20T15:00:00Z", "", ""), []string{port, ramp, "2026-03-20 15:00 (zone unknown) full out"}},
		"at a third place":  {happening(t, "full_out", "2026-03-14T15:00:00Z", "USMEM", chicago), []string{port, ramp, "2026-03-14 10:00 CDT full out, USMEM"}},
		"withdrawn":         {withdrawn(happening(t, "full_out", "2026-03-05T16:00:00Z", "USLAX", losAngeles)), []string{port, ramp}},
		"at the terminal":   {atTerminal(happening(t, "full_out", "2026-03-13T15:00:00Z", "", ""), "ramp"), []string{port, "2026-03-13 15:00 (zone unknown) full out"}},
		"of the whole area": {happening(t, "full_out", "2026-03-12T16:00:00Z", "USJOT", chicago), []string{port, "2026-03-12 11:00 CDT full out, USJOT"}},
	} {
		container := toChicago()
		container.PODFullOutAt = placed(t, "2026-03-05T16:00:00Z", losAngeles)
		container.FinalDestinationFullOutAt = placed(t, "2026-03-12T15:00:00Z", chicago)
		container.PickupFacility = terminal49.Included("ramp", &terminal49.Terminal{
			MetroArea: terminal49.Included("m", &terminal49.MetroArea{LOCODE: "USJOT"})})
		assert.Equal(t, c.want, journeyLines(container, c.event), name)
	}
}

func withdrawn(e *terminal49.TransportEvent) *terminal49.TransportEvent {
	e.InvalidatedAt = e.Timestamp
	return e
}

func atTerminal(e *terminal49.TransportEvent, id string) *terminal49.TransportEvent {
	e.Terminal = terminal49.Linked[*terminal49.Terminal]("rail_terminal", id)
	return e
}

// Service-facts 3.2: pod_rail_loaded_at and pod_rail_departed_at are at the port of discharge. 13,
// 2026-06-22: rail events have a location.
func TestJourney_KeepsRailAtOriginAndAtThePort(t *testing.T) {
	c := toChicago()
	c.PODRailLoadedAt = placed(t, "2026-03-06T16:00:00Z", losAngeles)
	c.PODRailDepartedAt = placed(t, "2026-03-07T16:00:00Z", losAngeles)
	c.INDATA = placed(t, "2026-03-11T16:00:00Z", chicago)
	events := []*terminal49.TransportEvent{
		happening(t, "rail_loaded", "2026-02-01T00:00:00Z", "CNCKG", shanghai),
		happening(t, "rail_departed", "2026-02-02T00:00:00Z", "CNCKG", shanghai),
		happening(t, "vessel_loaded", "2026-02-09T00:00:00Z", "CNSHA", shanghai),
		happening(t, "rail_arrived", "2026-03-09T16:00:00Z", "USKCK", chicago),
		happening(t, "rail_departed", "2026-03-10T06:00:00Z", "USKCK", chicago),
	}
	assert.Equal(t, []string{
		"2026-02-01 08:00 CST rail loaded, CNCKG",
		"2026-02-02 08:00 CST rail departed, CNCKG",
		"2026-02-09 08:00 CST vessel loaded, CNSHA",
		"2026-03-06 08:00 PST rail loaded",
		"2026-03-07 08:00 PST rail departed",
		"2026-03-09 11:00 CDT rail arrived, USKCK",
		"2026-03-10 01:00 CDT rail departed, USKCK",
		"2026-03-11 11:00 CDT arrived at inland destination",
	}, journeyLines(c, events...))

	ride := func(events ...*terminal49.TransportEvent) []string {
		var legs []string
		for _, leg := range terminal49.RailJourney(c, terminal49.JourneyOptions{Events: events}).Legs {
			legs = append(legs, leg.From.At.String()+" to "+leg.To.At.String())
		}
		return legs
	}
	inland := []string{"2026-03-07 08:00 PST to 2026-03-09 11:00 CDT", "2026-03-10 01:00 CDT to 2026-03-11 11:00 CDT"}
	assert.Equal(t, append([]string{"2026-02-02 08:00 CST to -"}, inland...), ride(events...))
	assert.Equal(t, append([]string{"2026-02-01 08:00 CST to -"}, inland...), ride(events[0], events[3], events[4]),
		"the place says that the container was not on the train all the way")
	c.PODRailLoadedAt = terminal49.Time{}
	assert.Equal(t, append([]string{"2026-02-01 08:00 CST to -"}, inland...), ride(events[0], events[2], events[3], events[4]),
		"the ship does, too")
}

// The events of the sample "Example transport events" of the OpenAPI document, with the container's
// own times for the same. Two events have no time, one has no place.
func TestJourney_OfTheSampleEvents(t *testing.T) {
	events := []*terminal49.TransportEvent{
		happening(t, "vessel_loaded", "", "CLSAI", "America/Santiago"),
		happening(t, "vessel_departed", "", "CLSAI", "America/Santiago"),
		happening(t, "full_out", "2020-04-14T00:00:00Z", "USOAK", losAngeles),
		happening(t, "vessel_discharged", "2020-04-13T00:00:00Z", "USOAK", losAngeles),
		happening(t, "vessel_arrived", "2020-04-13T01:24:00Z", "USOAK", losAngeles),
		happening(t, "empty_in", "2020-04-15T00:00:00Z", "", ""),
	}
	want := []string{
		"2020-04-12 17:00 PDT vessel discharged, USOAK",
		"2020-04-12 18:24 PDT vessel arrived, USOAK",
		"2020-04-13 17:00 PDT full out, USOAK",
		"2020-04-15 00:00 (zone unknown) empty in",
		"- vessel loaded, CLSAI",
		"- vessel departed, CLSAI",
	}
	assert.Equal(t, want, journeyLines(&terminal49.Container{}, events...))
	for _, zone := range []string{losAngeles, ""} {
		wall := func(utc, local string) terminal49.Time {
			if zone == "" {
				return placed(t, local, "")
			}
			return placed(t, utc, zone)
		}
		c := &terminal49.Container{
			PODTimezone: zone, PODDischargedAt: wall("2020-04-13T00:00:00Z", "2020-04-12T17:00:00Z"),
			PODArrivedAt: wall("2020-04-13T01:24:00Z", "2020-04-12T18:24:00Z"),
			PODFullOutAt: wall("2020-04-14T00:00:00Z", "2020-04-13T17:00:00Z"), EmptyTerminatedAt: placed(t, "2020-04-15T07:00:00Z", losAngeles),
		}
		assert.Equal(t, want, journeyLines(c, events...), "each is one milestone; zone %q", zone)
		c.POLVesselLoadedAt = placed(t, "2020-03-20T12:00:00Z", "America/Santiago")
		assert.Equal(t, append([]string{"2020-03-20 09:00 -03 vessel loaded, CLSAI"}, slices.Delete(slices.Clone(want), 4, 5)...),
			journeyLines(c, events...), "an event without a time takes the container's")
	}
}

// Container KOCU4959010 of the OpenAPI document, in the order of service-facts 10.5, and the same
// with events of the same times. Its final_destination_timezone is null.
func TestJourney_OfTheSampleRailContainer(t *testing.T) {
	c := &terminal49.Container{
		PODTimezone:  losAngeles,
		PODArrivedAt: placed(t, "2022-01-03T10:30:00Z", losAngeles), PODDischargedAt: placed(t, "2022-01-08T09:15:00Z", losAngeles),
		PODFullOutAt: placed(t, "2022-02-11T22:18:00Z", losAngeles), PODRailLoadedAt: placed(t, "2022-02-11T22:18:00Z", losAngeles),
		PODRailDepartedAt: placed(t, "2022-02-11T23:30:00Z", losAngeles),
		INDATA:            placed(t, "2022-02-15T01:12:00Z", ""), INDRailUnloadedAt: placed(t, "2022-02-15T07:54:00Z", ""),
	}
	want := []terminal49.EventName{
		terminal49.EventVesselArrived, terminal49.EventVesselDischarged, terminal49.EventFullOut, terminal49.EventRailLoaded,
		terminal49.EventRailDeparted, terminal49.EventArrivedAtInlandDestination, terminal49.EventRailUnloaded,
	}
	var events []*terminal49.TransportEvent
	names := func() (all []terminal49.EventName) {
		for _, m := range terminal49.Journey(c, terminal49.JourneyOptions{Events: events}) {
			all = append(all, m.Event)
		}
		return all
	}
	assert.Equal(t, want, names())
	for _, m := range terminal49.Journey(c, terminal49.JourneyOptions{}) {
		events = append(events, &terminal49.TransportEvent{Event: m.Event, Timestamp: m.At, Timezone: m.At.Zone()})
	}
	assert.Equal(t, want, names())
}

// Service-facts 4.1, rows 30 to 32: an estimate has the name of its milestone, and often neither
// relationships nor a place. Container CAIU7432986 of the OpenAPI document is discharged without an
// arrival; the order of milestones is that of 4.1 and 10.5.
func TestJourney_LeavesOutOvertakenEstimates(t *testing.T) {
	const when, later = "2026-03-02T16:00:00Z", "2026-03-04T16:00:00Z"
	eta := func(locode, zone string) *terminal49.TransportEvent {
		return happening(t, "estimated.vessel_arrived", later, locode, zone)
	}
	etd := happening(t, "estimated.vessel_departed", later, "CNSHA", shanghai)
	inland := happening(t, "estimated.arrived_at_inland_destination", later, "USCHI", chicago)
	own := func(set func(c *terminal49.Container)) *terminal49.Container {
		c := toChicago()
		set(c)
		return c
	}
	for name, c := range map[string]struct {
		container *terminal49.Container
		estimate  *terminal49.TransportEvent
		actual    *terminal49.TransportEvent
		stays     bool
	}{
		"arrival at the place":        {toChicago(), eta("USLAX", losAngeles), happening(t, "vessel_arrived", when, "USLAX", losAngeles), false},
		"estimate without a place":    {toChicago(), eta("", ""), happening(t, "vessel_arrived", when, "USLAX", losAngeles), false},
		"arrival without a place":     {toChicago(), eta("USLAX", losAngeles), happening(t, "vessel_arrived", when, "", ""), false},
		"nothing known of the places": {&terminal49.Container{}, eta("", ""), happening(t, "vessel_arrived", when, "", ""), false},
		"discharge":                   {toChicago(), eta("USLAX", losAngeles), happening(t, "vessel_discharged", when, "USLAX", losAngeles), false},
		"withdrawn arrival":           {toChicago(), eta("USLAX", losAngeles), withdrawn(happening(t, "vessel_arrived", when, "USLAX", losAngeles)), true},
		"arrival for transshipment":   {toChicago(), eta("USLAX", losAngeles), happening(t, "transshipment_arrived", when, "KRPUS", "Asia/Seoul"), true},
		"the same without places":     {toChicago(), eta("", ""), happening(t, "transshipment_arrived", when, "", ""), true},
		"of the transshipment":        {toChicago(), eta("KRPUS", "Asia/Seoul"), happening(t, "transshipment_arrived", when, "KRPUS", "Asia/Seoul"), false},
		"by barge":                    {toChicago(), eta("NLRTM", "Europe/Amsterdam"), happening(t, "feeder_arrived", when, "NLRTM", "Europe/Amsterdam"), false},
		"arrival elsewhere":           {toChicago(), eta("USLAX", losAngeles), happening(t, "vessel_arrived", when, "KRPUS", "Asia/Seoul"), true},
		"reported unavailable":        {toChicago(), eta("USLAX", losAngeles), happening(t, "not_available", when, "USLAX", losAngeles), true},
		"departure":                   {toChicago(), etd, happening(t, "vessel_departed", when, "CNSHA", shanghai), false},
		"loading":                     {toChicago(), etd, happening(t, "vessel_loaded", when, "CNSHA", shanghai), true},
		"departure, arrived since":    {toChicago(), etd, happening(t, "vessel_arrived", when, "USLAX", losAngeles), false},
		"inland arrival":              {toChicago(), inland, happening(t, "arrived_at_inland_destination", when, "", ""), false},
		"inland unloading":            {toChicago(), inland, happening(t, "rail_unloaded", when, "USCHI", chicago), false},
		"arrival at a ramp":           {toChicago(), inland, happening(t, "rail_arrived", when, "USKCK", chicago), true},
		"returned empty":              {toChicago(), inland, happening(t, "empty_in", when, "", ""), false},
		"own arrival": {own(func(c *terminal49.Container) { c.PODArrivedAt = placed(t, when, losAngeles) }),
			eta("USLAX", losAngeles), nil, false},
		"own discharge": {own(func(c *terminal49.Container) { c.PODDischargedAt = placed(t, when, losAngeles) }),
			eta("", ""), nil, false},
		"own inland arrival": {own(func(c *terminal49.Container) { c.INDATA = placed(t, when, chicago) }), inland, nil, false},
		"own ETA and inland arrival": {own(func(c *terminal49.Container) { c.INDETA = placed(t, later, chicago) }), nil,
			happening(t, "arrived_at_inland_destination", when, "", ""), false},
		"own ETA": {own(func(c *terminal49.Container) { c.INDETA = placed(t, later, chicago) }), nil,
			happening(t, "vessel_arrived", when, "USLAX", losAngeles), true},
		"own ETA and an estimate": {own(func(c *terminal49.Container) { c.INDETA = placed(t, when, chicago) }), inland, nil, true},
	} {
		journey := terminal49.Journey(c.container, terminal49.JourneyOptions{Events: []*terminal49.TransportEvent{c.estimate, c.actual}})
		estimates := 0
		for _, m := range journey {
			if m.Estimated {
				estimates++
			}
		}
		assert.Equal(t, map[bool]int{true: 1, false: 0}[c.stays], estimates, "%s: %v", name, journey)
	}
}

// Service-facts 3.4: created_at is when an estimate was made, previous_version the event that it
// replaces.
func TestJourney_ShowsTheNewestEstimate(t *testing.T) {
	estimate := func(id, when, locode, zone, created string) *terminal49.TransportEvent {
		e := happening(t, "estimated.vessel_arrived", when, locode, zone)
		e.ID = id
		if created != "" {
			e.CreatedAt = placed(t, created, "UTC")
		}
		return e
	}
	first := estimate("a", "2026-03-09T16:00:00Z", "USLAX", losAngeles, "2026-02-01T00:00:00Z")
	newest := estimate("b", "2026-03-02T16:00:00Z", "USLAX", losAngeles, "2026-02-03T00:00:00Z")
	minimal := estimate("c", "2026-03-05T16:00:00Z", "", "", "2026-02-02T00:00:00Z")
	elsewhere := estimate("d", "2026-02-20T16:00:00Z", "KRPUS", "Asia/Seoul", "2026-01-01T00:00:00Z")
	undated := estimate("e", "2026-03-07T16:00:00Z", "USLAX", losAngeles, "")
	assert.Equal(t, []string{"2026-03-02 08:00 PST estimated: vessel arrived, USLAX"}, journeyLines(toChicago(), first, newest, minimal))
	assert.Equal(t, []string{"2026-03-05 16:00 (zone unknown) estimated: vessel arrived"}, journeyLines(toChicago(), minimal, first))
	assert.Len(t, journeyLines(toChicago(), newest, elsewhere), 2, "of two places")
	assert.Len(t, journeyLines(toChicago(), newest, undated), 2, "which one is newer is not known")
	undated.PreviousVersion = terminal49.Linked[*terminal49.TransportEvent]("transport_event", "b")
	newest.PreviousVersion = terminal49.Linked[*terminal49.TransportEvent]("transport_event", "a")
	newest.InvalidatedAt = newest.CreatedAt
	assert.Equal(t, []string{"2026-03-07 08:00 PST estimated: vessel arrived, USLAX"},
		journeyLines(toChicago(), newest, undated, first), "a version before a withdrawn one is replaced too")
}

// Service-facts 13: milestones can go backwards (2026-06-01, 07-13), and a hand edit invalidates
// the event that it contradicts (2026-06-22).
func TestJourney_GoesBackwards(t *testing.T) {
	arrived := happening(t, "arrived_at_inland_destination", "2026-03-09T16:00:00Z", "USCHI", chicago)
	estimate := happening(t, "estimated.arrived_at_inland_destination", "2026-03-11T16:00:00Z", "USCHI", chicago)
	returned := happening(t, "empty_in", "2026-03-10T16:00:00Z", "", "")
	assert.Len(t, journeyLines(toChicago(), arrived, estimate, returned), 2)
	assert.Equal(t, []string{"2026-03-11 11:00 CDT estimated: arrived at inland destination, USCHI"},
		journeyLines(toChicago(), withdrawn(arrived), estimate, withdrawn(returned)))
}

// The steps of terminal49test.RailJourney, each once, in its order; events and own times both
// report them.
func TestJourney_OfTheSimulator(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		script := terminal49test.RailJourney()
		script.Elapsed = 6 * 24 * time.Hour // found before the second estimate
		srv.Script(testkit.SureNumber, script)
		ctx, client := t.Context(), testkit.SimulatedClient(t, srv)
		request, _, err := client.TrackingRequests.FindOrCreate(ctx, testkit.SureRequest())
		require.NoError(t, err)
		request, err = client.TrackingRequests.Wait(ctx, request.ID, nil)
		require.NoError(t, err)
		shipment, _ := request.Shipment.Value()
		names := func(include ...terminal49.ContainerInclude) string {
			include = append(include, terminal49.ContainerIncludeTransportEvents)
			c, err := client.Containers.Get(ctx, shipment.Containers.IDs()[0], &terminal49.ContainerGetParams{Include: include})
			require.NoError(t, err)
			var all []string
			for _, m := range terminal49.Journey(c, terminal49.JourneyOptions{}) {
				all = append(all, m.Description())
			}
			return strings.Join(all, ", ")
		}
		srv.Advance(14 * 24 * time.Hour)
		want := "empty out, full in, vessel loaded, vessel departed, transshipment arrived, transshipment discharged, " +
			"transshipment loaded, transshipment departed, "
		assert.Equal(t, want+"estimated: vessel arrived", names())
		assert.Equal(t, want+"estimated: vessel arrived", names(terminal49.ContainerIncludeShipment))
		srv.Advance(20 * 24 * time.Hour)
		want += "vessel arrived, vessel discharged, rail loaded, rail departed, rail arrived, arrived at inland destination, " +
			"rail unloaded, available, full out, empty in"
		assert.Equal(t, want, names())
		assert.Equal(t, want, names(terminal49.ContainerIncludeShipment, terminal49.ContainerIncludePODTerminal,
			terminal49.ContainerIncludePickupFacility))
	})
}
