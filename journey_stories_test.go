package terminal49_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

// happen makes up what happens, in the order of docs/service-containers.md#milestones.
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

// place sets the places of the response.
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
// have a place (docs/service-containers.md#rail).
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
// only where both are the same at the place.
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
	for seed := range testkit.Scale(uint64(300), 10000) {
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
		require.True(t, slices.Equal(journey, valid), "story %d: Withdrawn only adds withdrawn ones", seed)
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

// Duplicates are those that a comparison of each with each finds.
func TestJourney_FindsEveryDuplicate(t *testing.T) {
	random := rand.New(rand.NewPCG(49, 2))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	journeys, withdrawn := testkit.Scale(600, 3_000), 0
	for range journeys {
		c := &terminal49.Container{PODTimezone: pick("", "America/Los_Angeles")}
		var events []*terminal49.TransportEvent
		for i := range random.IntN(12) {
			e := &terminal49.TransportEvent{
				Resource: terminal49.Resource{ID: fmt.Sprint(i)}, LocationLOCODE: pick("", "", "USLAX", "USLGB"),
				Event:    terminal49.EventName("container.transport." + pick("full_out", "vessel_arrived", "empty_in")),
				Timezone: pick("", "America/Los_Angeles", "America/Chicago", "Nowhere/Known"),
			}
			at := time.Date(2024, 7, 1+random.IntN(2), 6+random.IntN(2), 0, 0, random.IntN(2), time.UTC)
			switch random.IntN(5) {
			case 0:
				e.Timestamp = terminal49.NewWallTime(at)
			case 1:
				require.NoError(t, e.Timestamp.UnmarshalText([]byte(at.Format(time.DateOnly))))
			case 2:
			default:
				e.Timestamp = terminal49.NewTime(at, e.Timezone)
			}
			events = append(events, e)
		}
		naive, got := terminal49.WithdrawnAsDuplicates(c, events)
		require.Equal(t, naive, got)
		for _, w := range got {
			if w {
				withdrawn++
			}
		}
	}
	require.Greater(t, withdrawn, journeys/3)
}

// Overtaken estimates are those that a comparison of each with each finds.
func TestJourney_FindsEveryOvertakenEstimate(t *testing.T) {
	random := rand.New(rand.NewPCG(49, 3))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	journeys, withdrawn, kept := testkit.Scale(2_000, 20_000), 0, 0
	for range journeys {
		shipment := &terminal49.Shipment{PortOfLadingLOCODE: pick("", "CNSHA"), PortOfDischargeLOCODE: pick("", "USLAX"), DestinationLOCODE: pick("", "", "USCHI")}
		c := &terminal49.Container{PODTimezone: pick("", "America/Los_Angeles"), Shipment: terminal49.Included("s", shipment)}
		var events []*terminal49.TransportEvent
		for i := range random.IntN(7) {
			at := time.Date(2024, 7, 1+random.IntN(9), 6, 0, 0, 0, time.UTC)
			e := &terminal49.TransportEvent{
				Resource: terminal49.Resource{ID: fmt.Sprint(i)}, LocationLOCODE: pick("", "", "", "CNSHA", "USLAX", "USCHI", "KRPUS"),
				Event: terminal49.EventName("container.transport." + pick("estimated.vessel_arrived", "estimated.vessel_arrived",
					"estimated.vessel_departed", "estimated.arrived_at_inland_destination", "estimated.new", "estimated.estimated.new", "new", "vessel_arrived",
					"vessel_departed", "rail_unloaded", "full_out", "transshipment_loaded", "feeder_departed", "available", "empty_in")),
				Timezone:  pick("", "America/Los_Angeles", "US/Pacific", "America/Chicago", "Asia/Seoul", "Nowhere/Known"),
				Timestamp: terminal49.NewTime(at, "UTC"),
			}
			if random.IntN(4) > 0 {
				e.CreatedAt = terminal49.NewTime(at.AddDate(-random.IntN(2)*60, 0, -random.IntN(9)), "")
			}
			events = append(events, e)
		}
		naive, got := terminal49.WithdrawnAsEstimates(c, events)
		require.Equal(t, naive, got, "%+v", events)
		for i, w := range got {
			if w {
				withdrawn++
			} else if strings.Contains(string(events[i].Event), "estimated") {
				kept++
			}
		}
	}
	require.Greater(t, withdrawn, journeys/4)
	require.Greater(t, kept, journeys/4)
}

// manyEvents are containers with many events, of which each rule compares some with others.
var manyEvents = map[string]func(i int, e *terminal49.TransportEvent){
	"estimates": func(i int, e *terminal49.TransportEvent) { // each at its own place, none is overtaken
		e.Event, e.LocationLOCODE = terminal49.EventEstimatedVesselArrived, fmt.Sprint("X", i)
		if i%2 == 1 {
			e.Event = terminal49.EventName("container.transport.other")
		}
	},
	"rail before ships": func(i int, e *terminal49.TransportEvent) { // the ships came first
		e.Event = terminal49.EventRailArrived
		if i%2 == 1 {
			e.Event, e.Timestamp = terminal49.EventTransshipmentLoaded, terminal49.NewTime(time.Unix(int64(i), 0), "UTC")
		}
	},
	"unloaded on the way": func(i int, e *terminal49.TransportEvent) {
		e.Event, e.LocationLOCODE = terminal49.EventRailUnloaded, fmt.Sprint("X", i)
		if i%2 == 1 {
			e.Event, e.Timestamp = terminal49.EventRailLoaded, terminal49.NewTime(time.Unix(int64(i), 0), "UTC")
		}
	},
	"gates": func(i int, e *terminal49.TransportEvent) {
		e.Event = terminal49.EventFullOut
		if i%2 == 1 {
			e.Event = terminal49.EventRailArrived
		}
	},
	"fractions of a second": func(i int, e *terminal49.TransportEvent) {
		e.Event, e.LocationLOCODE = terminal49.EventFullOut, "USLAX"
		e.Timestamp = terminal49.NewTime(time.Unix(0, int64(i)), "UTC")
	},
	"places and none": func(i int, e *terminal49.TransportEvent) { // at one time, in two zones
		e.Event, e.Timestamp, e.Timezone = terminal49.EventFullOut, terminal49.NewTime(time.Unix(0, 0), "UTC"), "America/Chicago"
		if i%2 == 1 {
			e.LocationLOCODE, e.Timezone = fmt.Sprint("X", i), "Asia/Seoul"
		}
	},
}

// The time of one event stays about the same, however many there are.
func BenchmarkAssess_ManyEvents(b *testing.B) {
	start := time.Date(2024, 7, 1, 6, 0, 0, 0, time.UTC)
	for name, set := range manyEvents {
		for _, n := range []int{1000, 2000, 4000, 8000} {
			var events []*terminal49.TransportEvent
			for i := range n {
				at := terminal49.NewTime(start.Add(time.Duration(i)*time.Minute), "UTC")
				e := &terminal49.TransportEvent{Resource: terminal49.Resource{ID: fmt.Sprint(i)}, Timestamp: at}
				set(i, e)
				events = append(events, e)
			}
			c := &terminal49.Container{TransportEvents: terminal49.IncludedAll(events...)}
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					terminal49.Assess(c, start, terminal49.VerdictOptions{})
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/event")
			})
		}
	}
}

