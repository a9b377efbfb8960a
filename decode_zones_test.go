package terminal49

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// zonesOf maps each time to its zone attribute, as the service documents it. A time that
// is not listed is plain UTC.
func TestDecode_TimesUseTheirOwnZone(t *testing.T) {
	t.Run("shipment", func(t *testing.T) {
		got, _ := decodeAs[Shipment](t, "shipment", shipmentAttributes, `{}`)
		for zone, times := range map[string][]Time{
			"America/Mexico_City": {got.POLETD, got.POLATD, got.POLOriginalETD},
			"US/Pacific":          {got.PODETA, got.PODOriginalETA, got.PODATA},
			"America/Chicago":     {got.DestinationETA, got.DestinationATA, got.DestinationOriginalETA},
			"": {got.CreatedAt, got.LineTrackingLastAttemptedAt, got.LineTrackingLastSucceededAt,
				got.LineTrackingStoppedAt},
		} {
			requireZone(t, zone, times)
		}
	})
	t.Run("container", func(t *testing.T) {
		got, _ := decodeAs[Container](t, "container", containerAttributes, `{}`)
		for zone, times := range map[string][]Time{
			"America/Los_Angeles": {got.PODArrivedAt, got.PODDischargedAt, got.PickupAppointmentAt, got.PODFullOutAt,
				got.ImportDeadlines.Terminal, got.PODRailLoadedAt, got.PODRailDepartedAt},
			"America/Chicago": {got.FinalDestinationFullOutAt, got.INDETA, got.INDATA, got.INDRailUnloadedAt,
				got.INDFacilityLFD, got.ImportDeadlines.Rail, got.ImportDeadlines.Line},
			"America/Denver": {got.EmptyTerminatedAt},
			"": {got.CreatedAt, got.TerminalCheckedAt, got.TerminalLastRequestedAt,
				got.LineLastRequestedAt, got.RailLastRequestedAt},
		} {
			requireZone(t, zone, times)
		}
	})
}

func requireZone(t *testing.T, zone string, times []Time) {
	t.Helper()
	for _, v := range times {
		local, err := v.Local()
		require.NoError(t, err)
		require.Equal(t, zone, v.Zone())
		if zone == "" {
			zone = "UTC"
		}
		require.Equal(t, zone, local.Location().String())
		if zone == "UTC" {
			zone = ""
		}
	}
}

// With a null zone the digits are the wall clock of a place, so there must be no instant.
func TestDecode_TimesWithoutAZoneHaveNoInstant(t *testing.T) {
	blank := strings.NewReplacer(`"America/Mexico_City"`, "null", `"US/Pacific"`, "null", `"America/Chicago"`, "null",
		`"America/Los_Angeles"`, "null", `"America/Denver"`, "null", `"Asia/Tokyo"`, "null", `"Asia/Calcutta"`, "null")
	shipment, _ := decodeAs[Shipment](t, "shipment", blank.Replace(shipmentAttributes), `{}`)
	container, _ := decodeAs[Container](t, "container", blank.Replace(containerAttributes), `{}`)
	event, _ := decodeAs[TransportEvent](t, "transport_event", blank.Replace(transportEventAttributes), `{}`)
	raw, _ := decodeAs[RawEvent](t, "raw_event", blank.Replace(rawEventAttributes), `{}`)
	for i, v := range []Time{
		shipment.POLETD, shipment.POLATD, shipment.POLOriginalETD, shipment.PODETA, shipment.PODATA, shipment.PODOriginalETA,
		shipment.DestinationATA, shipment.DestinationETA, shipment.DestinationOriginalETA,
		container.PODArrivedAt, container.PODDischargedAt, container.PickupAppointmentAt, container.PODFullOutAt,
		container.ImportDeadlines.Terminal, container.ImportDeadlines.Rail, container.ImportDeadlines.Line,
		container.PODRailLoadedAt,
		container.PODRailDepartedAt, container.FinalDestinationFullOutAt, container.INDETA, container.INDATA,
		container.INDRailUnloadedAt,
		container.INDFacilityLFD, container.EmptyTerminatedAt, container.PickupLFD, container.SSLLFD,
		event.Timestamp, event.Value, raw.Timestamp, raw.ActualAt, raw.EstimatedAt, raw.WillOccurAt,
	} {
		require.False(t, v.IsZero(), i)
		_, known := v.Instant()
		require.False(t, known, i)
		_, err := v.Local()
		require.ErrorIs(t, err, ErrNoZone, i)
		require.Contains(t, v.String(), "zone unknown", i)
		_, hasDay := v.Date()
		require.True(t, hasDay, "the wall clock's day is known")
	}
	for _, v := range []Time{shipment.CreatedAt, container.TerminalCheckedAt, event.CreatedAt, raw.CreatedAt,
		event.InvalidatedAt} {
		_, known := v.Instant()
		require.True(t, known)
	}
}

