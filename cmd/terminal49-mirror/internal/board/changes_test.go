package board

import (
	"html"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/worklist"
)

// The page lists what has changed since the board was started, or in some hours: of each thing what
// it was before and what it is now, whatever was between.
func TestChanges_List(t *testing.T) {
	p := newPage(t)
	at := p.server.Now()
	p.clock = func() time.Time { return at }
	require.Contains(t, p.get("/changes"), "Changes since 2024-07-01 20:00 UTC: 0, the newest first.")
	held, ready := p.server.ContainerIDs(p.demo.Shipments[1])[0], p.server.ContainerIDs(p.demo.Shipments[0])[0]
	set := func(id string, holds ...terminal49test.Hold) {
		at = at.Add(2 * time.Hour)
		p.server.UpdateContainer(id, func(c *terminal49test.Container) { c.Holds = holds })
		p.read()
	}
	set(held, terminal49test.Hold{Name: "TMF"})
	set(held)
	set(ready, terminal49test.Hold{Name: "freight"})
	set(ready)
	text := p.get("/changes?what=holds")
	require.Contains(t, text, `<tr id="n-holds-`+held)
	require.Contains(t, text, `<td data-label="Before">customs</td><td data-label="Now">none</td><td data-label="Seen">2024-07-02 00:00 UTC</td>`)
	require.NotContains(t, text, `<tr id="n-holds-`+ready, "it is again as it was")
	require.Contains(t, text, `<a href="/changes" aria-current="true"><strong>1</strong> holds</a>`)
	require.Contains(t, text, `<a href="/changes?since=4&amp;what=holds">last 4 h</a>`)
	require.NotContains(t, p.get("/changes?since=1"), `<tr id="n-holds-`+held)
	require.Contains(t, p.get("/changes?since=3"), "since 2024-07-02 01:00 UTC")
	require.Contains(t, p.get("/changes?since=9999999999999999"), `<tr id="n-holds-`+held, "as long ago as that")
	require.NotContains(t, p.get("/changes?customer=Lakeside+Home+Goods"), `<tr id="n-holds-`)
	require.Contains(t, p.get("/?holds=customs"), `<a class="button" href="/changes?holds=customs">What has changed in these</a>`)
}

// An arrival that moves several times has moved by the sum; with another destination it is another.
func TestChanges_Arrivals(t *testing.T) {
	now := time.Date(2026, time.November, 20, 0, 0, 0, 0, time.UTC)
	m := newModel()
	m.news.clock = func() time.Time { return now }
	put := func(day int, port string) {
		eta := terminal49.NewTime(time.Date(2026, time.November, day, 20, 0, 0, 0, time.UTC), "America/Los_Angeles")
		c := &terminal49.Container{CurrentStatus: terminal49.StatusOnShip, Shipment: terminal49.Included("s", &terminal49.Shipment{
			PortOfDischargeLOCODE: port, PortOfDischargeName: port, PODETA: eta,
		})}
		c.ID = "1"
		m.put(now, c)
	}
	put(22, "USLAX")
	m.keepOnly(map[string]bool{"1": true})
	put(23, "USLAX")
	put(25, "USLAX")
	list, since := m.changesSince(time.Time{})
	require.Equal(t, now, since)
	require.Len(t, list, 1)
	shown := changed{event: list[0], port: "USLAX"}
	require.Equal(t, "3 days later", shown.Moved())
	require.Equal(t, "expected 2026-11-22 12:00 UTC-8", shown.Was())
	put(26, "USOAK")
	list, _ = m.changesSince(time.Time{})
	shown = changed{event: list[0], port: "USOAK"}
	require.Empty(t, shown.Moved())
	require.Equal(t, "expected 2026-11-22 12:00 UTC-8 at USLAX (USLAX)", shown.Was())
	require.Equal(t, "expected 2026-11-26 12:00 UTC-8", shown.Is())
}

// held returns a reading with a hold of one of several names.
func held(name int) *worklist.Item {
	return &worklist.Item{Record: &worklist.Record{Facts: worklist.Facts{Holds: []string{strconv.Itoa(name)}}}, Verdict: &terminal49.Verdict{}}
}

// The oldest changes are forgotten, and then "since" is later.
func TestChanges_AreBounded(t *testing.T) {
	now := time.Date(2026, time.November, 20, 0, 0, 0, 0, time.UTC)
	n := news{clock: func() time.Time { return now }}
	n.noteAll()
	for i := range 3 * mostNews {
		now = now.Add(time.Second)
		n.note(held(0), held(1+i%2))
	}
	require.Less(t, len(n.all), 2*mostNews)
	require.False(t, n.since.After(n.all[0].At))
	require.Equal(t, n.all[0].At.Add(-time.Second), n.since)
}

// What the service sends is text on this page too.
func TestChanges_Escape(t *testing.T) {
	p := newPage(t)
	id := p.server.ContainerIDs(p.demo.Shipments[1])[0]
	p.server.UpdateContainer(id, func(c *terminal49test.Container) { c.Holds = []terminal49test.Hold{{Name: "<b>"}} })
	p.read()
	require.NotContains(t, p.get("/changes"), "<b>")
	require.Contains(t, html.UnescapeString(p.get("/changes")), "<b>")
}
