package terminal49_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/stretchr/testify/require"
)

func TestShipments_Requests(t *testing.T) { testkit.TestCalls(t, testkit.CallsOf("shipments")) }

func TestShipments_ParamsAreNotChanged(t *testing.T) {
	params, before := testkit.AllShipmentParams(), testkit.AllShipmentParams()
	params.PageSize, before.PageSize = 0, 0 // All chooses its own size
	client := testkit.NewClient(t, testkit.Answer(200, testkit.SomeShipment))

	_, err := testkit.Drain(client.Shipments.All(t.Context(), params))
	require.NoError(t, err)
	_, err = client.Shipments.List(t.Context(), params)
	require.NoError(t, err)
	require.Equal(t, before, params)
}

// shipment returns a reading of a shipment as the service sends it.
func shipment(t *testing.T, attributes, relationships string) *terminal49.Shipment {
	t.Helper()
	var s terminal49.Shipment
	require.NoError(t, json.Unmarshal([]byte(`{"type":"shipment","id":"s","attributes":{`+attributes+`},"relationships":{`+relationships+`}}`), &s))
	return &s
}

// requireChanges compares the changes, shown as their JSON, with those wanted: all others are zero.
// The changes of the readings the other way round must be the opposite.
func requireChanges(t *testing.T, before, after *terminal49.Shipment, want terminal49.ShipmentChanges) {
	t.Helper()
	got := terminal49.DiffShipments(before, after)
	wantText, err := json.Marshal(want)
	require.NoError(t, err)
	gotText, err := json.Marshal(got)
	require.NoError(t, err)
	require.JSONEq(t, string(wantText), string(gotText))
	require.Equal(t, want.IsZero(), got.IsZero())
	require.Equal(t, opposite(got), terminal49.DiffShipments(after, before))
}

func turned[T any](c terminal49.Change[T]) terminal49.Change[T] {
	return terminal49.Change[T]{Old: c.New, New: c.Old}
}

// opposite returns the changes that undo c.
func opposite(c terminal49.ShipmentChanges) terminal49.ShipmentChanges {
	c.PODETA.Old, c.PODETA.New = c.PODETA.New, c.PODETA.Old
	c.DestinationETA.Old, c.DestinationETA.New = c.DestinationETA.New, c.DestinationETA.Old
	c.PODATA, c.DestinationATA = turned(c.PODATA), turned(c.DestinationATA)
	c.PODVesselName, c.PODVesselIMO, c.PODVoyageNumber = turned(c.PODVesselName), turned(c.PODVesselIMO), turned(c.PODVoyageNumber)
	c.PortOfDischargeLOCODE, c.DestinationLOCODE = turned(c.PortOfDischargeLOCODE), turned(c.DestinationLOCODE)
	c.PODTerminal = turned(c.PODTerminal)
	c.LineTrackingStoppedAt, c.LineTrackingStoppedReason = turned(c.LineTrackingStoppedAt), turned(c.LineTrackingStoppedReason)
	c.ContainersAdded, c.ContainersRemoved = c.ContainersRemoved, c.ContainersAdded
	return c
}

// requireSlip checks a slip in both directions. If it is "", it is unknown.
func requireSlip(t *testing.T, c terminal49.ETAChange, slip string, move terminal49.TimeMove) {
	t.Helper()
	got, ok := c.Slip()
	require.Equal(t, slip != "", ok)
	if ok {
		want, err := time.ParseDuration(slip)
		require.NoError(t, err)
		require.Equal(t, want, got)
	} else {
		require.Zero(t, got)
	}
	require.Equal(t, move, c.Move())
	c.Old, c.New = c.New, c.Old
	back, okBack := c.Slip()
	require.Equal(t, -got, back)
	require.Equal(t, ok, okBack)
	require.Equal(t, movedBack[move], c.Move())
}

var movedBack = map[terminal49.TimeMove]terminal49.TimeMove{
	terminal49.TimeSet: terminal49.TimeRemoved, terminal49.TimeRemoved: terminal49.TimeSet,
	terminal49.TimeEarlier: terminal49.TimeLater, terminal49.TimeLater: terminal49.TimeEarlier,
	terminal49.TimeSameDay: terminal49.TimeSameDay,
}

// The notification "Estimated Event" of the service's OpenAPI document: the event expects the
// vessel on 9 April, four days before the estimate of the shipment that it includes.
func TestDiffShipments_ETAOfTheEstimatedEvent(t *testing.T) {
	const sample = `"port_of_discharge_locode":"USOAK","pod_vessel_name":"MSC CHANNE","pod_vessel_imo":"9710438","pod_voyage_number":"098N",
		"destination_eta_at":null,"pod_ata_at":null,"pod_timezone":"America/Los_Angeles","pod_eta_at":`
	before, after := shipment(t, sample+`"2020-04-13T19:02:46-07:00"`, ``), shipment(t, sample+`"2020-04-09T19:02:46-07:00"`, ``)
	changes := terminal49.DiffShipments(before, after)
	requireSlip(t, changes.PODETA, "-96h", terminal49.TimeEarlier)
	requireChanges(t, before, after, terminal49.ShipmentChanges{PODETA: terminal49.ETAChange{Old: before.PODETA, New: after.PODETA}})
	requireChanges(t, before, before, terminal49.ShipmentChanges{})
}

