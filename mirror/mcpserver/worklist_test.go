package mcpserver

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestWorklist_OfTheDemo(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := demo(t)
		a, text := call[worklistAnswer](w, "worklist", args{"work": []string{"at_risk"}, "terminal": []string{"wbct"}, "limit": 1})
		assert.Equal(t, 2, a.Total)
		assert.Equal(t, 1, a.Next)
		three := 3
		assert.Equal(t, []containerRow{{Number: "MSKU7182411", Situation: "ready", Place: "WBCT (USLAX)", LastFreeDay: "2024-07-04", DaysLeft: &three}}, a.Rows)
		assert.Contains(t, text, "2 containers, 1 shown.\nReady at «WBCT (USLAX)» (1): MSKU7182411 2024-07-04 (3 d)\n")
		assert.Contains(t, text, "Note: 1 more: ask with offset 1.\n")

		rest, _ := call[worklistAnswer](w, "worklist", args{"work": []string{"at_risk"}, "terminal": []string{"wbct"}, "offset": 1})
		assert.Equal(t, "MSKU7182047", rest.Rows[0].Number)
		owing, _ := call[worklistAnswer](w, "worklist", args{"work": []string{"owing"}, "situation": []string{"pay_first"}})
		assert.Equal(t, []containerRow{{Number: "CMAU4716554", Situation: "pay_first", Place: "APMT LA (USLAX)", Owed: "USD 555.00"}}, owing.Rows)
	})
}

// A number that was not asked for is its default, and one that changes nothing is refused.
func TestNumbers_AreEchoed(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld(t, Config{}, func(srv *terminal49test.Server) { srv.SeedDemo() })
		arriving, text := call[worklistAnswer](w, "worklist", args{"work": []string{"arriving", "eta_slipped"}})
		assert.Equal(t, workDays{"arriving": 5, "eta_slipped": 1}, arriving.Days)
		assert.Equal(t, 50, arriving.Limit)
		assert.Contains(t, text, " shown; arriving: 5 days; eta slipped: 1 day.\n")
		counted, text := call[summarizeAnswer](w, "summarize", args{"work": []string{"dwelling"}, "days": 3})
		assert.Equal(t, workDays{"dwelling": 3}, counted.Days)
		assert.Equal(t, 60, counted.Limit)
		assert.Contains(t, text, " in 1 group; dwelling: 3 days.\n")
		assert.Contains(t, w.refused("worklist", args{"days": 3}), "mend: days: must not be set without a kind of work that has days: arriving")
		names, _ := call[lookupAnswer](w, "lookup", nil)
		assert.Equal(t, 20, names.Limit)
		moved, _ := call[changesAnswer](w, "changes", args{"since": "1h"})
		assert.Equal(t, 200, moved.Limit)
		asked, _ := call[requestsAnswer](w, "requests", args{"days": 2})
		assert.Equal(t, []int{50, 2}, []int{asked.Limit, asked.Days})
	})
}

// A container on a ship that has arrived does not wait for its pickup yet.
func TestWorklist_WaitingIsOffTheShip(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld(t, Config{}, func(srv *terminal49test.Server) {
			shipment := srv.AddShipment(terminal49test.Shipment{ShippingLine: "MAEU", PortOfDischarge: "USLAX", Destination: "USLAX", PODTerminal: "WBCT", PODATA: start.Add(-9 * time.Hour)})
			srv.AddContainer(terminal49test.Container{Number: "MSKU7182047", Shipment: shipment, PODArrivedAt: start.Add(-9 * time.Hour)})
			srv.AddContainer(terminal49test.Container{Number: "TGHU6578122", Shipment: shipment, PODArrivedAt: start.Add(-9 * time.Hour), PODDischargedAt: start.Add(-2 * time.Hour)})
			srv.AddContainer(terminal49test.Container{Number: "MEDU3309188", POLVesselDepartedAt: start.Add(-9 * time.Hour),
				Shipment: srv.AddShipment(terminal49test.Shipment{ShippingLine: "MSCU", PortOfDischarge: "USLAX", POLATD: start.Add(-9 * time.Hour)})})
		})
		waiting, _ := call[worklistAnswer](w, "worklist", args{"work": []string{"waiting"}, "fields": []string{"id"}})
		require.Equal(t, 1, waiting.Total)
		assert.Equal(t, "TGHU6578122", waiting.Rows[0].Number)
		dated, _ := call[worklistAnswer](w, "worklist", args{"days_left_to": 9})
		assert.Equal(t, 2, dated.Undated, "none of the container at sea")
		arrived, _ := call[worklistAnswer](w, "worklist", args{"stage": []string{"arrived"}, "fields": []string{"id"}})
		require.Equal(t, 1, arrived.Total)
		assert.Equal(t, "MSKU7182047", arrived.Rows[0].Number)
	})
}