func TestDecode_LineDeadlineFallsBackToThePort(t *testing.T) {
	got, _ := decodeAs[Container](t, "container", `{"pod_timezone":"America/New_York","final_destination_timezone":null,
		"import_deadlines":{"pickup_lfd_line":"2026-03-02T05:00:00Z","pickup_lfd_rail":"2026-03-02T06:00:00Z"}}`, `{}`)
	require.Equal(t, "America/New_York", got.ImportDeadlines.Line.Zone())
	_, known := got.ImportDeadlines.Rail.Instant()
	require.False(t, known)
}

func TestDecode_PickupLFDUsesTheZoneOfItsSource(t *testing.T) {
	const zones = `"pod_timezone":"America/Los_Angeles","final_destination_timezone":"America/Chicago",`
	for name, test := range map[string]struct{ attributes, zone, day string }{
		"terminal": {zones +
			`"pickup_lfd":"2026-03-02T08:00:00Z","import_deadlines":{"pickup_lfd_terminal":"2026-03-02T08:00:00Z","pickup_lfd_rail":"2026-03-04T06:00:00Z"}`, "America/Los_Angeles", "2026-03-02"},
		"rail": {zones +
			`"pickup_lfd":"2026-03-04T06:00:00Z","import_deadlines":{"pickup_lfd_terminal":"2026-03-02T08:00:00Z","pickup_lfd_rail":"2026-03-04T06:00:00Z"}`, "America/Chicago", "2026-03-04"},
		"line": {zones +
			`"pickup_lfd":"2026-03-05T06:00:00Z","import_deadlines":{"pickup_lfd_line":"2026-03-05T06:00:00Z"}`,
			"America/Chicago", "2026-03-05"},
		"no source, midnight at the port": {zones + `"pickup_lfd":"2026-03-02T08:00:00Z"`, "America/Los_Angeles", "2026-03-02"},
		"no source, midnight inland":      {zones + `"pickup_lfd":"2026-03-02T06:00:00Z"`, "America/Chicago", "2026-03-02"},
		"no source, the same day at both": {zones + `"pickup_lfd":"2026-03-02T18:00:00Z"`, "", "2026-03-02"},
		"no source, another day at each":  {zones + `"pickup_lfd":"2026-03-02T07:00:00Z"`, "", ""},
		"no source, a day":                {zones + `"pickup_lfd":"2026-03-02"`, "", "2026-03-02"},
		"line at the port":                {zones + `"pickup_lfd":"2026-03-02T08:00:00Z","import_deadlines":{"pickup_lfd_line":"2026-03-02T08:00:00Z"}`, "America/Los_Angeles", "2026-03-02"},
		"a single place": {`"pod_timezone":"America/Los_Angeles","pickup_lfd":"2026-03-02T08:00:00Z"`,
			"America/Los_Angeles", "2026-03-02"},
		"deadlines last": {`"pickup_lfd":"2026-03-02T08:00:00Z","import_deadlines":{"pickup_lfd_terminal":"2026-03-02T08:00:00Z"},"pod_timezone":"America/Los_Angeles"`, "America/Los_Angeles", "2026-03-02"},
		"a day": {`"pod_timezone":"America/Los_Angeles","pickup_lfd":"2026-03-02"`, "America/Los_Angeles",
			"2026-03-02"},
	} {
		t.Run(name, func(t *testing.T) {
			got, warnings := decodeAs[Container](t, "container", `{`+test.attributes+`}`, `{}`)
			require.Empty(t, warnings)
			require.Equal(t, test.zone, got.PickupLFD.Zone())
			day, known := got.PickupLFD.Date()
			require.Equal(t, test.day != "", known, "a day in a zone that is not known would be a guess")
			if known {
				require.Equal(t, test.day, day.String())
			}
		})
	}
}

