package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/verdicttest"
)

// The results are those of the expected verdicts. The fees of a container that is not at a terminal
// are not known, and it is past a journey only if it is out or returned.
func TestReady_IsTheVerdict(t *testing.T) {
	for _, c := range verdicttest.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			container, want := c.Container(), c.Want
			j := judge(container, c.Now, 24*time.Hour)
			canPickUp, known := j.CanPickUp.Get()
			require.Equal(t, want.CanPickUp, canPickUp)
			require.Equal(t, want.Situation != terminal49.SituationUnknown && want.Situation != terminal49.SituationStale, known)
			require.Equal(t, map[bool]string{true: yesNo(canPickUp), false: "unknown"}[known], j.cells()[1])
			require.Equal(t, want.Situation, j.Verdict.Situation)
			require.Equal(t, want.Place, j.Verdict.Place.String())
			cells := j.cells()
			if want.Sentence != "" {
				require.Equal(t, want.Sentence, cells[5])
			}
			if want.DaysLeft != nil {
				require.Equal(t, strconv.Itoa(*want.DaysLeft), cells[3])
			}
			switch want.Situation {
			case terminal49.SituationOnRail, terminal49.SituationAtSea, terminal49.SituationBeforeVoyage:
				require.Empty(t, cells[4])
			}
			other := &terminal49.Container{CurrentStatus: terminal49.StatusOnShip}
			present := presentJourney([]*terminal49.Container{container, other})
			past := want.Situation == terminal49.SituationOut || want.Situation == terminal49.SituationReturned
			require.Equal(t, past, len(present) == 1)
		})
	}
}

// False and false is "not known" (docs/service.md, Readiness): a list of containers does not say
// no.
func TestContainers_AnAvailabilityThatIsNotKnownIsNotANo(t *testing.T) {
	a := newAccount(t).here()
	a.srv.AddContainer(terminal49test.Container{
		Number: "TCLU4265513", Holds: []terminal49test.Hold{},
		AvailabilityKnown: terminal49test.Bool(false), AvailableForPickup: terminal49test.Bool(false),
		Shipment: a.srv.AddShipment(terminal49test.Shipment{ShippingLine: "MAEU", PortOfDischarge: "USLAX"}),
	})
	require.Regexp(t, `TCLU4265513 .*  unknown  `, a.must("containers", "TCLU4265513"))
}

// One box on two bills of lading, of which one reports the pickup: the journey is over, and the
// record that lags is not a yes. An earlier journey of the box, which is over too, changes nothing.
func TestReady_OneBoxOnTwoBills(t *testing.T) {
	a := newAccount(t).here()
	const number = "TCLU4265513"
	discharged := a.srv.Now().AddDate(0, 0, -10)
	add := func(change func(*terminal49test.Container)) {
		c := terminal49test.Container{
			Number: number, PODDischargedAt: discharged, TerminalCheckedAt: a.srv.Now(),
			AvailableForPickup: terminal49test.Bool(true), Holds: []terminal49test.Hold{}, Fees: []terminal49test.Fee{},
			Shipment: a.srv.AddShipment(terminal49test.Shipment{ShippingLine: "MAEU", PortOfDischarge: "USLAX", PODTerminal: "WBCT"}),
		}
		change(&c)
		a.srv.AddContainer(c)
	}
	add(func(*terminal49test.Container) {})
	require.Contains(t, a.must("ready", number), number+"  yes")
	add(func(c *terminal49test.Container) { c.PODFullOutAt = discharged.AddDate(0, 0, 8) })
	status, out, _ := a.do("ready", number)
	require.Equal(t, 1, status) // a no
	require.Contains(t, out, "Picked up on")
	require.NotContains(t, out, "yes")

	add(func(c *terminal49test.Container) {
		c.PODDischargedAt, c.PODFullOutAt = discharged.AddDate(0, -2, 0), discharged.AddDate(0, -2, 4)
	})
	status, out, _ = a.do("ready", number)
	require.Equal(t, 1, status)
	require.NotContains(t, out, "yes")
}

