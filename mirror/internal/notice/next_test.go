package notice_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/notice"
)

// noon is when the cases begin; the terminal was checked an hour before.
var noon = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

// known returns a container that was assessed at noon.
func known(t *testing.T) *assessed {
	t.Helper()
	a := &assessed{c: atTerminal(t, "2026-08-01T11:00:00Z", "2026-08-10T07:00:00Z[America/Los_Angeles]")}
	require.Equal(t, []string{"not_released"}, a.at(noon))
	require.Nil(t, a.notices[0].Before)
	return a
}

func (a *assessed) sentences() (all []string) {
	for _, n := range a.notices {
		all = append(all, n.Sentence)
	}
	return all
}

func hold(name terminal49.HoldName, status terminal49.HoldStatus) terminal49.Hold {
	return terminal49.Hold{Name: name, Status: status}
}

func fee(kind terminal49.FeeType, amount int64) terminal49.Fee {
	return terminal49.Fee{Type: kind, Amount: decimal.NewFromInt(amount), CurrencyCode: "USD"}
}

func TestNext_FirstTime(t *testing.T) {
	c := atTerminal(t, "2026-08-01T11:00:00Z", "2026-08-02T07:00:00Z[America/Los_Angeles]")
	c.Holds, c.Fees = []terminal49.Hold{hold("customs", "hold")}, []terminal49.Fee{fee("exam", 300)}
	a := &assessed{c: c}
	require.Equal(t, []string{"held", "last_free_day 2"}, a.at(noon), "holds and fees count as reported; the calendar does not")
	require.Equal(t, []string{"held at WBCT: customs hold", "last free day tomorrow: Aug 2, at WBCT"}, a.sentences())
	require.Nil(t, a.notices[1].Before)
	require.Equal(t, []terminal49.HoldName{"customs"}, a.notices[0].After.ActiveHolds)
	require.Equal(t, "300", a.notices[0].After.Owed["USD"].String())
	require.Empty(t, a.at(noon))

	c = atTerminal(t, "2026-08-01T11:00:00Z", "2026-07-30T07:00:00Z[America/Los_Angeles]")
	a = &assessed{c: c}
	require.Equal(t, []string{"not_released", "overdue"}, a.at(noon), "of the numbers that are reached, only the smallest")
	require.Equal(t, "last free day has passed: Jul 30, at WBCT", a.notices[1].Sentence)
}

func TestNext_Holds(t *testing.T) {
	a := known(t)
	a.c.Holds = []terminal49.Hold{hold("customs", "hold"), hold("customs", "hold"), hold("freight", "pending")}
	require.Equal(t, []string{"held", "hold_placed customs"}, a.at(noon))
	require.Equal(t, "customs hold placed; cleared by: customs broker", a.notices[1].Sentence)
	require.Equal(t, []terminal49.HoldName{}, a.notices[1].Before.ActiveHolds)
	require.Equal(t, terminal49.SituationNotReleased, a.notices[0].Before.Situation)
	require.Equal(t, terminal49.SituationHeld, a.notices[1].Before.Situation, "after the notice before it")
	a.c.Holds = nil
	require.Equal(t, []string{"not_released"}, a.at(noon), "holds that are not reported are not cleared")
	a.c.Holds = []terminal49.Hold{hold("customs", "on_review")}
	require.Equal(t, []string{"unknown"}, a.at(noon), "a hold of an unknown status is not cleared")
	a.c.Holds = []terminal49.Hold{}
	require.Equal(t, []string{"not_released", "hold_cleared customs"}, a.at(noon))
	require.Equal(t, []terminal49.HoldName{"customs"}, a.notices[1].Before.ActiveHolds)
	require.Equal(t, "customs hold cleared", a.notices[1].Sentence)
	a.c.Holds = []terminal49.Hold{hold("customs", "hold")}
	require.Equal(t, []string{"held", "hold_placed customs"}, a.at(noon), "a hold that comes back is a new one")
	terminal := &terminal49.Terminal{Nickname: "WBCT"}
	terminal.ProvidedData = terminal49.ProvidedData{"holds_at_pod_terminal": {Reported: terminal49.Some(false)}}
	a.c.PODTerminal = terminal49.Included("t", terminal)
	a.c.Holds = []terminal49.Hold{}
	require.Equal(t, []string{"not_released"}, a.at(noon), "an empty list of a terminal that does not report holds clears none")
}