// What cannot be asked is explained, with what is nearest.
func TestWorklist_MendsTheQuestion(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := demo(t)
		for want, with := range map[string]args{
			"mend: line: no container of the account has «mearsk»; the nearest are «Maersk» («MAEU»), ":                                            {"line": []string{"mearsk"}},
			"mend: last_free_day_from: must be a day such as 2024-07-01, which is today in UTC, not «today»":                                       {"last_free_day_from": "today"},
			"mend: eta_to: must not be before eta_from":                                                                                            {"eta_from": "2024-07-02", "eta_to": "2024-07-01"},
			"mend: days_left_to: must be int that fits, not number 1e+30":                                                                          {"days_left_to": 1e30},
			"mend: limit: must be at most 200":                                                                                                     {"limit": 201},
			"mend: work: must be one of waiting, overdue, imminent, at_risk, owing, holds, arriving, eta_slipped, dwelling, empty_due, not «late»": {"work": []string{"late"}},
			"mend: tags: no container of the account has «urgent»":                                                                                 {"tags": []string{"urgent"}},
		} {
			assert.Contains(t, w.refused("worklist", with), want)
		}
	})
}

// A name that is part of several is reported, and so are containers without the day.
func TestWorklist_NotesWhatTheFilterLeavesOpen(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld(t, Config{}, func(srv *terminal49test.Server) { seedYard(srv, 3) })
		a, _ := call[worklistAnswer](w, "worklist", args{"customer": []string{"acme"}})
		assert.Equal(t, 3, a.Total)
		assert.Contains(t, a.Notes, "customer: «acme» is part of 2 names, all are meant: «Acme Imports», «Acme Foods». Name one if one was meant.")
		a, _ = call[worklistAnswer](w, "worklist", args{"days_left_to": 30, "tracking": "active"})
		assert.Equal(t, 2, a.Total)
		assert.Equal(t, 1, a.Stopped)
	})
}

// seedYard adds containers that are at a terminal.
func seedYard(srv *terminal49test.Server, n int) {
	now := srv.Now()
	customers := []string{srv.AddParty(terminal49test.Party{CompanyName: "Acme Imports"}), srv.AddParty(terminal49test.Party{CompanyName: "Acme Foods"})}
	for i := range n {
		stopped := time.Time{}
		if i == 2 {
			stopped = now.Add(-time.Hour)
		}
		s := srv.AddShipment(terminal49test.Shipment{
			ShippingLine: "MAEU", PortOfDischarge: "USLAX", PODTerminal: "WBCT", Customer: customers[i%2],
			LineTrackingStoppedAt: stopped,
		})
		srv.AddContainer(terminal49test.Container{
			Number: terminal49test.ContainerNumber("MSCU", 100000+i), Shipment: s, PODDischargedAt: now.AddDate(0, 0, -1), TerminalCheckedAt: now,
			ImportDeadlines: terminal49test.Deadlines{Terminal: now.AddDate(0, 0, 2+i%5)},
		})
	}
}

// An answer with 50 containers is small.
func TestWorklist_FitsInto8KB(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld(t, Config{}, func(srv *terminal49test.Server) { seedYard(srv, 60) })
		r := w.result("worklist", nil)
		var a worklistAnswer
		require.NoError(t, json.Unmarshal(contentOf(t, r), &a))
		require.Equal(t, 50, a.Shown)
		size := len(contentOf(t, r)) + len(textOf(t, r))
		t.Logf("figure: an answer with 50 containers has %d bytes", size)
		assert.LessOrEqual(t, size, 8<<10)
	})
}

