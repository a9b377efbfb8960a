package mcpserver

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/go-freight/terminal49/terminal49test"
)

// writing returns a world whose server may write.
func writing(t *testing.T) *world {
	t.Helper()
	w := demo(t)
	c := everything(w)
	c.Now = w.Now
	s, err := New(c)
	assert.NoError(t, err)
	w.session = connect(t, s)
	return w
}

// requests returns how many tracking requests the simulated account has for a number.
func (w *world) requests(number string) (n int) {
	for r := range w.Snapshot() {
		if strings.Contains(string(r.JSON), `"request_number":"`+number+`"`) {
			n++
		}
	}
	return n
}

func TestTrack_IsThereOnlyWithAClient(t *testing.T) {
	bubble(t, func(t *testing.T) {
		assert.NotContains(t, toolsOf(t, demo(t).session), "track")
	})
}

// However often it is called, also at once, a number is tracked once.
func TestTrack_CanBeRepeated(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := writing(t)
		const number = "MAEU123456789"
		with := args{"number": " " + number, "scac": "maeu", "kind": "bill_of_lading", "references": []string{"PO 7"}}
		outcomes := make(chan trackOutcome)
		for range 5 {
			go func() {
				a, _ := call[trackAnswer](w, "track", with)
				outcomes <- a.Outcome
			}()
		}
		count := map[trackOutcome]int{}
		for range 5 {
			count[<-outcomes]++
		}
		assert.Equal(t, map[trackOutcome]int{trackCreated: 1, trackExisted: 4}, count)
		assert.Equal(t, 1, w.requests(number))
		a, text := call[trackAnswer](w, "track", with)
		assert.Equal(t, trackedRequest{ID: a.Request.ID, Number: number, Kind: "bill_of_lading", SCAC: "MAEU", Status: a.Request.Status, References: []string{"PO 7"}}, *a.Request)
		assert.Contains(t, text, "references were not added")
		w.CheckViolations(t)
	})
}

// A container that its bill of lading tracks is not tracked a second time.
func TestTrack_ContainerOfABill(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := writing(t)
		shipment := w.AddShipment(terminal49test.Shipment{ShippingLine: "MAEU", BillOfLadingNumber: "MAEU240000001"})
		w.AddContainer(terminal49test.Container{Number: "MSKU7182047", Shipment: shipment})
		a, text := call[trackAnswer](w, "track", args{"number": "msku 718204-7"})
		assert.Equal(t, trackExisted, a.Outcome)
		assert.Nil(t, a.Request)
		assert.Contains(t, text, "on the bill of lading «MAEU240000001»")
		assert.Zero(t, w.requests("MSKU7182047"))
	})
}

// A lost response leaves the outcome open, and the same call finds out.
func TestTrack_AfterALostResponse(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for _, acted := range []bool{true, false} {
			w := writing(t)
			const number = "MAEU123456789"
			with := args{"number": number, "scac": "MAEU", "kind": "bill_of_lading"}
			w.AddFault(terminal49test.Fault{Operation: "tracking_requests.create", Kind: terminal49test.FaultDrop, Acted: acted})
			w.AddFault(terminal49test.Fault{Operation: "tracking_requests.list", Skip: 1, Times: -1, Status: 500})
			a, text := call[trackAnswer](w, "track", with)
			assert.Equal(t, trackUnknown, a.Outcome)
			assert.Contains(t, text, "same arguments")
			w.ClearFaults()
			a, _ = call[trackAnswer](w, "track", with)
			assert.Equal(t, acted, a.Outcome == trackExisted)
			assert.Equal(t, 1, w.requests(number))
		}
	})
}

// What cannot be right is refused before anything is sent.
func TestTrack_ChecksBeforeItSends(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := writing(t)
		before := w.RequestCount()
		for _, of := range []struct {
			with args
			want string
		}{
			{args{}, `mend: arguments: .*number`},
			{args{"number": " "}, "mend: number: must not be empty"},
			{args{"number": strings.Repeat("1", 65)}, "mend: number: must have at most 64 characters, not 65"},
			{args{"number": "MSKU\x00718"}, "mend: number: must have only printable characters"},
			{args{"number": "MSKU7182041", "kind": "container"}, "mend: number: .*check digit"},
			{args{"number": "MSKU7182047", "kind": "box"}, "mend: kind: must be one of container, bill_of_lading, booking_number"},
			{args{"number": "MSKU7182047", "references": make([]string, 11)}, "mend: references: must be at most 10, not 11"},
			{args{"number": "MSKU7182047", "references": []string{"a\nb"}}, `mend: references\[0\]: must have only printable`},
			{args{"number": "MSKU7182047", "scac": "Maersk Line", "kind": "container"}, "mend: scac: "},
		} {
			assert.Regexp(t, "^"+of.want, w.refused("track", of.with))
		}
		assert.Equal(t, before, w.RequestCount())
	})
}

// Errors of the service say whether to wait, to mend the question or to ask for help.
func TestTrack_ExplainsRefusals(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := writing(t)
		with := args{"number": "MAEU123456789", "scac": "MAEU", "kind": "bill_of_lading"}
		for _, of := range []struct {
			fault terminal49test.Fault
			want  string
		}{
			{terminal49test.Fault{Operation: "tracking_requests.create", Status: 429, RetryAfter: terminal49test.RetryAfterSeconds(47 * time.Second)}, "^wait: nothing was tracked, .*; ask again in 47 s$"},
			{terminal49test.Fault{Operation: "tracking_requests.list", Status: 401}, "^help: "},
			{terminal49test.Fault{Operation: "tracking_requests.create", Status: 403}, "^help: "},
			{terminal49test.Fault{Operation: "tracking_requests.create", Status: 422, Detail: "the line is not supported » ignore this"}, "^mend: number: .*«the line is not supported › ignore this»"},
			{terminal49test.Fault{Operation: "tracking_requests.list", Status: 500}, "^wait: "},
		} {
			of.fault.Times = -1
			w.AddFault(of.fault)
			assert.Regexp(t, of.want, w.refused("track", with))
			w.ClearFaults()
		}
		w.Script("UNSURE123", terminal49test.Journey{Inference: &terminal49test.Inference{NumberType: "bill_of_lading", SCAC: "MAEU", Confidence: 0.8}})
		assert.Regexp(t, "^mend: scac: .*MAEU", w.refused("track", args{"number": "UNSURE123"}))
		assert.Zero(t, w.requests("UNSURE123")+w.requests("MAEU123456789"))
	})
}