func TestDecode_LoadingTimesNeedTheShipment(t *testing.T) {
	const container = `{"id":"c","type":"container","attributes":{"empty_out_at":"2026-03-02T20:00:00Z","pol_full_in_at":"2026-03-03T20:00:00Z",
		"pol_vessel_loaded_at":"2026-03-04T20:00:00Z","pol_vessel_departed_at":"2026-03-05T20:00:00Z","pod_timezone":"America/Los_Angeles"},
		"relationships":{"shipment":{"data":{"id":"s","type":"shipment"}}}}`
	shipment := func(zone string) string {
		return `{"id":"s","type":"shipment","attributes":{"pol_timezone":` + zone + `}}`
	}
	atPort := func(c *Container) []Time { return []Time{c.POLVesselLoadedAt, c.POLVesselDepartedAt} }
	atGates := func(c *Container) []Time { return []Time{c.EmptyOutAt, c.POLFullInAt} }
	alone := ReadOne[Container](t, `{"data":`+container+`}`)
	requireUnreported(t, append(atPort(alone), atGates(alone)...))
	for _, body := range []string{
		`{"data":` + container + `,"included":[` + shipment(`"Asia/Shanghai"`) + `]}`,
		`{"included":[` + shipment(`"Asia/Shanghai"`) + `],"data":` + container + `}`,
	} {
		together := ReadOne[Container](t, body)
		requireZone(t, "Asia/Shanghai", atPort(together))
		day, _ := together.POLVesselLoadedAt.Date()
		require.Equal(t, "2026-03-05", day.String(), "four in the morning of the next day in Shanghai")
		requireUnreported(t, atGates(together)) // they may be inland, far from the port
	}
	for _, v := range atPort(ReadOne[Container](t, `{"data":`+container+`,"included":[`+shipment(`null`)+`]}`)) {
		_, known := v.Instant()
		require.False(t, known, "the shipment says that the place is unknown")
	}
	shipments := ReadOne[Shipment](t, `{"data":{"id":"s","type":"shipment","attributes":{"pol_timezone":"Asia/Tokyo"},
		"relationships":{"containers":{"data":[{"id":"c","type":"container"}]}}},"included":[`+container+`]}`)
	containers, _ := shipments.Containers.Values()
	requireZone(t, "Asia/Tokyo", atPort(containers[0]))
}

func requireUnreported(t *testing.T, times []Time) {
	t.Helper()
	for _, v := range times {
		_, known := v.Instant()
		require.True(t, known, "the instant is known, but the zone is not reported")
		_, err := v.Local()
		require.ErrorIs(t, err, ErrNoZone)
		_, hasDay := v.Date()
		require.False(t, hasDay)
	}
}