// One box on two bills of lading, discharged once: its terminal reports the same fees on both
// records. They are owed once, as it last reported them, and each row names its bill. The fees of
// another discharge of the box are owed, too.
func TestFees_OneBoxOnTwoBills(t *testing.T) {
	a := newAccount(t).here()
	const number = "TCLU4265513"
	discharged := a.srv.Now().AddDate(0, 0, -10)
	add := func(bill string, discharged time.Time, checked time.Duration, fee float64) {
		a.srv.AddContainer(terminal49test.Container{
			Number: number, PODDischargedAt: discharged, TerminalCheckedAt: a.srv.Now().Add(-checked),
			AvailableForPickup: terminal49test.Bool(true), Holds: []terminal49test.Hold{},
			Fees:     []terminal49test.Fee{{Type: "demurrage", Amount: fee, CurrencyCode: "USD"}},
			Shipment: a.srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: bill, ShippingLine: "MAEU", PortOfDischarge: "USLAX", PODTerminal: "WBCT"}),
		})
	}
	add("MAEU0000001", discharged, time.Hour, 300)
	require.Regexp(t, `(?m)^TCLU4265513 +owed +USD 300\.00$`, a.must("fees", number))
	add("MAEU0000002", discharged, 26*time.Hour, 150)
	out := a.must("fees", number)
	require.Regexp(t, `(?m)^TCLU4265513 on MAEU0000001 +owed +USD 300\.00$`, out)
	require.Regexp(t, `(?m)^TCLU4265513 on MAEU0000002 +owed +USD 150\.00$`, out)
	require.Regexp(t, `(?m)^all +owed +USD 300\.00$`, out)
	require.Regexp(t, `(?m)^WBCT \(USLAX\) +1 +USD +300\.00`, a.must("fees", "--by-place", number))
	_, _, log := a.do("fees", number, "--csv")
	require.Contains(t, log, "TCLU4265513 has 2 records, on the bills of lading ")
	sheet := a.must("fees", number, "--csv")
	require.NotContains(t, sheet, "on MAEU")
	require.Regexp(t, `^\S+,FEE,AMOUNT,VALUE,CURRENCY,BILL OF LADING,ID\n`, sheet)
	require.Regexp(t, `(?m)^TCLU4265513,owed,USD 150\.00,150\.00,USD,MAEU0000002,[0-9a-f-]{36}$`, sheet)
	require.Regexp(t, `(?m)^all,owed,USD 300\.00,300\.00,USD,,$`, sheet)

	add("MAEU0000003", discharged.AddDate(0, 0, -30), time.Hour, 40)
	require.Regexp(t, `(?m)^all +owed +USD 340\.00$`, a.must("fees", number))
	require.Regexp(t, `(?m)^WBCT \(USLAX\) +2 +USD +340\.00`, a.must("fees", "--by-place", number))
	require.Regexp(t, `(?m)^TCLU4265513 on MAEU0000002 +\S+ .*ischarged`, a.must("events", number))
	require.Regexp(t, `(?m)^TCLU4265513 on MAEU0000003  `, a.must("containers", "refresh", number))
	require.Regexp(t, `(?m)^TCLU4265513,.*,MAEU0000003,[0-9a-f-]{36}$`, a.must("events", number, "--csv"))

	add("MAEU0000003", discharged.AddDate(0, 0, -60), time.Hour, 0) // once more on the same bill
	sheet = a.must("fees", number, "--csv")
	require.Regexp(t, `(?m)^TCLU4265513,demurrage,not posted yet,,,MAEU0000003,[0-9a-f-]{36}$`, sheet)
	require.Regexp(t, `(?m)^TCLU4265513,owed,[^,]+,,,MAEU0000003,[0-9a-f-]{36}$`, sheet, "what is not known is not a number")
	out = a.must("fees", number)
	require.Len(t, unique(regexp.MustCompile(`(?m)^TCLU4265513 on MAEU0000003, [0-9a-f-]{36}`).FindAllString(out, -1)), 2, out)
}