func TestSummarize_OfTheDemo(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := demo(t)
		a, text := call[summarizeAnswer](w, "summarize", args{"by": []string{"port", "holds"}})
		assert.Equal(t, 8, a.Containers)
		assert.Equal(t, []owed{{"", "USD 555.00"}}, a.Owed)
		assert.Equal(t, "USLAX", a.Groups[0].Key)
		assert.Equal(t, "none", a.Groups[0].Second)
		assert.Contains(t, text, "«USLGB» «Long Beach» / «customs»: 1")
		sum := 0
		for _, g := range a.Groups {
			sum += g.Containers
		}
		assert.Equal(t, 8, sum)
		one, _ := call[summarizeAnswer](w, "summarize", args{"by": []string{"terminal"}, "limit": 1})
		assert.Equal(t, 1, one.Shown)
		assert.Len(t, one.Notes, 1)
		assert.Equal(t, "mend: by: must be one or two different keys", w.refused("summarize", args{"by": []string{"line", "line"}}))
		assert.Equal(t, fmt.Sprint("situation", 8), fmt.Sprint("situation", func() (n int) {
			all, _ := call[summarizeAnswer](w, "summarize", nil)
			for _, g := range all.Groups {
				n += g.Containers
			}
			return n
		}()))
	})
}

// In the service's samples of a train, the shipment has the arrival inland, and the container does
// not.
func TestWorklist_ArrivedInlandByTheShipment(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld(t, Config{}, func(srv *terminal49test.Server) {
			shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "EGLV240000001", ShippingLine: "EGLV", PortOfLading: "CNSHA", PortOfDischarge: "USLAX",
				Destination: "USCHI", DestinationTerminal: "BNSF LPC", PODATA: start.AddDate(0, 0, -9), DestinationATA: start.AddDate(0, 0, -1)})
			for i, released := range []bool{true, false} {
				srv.AddContainer(terminal49test.Container{Number: terminal49test.ContainerNumber("EISU", 100_001+i), Shipment: shipment,
					PODDischargedAt: start.AddDate(0, 0, -8), PODRailDepartedAt: start.AddDate(0, 0, -6), PODRailCarrierSCAC: "BNSF",
					AvailableForPickup: &released, TerminalCheckedAt: start})
			}
		})
		a, _ := call[worklistAnswer](w, "worklist", args{"stage": []string{"at_ramp"}, "fields": []string{"situation", "stage", "at_ramp"}})
		require.Len(t, a.Rows, 2)
		assert.Equal(t, []string{"ready", "not_released_inland"}, []string{a.Rows[0].Situation, a.Rows[1].Situation})
		for _, r := range a.Rows {
			assert.Equal(t, []string{"at_ramp", "2024-06-30T15:00:00-05:00"}, []string{r.Stage, r.AtRamp})
		}
	})
}

// The terminal may be in the city that the bill of lading ends in, next to the shipment's port.
func TestWorklist_AtAPortThatIsNamedAsTheDestination(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld(t, Config{}, func(srv *terminal49test.Server) {
			shipment := srv.AddShipment(terminal49test.Shipment{ShippingLine: "EGLV", PortOfDischarge: "USLGB", PODTerminal: "WBCT", Destination: "USLAX", PODATA: start.AddDate(0, 0, -3)})
			srv.AddContainer(terminal49test.Container{Number: terminal49test.ContainerNumber("EISU", 100_001), Shipment: shipment, PODDischargedAt: start.AddDate(0, 0, -2),
				AvailableForPickup: terminal49test.Bool(false), TerminalCheckedAt: start, Holds: []terminal49test.Hold{{Name: "customs"}}})
		})
		a, _ := call[worklistAnswer](w, "worklist", args{"fields": []string{"situation", "stage", "place", "bound_for"}})
		require.Len(t, a.Rows, 1)
		assert.Equal(t, []string{"held", "at_port", "WBCT (USLAX)"}, []string{a.Rows[0].Situation, a.Rows[0].Stage, a.Rows[0].Place})
	})
}
