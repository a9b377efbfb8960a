package questions

import (
	"fmt"
	"time"
)

// some returns one of some values.
func some[T any](a *Account, values ...T) T { return values[a.r.IntN(len(values))] }

// once reports true for one of n.
func (a *Account) once(n int) bool { return a.r.IntN(n) == 0 }

// varyShipment gives a shipment what filters and counts need.
func (a *Account) varyShipment(to object, i int) {
	a.drop(to)
	for _, of := range []string{"pod", "destination"} {
		to[of+"_original_eta_at"] = a.around(to[of+"_eta_at"])
	}
	line := some(a, []any{"MAEU", "Maersk"}, []any{"MAEU", "Maersk Line"}, []any{"HLCU", "Hapag-Lloyd"}, []any{nil, "Hapag-Lloyd"}, []any{"ONEY", "Ocean Network Express MAEU"}, []any{"CMDU", nil}, []any{"XMAE", "Maeu"})
	to["shipping_line_scac"], to["shipping_line_name"] = line[0], line[1]
	vessel := some(a, []any{"9811000", "EVER GIVEN"}, []any{"9703291", "MSC OSCAR"}, []any{nil, "MSC Oscar"}, []any{"9454436", "Ever Giving"}, []any{nil, nil})
	to["pod_vessel_imo"], to["pod_vessel_name"] = vessel[0], vessel[1]
	to["customer_name"] = some[any](a, "Acme", "Acme Imports", "ACME Imports West", " Acme ", "Blue  Harbor", "Müller Spedition", "MÜLLER SPEDITION", "Straße & Söhne", "none", nil)
	to["tags"] = some(a, nil, []string{}, []string{"urgent"}, []string{"Urgent", "reefer"}, []string{"reefer", "very urgent", ""}, []string{"none"})
	to["ref_numbers"] = some(a, nil, []string{fmt.Sprintf("PO-%05d", i%500)}, []string{fmt.Sprintf("po-%05d", i%500), "Größe 7"})
	if a.once(4) {
		port := some(a, []any{"USLAX", "Los Angeles"}, []any{"USLGB", "Long Beach"}, []any{"NLRTM", "Rotterdam"}, []any{nil, "Los Angeles"}, []any{"USLAX", nil})
		to["port_of_discharge_locode"], to["port_of_discharge_name"] = port[0], port[1]
	}
	to["line_tracking_stopped_at"] = some[any](a, nil, nil, nil, nil, nil, "2026-03-01T10:00:00Z")
}

// varyContainer varies what is reported of the i-th container.
func (a *Account) varyContainer(res object, i int) {
	to := attributesOf(res)
	a.drop(to)
	to["number"] = some[any](a, fmt.Sprintf("ABCU%07d", i), fmt.Sprintf("MSCU%07d", i), fmt.Sprintf("ABCU%07d", i/2), fmt.Sprintf("XYZU%07d", 9_999_999-i))
	if a.once(80) {
		to["number"] = nil
	}
	to["ref_numbers"] = some(a, nil, []string{}, []string{fmt.Sprintf("PO-%05d", i%500)}, []string{"REF A", "ref a", fmt.Sprint(i)})
	to["equipment_type"], to["equipment_length"] = some[any](a, "dry", "reefer", "open top", "flat_rack", nil), some[any](a, 20, 40, 40, 45, nil)
	if a.once(4) {
		a.varyPlace(res["relationships"].(object))
	}
	a.varyTerminal(to)
	a.varyDays(to)
}

// varyPlace moves a container to one of the other terminals.
func (a *Account) varyPlace(to object) {
	t := some(a, "terminal-apm", "terminal-apm-la", "terminal-annex", "terminal-w185", "terminal-cologne", "terminal-cologne-2", "terminal-unknown")
	to[some(a, "pod_terminal", "pickup_facility")] = linked("terminal", t)
}

// varyTerminal varies what the terminal reports, and when.
func (a *Account) varyTerminal(to object) {
	if a.once(2) {
		to["holds_at_pod_terminal"] = a.holds()
	}
	if a.once(2) {
		to["fees_at_pod_terminal"] = a.fees()
	}
	if a.once(3) {
		hours := some(a, -1, -1, -1, -20, -30, -6*24, -9*24, 3, 40)
		to["terminal_checked_at"] = Now.Add(time.Duration(hours) * time.Hour).Format(time.RFC3339)
	}
}