// Records of one journey are those with the same number that were discharged on the same day, by
// time or by event, whatever proves that one has left.
func TestPresentRecord(t *testing.T) {
	const zone = "America/Los_Angeles"
	day := func(day, hour int) terminal49.Time {
		return terminal49.NewTime(time.Date(2025, time.November, day, hour, 0, 0, 0, time.UTC), zone)
	}
	at := func(discharged terminal49.Time, change func(*terminal49.Container)) *terminal49.Container {
		c := &terminal49.Container{PODDischargedAt: discharged, PODTimezone: zone, AvailableForPickup: terminal49.Some(true)}
		change(c)
		return c
	}
	here := func(*terminal49.Container) {}
	for name, c := range map[string]struct {
		records []*terminal49.Container
		want    []int
	}{
		"out, by pod_full_out_at": {[]*terminal49.Container{at(day(19, 17), here), at(day(19, 17), func(c *terminal49.Container) { c.PODFullOutAt = day(27, 17) })}, []int{1}},
		"out, by status":          {[]*terminal49.Container{at(day(19, 17), func(c *terminal49.Container) { c.CurrentStatus = terminal49.StatusPickedUp }), at(day(19, 17), here)}, []int{0}},
		"returned":                {[]*terminal49.Container{at(day(19, 17), here), at(day(19, 17), func(c *terminal49.Container) { c.EmptyTerminatedAt = day(29, 17) })}, []int{1}},
		"the day only":            {[]*terminal49.Container{at(day(19, 8), here), at(day(20, 3), func(c *terminal49.Container) { c.PODFullOutAt = day(27, 17) })}, []int{1}},
		"discharged by event": {[]*terminal49.Container{at(day(19, 17), here), at(terminal49.Time{}, func(c *terminal49.Container) {
			c.PODFullOutAt = day(27, 17)
			c.TransportEvents = terminal49.IncludedAll(&terminal49.TransportEvent{Event: terminal49.EventVesselDischarged, Timestamp: day(19, 17), Timezone: zone})
		})}, []int{1}},
		"three records, one out":          {[]*terminal49.Container{at(day(19, 17), here), at(day(19, 17), func(c *terminal49.Container) { c.PODFullOutAt = day(27, 17) }), at(day(19, 17), here)}, []int{1}},
		"another journey, out before":     {[]*terminal49.Container{at(day(19, 17), here), at(day(2, 17), func(c *terminal49.Container) { c.PODFullOutAt = day(5, 17) })}, []int{0}},
		"two journeys, and two bills":     {[]*terminal49.Container{at(day(2, 17), here), at(day(2, 17), func(c *terminal49.Container) { c.PODFullOutAt = day(5, 17) }), at(day(19, 17), here)}, []int{2}},
		"two bills, both at the terminal": {[]*terminal49.Container{at(day(19, 17), here), at(day(19, 17), here)}, []int{0, 1}},
	} {
		var got []int
		for _, record := range presentRecord(c.records) {
			got = append(got, slices.Index(c.records, record))
		}
		require.Equal(t, c.want, got, name)
	}
}

// The total of several rows is not "no fees" where a row does not report them: of a terminal whose
// provided_data has fees_at_pod_terminal as false, and of a container on its way (docs/service.md).
func TestFees_TheTotalIsThatOfTheRows(t *testing.T) {
	verdicts := map[string]terminal49.Verdict{}
	for _, c := range verdicttest.Cases() {
		verdicts[c.Name] = terminal49.Assess(c.Container(), c.Now, terminal49.VerdictOptions{})
	}
	const silent, none, owing, atSea = "the terminal reports no fees", "ready", "pay first", "on the ship"
	require.Equal(t, []string{"fees not reported", "no fees", "USD 555.00", ""},
		[]string{fees(verdicts[silent]), fees(verdicts[none]), fees(verdicts[owing]), fees(verdicts[atSea])})
	for want, rows := range map[string][]string{
		"no fees":                        {none, none},
		"fees not reported":              {silent, silent},
		"fees not reported ":             {none, silent},
		"fees not reported  ":            {none, atSea},
		"USD 1,110.00":                   {owing, none, owing},
		"USD 555.00 (not all reported)":  {owing, silent},
		"USD 555.00 (not all reported) ": {atSea, owing},
	} {
		var all terminal49.FeeSummary
		for _, row := range rows {
			all = all.Add(owed(verdicts[row]))
		}
		require.Equal(t, strings.TrimSpace(want), all.String(), rows)
	}
}

// The line's day is July 9, and the terminal's July 6: the earlier one binds.
func TestReady_ShowsTheDayThatBinds(t *testing.T) {
	const zone = "America/Los_Angeles"
	midnight := func(day int) terminal49.Time {
		return terminal49.NewTime(time.Date(2024, time.July, day, 7, 0, 0, 0, time.UTC), zone)
	}
	j := judge(&terminal49.Container{
		PODTimezone: zone, PODArrivedAt: midnight(1), PickupLFD: midnight(9),
		ImportDeadlines: terminal49.ImportDeadlines{Line: midnight(9), Terminal: midnight(6)},
	}, time.Date(2024, time.July, 1, 20, 0, 0, 0, time.UTC), time.Hour)
	require.Equal(t, []string{"2024-07-06", "5"}, j.cells()[2:4])
}