// The shipment of the response "Multiple containers" to GET /tracking_requests/{id} in the OpenAPI
// document has an ETA at a port of discharge without a zone, name or code. As the document says of
// raw events, such a time is a local time serialized as UTC.
func TestDiffShipments_WallClocks(t *testing.T) {
	const nowhere = `"port_of_discharge_locode":null,"port_of_discharge_name":null,"pod_timezone":null,"pod_eta_at":`
	before := shipment(t, nowhere+`"2021-09-15T15:00:00Z"`, ``)
	for _, row := range []struct {
		after, slip string
		move        terminal49.TimeMove
	}{
		{nowhere + `"2021-09-16T03:30:00Z"`, "12h30m", terminal49.TimeLater},
		{nowhere + `"2021-09-15T08:00:00-07:00"`, "-7h", terminal49.TimeEarlier},
		{nowhere + `"2021-09-12"`, "-72h", terminal49.TimeEarlier},
		{nowhere + `"2021-09-15"`, "0h", terminal49.TimeSameDay},
		{`"pod_timezone":"America/Los_Angeles","pod_eta_at":"2021-09-15T22:00:00Z"`, "", terminal49.TimeSameDay},
		{`"pod_timezone":"America/Los_Angeles","pod_eta_at":"2021-09-18T22:00:00Z"`, "", terminal49.TimeLater},
		{`"port_of_discharge_name":"Oakland","pod_eta_at":"2021-09-16T03:30:00Z"`, "", terminal49.TimeSameDay},
		{`"port_of_discharge_locode":"USOAK","pod_eta_at":"2021-09-12T15:00:00Z"`, "", terminal49.TimeEarlier},
		{`"port_of_discharge_locode":"USOAK","pod_eta_at":"2021-09-12"`, "", terminal49.TimeEarlier},
	} {
		requireSlip(t, terminal49.DiffShipments(before, shipment(t, row.after, ``)).PODETA, row.slip, row.move)
	}
	// The document names USOAK both Oakland and Port of Oakland.
	oakland := shipment(t, `"port_of_discharge_locode":"USOAK","port_of_discharge_name":"Port of Oakland","pod_eta_at":"2021-09-15T15:00:00Z"`, ``)
	renamed := shipment(t, `"port_of_discharge_locode":"USOAK","port_of_discharge_name":"Oakland","pod_eta_at":"2021-09-15T16:00:00Z"`, ``)
	requireSlip(t, terminal49.DiffShipments(oakland, renamed).PODETA, "1h", terminal49.TimeLater)
	inland := func(locode, eta string) *terminal49.Shipment {
		return shipment(t, `"port_of_discharge_locode":"USOAK","destination_locode":"`+locode+`","destination_eta_at":"`+eta+`"`, ``)
	}
	elkhart, chicago := inland("USEKT", "2021-09-20T15:00:00Z"), inland("USCHI", "2021-09-20T17:00:00Z")
	requireSlip(t, terminal49.DiffShipments(elkhart, inland("USEKT", "2021-09-20T17:00:00Z")).DestinationETA, "2h", terminal49.TimeLater)
	requireSlip(t, terminal49.DiffShipments(elkhart, chicago).DestinationETA, "", terminal49.TimeSameDay)
	learned := shipment(t, `"pod_timezone":"America/Los_Angeles","pod_eta_at":"2021-09-15T15:00:00Z"`, ``)
	requireChanges(t, before, learned, terminal49.ShipmentChanges{})
}