func TestNext_Fees(t *testing.T) {
	a := known(t)
	post := func(fees ...terminal49.Fee) []string {
		a.c.Fees = append([]terminal49.Fee{}, fees...)
		return a.at(noon)
	}
	require.Empty(t, post(fee("demurrage", 0)), "no amount yet")
	require.Equal(t, []string{"fee_posted demurrage 300"}, post(fee("demurrage", 300)))
	require.Equal(t, []string{"fee posted: demurrage USD 300.00"}, a.sentences())
	require.Equal(t, []string{"fee_posted demurrage 450"}, post(fee("demurrage", 450)))
	require.Equal(t, []string{"fee posted: demurrage USD 450.00, was USD 300.00"}, a.sentences())
	require.Empty(t, post(fee("demurrage", 0)), "an amount that is no longer known has not fallen")
	require.Empty(t, post(fee("demurrage", 450)))
	require.Empty(t, post(fee("demurrage", 100)))
	require.Equal(t, []string{"fee_posted demurrage 450"}, post(fee("demurrage", 450)), "it fell, and rose")
	require.Empty(t, post(fee("demurrage", 450), fee("total", 450)), "a total is not owed in addition to its lines")
	require.Empty(t, post(fee("demurrage", 450), fee("exam", -50)), "a credit is not a fee")
	require.Empty(t, post())
	require.Equal(t, []string{"fee_posted demurrage 450"}, post(fee("demurrage", 450)), "it was withdrawn, and comes back")
	require.Equal(t, []string{"fee_posted demurrage 550"}, post(fee("demurrage", 450), fee("demurrage", 100)))
	require.Empty(t, post(fee("demurrage", 450), fee("demurrage", 0)), "a part whose amount is no longer known has not fallen")
	require.Empty(t, post(fee("demurrage", 450), fee("demurrage", 100)))
	require.Empty(t, post(fee("demurrage", 450)))
	a.c.Fees = nil
	require.Empty(t, a.at(noon), "not reported")
	require.Empty(t, post(fee("demurrage", 450)))
	euros := fee("demurrage", 450)
	euros.CurrencyCode = "EUR"
	require.Equal(t, []string{"fee_posted demurrage 450"}, post(euros), "another currency is another fee")
}

func TestNext_ETA(t *testing.T) {
	c := &terminal49.Container{Number: "MSCU1234566", Holds: []terminal49.Hold{}, Fees: []terminal49.Fee{}}
	shipment := &terminal49.Shipment{PODTimezone: "America/Los_Angeles", PODETA: parsed(t, "2026-08-02T10:00:00Z[America/Los_Angeles]")}
	c.ID, c.Shipment, c.POLVesselDepartedAt = "c", terminal49.Included("s", shipment), parsed(t, "2026-07-20T00:00:00Z")
	a := &assessed{c: c}
	moved := func(by time.Duration) []string {
		eta, _ := shipment.PODETA.Instant()
		shipment.PODETA = terminal49.NewTime(eta.Add(by), "America/Los_Angeles")
		return a.at(noon)
	}
	require.Equal(t, []string{"at_sea"}, a.at(noon))
	require.Empty(t, moved(20*time.Hour))
	require.Equal(t, []string{"eta_slipped 31"}, moved(11*time.Hour+59*time.Minute), "it has drifted since it was last reported")
	require.Equal(t, []string{"ETA slipped by 31 h, now Aug 3"}, a.sentences())
	require.Equal(t, "2026-08-02 03:00 -07:00", a.notices[0].Before.ETA.String())
	require.Empty(t, moved(-23*time.Hour))
	reported := shipment.PODETA
	shipment.PODETA = terminal49.Time{}
	require.Empty(t, a.at(noon), "an unknown ETA has not moved")
	shipment.PODETA = reported
	require.Empty(t, a.at(noon))
	require.Equal(t, []string{"eta_slipped -24"}, moved(-time.Hour))
	require.Equal(t, []string{"ETA is 24 h earlier, now Aug 2"}, a.sentences())
	shipment.PODETA = parsed(t, "2026-08-02")
	require.Empty(t, a.at(noon), "of a day alone it is not known by how much it has moved")

	a = &assessed{c: c}
	require.Equal(t, []string{"at_sea"}, a.at(noon))
	shipment.PODETA = parsed(t, "2026-08-04")
	require.Equal(t, []string{"eta_slipped 48"}, a.at(noon), "two days without a time of day")
}

