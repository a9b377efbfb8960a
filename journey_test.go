package terminal49

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func event(t testing.TB, id string, name EventName, when, zone string) *TransportEvent {
	t.Helper()
	e := &TransportEvent{Event: name, Timestamp: at(t, when, zone), Timezone: zone}
	e.ID = id
	return e
}

func lines(journey []Milestone) []string {
	text := make([]string, len(journey))
	for i, m := range journey {
		text[i] = m.String()
	}
	return text
}

func TestJourney_OfTransportEvents(t *testing.T) {
	c := &Container{}
	c.ID = "c"
	arrived := event(t, "1", EventVesselArrived, "2026-03-02T16:00:00Z", "America/Los_Angeles")
	arrived.LocationLOCODE, arrived.VoyageNumber, arrived.DataSource = "USLAX", "012E", DataSourceShippingLine
	arrived.Location = ToOne[Place]{state: RelationshipIncluded, value: &Port{Name: "Los Angeles"}}
	arrived.Vessel = Included("v", &Vessel{Name: "EVER GIVEN"})
	arrived.Container = Included("c", c)
	discharged := event(t, "0", EventVesselDischarged, "2026-03-02T16:00:00Z", "America/Los_Angeles")
	discharged.Location = ToOne[Place]{state: RelationshipIncluded, value: &MetroArea{Name: "Los Angeles Metro"}}
	discharged.Terminal = Included("t", &Terminal{Name: "TraPac"})
	withdrawn := event(t, "3", EventFullOut, "2026-03-01T16:00:00Z", "America/Los_Angeles")
	withdrawn.InvalidatedAt = parsedTime(t, "2026-03-02T00:00:00Z")
	replaced := event(t, "4", EventVesselDeparted, "2026-02-10T08:00:00Z", "Asia/Shanghai")
	replacing := event(t, "5", EventVesselDeparted, "2026-02-11T08:00:00Z", "Asia/Shanghai")
	replacing.PreviousVersion = Included("4", replaced)
	others := event(t, "6", EventVesselArrived, "2026-03-02T16:00:00Z", "America/Los_Angeles")
	others.Container = Included("another", &Container{})
	untimed := event(t, "7", EventEstimatedArrivedAtInlandDestination, "", "America/Chicago")
	newKind := event(t, "8", "container.transport.weighed", "2026-02-09T08:00:00Z", "")
	newKind.LocationLOCODE = "CNSHA"
	events := []*TransportEvent{
		untimed, discharged, arrived, nil, withdrawn, replacing, replaced, others, newKind, arrived,
		event(t, "9", EventPickupLFDChanged, "2026-03-03T16:00:00Z", "America/Los_Angeles"),
		event(t, "10", EventEstimatedVesselArrived, "2026-03-01T16:00:00Z", "America/Los_Angeles"),
	}
	want := []string{
		"2026-02-09 08:00 (zone unknown) weighed, CNSHA",
		"2026-02-11 16:00 +08:00 vessel departed",
		"2026-03-02 08:00 -08:00 vessel arrived, Los Angeles (USLAX)",
		"2026-03-02 08:00 -08:00 vessel discharged, TraPac",
		"- estimated: arrived at inland destination",
	}
	journey := Journey(c, JourneyOptions{Events: events})
	assert.Equal(t, want, lines(journey))
	assert.Equal(t, Milestone{
		EventID: "1", Event: EventVesselArrived, At: arrived.Timestamp, LOCODE: "USLAX", Place: "Los Angeles",
		VesselName: "EVER GIVEN", Voyage: "012E", Source: DataSourceShippingLine,
	}, journey[2])
	assert.True(t, journey[4].Estimated)

	slices.Reverse(events)
	assert.Equal(t, want, lines(Journey(c, JourneyOptions{Events: events})), "the order of the response does not matter")

	all := lines(Journey(c, JourneyOptions{Events: events, Withdrawn: true}))
	assert.Len(t, all, len(want)+3)
	assert.Contains(t, all, "2026-03-01 08:00 -08:00 estimated: vessel arrived (withdrawn)")
	assert.Contains(t, all, "2026-02-10 16:00 +08:00 vessel departed (withdrawn)")
	assert.Contains(t, all, "2026-03-01 08:00 -08:00 full out (withdrawn)")

	c.TransportEvents = IncludedAll(events...)
	assert.Equal(t, want, lines(Journey(c, JourneyOptions{})), "the events included with the container")
	assert.Empty(t, Journey(c, JourneyOptions{Events: []*TransportEvent{}}))
}