// RFC 9557 times of one place. The clocks of Los Angeles went forward at 2026-03-08 02:00, by the
// IANA time zone database, so the night has an hour less than the digits suggest.
func TestETAChange_Slip(t *testing.T) {
	for _, row := range []struct {
		old, new, slip string
		move           terminal49.TimeMove
	}{
		{"2026-03-02T16:00:00Z[America/Los_Angeles]", "2026-03-02T21:00:00Z[America/Los_Angeles]", "5h", terminal49.TimeLater},
		{"2026-03-08T06:00:00Z[America/Los_Angeles]", "2026-03-08T17:00:00Z[America/Los_Angeles]", "11h", terminal49.TimeLater},
		{"2026-03-07T22:00:00Z[unknown]", "2026-03-08T10:00:00Z[unknown]", "12h", terminal49.TimeLater},
		{"2026-03-02T08:00:00-08:00[unknown]", "2026-03-02T08:00:00+08:00[unknown]", "-16h", terminal49.TimeEarlier},
		{"2026-03-02T16:00:00Z[Asia/Shanghai]", "2026-03-02T18:00:00Z[America/Los_Angeles]", "2h", terminal49.TimeLater},
		{"2026-03-02T16:00:00Z[unreported]", "2026-03-02T18:00:00Z[America/Los_Angeles]", "2h", terminal49.TimeLater},
		{"2026-03-09[America/Los_Angeles]", "2026-03-11[America/Los_Angeles]", "48h", terminal49.TimeLater},
		{"2026-03-07[America/Los_Angeles]", "2026-03-08[America/Los_Angeles]", "24h", terminal49.TimeLater},
		{"2026-03-09[America/Los_Angeles]", "2026-03-11T05:00:00Z[America/Los_Angeles]", "24h", terminal49.TimeLater}, // the 10th, 22:00
		{"2026-03-09", "2026-03-11T05:00:00Z[unreported]", "", terminal49.TimeLater},
		{"2026-03-09[unreported]", "2026-03-09T05:00:00Z[unreported]", "", terminal49.TimeSameDay},
		{"", "2026-03-09[unknown]", "", terminal49.TimeSet},
		{"", "", "", ""},
		{"0001-01-01T00:00:00Z", "9999-12-31T00:00:00Z", time.Duration(1<<63 - 1).String(), terminal49.TimeLater},
		{"0001-01-01", "9999-12-31", time.Duration(1<<63 - 1).String(), terminal49.TimeLater},
	} {
		var c terminal49.ETAChange
		require.NoError(t, c.Old.UnmarshalText([]byte(row.old)))
		require.NoError(t, c.New.UnmarshalText([]byte(row.new)))
		if row.move == "" {
			require.Empty(t, c.Move())
			continue
		}
		requireSlip(t, c, row.slip, row.move)
	}
}

// Shipments that have arrived have pod_ata_at and no pod_eta_at in the OpenAPI document: the first
// of GET /shipments, with these times.
func TestDiffShipments_Arrival(t *testing.T) {
	const pod = `"port_of_discharge_locode":"USLAX","pod_timezone":"America/Los_Angeles"`
	const destination = `,"destination_locode":"USCLE","destination_timezone":"America/New_York"`
	atSea := shipment(t, pod+destination+`,"pod_eta_at":"2024-06-22T12:00:00Z","destination_eta_at":"2024-07-02T08:00:00Z"`, ``)
	arrived := shipment(t, pod+destination+`,"pod_eta_at":null,"pod_ata_at":"2024-06-22T13:36:00Z","destination_eta_at":"2024-07-02T08:00:00Z"`, ``)
	arriving := *arrived
	arriving.PODETA = atSea.PODETA
	recorded := terminal49.Change[terminal49.Time]{New: arrived.PODATA}
	requireChanges(t, atSea, arrived, terminal49.ShipmentChanges{PODATA: recorded})
	requireChanges(t, atSea, &arriving, terminal49.ShipmentChanges{PODATA: recorded})
	requireChanges(t, &arriving, arrived, terminal49.ShipmentChanges{})
	require.Empty(t, terminal49.DiffShipments(atSea, arrived).PODETA.Move())

	inland := *arrived
	inland.DestinationETA, inland.DestinationATA = terminal49.Time{}, placed(t, "2024-07-02T09:00:00Z", "America/New_York")
	requireChanges(t, arrived, &inland, terminal49.ShipmentChanges{DestinationATA: terminal49.Change[terminal49.Time]{New: inland.DestinationATA}})

	unplanned := *arrived
	unplanned.DestinationETA = terminal49.Time{}
	requireSlip(t, terminal49.DiffShipments(arrived, &unplanned).DestinationETA, "", terminal49.TimeRemoved)

	withdrawn := shipment(t, pod+destination+`,"destination_eta_at":"2024-07-02T08:00:00Z"`, ``)
	changes := terminal49.DiffShipments(atSea, withdrawn)
	requireChanges(t, atSea, withdrawn, terminal49.ShipmentChanges{PODETA: terminal49.ETAChange{Old: atSea.PODETA}})
	requireSlip(t, changes.PODETA, "", terminal49.TimeRemoved)

	later := *atSea
	later.DestinationETA = placed(t, "2024-07-03T20:00:00Z", "America/New_York")
	requireSlip(t, terminal49.DiffShipments(atSea, &later).DestinationETA, "36h", terminal49.TimeLater)
	corrected := *arrived
	corrected.PODATA = placed(t, "2024-06-22T15:00:00Z", losAngeles)
	requireChanges(t, arrived, &corrected, terminal49.ShipmentChanges{PODATA: terminal49.Change[terminal49.Time]{Old: arrived.PODATA, New: corrected.PODATA}})
}