// The ETA at the port and the one inland are of two places: neither has slipped to the other.
func TestNext_ETAOfTheNextPlace(t *testing.T) {
	c := &terminal49.Container{Holds: []terminal49.Hold{}, PODRailCarrierSCAC: "UPRR", PODTimezone: "America/Los_Angeles", FinalDestinationTimezone: "America/Chicago"}
	shipment := &terminal49.Shipment{
		PODTimezone: "America/Los_Angeles", PODETA: parsed(t, "2026-08-02T10:00:00Z[America/Los_Angeles]"),
		PortOfDischargeLOCODE: "USLAX", DestinationLOCODE: "USCHI",
	}
	c.Shipment, c.POLVesselDepartedAt = terminal49.Included("s", shipment), parsed(t, "2026-07-20T00:00:00Z")
	c.INDETA = parsed(t, "2026-08-09T10:00:00Z[America/Chicago]")
	a := &assessed{c: c}
	require.Equal(t, []string{"at_sea"}, a.at(noon))
	c.PODDischargedAt = parsed(t, "2026-08-01T10:00:00Z")
	require.Equal(t, []string{"awaiting_transfer"}, a.at(noon))
	require.Equal(t, "2026-08-09T10:00:00Z[America/Chicago]", text(t, a.notices[0].After.ETA))
	c.PODDischargedAt = terminal49.Time{}
	shipment.PODETA = parsed(t, "2026-08-04T10:00:00Z[America/Los_Angeles]")
	require.Equal(t, []string{"at_sea", "eta_slipped 48"}, a.at(noon), "the arrival was withdrawn; the port's ETA is still compared")
	require.Equal(t, "2026-08-02T10:00:00Z[America/Los_Angeles]", text(t, a.notices[1].Before.ETA))
}

func text(t *testing.T, at terminal49.Time) string {
	t.Helper()
	data, err := at.MarshalText()
	require.NoError(t, err)
	return string(data)
}

func TestNext_LastFreeDay(t *testing.T) {
	a := known(t)
	day := func(text string) []string {
		a.c.ImportDeadlines.Terminal = parsed(t, text)
		return a.at(noon)
	}
	require.Equal(t, []string{"last_free_day_moved"}, day("2026-08-05T07:00:00Z[America/Los_Angeles]"))
	require.Equal(t, []string{"last free day moved from Aug 10 to Aug 5, at WBCT"}, a.sentences())
	require.Equal(t, terminal49.Date{Year: 2026, Month: 8, Day: 10}, a.notices[0].Before.LastFreeDay)
	require.Equal(t, []string{"last_free_day_moved", "last_free_day 2"}, day("2026-08-03T07:00:00Z[America/Los_Angeles]"))
	require.Equal(t, "last free day in 2 days: Aug 3, at WBCT", a.notices[1].Sentence)
	require.Empty(t, day(""), "a day that is withdrawn has not moved")
	require.Empty(t, day("2026-08-03T20:00:00Z[America/Los_Angeles]"), "the same day, at another hour")
	a.c.ImportDeadlines.Line = parsed(t, "2026-08-03T07:00:00Z[America/Los_Angeles]")
	require.Equal(t, []string{"last_free_day 2"}, a.at(noon), "the same day of another source")
	a.c.ImportDeadlines.Line = terminal49.Time{}
	require.Equal(t, []string{"last_free_day_moved"}, day("2026-08-04T07:00:00Z[America/Los_Angeles]"))
	require.Equal(t, []string{"last_free_day_moved", "last_free_day 2"}, day("2026-08-03T07:00:00Z[America/Los_Angeles]"), "it moved, and moved back")
	a.c.ImportDeadlines.Terminal = terminal49.NewWallTime(time.Date(2026, 8, 2, 0, 0, 0, 0, time.UTC))
	require.Equal(t, []string{"last_free_day_moved"}, a.at(noon), "its zone is unknown, so its days are not counted")
	a.c.PODFullOutAt = parsed(t, "2026-08-01T11:30:00Z")
	require.Equal(t, []string{"out"}, a.at(noon))
	require.Equal(t, []string{"out: picked up or delivered"}, a.sentences())
}

