package recipes_test

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// TestDesk_AnswersForEachJourney fails for a service that decides by the availability, that counts
// days in UTC, or that takes the first container of a number.
func TestDesk_AnswersForEachJourney(t *testing.T) {
	t.Parallel()
	service := serve(t, evening)
	shipment := losAngeles(service, "MAEU240711002")
	ready := released(service, shipment, "MSKU7182047")
	ready.ImportDeadlines = terminal49test.Deadlines{Line: midnight(t, 9, "America/Los_Angeles"), Terminal: midnight(t, 6, "America/Los_Angeles")}
	service.AddContainer(ready)
	before := released(service, losAngeles(service, "MAEU220711002"), "MSKU7182047")
	before.PODFullOutAt, before.EmptyTerminatedAt = evening.AddDate(-2, 0, 0), evening.AddDate(-2, 0, 5)
	before.PODArrivedAt, before.PODDischargedAt = evening.AddDate(-2, 0, -4), evening.AddDate(-2, 0, -3)
	service.AddContainer(before)
	silent := released(service, shipment, "MSKU7182411") // its terminal does not report the availability
	silent.AvailableForPickup, silent.AvailabilityKnown, silent.CurrentStatus = nil, terminal49test.Bool(false), "new"
	service.AddContainer(silent)
	left := released(service, shipment, "MSKU7182453")
	left.PODFullOutAt = evening.Add(-24 * time.Hour)
	service.AddContainer(left)

	address, stop := build(t, "desk", service, "NOW="+evening.Format(time.RFC3339)).start()
	get := func(number string) (int, []map[string]any) {
		t.Helper()
		status, body := read(t, "http://"+address+"/containers/"+number)
		var answers []map[string]any
		if status == http.StatusOK {
			require.NoError(t, json.Unmarshal(body, &answers))
		}
		return status, answers
	}
	status, answers := get("MSKU7182047")
	require.Equal(t, 200, status)
	require.Len(t, answers, 2)
	if answers[0]["situation"] == "returned" {
		answers[0], answers[1] = answers[1], answers[0]
	}
	require.Contains(t, answers[0]["text"], "WBCT", "the place has no name")
	delete(answers[0], "text")
	require.Equal(t, map[string]any{"number": "MSKU7182047", "situation": "ready", "last_free_day": "2026-07-06", "days_left": 2.0}, answers[0])
	delete(answers[1], "text")
	require.Equal(t, map[string]any{"number": "MSKU7182047", "situation": "returned", "last_free_day": nil, "days_left": nil}, answers[1])
	_, answers = get("msku7182411")
	require.Equal(t, "unknown", answers[0]["situation"])
	_, answers = get("MSKU7182453")
	require.Equal(t, "out", answers[0]["situation"])

	status, _ = get("MSKU7182495") // with the right check digit
	require.Equal(t, 404, status)
	status, _ = get("HELLO")
	require.Equal(t, 400, status)
	service.AddFault(terminal49test.Fault{Operation: "containers.list", Status: 503})
	status, _ = get("MSKU7182453")
	require.Equal(t, 200, status, "one failure of the service")
	service.AddFault(terminal49test.Fault{Operation: "containers.list", Status: 401})
	status, _ = get("MSKU7182453")
	require.Equal(t, 502, status)
	stop()
}

func read(t *testing.T, address string) (int, []byte) {
	t.Helper()
	defer http.DefaultClient.CloseIdleConnections()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, body
}