// An IMO number is a vessel's for its whole life (IMO Resolution A.1117(30)), its name is not. The
// vessels are those of the shipments of GET /shipments in the OpenAPI document.
func TestDiffShipments_Vessel(t *testing.T) {
	type text = terminal49.Change[string]
	for name, row := range map[string]struct {
		before, after [2]string // name, IMO number
		name, imo     text
		other         bool
	}{
		"the same":            {before: [2]string{"EVER FORWARD", "9850551"}, after: [2]string{"EVER FORWARD", "9850551"}},
		"rolled":              {[2]string{"EVER FORWARD", "9850551"}, [2]string{"UMM SALAL", "9525857"}, text{Old: "EVER FORWARD", New: "UMM SALAL"}, text{Old: "9850551", New: "9525857"}, true},
		"by name only":        {[2]string{"EVER FORWARD", ""}, [2]string{"UMM SALAL", ""}, text{Old: "EVER FORWARD", New: "UMM SALAL"}, text{}, true},
		"by number only":      {[2]string{"EVER FORWARD", "9850551"}, [2]string{"Ever Forward", "9525857"}, text{}, text{Old: "9850551", New: "9525857"}, true},
		"renamed":             {before: [2]string{"EVER FORWARD", "9850551"}, after: [2]string{"EVER ONWARD", "9850551"}},
		"another case":        {before: [2]string{"EVER FORWARD", ""}, after: [2]string{"Ever Forward", ""}},
		"number learned":      {[2]string{"EVER FORWARD", ""}, [2]string{"EVER FORWARD", "9850551"}, text{}, text{Old: "", New: "9850551"}, false},
		"vessel learned":      {[2]string{}, [2]string{"EVER FORWARD", "9850551"}, text{Old: "", New: "EVER FORWARD"}, text{Old: "", New: "9850551"}, false},
		"number known at one": {[2]string{"EVER FORWARD", ""}, [2]string{"UMM SALAL", "9525857"}, text{Old: "EVER FORWARD", New: "UMM SALAL"}, text{Old: "", New: "9525857"}, true},
	} {
		before := &terminal49.Shipment{PODVesselName: row.before[0], PODVesselIMO: row.before[1]}
		after := &terminal49.Shipment{PODVesselName: row.after[0], PODVesselIMO: row.after[1]}
		requireChanges(t, before, after, terminal49.ShipmentChanges{PODVesselName: row.name, PODVesselIMO: row.imo})
		require.Equal(t, row.other, terminal49.DiffShipments(before, after).VesselChanged(), name)
	}
	requireChanges(t, &terminal49.Shipment{PODVoyageNumber: "1119E"}, &terminal49.Shipment{PODVoyageNumber: "1120E"},
		terminal49.ShipmentChanges{PODVoyageNumber: text{Old: "1119E", New: "1120E"}})
}

// JSON:API 1.1: a relationship without data is not reported, data of null or [] means that there is
// nothing, and a list has no order of its own.
func TestDiffShipments_PlacesAndContainers(t *testing.T) {
	terminal := func(data string) *terminal49.Shipment { return shipment(t, ``, `"pod_terminal":{"data":`+data+`}`) }
	containers := func(ids ...string) *terminal49.Shipment {
		return &terminal49.Shipment{Containers: terminal49.LinkedAll[*terminal49.Container]("container", ids...)}
	}
	type text = terminal49.Change[string]
	nothing := &terminal49.Shipment{}
	t1, t2 := terminal(`{"type":"terminal","id":"t-1"}`), terminal(`{"type":"terminal","id":"t-2"}`)
	requireChanges(t, t1, t2, terminal49.ShipmentChanges{PODTerminal: text{Old: "t-1", New: "t-2"}})
	requireChanges(t, terminal(`null`), t2, terminal49.ShipmentChanges{PODTerminal: text{New: "t-2"}})
	requireChanges(t, nothing, t2, terminal49.ShipmentChanges{})
	requireChanges(t, &terminal49.Shipment{PortOfDischargeLOCODE: "USLAX"}, &terminal49.Shipment{PortOfDischargeLOCODE: "USLGB", DestinationLOCODE: "USCHI"},
		terminal49.ShipmentChanges{PortOfDischargeLOCODE: text{Old: "USLAX", New: "USLGB"}, DestinationLOCODE: text{New: "USCHI"}})

	requireChanges(t, containers("a", "b", "c"), containers("c", "a", "b"), terminal49.ShipmentChanges{})
	requireChanges(t, containers("b"), containers("d", "b", "c", "d"), terminal49.ShipmentChanges{ContainersAdded: []string{"c", "d"}})
	requireChanges(t, containers("b", "a"), containers("c"), terminal49.ShipmentChanges{ContainersAdded: []string{"c"}, ContainersRemoved: []string{"a", "b"}})
	requireChanges(t, containers("b", "a"), containers(), terminal49.ShipmentChanges{ContainersRemoved: []string{"a", "b"}})
	requireChanges(t, nothing, containers("a"), terminal49.ShipmentChanges{})
}

