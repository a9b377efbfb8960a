package mcpserver

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestFind_EachInputHasItsOutcome(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := demo(t)
		a, text := call[findAnswer](w, "find", args{"numbers": []string{"msku 718204-7", "MSKU7182046", "TGHU6578122", "MSCU240988417", "po-7702"}})
		assert.Equal(t, 5, a.Total)
		require.Len(t, a.Containers, 1)
		three := 3
		assert.Equal(t, containerRow{
			Input: "msku 718204-7", Number: "MSKU7182047", Situation: "ready", Place: "WBCT (USLAX)", LastFreeDay: "2024-07-04", DaysLeft: &three,
		}, a.Containers[0])
		require.Len(t, a.Shipments, 2)
		assert.Equal(t, "MSCU240988417", a.Shipments[0].BillOfLading)
		assert.Equal(t, []containerRow{{Number: "MEDU3309188", Situation: "held"}}, a.Shipments[0].Containers)
		assert.Equal(t, "po-7702", a.Shipments[1].Input)
		assert.Equal(t, []missing{
			{Input: "MSKU7182046", Why: "not tracked, and the check digit is wrong: look for a mistyped character", Correct: "MSKU7182047", Nearest: []string{"MSKU7182047"}},
			{Input: "TGHU6578122", Why: "not tracked in this account"},
		}, a.Missing)
		assert.Contains(t, text, "Ready at «WBCT (USLAX)» (1): «msku 718204-7» = MSKU7182047 2024-07-04 (3 d)\n")
		assert.Contains(t, text, "Nothing for «TGHU6578122»: not tracked in this account.\n")
	})
}

// The fields that were asked for are there, and say what is not known.
func TestFind_Fields(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := demo(t)
		a, _ := call[findAnswer](w, "find", args{"numbers": []string{"MEDU3309188"}, "fields": []string{"holds", "owed", "seal", "eta", "weight_lb"}})
		assert.Equal(t, []containerRow{{Number: "MEDU3309188", Holds: "customs", Owed: "unknown (exam)", Seal: "unknown", WeightPounds: "31460"}}, a.Containers)
		assert.Regexp(t, "^mend: fields: must be one of id, situation, .*, not «weight»$", w.refused("find", args{"numbers": []string{"x"}, "fields": []string{"weight"}}))
	})
}

// A name of several things is reported as that, and so is a failed request.
func TestFind_AmbiguousAndFailed(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld(t, Config{}, func(srv *terminal49test.Server) {
			for i := range 2 {
				srv.AddShipment(terminal49test.Shipment{ShippingLine: "MAEU", BillOfLadingNumber: fmt.Sprint("MAEU24000000", i), ReferenceNumbers: []string{"Spring"}})
			}
			srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "EGLV777", SCAC: "EGLV", RequestType: "bill_of_lading", Status: "failed", FailedReason: "not_found"})
			for i := range 2 {
				srv.AddContainer(terminal49test.Container{Number: "MSKU7182047", CreatedAt: start.Add(-time.Duration(i+1) * time.Hour)})
			}
		})
		a, text := call[findAnswer](w, "find", args{"numbers": []string{"SPRING", "eglv-777", "MSKU7182047"}})
		assert.Equal(t, []string{"SPRING"}, a.Ambiguous)
		assert.Len(t, a.Shipments, 2)
		require.Len(t, a.Requests, 1)
		assert.Equal(t, "failed", a.Requests[0].Status)
		assert.Equal(t, "not found", a.Requests[0].Reason)
		require.Len(t, a.Containers, 1)
		assert.Equal(t, 2, a.Containers[0].Journeys)
		assert.Contains(t, text, "Several things have the name: «SPRING». Ask which.\n")
	})
}

func TestFind_Bounds(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := demo(t)
		assert.Equal(t, "mend: numbers: must have at least one number or reference", w.refused("find", args{"numbers": []string{" "}}))
		assert.Equal(t, "mend: numbers: must have at most 200, not 201; split the list", w.refused("find", args{"numbers": make201()}))
	})
}

func make201() (list []string) {
	for i := range 201 {
		list = append(list, fmt.Sprint("PO-", i))
	}
	return list
}

// An answer with 50 containers has at most 8 KB, of both forms together.
func TestFind_FiftyContainersAreShort(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var numbers []string
		w := newWorld(t, Config{}, func(srv *terminal49test.Server) { numbers = fifty(srv) })
		r := w.result("find", args{"numbers": numbers})
		require.False(t, r.IsError)
		size := len(contentOf(t, r)) + len(textOf(t, r))
		t.Logf("an answer with 50 containers: %d bytes", size)
		assert.Less(t, size, 8<<10)
	})
}

// fifty adds 50 containers that wait at terminals, and returns their numbers.
func fifty(srv *terminal49test.Server) (numbers []string) {
	srv.SeedDemo() // the places
	for i := range 50 {
		s := srv.AddShipment(terminal49test.Shipment{
			ShippingLine: "MAEU", BillOfLadingNumber: fmt.Sprint("MAEU2500000", i), PortOfDischarge: "USLAX", PODTerminal: []string{"WBCT", "APMT LA"}[i%2],
		})
		number := fmt.Sprintf("TGHU%07d", 1000000+i)
		srv.AddContainer(terminal49test.Container{
			Number: number, Shipment: s, PODDischargedAt: start.Add(-48 * time.Hour), TerminalCheckedAt: start, AvailableForPickup: terminal49test.Bool(i%3 > 0),
			AvailabilityKnown: terminal49test.Bool(true), ImportDeadlines: terminal49test.Deadlines{Terminal: time.Date(2024, time.July, 1+i%7, 7, 0, 0, 0, time.UTC)},
		})
		numbers = append(numbers, number)
	}
	return numbers
}