// While facts contradict each other, it is not known which last free day binds.
func TestNext_LastFreeDayOfAnUnknownPlace(t *testing.T) {
	a := known(t)
	a.c.EmptyTerminatedAt = parsed(t, "2025-12-01T00:00:00Z") // a month before it was discharged
	require.Equal(t, []string{"unknown"}, a.at(noon))
	a.c.ImportDeadlines.Terminal = parsed(t, "2026-08-02T07:00:00Z[America/Los_Angeles]")
	require.Empty(t, a.at(noon))
	require.Zero(t, a.due)
	a.c.EmptyTerminatedAt = terminal49.Time{}
	require.Equal(t, []string{"not_released", "last_free_day_moved", "last_free_day 2"}, a.at(noon))
}

// Another process whose clock is behind reports nothing twice.
func TestNext_WithAClockThatIsBehind(t *testing.T) {
	a := &assessed{c: atTerminal(t, "2026-08-01T11:00:00Z", "")}
	a.c.AvailableForPickup = terminal49.Some(true)
	require.Equal(t, []string{"ready"}, a.at(noon))
	stale := a.due
	require.Equal(t, []string{"stale"}, a.at(stale))
	require.Empty(t, a.at(stale.Add(-2*time.Second)), "here it would be ready again")
	require.Equal(t, stale, a.due)
	require.Empty(t, a.at(stale))
	require.Equal(t, []string{"ready"}, a.at(stale.Add(-time.Hour)), "a clock that was wrong is put right")

	a = &assessed{c: atTerminal(t, "2026-08-01T11:00:00Z", "2026-08-01T07:00:00Z[America/Los_Angeles]")}
	require.Equal(t, []string{"not_released", "last_free_day 0"}, a.at(noon))
	require.Empty(t, a.at(noon.AddDate(0, 0, -1)), "the day before, 2 is reached, which is not news after 0")
}

func TestNext_Situations(t *testing.T) {
	for situation, want := range map[terminal49.Situation]string{
		"ready": "became ready at WBCT", "stale": "went stale: released at WBCT, but the terminal's data is too old, incomplete or contradictory",
		"returned": "empty back", "out": "out: picked up or delivered", "on_rail": "on its way inland by rail to Chicago",
		"at_sea": "on its way by ship to Chicago", "before_voyage": "at its origin", "awaiting_transfer": "waiting at WBCT for its move inland to Chicago",
		"not_released": "not released at WBCT", "not_released_inland": "at its inland destination WBCT, not released there",
		"unknown": "became unknown: where it is, or whether it is released", "held": "held at WBCT: a hold without a name",
		"pay_first": "became ready at WBCT, but fees must be paid first: USD 300.00", "a_new_one": "became a new one",
	} {
		v := terminal49.Verdict{
			Standing: terminal49.Standing{
				Place:    terminal49.VerdictPlace{Nickname: "WB\x1bCT", Name: "West Basin"},
				BoundFor: terminal49.VerdictPlace{Name: "Chicago", LOCODE: "USCHI"},
			},
			Situation: situation, Fees: terminal49.SumFees([]terminal49.Fee{fee("exam", 300)}),
		}
		c := &terminal49.Container{Holds: []terminal49.Hold{hold("", "hold")}}
		notices, _, _ := notice.Rules{}.Next(nil, c, v, noon)
		require.Equal(t, string(situation), notices[0].Name)
		require.Equal(t, want, notices[0].Sentence)
	}
}

// What was reported is small. An unknown form of it is refused, and not read as if nothing was
// reported.
func TestTold_JSON(t *testing.T) {
	a := known(t)
	a.c.Holds, a.c.Fees = []terminal49.Hold{hold("customs", "hold")}, []terminal49.Fee{fee("demurrage", 300)}
	a.c.ImportDeadlines.Line = parsed(t, "2026-08-02T07:00:00Z[America/Chicago or America/Los_Angeles]")
	a.at(noon)
	data, err := json.Marshal(a.reported)
	require.NoError(t, err)
	require.Less(t, len(data), 1000)
	var reported notice.Reported
	require.NoError(t, json.Unmarshal(data, &reported))
	again, err := json.Marshal(reported)
	require.NoError(t, err)
	require.Equal(t, string(data), string(again))
	a.reported = &reported
	require.Empty(t, a.at(noon))

	for form, want := range map[string]string{
		`{"v":2}`: "has version 2, and this program reads 1 to 1", `{}`: "has version 0", `{"v":1,"at":3}`: "what was reported of a container",
	} {
		require.ErrorContains(t, json.Unmarshal([]byte(form), &reported), want)
	}
}