// The OpenAPI document: line_tracking_stopped_at is when the service stopped checking at the
// shipping line, and null until then; line_tracking_stopped_reason is why.
func TestDiffShipments_Tracking(t *testing.T) {
	tracked := shipment(t, `"line_tracking_stopped_at":null,"line_tracking_stopped_reason":null`, ``)
	stopped := shipment(t, `"line_tracking_stopped_at":"2024-07-01T08:00:00Z","line_tracking_stopped_reason":"booking_cancelled"`, ``)
	checked := shipment(t, `"line_tracking_last_attempted_at":"2024-07-01T08:00:00Z","ref_numbers":["a"],"tags":["b"]`, ``)
	changes := terminal49.ShipmentChanges{
		LineTrackingStoppedAt:     terminal49.Change[terminal49.Time]{New: terminal49.NewTime(time.Date(2024, 7, 1, 8, 0, 0, 0, time.UTC), "")},
		LineTrackingStoppedReason: terminal49.Change[terminal49.LineTrackingStoppedReason]{New: terminal49.StoppedBookingCancelled},
	}
	requireChanges(t, tracked, stopped, changes)
	requireChanges(t, tracked, checked, terminal49.ShipmentChanges{})
	for _, pair := range [][2]*terminal49.Shipment{{nil, nil}, {nil, stopped}, {stopped, nil}} {
		require.Zero(t, terminal49.DiffShipments(pair[0], pair[1]))
		require.True(t, terminal49.DiffShipments(pair[0], pair[1]).IsZero())
	}
}

// randomShipment returns a reading that has any value in each place and often those of another.
func randomShipment(t *testing.T, r *rand.Rand) *terminal49.Shipment {
	pick := func(values ...string) string { return values[r.IntN(len(values))] }
	var attributes []string
	add := func(values []string, names ...string) {
		for _, name := range names {
			attributes = append(attributes, `"`+name+`":`+pick(values...))
		}
	}
	add([]string{`null`, `"2026-03-09T07:00:00Z"`, `"2026-03-09T15:00:00Z"`, `"2026-03-09T00:00:00-07:00"`, `"2026-03-09"`, `"2026-03-12"`,
		`"2026-03-12T07:00:00.5Z"`, `"0001-01-01T00:00:00Z"`, `"9999-12-31T23:59:59Z"`},
		"pod_eta_at", "pod_ata_at", "destination_eta_at", "destination_ata_at", "line_tracking_stopped_at")
	add([]string{`null`, `"America/Los_Angeles"`, `"Asia/Shanghai"`, `"Nowhere/At_All"`}, "pod_timezone", "destination_timezone")
	add([]string{`null`, `"A"`, `"a"`, `"B"`}, "port_of_discharge_locode", "port_of_discharge_name", "destination_locode",
		"pod_vessel_name", "pod_vessel_imo", "pod_voyage_number", "line_tracking_stopped_reason")
	container := func(id string) string { return `{"type":"container","id":"` + id + `"}` }
	return shipment(t, strings.Join(attributes, ","), pick(``, `"pod_terminal":{"data":null},`, `"pod_terminal":{"data":{"type":"terminal","id":"1"}},`)+
		`"containers":`+pick(`{}`, `{"data":[]}`, `{"data":[`+container("1")+`,`+container("2")+`]}`, `{"data":[`+container("3")+`,`+container("2")+`]}`))
}

