package terminal49

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-freight/terminal49/internal/decimals"
	"github.com/go-freight/terminal49/internal/testkit/naive"
	"github.com/stretchr/testify/require"
)

// FuzzChangeset reads any JSON. The changeset must be written unchanged, reversing it twice must
// restore it, and no method may return a value that was not in the input.
func FuzzChangeset(f *testing.F) {
	for _, seed := range []string{
		`{"holds_at_pod_terminal":[[],[{"name":"customs","status":"hold","description":null}]]}`,
		`{"pod_terminal_holds":[[{"name":"freight","status":"pending"}],[{"name":"freight","status":"hold"}]]}`,
		`{"fees_at_pod_terminal":[null,[{"type":"total","amount":1e3,"currency_code":"USD"},{"type":"exam","amount":"7"}]]}`,
		`{"available_for_pickup":[null,true],"pickup_lfd":["2020-05-20","2020-05-21T07:00:00Z"]}`,
		`{"pickup_lfd_line":["2020-05-20",null],"pickup_lfd_rail":[null,""],"pickup_lfd_terminal":[1,2]}`,
		`{"pod_terminal":["a","b"],"pickup_appointment_at":[null,"2020-05-20T07:00:00-0700"]}`,
		`{"import_deadlines":[{"pickup_lfd_line":"2020-05-20"},{"pickup_lfd_rail":"2020-05-20","pickup_lfd_terminal":7}]}`, `{"import_deadlines":[7,8]}`,
		`{"holds_at_pod_terminal":[7,[null,"x",{"name":1,"status":[]}]],"fees_at_pod_terminal":[[],[null,{"type":"exam","amount":"N/A"}]],"available_for_pickup":["true",false]}`,
		`{"a":[1,2,3],"b":7,"c":null,"":[null,null],"a":[]}`, `{}`, `null`, `[]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var c Changeset
		if json.Unmarshal(data, &c) != nil {
			return
		}
		written, err := json.Marshal(c)
		if err != nil {
			t.Fatalf("cannot be written: %v", err)
		}
		var again Changeset
		if err := json.Unmarshal(written, &again); err != nil || !slices.Equal(again.Attributes(), c.Attributes()) {
			t.Fatalf("written as %s: %v", written, err)
		}
		twice, err := json.Marshal(c.Reversed().Reversed())
		if err != nil || !sameJSON(t, twice, written) {
			t.Fatalf("undone twice: %s, want %s", twice, written)
		}
		CheckAsSent(t, c, data)
		base := containerFrom("holds freight hold\nrail 2020-05-20\nlfd 2020-05-20")
		base.INDFacilityLFD = base.ImportDeadlines.Rail
		after := c.Apply(base)
		changes := c.Changes(base)
		if got, want := changes.After.State, PickupReadiness(after).State; got != want {
			t.Fatalf("after the change: %s, but applied: %s", got, want)
		}
		if nothing := c.Changes(nil); nothing.BecameReady() || nothing.StoppedBeingReady() {
			t.Fatal("the readiness is set without a container")
		}
		if available, ok := c.AvailableForPickup(); ok && available.New != after.AvailableForPickup {
			t.Fatalf("available %v, applied: %v", available.New, after.AvailableForPickup)
		} else if _, mentioned := c.Get(AttributeAvailableForPickup); mentioned && !ok && len(c.Warnings()) == 0 {
			t.Fatal("availability cannot be read, and no warning says so")
		}
		if second := DiffContainers(after, c.Apply(after)); len(second.Attributes()) > 0 {
			t.Fatalf("applied twice changes %v", second.Attributes())
		}
	})
}

// CheckAsSent compares a changeset with the members that encoding/json reads: a pair is the old and
// the new value; any other value is kept and has neither.
func CheckAsSent(t *testing.T, c Changeset, data []byte) {
	t.Helper()
	sent := naive.ReadObject(bytes.TrimSpace(data))
	if len(c.Attributes()) != len(sent) {
		t.Fatalf("%s was read as changes of %q", data, c.Attributes())
	}
	for name := range sent {
		change, ok := c.changes[name]
		raw, once := sent.Once(name)
		if !ok || !once {
			if !ok {
				t.Fatalf("%s: %q is missing", data, name)
			}
			continue
		}
		pair, _ := naive.ReadList(raw)
		if len(pair) != 2 {
			pair = []json.RawMessage{nil, nil}
		}
		if !bytes.Equal(change.Raw, raw) || !bytes.Equal(change.Old, pair[0]) || !bytes.Equal(change.New, pair[1]) {
			t.Fatalf("%q: %s became %s, from %s to %s", name, raw, change.Raw, change.Old, change.New)
		}
	}
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var left, right any
	if json.Unmarshal(a, &left) != nil || json.Unmarshal(b, &right) != nil {
		return false
	}
	x, errX := json.Marshal(left)
	y, errY := json.Marshal(right)
	return errX == nil && errY == nil && string(x) == string(y)
}

// FuzzDiffContainers checks that applying DiffContainers(a, b) to a yields b, and that its reverse
// yields a.
func FuzzDiffContainers(f *testing.F) {
	f.Add("", "")
	f.Add("holds customs hold EXAM\nholds freight pending\navailable true\nterminal t-1",
		"holds\nfees\navailable null\nterminal")
	f.Add("fees demurrage 100.10 USD\nlfd 2026-03-09T07:00:00Z\nline 2026-03-12T05:00:00Z",
		"fees demurrage 200 USD\nfees total 200 USD\nlfd 2026-03-10\nline 2026-03-12T05:00:00Z\nterminalLFD 2026-03-10")
	f.Add("rail 2026-03-12T05:00:00.5Z\nappointment 2026-03-09T16:00:00Z",
		"available false\nfees other 0\nrail 2026-03-12\nlfd 2026-03-12")
	f.Fuzz(func(t *testing.T, one, other string) {
		a, b := containerFrom(one), containerFrom(other)
		diff := DiffContainers(a, b)
		checkSame(t, diff.Apply(a), b)
		checkSame(t, diff.Reversed().Apply(b), a)
		if warnings := diff.Warnings(); len(warnings) > 0 {
			t.Fatalf("own changeset: %v", warnings)
		}
		data, err := json.Marshal(diff)
		var sent Changeset
		if err != nil || json.Unmarshal(data, &sent) != nil {
			t.Fatalf("%s: %v", data, err)
		}
		checkSame(t, sent.Apply(a), b)
		if len(diff.Attributes()) == 0 {
			checkSame(t, a, b)
		}
	})
}

// containerFrom makes a container of lines such as "holds customs hold" and "lfd
// 2026-03-09T07:00:00Z".
func containerFrom(script string) *Container {
	c := &Container{PODTimezone: "America/Los_Angeles", FinalDestinationTimezone: "America/Chicago"}
	c.PODTerminal.state = RelationshipNull
	times := deadlinesOf(c)
	for line := range strings.Lines(strings.ToValidUTF8(script, "?")) {
		words := append(strings.Fields(line), "", "", "", "")
		switch words[0] {
		case "holds":
			c.Holds = append(c.Holds, Hold{Name: HoldName(words[1]), Status: HoldStatus(words[2]), Description: words[3]})
		case "noholds":
			c.Holds = []Hold{}
		case "fees":
			amount, _ := decimals.Parse(words[2])
			c.Fees = append(c.Fees, Fee{FeeType(words[1]), amount, words[3]})
		case "available":
			c.AvailableForPickup = map[string]Opt[bool]{"true": Some(true), "false": Some(false),
				"null": Null[bool]()}[words[1]]
		case "terminal":
			if words[1] != "" {
				c.PODTerminal = Included(words[1], &Terminal{})
			}
		case "appointment":
			c.PickupAppointmentAt, _ = parseTime([]byte(words[1]))
		case "lfd":
			*times[""], _ = parseTime([]byte(words[1]))
		case "line", "rail":
			*times[LFDSource(words[0])], _ = parseTime([]byte(words[1]))
		case "terminalLFD":
			*times[LFDSourceTerminal], _ = parseTime([]byte(words[1]))
		}
	}
	c.pairZones()
	return c
}

// checkSame compares what DiffContainers covers, zones included.
func checkSame(t *testing.T, got, want *Container) {
	t.Helper()
	if !sameItems(DiffHolds)(got.Holds, want.Holds) {
		t.Fatalf("holds %v, want %v", got.Holds, want.Holds)
	}
	if !sameItems(DiffFees)(got.Fees, want.Fees) {
		t.Fatalf("fees %v, want %v", got.Fees, want.Fees)
	}
	for name, value := range availabilityOf(want) {
		if !sameAvailability(*availabilityOf(got)[name], *value) {
			t.Fatalf("%s %v, want %v", name, *availabilityOf(got)[name], *value)
		}
	}
	for i, time := range timesOf(want) {
		if !identicalTime(*timesOf(got)[i].at, *time.at) {
			t.Fatalf("%s %#v, want %#v", time.name, *timesOf(got)[i].at, *time.at)
		}
	}
	for name, text := range textsOf(want) {
		if *textsOf(got)[name] != *text {
			t.Fatalf("%s %q, want %q", name, *textsOf(got)[name], *text)
		}
	}
	if !sameSet(got.TransportEvents.IDs(), want.TransportEvents.IDs()) {
		t.Fatalf("events %q, want %q", got.TransportEvents.IDs(), want.TransportEvents.IDs())
	}
	for source, at := range deadlinesOf(want) {
		if !identicalTime(*deadlinesOf(got)[source], *at) {
			t.Fatalf("%q %#v, want %#v", source, *deadlinesOf(got)[source], *at)
		}
	}
	if !identicalTime(got.INDFacilityLFD, want.INDFacilityLFD) {
		t.Fatalf("deprecated copy %v, want %v", got.INDFacilityLFD, want.INDFacilityLFD)
	}
	for name, terminal := range terminalsOf(want) {
		if terminalsOf(got)[name].ID() != terminal.ID() {
			t.Fatalf("%s %q, want %q", name, terminalsOf(got)[name].ID(), terminal.ID())
		}
	}
	if !reflect.DeepEqual(PickupReadiness(got), PickupReadiness(want)) {
		t.Fatalf("readiness %v, want %v", PickupReadiness(got), PickupReadiness(want))
	}
	now := instant("2026-03-09T12:00:00Z")
	x, y := Assess(got, now, VerdictOptions{}), Assess(want, now, VerdictOptions{})
	x.NotIncluded, y.NotIncluded = nil, nil // a changeset has ids
	if got, want := x, y; got.String() != want.String() || got.Situation != want.Situation || got.Urgency != want.Urgency || got.UrgencyReason != want.UrgencyReason {
		t.Fatalf("verdict %v, want %v", got, want)
	}
}

// identicalTime reports whether two times are the same for every method: the offset of a time that
// is not a wall clock shows only in how it was sent.
func identicalTime(a, b Time) bool { return sameOnWire(a, b) && a.kind == b.kind && a.zone == b.zone }

// sentAttributes are forms in which the service sends the attributes that DiffContainers covers.
var sentAttributes = func() map[string][]string {
	times := []string{"null", `"2026-03-09T07:00:00Z"`, `"2026-03-09T05:00:00Z"`, `"2026-03-08T16:00:00Z"`, `"2026-03-09T17:00:00Z"`,
		`"2026-03-09T07:00:00.5Z"`, `"2026-03-09T00:00:00-07:00"`, `"2026-03-09T15:00:00+08:00"`, `"2026-03-09"`, `"2026-03-10"`}
	zones := []string{"null", `"America/Los_Angeles"`, `"America/Chicago"`, `"Asia/Shanghai"`}
	sent := map[string][]string{
		"holds_at_pod_terminal": {"null", "[]", `[{"name":"customs","status":"hold"}]`, `[{"name":"customs","status":"pending"},{"name":"line","status":"hold","detail":{"a": "A & B"}}]`},
		"fees_at_pod_terminal":  {"null", "[]", `[{"type":"demurrage","amount":0}]`, `[{"type":"demurrage","amount":120.50,"currency_code":"USD"},{"type":"total","amount":120.5}]`},
		"available_for_pickup":  {"null", "true", "false"}, "availability_known": {"null", "true", "false"},
		"current_status": {"null", `"new"`, `"available"`, `"picked_up"`, `"on_rail"`},
	}
	for _, name := range []string{"location_at_pod_terminal", "pod_full_out_chassis_number", "pod_rail_carrier_scac", "ind_rail_carrier_scac"} {
		sent[name] = []string{"null", `"A<br>B"`, `"BNSF"`}
	}
	for _, name := range []string{"pod_timezone", "final_destination_timezone", "empty_terminated_timezone"} {
		sent[name] = zones
	}
	for _, name := range []string{"pickup_lfd", "pickup_lfd_line", "pickup_lfd_terminal", "pickup_lfd_rail", "ind_facility_lfd_on",
		"pickup_appointment_at", "pod_full_out_at", "final_destination_full_out_at", "empty_terminated_at", "delivered_at",
		"empty_out_at", "pol_full_in_at", "pol_vessel_loaded_at", "pol_vessel_departed_at", "pod_arrived_at", "pod_discharged_at",
		"pod_rail_loaded_at", "pod_rail_departed_at", "ind_eta_at", "ind_ata_at", "ind_rail_unloaded_at"} {
		sent[name] = times
	}
	return sent
}()

func randomReading(t *testing.T, r *rand.Rand) *Container {
	var attributes, deadlines []string
	for _, name := range slices.Sorted(maps.Keys(sentAttributes)) {
		values := sentAttributes[name]
		member := fmt.Sprintf("%q:%s", name, values[r.IntN(len(values))])
		switch {
		case r.IntN(3) == 0: // not sent
		case strings.HasPrefix(name, "pickup_lfd_"):
			deadlines = append(deadlines, member)
		default:
			attributes = append(attributes, member)
		}
	}
	attributes = append(attributes, `"import_deadlines":{`+strings.Join(deadlines, ",")+`}`)
	c, warnings := decodeAs[Container](t, "container", `{`+strings.Join(attributes, ",")+`}`,
		fmt.Sprintf(`{"pod_terminal":{"data":{"type":"terminal","id":"%d"}},"pickup_facility":{"data":{"type":"terminal","id":"%d"}}}`, r.IntN(2), r.IntN(2)))
	require.Empty(t, warnings)
	events := slices.DeleteFunc([]*TransportEvent{eventWithID("1"), eventWithID("2"), eventWithID("3")},
		func(*TransportEvent) bool { return r.IntN(2) == 0 })
	c.TransportEvents = IncludedAll(events...)
	return c
}

func eventWithID(id string) *TransportEvent {
	return &TransportEvent{Resource: Resource{Type: "transport_event", ID: id}}
}

// The doc comments of DiffContainers, Apply and ContainerWatchParams.LastReading promise it: the
// changes make one reading of another, and a reading that was stored has the same changes.
func TestDiffContainers_AppliesToAnyPairOfReadings(t *testing.T) {
	r := rand.New(rand.NewPCG(20261010, 12))
	pairs := scale(600, 12_000)
	for range pairs {
		a, b := randomReading(t, r), randomReading(t, r)
		diff := DiffContainers(a, b)
		require.Empty(t, diff.Warnings())
		checkSame(t, diff.Apply(a), b)
		checkSame(t, diff.Reversed().Apply(b), a)
		var stored Container
		require.NoError(t, json.Unmarshal([]byte(mustJSON(t, a)), &stored))
		require.JSONEq(t, mustJSON(t, diff), mustJSON(t, DiffContainers(&stored, b)))
	}
	t.Logf("figure: Apply(DiffContainers(a, b)) equals b for %d pairs of readings over %d attributes", pairs, len(sentAttributes))
}

// scale is testkit.Scale, which imports this package.
func scale(sample, all int) int {
	if os.Getenv("PROOF") == "whole" {
		return all
	}
	return sample
}