func (a *Account) holds() any {
	list := []object{}
	for range a.r.IntN(4) {
		list = append(list, object{"name": some(a, "freight", "customs", "customs", "USDA", "VACIS", "line", "other", "exam hold", ""), "status": some(a, "hold", "hold", "pending", "released", "")})
	}
	return some[any](a, nil, list, list, list, []object{}, []object{{"name": "", "status": "hold"}}, []object{{"name": "customs", "status": "hold"}, {"name": "customs", "status": "hold"}})
}

func (a *Account) fees() any {
	fee := func(kind string, amount any, currency any) object {
		return object{"type": kind, "amount": amount, "currency_code": currency}
	}
	owed := fee("demurrage", 10*a.r.IntN(60), some[any](a, "USD", "USD", "EUR"))
	return some[any](a, nil, []object{}, []object{owed}, []object{owed}, []object{owed, fee("exam", 90, "CAD")}, []object{owed, fee("total", 700, "USD")},
		[]object{fee("total", 300, "EUR"), fee("total", 400, "EUR"), owed}, []object{fee("total", 300, "USD"), fee("total", 400, "USD")},
		[]object{fee("demurrage", nil, "USD"), fee("other", "12.345", "JPY")}, []object{fee("exam", 5, nil)}, []object{fee("total", 200.5, "USD")},
		[]object{fee("demurrage", -20, "USD")}, []object{fee("storage", 75, "AUD"), fee("total", 0, "AUD")})
}

// varyDays varies zones, last free days of several sources, and the appointment.
func (a *Account) varyDays(to object) {
	switch a.r.IntN(30) {
	case 0, 1:
		to["pod_timezone"] = nil
	case 2:
		delete(to, "pod_timezone")
	case 3:
		to["pod_timezone"] = some(a, "Europe/Amsterdam", "Pacific/Kiritimati", "Not/AZone")
	case 4:
		to["final_destination_timezone"] = nil
	}
	if a.once(2) {
		days := object{"pickup_lfd_terminal": a.midnight(), "pickup_lfd_line": a.midnight(), "pickup_lfd_rail": some(a, nil, nil, a.midnight())}
		to["pickup_lfd"], to["import_deadlines"] = some(a, days["pickup_lfd_line"], days["pickup_lfd_terminal"], nil), days
		if a.once(8) {
			days["pod"] = object{"unified": object{"current_value": some(a, nil, a.midnight()), "current_selection": "facility_manual"}}
		}
	}
	if a.once(3) {
		evening := Now.AddDate(0, 0, a.r.IntN(9)).Format(time.DateOnly) + "T05:30:00Z" // another day in Chicago than in Los Angeles
		to["pickup_appointment_at"] = some[any](a, a.around(Now.Format(time.RFC3339)), a.around(Now.Format(time.RFC3339)), evening)
	}
}

// midnight returns the beginning of a day at some place, or nothing.
func (a *Account) midnight() any {
	day := Now.AddDate(0, 0, a.r.IntN(24)-10).Format(time.DateOnly)
	return some[any](a, nil, day+"T07:00:00Z", day+"T08:00:00Z", day+"T05:00:00Z", day+"T23:00:00Z", day+"T06:59:59Z", day)
}

// around returns a time some days before or after another, or nothing.
func (a *Account) around(v any) any {
	text, _ := v.(string)
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || a.once(5) {
		return nil
	}
	return at.Add(time.Duration(a.r.IntN(12*24)-6*24) * time.Hour).Format(time.RFC3339)
}

// drop leaves some attributes out, and moves some times.
func (a *Account) drop(attributes object) {
	for _, name := range sortedNames(attributes) {
		text, _ := attributes[name].(string)
		_, err := time.Parse(time.RFC3339, text)
		switch {
		case a.once(30):
			attributes[name] = nil
		case err == nil && a.once(8):
			attributes[name] = a.around(text)
		}
	}
}