// The doc comments of DiffShipments and ETAChange promise it for all readings: a reading has no
// changes to itself, stored and in any order; the opposite order has the opposite changes.
func TestDiffShipments_Properties(t *testing.T) {
	r := rand.New(rand.NewPCG(20261123, 1))
	changed, unknown := 0, 0
	readings := func() *terminal49.Shipment {
		if r.IntN(4) > 0 {
			return randomShipment(t, r)
		}
		s := &terminal49.Shipment{}
		for _, at := range []*terminal49.Time{&s.PODETA, &s.PODATA, &s.DestinationETA, &s.DestinationATA, &s.LineTrackingStoppedAt} {
			*at = randomTime(r)
		}
		return s
	}
	for range testkit.Scale(1_000, 200_000) {
		a, b := readings(), readings()
		if a.Type != "" { // a time of randomTime need not be one that a shipment can have
			text, err := json.Marshal(a)
			require.NoError(t, err)
			var stored terminal49.Shipment
			require.NoError(t, json.Unmarshal(text, &stored))
			ids := stored.Containers.IDs()
			if slices.Reverse(ids); ids != nil {
				stored.Containers = terminal49.LinkedAll[*terminal49.Container]("container", ids...)
			}
			require.True(t, terminal49.DiffShipments(a, &stored).IsZero(), "%s", text)
			require.Equal(t, terminal49.DiffShipments(a, b), terminal49.DiffShipments(&stored, b), "%s", text)
		}
		require.True(t, terminal49.DiffShipments(a, a).IsZero())
		changes, back := terminal49.DiffShipments(a, b), terminal49.DiffShipments(b, a)
		require.Equal(t, opposite(changes), back)
		require.Equal(t, changes.VesselChanged(), back.VesselChanged())
		for _, pair := range [][2]terminal49.ETAChange{{changes.PODETA, back.PODETA}, {changes.DestinationETA, back.DestinationETA}} {
			slip, ok := pair[0].Slip()
			slipBack, okBack := pair[1].Slip()
			require.Equal(t, -slip, slipBack, "%v", pair)
			require.Equal(t, ok, okBack)
			require.Equal(t, movedBack[pair[0].Move()], pair[1].Move())
			require.Equal(t, slip > 0, ok && pair[0].Move() == terminal49.TimeLater)
			require.False(t, pair[0].Old.IsZero() && ok)
			if !ok && !pair[0].Old.IsZero() && !pair[0].New.IsZero() {
				unknown++
			}
		}
		if !changes.IsZero() {
			changed++
		}
	}
	require.NotZero(t, changed)
	require.NotZero(t, unknown)
}

// Rules 1 and 2 of changesets: each attribute that changed is listed with its old and new value. So
// what is not listed did not change.
func TestChangesetApply_BeforeClaimsOnlyWhatIsListed(t *testing.T) {
	const fullOut, status = `"pod_full_out_at":"2026-03-02T16:00:00Z"`, `"current_status":"picked_up"`
	for _, row := range []struct {
		name, container, changeset string
		before, after              bool // whether it has left
	}{
		{"the time is listed", fullOut, `{"pod_full_out_at":[null,"2026-03-02T16:00:00Z"]}`, false, true},
		{"the time is listed, container from before", ``, `{"pod_full_out_at":[null,"2026-03-02T16:00:00Z"]}`, false, true},
		{"the time is not listed", fullOut, `{"holds_at_pod_terminal":[[],[]]}`, true, true},
		{"another time is listed", fullOut, `{"delivered_at":[null,"2026-03-03T16:00:00Z"]}`, true, true},
		{"the status is listed", status, `{"current_status":["available","picked_up"]}`, false, true},
		{"both proofs, one listed", fullOut + "," + status, `{"current_status":["available","picked_up"]}`, true, true},
		{"a wrong departure was rolled back", ``, `{"empty_terminated_at":["2026-03-02T16:00:00Z",null]}`, true, false},
		{"a time that is not a pair is unknown", fullOut, `{"pod_full_out_at":"2026-03-02T16:00:00Z"}`, false, false},
		{"not left at all", ``, `{"available_for_pickup":[false,true]}`, false, false},
	} {
		var changeset terminal49.Changeset
		require.NoError(t, json.Unmarshal([]byte(row.changeset), &changeset))
		c := terminal49.ReadContainers(t, `{`+row.container+`}`)[0]
		left := func(c *terminal49.Container) bool {
			return terminal49.Assess(c, time.Now(), terminal49.VerdictOptions{}).Situation.HasLeft()
		}
		require.Equal(t, row.before, left(changeset.Reversed().Apply(c)), row.name)
		require.Equal(t, row.after, left(changeset.Apply(c)), row.name)
	}
}

func TestParties_Requests(t *testing.T) { testkit.TestCalls(t, testkit.CallsOf("parties")) }

func TestParties_Decode(t *testing.T) {
	party, err := testkit.NewClient(t, testkit.Answer(200, testkit.OneParty)).Parties.Get(t.Context(),
		testkit.PartyID, terminal49.WithStrictDecoding())
	require.NoError(t, err)
	require.Equal(t, testkit.PartyID, party.ID)
	require.Equal(t, "Ümlaut & Sons", party.CompanyName)

	unnamed := testkit.NewClient(t, testkit.Answer(200, `{"data":{"id":"`+testkit.PartyID+`","type":"party","attributes":{"company_name":null}}}`))
	party, err = unnamed.Parties.Get(t.Context(), testkit.PartyID)
	require.NoError(t, err)
	require.Empty(t, party.CompanyName)
}