func TestJourney_FillsInTheContainersOwnTimes(t *testing.T) {
	const la, chicago = "America/Los_Angeles", "America/Chicago"
	c := &Container{
		PODArrivedAt: at(t, "2026-03-02T16:00:00Z", la), PODDischargedAt: at(t, "2026-03-03T16:00:00Z", la),
		INDETA: at(t, "2026-03-09T16:00:00Z", chicago),
	}
	arrived := event(t, "1", EventVesselArrived, "2026-03-02T17:00:00Z", la)
	assert.Equal(t, []string{
		"2026-03-02 09:00 -08:00 vessel arrived",
		"2026-03-03 08:00 -08:00 vessel discharged",
		"2026-03-09 11:00 -05:00 estimated: arrived at inland destination",
	}, lines(Journey(c, JourneyOptions{Events: []*TransportEvent{arrived}})), "an event goes before the attribute")

	arrived.InvalidatedAt = arrived.Timestamp
	c.INDATA = at(t, "2026-03-09T15:00:00Z", chicago)
	c.FinalDestinationFullOutAt = at(t, "2026-03-10T15:00:00Z", chicago)
	assert.Equal(t, []string{
		"2026-03-02 08:00 -08:00 vessel arrived",
		"2026-03-03 08:00 -08:00 vessel discharged",
		"2026-03-09 10:00 -05:00 arrived at inland destination",
		"2026-03-10 10:00 -05:00 full out",
	}, lines(Journey(c, JourneyOptions{Events: []*TransportEvent{arrived}})))
	for _, m := range Journey(c, JourneyOptions{}) {
		assert.Empty(t, m.EventID)
	}
	assert.Empty(t, Journey(nil, JourneyOptions{}))
}

// Names are in snake case, like those of the service; a time has the form of RFC 9557.
func TestMilestone_JSON(t *testing.T) {
	for want, m := range map[string]Milestone{
		`{"event_id":"e1","event":"container.transport.estimated.vessel_arrived","at":"2026-03-02T16:00:00Z[America/Los_Angeles]",
			"estimated":true,"withdrawn":true,"locode":"USLAX","place":"Fenix Marine","vessel_name":"EVER GIVEN","voyage":"012E","source":"ais"}`: {
			EventID: "e1", Event: EventEstimatedVesselArrived, At: NewTime(time.Date(2026, 3, 2, 16, 0, 0, 0, time.UTC), "America/Los_Angeles"),
			Estimated: true, Withdrawn: true, LOCODE: "USLAX", Place: "Fenix Marine", VesselName: "EVER GIVEN", Voyage: "012E", Source: "ais",
		},
		`{"event":"container.transport.full_out","at":null,"estimated":false,"withdrawn":false}`: {Event: EventFullOut},
	} {
		text, err := json.Marshal(m)
		require.NoError(t, err)
		assert.JSONEq(t, want, string(text))
		var read Milestone
		require.NoError(t, json.Unmarshal([]byte(want), &read))
		assert.Equal(t, m, read)
	}
	var read Milestone
	require.NoError(t, json.Unmarshal([]byte(`{"event":"container.transport.full_out","at":null,"place":null,"source":null}`), &read))
	assert.Equal(t, Milestone{Event: EventFullOut}, read)
}

// An event without a place reports the container's own time in the same zone if they are less than
// a day apart. Otherwise it may be at another ramp along the railway.
func TestJourney_RampsInOneZoneAreADayApart(t *testing.T) {
	const la = "America/Los_Angeles"
	c := &Container{PODTimezone: la, PODRailDepartedAt: at(t, "2026-03-05T16:00:00Z", la)}
	for when, want := range map[string]int{
		"2026-03-06T15:59:00Z": 1, "2026-03-04T16:01:00Z": 1, "2026-03-06T16:00:00Z": 2, "2026-03-10T16:00:00Z": 2,
	} {
		departed := event(t, "1", EventRailDeparted, when, la)
		assert.Len(t, Journey(c, JourneyOptions{Events: []*TransportEvent{departed}}), want, when)
	}
}
