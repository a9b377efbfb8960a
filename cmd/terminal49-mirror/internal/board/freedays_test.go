package board

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// The page lists every last free day with its source, and which one counts: the terminal's is
// earlier than the line's, which the service prefers (see [terminal49.LastFreeDaySummary]).
func TestContainer_ListsFreeDaysBySource(t *testing.T) {
	p := newPage(t)
	id := p.server.ContainerIDs(p.demo.Shipments[3])[0]
	p.server.UpdateContainer(id, func(c *terminal49test.Container) {
		c.ImportDeadlines.Line = c.ImportDeadlines.Terminal.AddDate(0, 0, 6)
	})
	p.read()
	text := p.get("/containers/" + id)
	require.Contains(t, text, "<li><strong>2024-07-04</strong>, 3 days left: the shipping line&#39;s</li>"+
		"<li><strong>2024-06-28</strong>, 3 days over: the terminal&#39;s <em>(this one counts)</em></li>"+
		"<li><strong>2024-07-04</strong>, 3 days left: Terminal49&#39;s choice, the first of line, terminal and railroad</li>")
	require.Contains(t, text, "The earliest of those that apply where the container is counts")
}

func TestFreeDays_WhichCounts(t *testing.T) {
	now := time.Date(2026, time.November, 20, 20, 0, 0, 0, time.UTC)
	at := func(day int) terminal49.Time {
		return terminal49.NewTime(time.Date(2026, time.November, day, 8, 0, 0, 0, time.UTC), "America/Los_Angeles")
	}
	arrived := terminal49.Container{PODArrivedAt: at(16), PODTimezone: "America/Los_Angeles", TerminalCheckedAt: at(20)}
	for name, c := range map[string]struct {
		change func(*terminal49.Container)
		days   []freeDay
		why    string
	}{
		"none":               {func(*terminal49.Container) {}, nil, ""},
		"without its source": {func(c *terminal49.Container) { c.PickupLFD = at(21) }, []freeDay{{"2026-11-21", "1 day left", "Terminal49's choice, the first of line, terminal and railroad", true}}, "The earliest"},
		"withheld": {func(c *terminal49.Container) {
			c.ImportDeadlines = terminal49.ImportDeadlines{Terminal: at(21), POD: &terminal49.PODLastFreeDays{}}
		}, []freeDay{{"2026-11-21", "1 day left", "the terminal's", false}}, "None counts: Terminal49 withholds"},
		"selected": {func(c *terminal49.Container) {
			c.ImportDeadlines.POD = &terminal49.PODLastFreeDays{Unified: terminal49.ChosenLastFreeDay{Current: at(22), CurrentSelection: "facility_manual"}}
		}, []freeDay{{"2026-11-22", "2 days left", "Terminal49's choice, facility manual", true}}, "The earliest"},
		"out": {func(c *terminal49.Container) {
			c.PODFullOutAt, c.CurrentStatus, c.ImportDeadlines.Line = at(20), terminal49.StatusPickedUp, at(21)
		}, []freeDay{{"2026-11-21", "1 day left", "the shipping line's", false}}, "None counts where the container is now."},
	} {
		container := arrived
		c.change(&container)
		v := terminal49.Assess(&container, now, terminal49.VerdictOptions{})
		days, why := freeDays(&container, &v, now)
		require.Equal(t, c.days, days, name)
		require.Contains(t, why, c.why, name)
	}
}