func TestParties_ArgumentsAreCheckedBeforeSending(t *testing.T) {
	client := testkit.NewClient(t, testkit.NewFakeAPI())
	ctx := t.Context()
	for field, err := range map[string]error{
		"PageSize": testkit.First(client.Parties.List(ctx,
			&terminal49.PartyListParams{PageParams: terminal49.PageParams{PageSize: 101}})),
		"CompanyName": testkit.First(client.Parties.Create(ctx, terminal49.PartyFields{CompanyName: " \t"})),
		"id":          testkit.First(client.Parties.Get(ctx, "Harbor Street Imports")),
	} {
		testkit.RequireArgument(t, err, field)
	}
	testkit.RequireArgument(t, testkit.First(client.Parties.Update(ctx, testkit.PartyID, terminal49.PartyFields{})), "CompanyName")
}

func TestParties_ANameThatIsTaken(t *testing.T) {
	const taken = `{"errors":[{"status":"422","source":{"pointer":"/data/attributes/customer"},"title":"Unprocessable Entity","detail":"'ZZZZ' already exists in Account"}]}`
	_, err := testkit.NewClient(t, testkit.Answer(http.StatusUnprocessableEntity, taken)).Parties.Create(t.Context(),
		terminal49.PartyFields{CompanyName: "ZZZZ"})
	require.ErrorIs(t, err, terminal49.ErrInvalid)
	var refused *terminal49.APIError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "/data/attributes/customer", refused.Errors[0].Pointer)
}

func TestPartyRoles_Requests(t *testing.T) { testkit.TestCalls(t, testkit.CallsOf("party_roles")) }

// The errors are those of docs/service-tracking.md#party-roles.
func TestPartyRoles_ErrorsByMeaning(t *testing.T) {
	sentinels := map[string]error{
		"duplicate": terminal49.ErrDuplicate, "invalid": terminal49.ErrInvalid, "role": terminal49.ErrRoleNotAllowed,
		"unauthorized": terminal49.ErrUnauthorized, "forbidden": terminal49.ErrForbidden, "not found": terminal49.ErrNotFound,
	}
	for name, c := range map[string]struct {
		status int
		body   string
		want   []string
	}{
		"taken": {422, `{"errors":[{"status":"422","source":{"pointer":""},"title":"Unprocessable Entity","detail":"x","code":"taken"}]}`,
			[]string{"duplicate", "invalid"}},
		"cargo": {422, `{"errors":[{"status":"422","source":{"pointer":"/data/attributes/role"},"title":"x","code":"is_not_allowed_for_cargo"}]}`,
			[]string{"invalid", "role"}},
		"unknown role":  {422, `{"errors":[{"detail":"'captain' is not a valid role"}]}`, []string{"invalid"}},
		"foreign party": {401, `{"errors":[{"detail":"You are not authorized to perform this action"}]}`, []string{"forbidden"}},
		// The texts of a rejected key, in either form (docs/service.md#error-bodies).
		"token":            {401, `{"errors":[{"detail":"Invalid or missing API token."}]}`, []string{"unauthorized"}},
		"key":              {401, `{"errors":[{"detail":"Terminal49 API key could not be verified"}]}`, []string{"unauthorized"}},
		"full form":        {401, `{"errors":[{"status":"401","title":"Unauthorized","detail":"no"}]}`, []string{"unauthorized"}},
		"no body":          {401, ``, []string{"unauthorized"}},
		"unknown shipment": {404, ``, []string{"not found"}},
	} {
		t.Run(name, func(t *testing.T) {
			client := testkit.NewClient(t, testkit.Answer(c.status, c.body))
			_, err := client.Containers.AddPartyRole(t.Context(), testkit.ContainerID, terminal49.PartyRoleConsignee, testkit.PartyID)
			var got []string
			for name, sentinel := range sentinels {
				if errors.Is(err, sentinel) {
					got = append(got, name)
				}
			}
			require.ElementsMatch(t, c.want, got, err)
		})
	}
	// Elsewhere a 401 is always about the token.
	_, err := testkit.NewClient(t, testkit.Answer(401, `{"errors":[{"detail":"not authorized"}]}`)).Parties.Get(t.Context(), testkit.PartyID)
	require.ErrorIs(t, err, terminal49.ErrUnauthorized)
}

func TestPartyRoles_ArgumentsAreCheckedBeforeSending(t *testing.T) {
	client, ctx := testkit.NewClient(t, testkit.NewFakeAPI()), t.Context()
	for field, err := range map[string]error{
		"id":      testkit.First(client.Shipments.AddPartyRole(ctx, "MAEU1", terminal49.PartyRoleConsignee, testkit.PartyID)),
		"role":    testkit.First(client.Shipments.AddPartyRole(ctx, testkit.ShipmentID, "", testkit.PartyID)),
		"partyID": testkit.First(client.Shipments.AddPartyRole(ctx, testkit.ShipmentID, "shipper", "")),
		"roleID":  client.Shipments.RemovePartyRole(ctx, testkit.ShipmentID, "consignee"),
	} {
		testkit.RequireArgument(t, err, field)
	}
}