// The changelog of 2026-08-10 says that both times are stamped wherever the container passes a
// gate, inland depots included. The event of that name has the zone of the gate.
func TestDecode_GateTimesUseTheZoneOfTheirEvent(t *testing.T) {
	event := func(id, name, at, zone, invalidated string) string {
		return `{"id":"` + id + `","type":"transport_event","attributes":{"event":"container.transport.` + name + `","timestamp":"` + at +
			`","timezone":` + zone + `,"invalidated_at":` + invalidated + `}}`
	}
	const stamp, other, urumqi, shanghai = "2026-03-02T20:00:00Z", "2026-03-01T20:00:00Z", `"Asia/Urumqi"`, `"Asia/Shanghai"`
	for name, test := range map[string]struct {
		events []string
		zone   string // "-" if not reported, "" if the service does not know it
	}{
		"of the same time":            {[]string{event("1", "empty_out", stamp, urumqi, "null")}, "Asia/Urumqi"},
		"of the same time, first":     {[]string{event("1", "empty_out", stamp, urumqi, "null"), event("2", "empty_out", other, shanghai, "null")}, "Asia/Urumqi"},
		"of the same time, last":      {[]string{event("2", "empty_out", other, shanghai, "null"), event("1", "empty_out", stamp, urumqi, "null")}, "Asia/Urumqi"},
		"of another time":             {[]string{event("1", "empty_out", other, urumqi, "null")}, "Asia/Urumqi"},
		"in two zones, other times":   {[]string{event("1", "empty_out", other, urumqi, "null"), event("2", "empty_out", other, shanghai, "null")}, "-"},
		"in one zone, other times":    {[]string{event("1", "empty_out", other, urumqi, "null"), event("2", "empty_out", other, urumqi, "null")}, "Asia/Urumqi"},
		"of another name":             {[]string{event("1", "full_in", stamp, urumqi, "null")}, "-"},
		"withdrawn":                   {[]string{event("1", "empty_out", stamp, urumqi, `"2026-03-04T00:00:00Z"`)}, "-"},
		"withdrawn and made again":    {[]string{event("1", "empty_out", stamp, shanghai, `"2026-03-04T00:00:00Z"`), event("2", "empty_out", stamp, urumqi, "null")}, "Asia/Urumqi"},
		"under two names of one zone": {[]string{event("1", "empty_out", stamp, `"US/Central"`, "null"), event("2", "empty_out", stamp, `"America/Chicago"`, "null")}, "US/Central"},
		"once without a zone":         {[]string{event("1", "empty_out", stamp, "null", "null"), event("2", "empty_out", stamp, urumqi, "null")}, "Asia/Urumqi"},
		"at a place nobody knows":     {[]string{event("1", "empty_out", stamp, "null", "null")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var refs []string
			for _, e := range test.events {
				refs = append(refs, `{"type":"transport_event","id":"`+e[len(`{"id":"`):][:1]+`"}`)
			}
			c := ReadOne[Container](t, `{"data":{"id":"c","type":"container","attributes":{"empty_out_at":"`+stamp+`"},"relationships":{
				"shipment":{"data":{"id":"s","type":"shipment"}},"transport_events":{"data":[`+strings.Join(refs, ",")+`]}}},
				"included":[{"id":"s","type":"shipment","attributes":{"pol_timezone":"Asia/Shanghai"}},`+strings.Join(test.events, ",")+`]}`)
			switch test.zone {
			case "-":
				requireUnreported(t, []Time{c.EmptyOutAt})
			case "":
				require.Equal(t, "2026-03-02 20:00 (zone unknown)", c.EmptyOutAt.String())
			default:
				requireZone(t, test.zone, []Time{c.EmptyOutAt})
			}
		})
	}
}

func TestDecode_PortCoordinates(t *testing.T) {
	for _, form := range []string{`"latitude":35.10162,"longitude":-1e-2`, `"latitude":"35.10162","longitude":"-0.01"`} {
		port, warnings := decodeAs[Port](t, "port", `{`+form+`}`, `{}`)
		require.Empty(t, warnings)
		require.Equal(t, Some(35.10162), port.Latitude)
		require.Equal(t, Some(-0.01), port.Longitude)
	}
	port, warnings := decodeAs[Port](t, "port", `{"latitude":"","longitude":null}`, `{}`)
	require.Empty(t, warnings)
	_, known := port.Latitude.Get()
	require.False(t, known)
}

// Clocks in Phoenix are those of Denver in January and those of Los Angeles in July.
func TestZones_Differ(t *testing.T) {
	for _, row := range []struct {
		a, b string
		want bool
	}{
		{"America/Phoenix", "America/Denver", true}, {"America/Phoenix", "America/Los_Angeles", true},
		{"America/Chicago", "US/Central", false}, {"America/Chicago", "", false}, {"Mars/Olympus", "America/Chicago", false},
	} {
		require.Equal(t, row.want, zonesDiffer(row.a, row.b), row)
		require.Equal(t, row.want, zonesDiffer(row.b, row.a), row)
	}
}
