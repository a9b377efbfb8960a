package board

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// A hold is found by its kind, whatever the situation: at sea too, and before it is in force.
func TestList_HoldsByKind(t *testing.T) {
	p := newPage(t)
	atSea := p.server.ContainerIDs(p.demo.Shipments[4])[0]
	p.server.UpdateContainer(atSea, func(c *terminal49test.Container) {
		c.Holds = []terminal49test.Hold{{Name: "freight"}, {Name: "customs", Status: "pending"}}
	})
	p.read()
	text := html.UnescapeString(p.get("/?situation=ready"))
	for _, chip := range []string{`"/?holds=customs"><strong>1</strong> hold: customs`, `"/?holds=freight"><strong>1</strong> hold: freight`,
		`"/?holds=customs+%28pending%29"><strong>1</strong> hold: customs (pending)`} {
		require.Contains(t, text, "<a href="+chip+"</a>")
	}
	require.Contains(t, p.get("/?holds=freight"), `<tr id="c-`+atSea)
	require.Contains(t, p.get("/?holds=freight"), `1 of 8 containers (holds freight)`)
	require.Equal(t, 2, strings.Count(p.get("/?holds=custom"), `<tr id="c-`), "a part of the name")
}

// What is owed is listed by kind, and added up by currency. An amount that is not known is owed
// too, and makes the sum partial.
func TestList_AddsUpFees(t *testing.T) {
	p := newPage(t)
	require.Contains(t, p.get("/"), "; owed: USD 555.00 (not all amounts known); fees or amounts are not known for ")
	for i, fees := range [][]terminal49test.Fee{
		{{Type: "exam", Amount: 350}, {Type: "demurrage", Amount: 350.5}}, {{Type: "extended_dwell_time", CurrencyCode: "CAD", Amount: 40}}, {{Type: "exam"}},
	} {
		id := p.server.ContainerIDs(p.demo.Shipments[i])[0]
		p.server.UpdateContainer(id, func(c *terminal49test.Container) { c.Fees = fees })
	}
	p.read()
	text := html.UnescapeString(p.get("/"))
	require.Contains(t, text, "; owed: CAD 40.00 + USD 1,255.50 (not all amounts known); fees or amounts are not known for ")
	require.Contains(t, text, `<a href="/?fees=any"><strong>4</strong> owe fees</a>`)
	require.Equal(t, 2, strings.Count(p.get("/?fees=exam"), `<tr id="c-`))
	require.Contains(t, p.get("/?fees=extended_dwell_time"), "; owed: CAD 40.00</caption>")
	page := p.get("/containers/" + p.server.ContainerIDs(p.demo.Shipments[0])[0])
	require.Contains(t, html.UnescapeString(page), "<small>demurrage USD 350.50 + exam USD 350.00</small>")
	require.Contains(t, p.get("/containers.csv?fees=exam"), ",700.5,USD,,demurrage USD 350.50 + exam USD 350.00,")
}

// A search says what the filters hide, and tells that from what is nowhere.
func TestList_SaysWhatTheFiltersHide(t *testing.T) {
	p := newPage(t)
	text := html.UnescapeString(p.get("/?situation=held&q=" + url.QueryEscape("MSKU7182047, NOPE1234567")))
	require.Contains(t, text, `The filters hide 1 that match what you look for. <a href="/?q=MSKU7182047%2C+NOPE1234567">Look without filters</a>`)
	require.Contains(t, text, "Not on the board: NOPE1234567<")
	require.NotContains(t, p.get("/?q=MSKU7182047"), "The filters hide")
	require.NotContains(t, p.get("/?situation=held"), "The filters hide")
}

// Paper has no form, so the caption has the filters.
func TestList_NamesItsFilters(t *testing.T) {
	p := newPage(t)
	want := `(with 2024; fees any; last free day to 2024-06-28; situation ready; terminal WBCT (USLAX); urgency overdue)`
	require.Contains(t, p.get("/?q=2024&terminal=WBCT+(USLAX)&fees=any&situation=ready&urgency=overdue&last_free_day_to=2024-06-28"), want)
	require.Contains(t, p.get("/?q=ABCU1234567,ABCU1234568,ABCU1234569,ABCU1234570&days_left_to=1"), "(any of 4 numbers; days left to 1)")
}