// The flag adds the relationship, the include value embeds roles and parties
// (docs/service-tracking.md#party-roles). An older service has neither: it ignores the flag and,
// like any unknown include, rejects the value.
func TestPartyRoles_OfAShipment(t *testing.T) {
	roles := func(t *testing.T, older bool, params *terminal49.ShipmentGetParams) (*terminal49.Shipment, error) {
		var options []terminal49test.Option
		if older {
			options = append(options, terminal49test.WithoutAutumn2026())
		}
		srv := terminal49test.NewServer(append(options, terminal49test.WithoutSocket())...)
		defer srv.Close()
		testkit.AddNamedResources(srv)
		shipment, err := testkit.SimulatedClient(t, srv).Shipments.Get(t.Context(), testkit.ShipmentID, params)
		srv.CheckViolations(t)
		return shipment, err
	}
	flag := &terminal49.ShipmentGetParams{PartyRoles: true}
	include := &terminal49.ShipmentGetParams{Include: []terminal49.ShipmentInclude{terminal49.ShipmentIncludePartyRoles}}

	shipment, err := roles(t, false, nil)
	require.NoError(t, err)
	require.Equal(t, terminal49.RelationshipAbsent, shipment.PartyRoles.State())
	shipment, err = roles(t, false, flag)
	require.NoError(t, err)
	require.Equal(t, []string{testkit.PartyRoleID}, shipment.PartyRoles.IDs())
	require.Equal(t, terminal49.RelationshipLinked, shipment.PartyRoles.State())
	shipment, err = roles(t, false, include)
	require.NoError(t, err)
	found, complete := shipment.PartyRoles.Values()
	require.True(t, complete)
	party, ok := found[0].Party.Value()
	require.True(t, ok)
	require.Equal(t, "Ümlaut & Sons", party.CompanyName)
	require.Equal(t, terminal49.PartyRoleConsignee, found[0].Role)

	shipment, err = roles(t, true, flag)
	require.NoError(t, err)
	require.Equal(t, terminal49.RelationshipAbsent, shipment.PartyRoles.State())
	_, err = roles(t, true, include)
	require.ErrorIs(t, err, terminal49.ErrInvalid)
}

// Some copies of the documents lack these operations, and an unknown route is a 404 with an HTML
// page (docs/service.md#later-documents).
func TestPartyRoles_AnOlderServiceHasNoSuchOperation(t *testing.T) {
	srv := terminal49test.NewServer(terminal49test.WithoutAutumn2026(), terminal49test.WithoutSocket())
	defer srv.Close()
	testkit.AddNamedResources(srv)
	client := testkit.SimulatedClient(t, srv)
	for _, call := range append(testkit.CallsOf("party_roles"), testkit.CallsOf("me")...) {
		err := call.Do(t.Context(), client)
		require.ErrorIs(t, err, terminal49.ErrNotFound, call.Op)
		require.ErrorContains(t, err, "the service may not have this operation yet", call.Op)
	}
	srv.CheckViolations(t)

	// That a shipment does not exist is another matter.
	_, err := testkit.NewClient(t, testkit.Answer(404, `{"errors":[{"status":"404","title":"Not Found"}]}`)).
		Shipments.PartyRoles(t.Context(), testkit.ShipmentID)
	require.ErrorIs(t, err, terminal49.ErrNotFound)
	require.NotContains(t, err.Error(), "may not have")
}

// query is a part of the company name in any case; some services ignore it
// (docs/service.md#other-filters).
func TestParties_QueryIsCheckedByTheClientToo(t *testing.T) {
	for name, options := range map[string][]terminal49test.Option{
		"new": nil, "older": {terminal49test.WithoutAutumn2026()},
	} {
		t.Run(name, func(t *testing.T) {
			srv := terminal49test.NewServer(append(options, terminal49test.WithoutSocket())...)
			defer srv.Close()
			for _, company := range []string{"Söhne & Co", "Other", "Die SÖHNE"} {
				srv.AddParty(terminal49test.Party{CompanyName: company})
			}
			client, params := testkit.SimulatedClient(t, srv), &terminal49.PartyListParams{Query: " söhne "}
			var all, paged []string
			for party, err := range client.Parties.All(t.Context(), params) {
				require.NoError(t, err)
				all = append(all, party.CompanyName)
			}
			for page, err := range client.Parties.Pages(t.Context(), params) {
				require.NoError(t, err)
				for _, party := range page.Items {
					paged = append(paged, party.CompanyName)
				}
			}
			page, err := client.Parties.List(t.Context(), params)
			require.NoError(t, err)
			require.Equal(t, []string{"Söhne & Co", "Die SÖHNE"}, all)
			require.Equal(t, all, paged)
			require.Len(t, page.Items, 2)
			srv.CheckViolations(t)
		})
	}
}