// TestFreedays_AreThoseOfThePlace fails for a program that takes the UTC day, counts from the UTC
// day, takes the service's choice, or leaves out what cannot be counted.
func TestFreedays_AreThoseOfThePlace(t *testing.T) {
	t.Parallel()
	service := serve(t, evening)
	add := func(shipment, number string, deadlines terminal49test.Deadlines, change func(*terminal49test.Container)) {
		c := released(service, shipment, number)
		c.ImportDeadlines = deadlines
		if change != nil {
			change(&c)
		}
		service.AddContainer(c)
	}
	la := losAngeles(service, "MAEU240711002")
	rotterdam := service.AddShipment(terminal49test.Shipment{
		BillOfLadingNumber: "MAEU240711003", ShippingLine: "MAEU", PortOfDischarge: "NLRTM",
		PODTerminal: service.AddTerminal(terminal49test.Terminal{Name: "Maasvlakte", Nickname: "MVII", Port: "NLRTM"}),
	})
	add(la, "MSKU7182047", terminal49test.Deadlines{
		Line: midnight(t, 9, "America/Los_Angeles"), Terminal: midnight(t, 6, "America/Los_Angeles"),
	}, nil)
	add(la, "MSKU7182411", terminal49test.Deadlines{Terminal: midnight(t, 3, "America/Los_Angeles")}, nil)
	add(la, "MSKU7182453", terminal49test.Deadlines{Terminal: midnight(t, 3, "America/Los_Angeles")}, func(c *terminal49test.Container) {
		c.PODFullOutAt = evening.Add(-24 * time.Hour)
	})
	add(la, "MSKU7182495", terminal49test.Deadlines{}, nil)
	add(rotterdam, "MEDU3309188", terminal49test.Deadlines{Terminal: midnight(t, 6, "Europe/Amsterdam")}, nil)
	add(service.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "A"}), "ONEU5520871",
		terminal49test.Deadlines{Terminal: time.Date(2026, time.July, 8, 0, 0, 0, 0, time.UTC)}, nil) // no place, and so no zone

	lines := build(t, "freedays", service, "NOW="+evening.Format(time.RFC3339)).lines()
	require.Len(t, lines, 4)
	require.Equal(t, []string{"MSKU7182411 2026-07-03 -1", "MEDU3309188 2026-07-06 1", "MSKU7182047 2026-07-06 2"}, lines[:3])
	require.Regexp(t, `^ONEU5520871 2026-07-08.* \?$`, lines[3])
}

// TestOwed_IsExactOrUnknown fails for a program that adds a total to its items, adds currencies,
// takes null or an amount of 0 for nothing, or takes a bill of lading that begins alike.
func TestOwed_IsExactOrUnknown(t *testing.T) {
	t.Parallel()
	service := serve(t, evening)
	usd := func(kind string, amount float64) terminal49test.Fee {
		return terminal49test.Fee{Type: kind, Amount: amount}
	}
	add := func(shipment, number string, fees ...terminal49test.Fee) {
		c := released(service, shipment, number)
		c.Fees = append(c.Fees, fees...)
		service.AddContainer(c)
	}
	bill := losAngeles(service, "MAEU24071100")
	add(bill, "MSKU7182047", usd("demurrage", 250.10), usd("exam", 49.90), usd("total", 300))
	add(bill, "MSKU7182411", usd("total", 950.10))
	add(bill, "MSKU7182453", usd("demurrage", 0), usd("exam", 0.20)) // the demurrage is not posted yet
	add(bill, "MSKU7182495")
	add(bill, "MEDU3309188", terminal49test.Fee{Type: "other", Amount: 90, CurrencyCode: "CAD"})
	add(bill, "ONEU5520871")
	service.UpdateContainer(service.ContainerIDs(bill)[3], func(c *terminal49test.Container) {
		c.Attributes = map[string]any{"fees_at_pod_terminal": nil} // null: not reported
	})
	add(losAngeles(service, "MAEU2407110021"), "CMAU4716554", usd("exam", 7000))
	free := losAngeles(service, "MAEU555000111")
	service.AddContainer(released(service, free, "HLXU6104426"))
	losAngeles(service, "MAEU555000222")

	owed := build(t, "owed", service)
	require.Equal(t, []string{"CAD 90.00", "USD 1250.30", "unknown: MSKU7182453, MSKU7182495"}, owed.lines("MAEU24071100"))
	require.Equal(t, []string{"nothing"}, owed.lines("MAEU555000111"))
	out, err := owed.try("MAEU2407")
	require.Error(t, err)
	require.Empty(t, out)
	service.AddFault(terminal49test.Fault{Operation: "shipments.list", Status: 401, Times: -1})
	out, err = owed.try("MAEU555000111")
	require.Error(t, err)
	require.Empty(t, out)
}