// A vessel is found by its name, with the voyage or without.
func TestList_FindsVoyages(t *testing.T) {
	p := newPage(t)
	var ship *row
	for id := range p.byID {
		found, err := p.containers(t.Context(), []string{id})
		require.NoError(t, err)
		if s, _ := found[0].Shipment.Value(); s != nil && s.PODVesselName != "" && s.PODVoyageNumber != "" {
			ship = rowOf(found[0], p.now())
		}
	}
	require.NotNil(t, ship)
	for _, name := range []string{ship.Vessel, ship.Ship(), strings.ToLower(ship.Ship())} {
		for _, key := range []string{"vessel", "q"} {
			require.Contains(t, p.get("/?"+key+"="+url.QueryEscape(name)), ship.Number, name)
		}
	}
	require.NotContains(t, p.get("/?vessel="+url.QueryEscape(ship.Vessel+" "+ship.Voyage+"X")), ship.Number)
}

// A list of more than a page can be printed as a whole.
func TestList_LongPages(t *testing.T) {
	p := newPage(t)
	now, some := someContainers(2*perPage + 1)
	p.clock = func() time.Time { return now }
	p.put(some...)
	short := p.get("/?page=2")
	require.Contains(t, short, `<a class="button" href="/?rows=1000">1,000 a page, to print</a>`)
	require.Equal(t, perPage, strings.Count(short, `<tr id="c-`))
	long := p.get("/?rows=1000")
	require.Equal(t, 8+2*perPage+1, strings.Count(long, `<tr id="c-`))
	require.Contains(t, long, `<input type="hidden" name="rows" value="1000">`)
	require.Equal(t, http.StatusOK, p.do(http.MethodGet, "/?rows=5", nil).Code)
}

// An arrival that is not at the port of discharge names its place. Expected arrivals are counted by
// day.
func TestList_ArrivalsOfAPort(t *testing.T) {
	now := time.Date(2026, time.November, 20, 0, 0, 0, 0, time.UTC)
	p := newPage(t)
	p.clock = func() time.Time { return now }
	p.site.model = newModel()
	eta := func(day int) terminal49.Time {
		return terminal49.NewTime(time.Date(2026, time.November, day, 20, 0, 0, 0, time.UTC), "America/Los_Angeles")
	}
	for i, day := range []int{21, 22, 22, 24, 0} {
		s := &terminal49.Shipment{PortOfDischargeLOCODE: "USLGB", PortOfDischargeName: "Long Beach", DestinationLOCODE: "USDAL", DestinationName: "Dallas", PODETA: eta(day)}
		c := &terminal49.Container{CurrentStatus: terminal49.StatusOnShip, Shipment: terminal49.Included("s", s)}
		if c.ID = fmt.Sprint(i); i == 3 {
			c.CurrentStatus, c.PODRailDepartedAt, c.INDETA, s.PODATA = terminal49.StatusOnRail, eta(18), eta(23), eta(16)
		}
		if day == 0 {
			s.PODETA = terminal49.Time{}
		}
		p.put(c)
	}
	require.Equal(t, 4, strings.Count(p.get("/?terminal=Long+Beach+(USLGB)"), `<tr id="c-`), "one without an estimate")
	text := p.get("/?terminal=Long+Beach+(USLGB)&work=arriving&days=7")
	require.Contains(t, text, "3 of 5 containers (days 7; terminal Long Beach (USLGB); work arriving), the most urgent first; expected on 2026-11-21: 1, 2026-11-22: 2</caption>")
	require.Contains(t, p.get("/?terminal=Dallas"), `expected <time>2026-11-23</time> <span class="at">12:00 UTC-8 at Dallas`)
	require.NotContains(t, p.get("/?terminal=Long+Beach+(USLGB)"), "expected on", "arrivals were not asked for")
	require.Equal(t, 5, strings.Count(p.get("/?port=USLGB"), `<tr id="c-`))
}

// rowOf returns the row of a container at a time.
func rowOf(c *terminal49.Container, now time.Time) *row {
	v := terminal49.Assess(c, now, terminal49.VerdictOptions{})
	return newRow(c, &v)
}