// An estimate has the name of its milestone, and often neither relationships nor a place
// (docs/service-containers.md#event-payloads). Container CAIU7432986 of the OpenAPI document is
// discharged without an arrival; the order of milestones is that of
// docs/service-containers.md#milestones.
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

// created_at is when an estimate was made, previous_version the event that it replaces
// (docs/service-containers.md#transport-events).
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
	assert.Equal(t, []string{"2026-03-02 08:00 -08:00 estimated: vessel arrived, USLAX"}, journeyLines(toChicago(), first, newest, minimal))
	assert.Equal(t, []string{"2026-03-05 16:00 (zone unknown) estimated: vessel arrived"}, journeyLines(toChicago(), minimal, first))
	assert.Len(t, journeyLines(toChicago(), newest, elsewhere), 2, "of two places")
	assert.Len(t, journeyLines(toChicago(), newest, undated), 2, "which one is newer is not known")
	undated.PreviousVersion = terminal49.Linked[*terminal49.TransportEvent]("transport_event", "b")
	newest.PreviousVersion = terminal49.Linked[*terminal49.TransportEvent]("transport_event", "a")
	newest.InvalidatedAt = newest.CreatedAt
	assert.Equal(t, []string{"2026-03-07 08:00 -08:00 estimated: vessel arrived, USLAX"},
		journeyLines(toChicago(), newest, undated, first), "a version before a withdrawn one is replaced too")
}
