package board

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/stretchr/testify/require"
)

// A page says within ten seconds that its own server is gone, and that it is back. On a busy
// computer a page gets its turns late, so the least of three times counts.
func TestBoard_SaysThatItsServerIsGone(t *testing.T) {
	site, cmd := run(t, "--demo", "--speed", "0", "--shipments", "5")
	t.Cleanup(func() { _ = cmd.Process.Signal(syscall.SIGCONT) }) // or it never ends, if the test fails
	b := open(t, site)
	b.visit("/")
	b.eventually(rows + " > 5")
	took := patience
	for round := 0; round < 3 && took >= 10*time.Second; round++ {
		b.eventually(`document.getElementById("now").textContent !== ""`)
		b.eventually(`document.getElementById("lost").textContent === ""`)
		require.NoError(t, cmd.Process.Signal(syscall.SIGSTOP)) // no connection is closed
		since := stopwatch()
		b.eventually(`document.getElementById("lost").textContent.startsWith("The board does not answer since 20")`)
		took = min(took, since())
		require.Contains(t, eval[string](b, `document.getElementById("alert").textContent`), "The board does not answer")
		require.Equal(t, "! Containers · terminal49", eval[string](b, `document.title`), "a tab in the background shows it")
		require.Greater(t, eval[int](b, rows), 5, "what was read is still shown")
		require.NoError(t, cmd.Process.Signal(syscall.SIGCONT))
		b.eventually(`document.getElementById("lost").textContent === ""`)
	}
	require.Less(t, took, 10*time.Second)
	t.Logf("figure: a board that does not answer, until the page says so: %v", took.Round(100*time.Millisecond))
}

// All tabs of a browser share one stream, so that the seventh loads too; if the tab that has the
// stream is closed, another one takes over.
func TestBoard_TabsShareOneStream(t *testing.T) {
	site := start(t, "--speed", "0", "--shipments", "30")
	first := open(t, site)
	first.visit("/")
	var others []*tab
	for i := range 8 {
		other := open(t, site)
		other.visit("/?situation=" + []string{"", "at_sea"}[i%2])
		others = append(others, other)
	}
	for _, tab := range append(others, first) { // the clock runs for one at a time: on a slow computer the world would end
		tab.foreground()
		post(t, site, "86400")
		tab.eventually(`document.querySelectorAll("#board tr.changed").length > 0`)
		post(t, site, "0")
	}
	requireOneStream(t, append(others, first))
	first.close()
	for _, tab := range others[:2] {
		tab.foreground()
		now := eval[string](tab, `document.getElementById("now").textContent`)
		post(t, site, "3600")
		tab.eventually(fmt.Sprintf(`document.getElementById("now").textContent !== %q`, now))
		post(t, site, "0")
	}
	requireOneStream(t, others)
}

// requireOneStream waits until the tabs have one stream open. While one takes over, they may have
// two for a moment, and the browser reports what it does late.
func requireOneStream(t *testing.T, tabs []*tab) {
	t.Helper()
	require.Eventually(t, func() bool { return openStreams(tabs) == 1 }, patience, 10*time.Millisecond)
}

// openStreams returns how many streams the tabs have open.
func openStreams(tabs []*tab) (n int) {
	for _, b := range tabs {
		b.mu.Lock()
		n += len(b.streams)
		b.mu.Unlock()
	}
	return n
}

// foreground brings a tab before the others: one in the background does not read its page again.
func (b *tab) foreground() {
	b.Helper()
	call(b, page.BringToFront, cdp.Empty{})
}

// note counts the streams of a tab.
func (b *tab) note(event any) {
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if strings.HasSuffix(e.Request.URL, "/events") {
			b.streams[e.RequestID] = true
		}
	case *network.EventLoadingFinished:
		b.ended(e.RequestID)
	case *network.EventLoadingFailed:
		b.ended(e.RequestID)
	}
}

func (b *tab) ended(id network.RequestID) { delete(b.streams, id) }

// No column is cut off on paper, in either direction.
func TestBoard_Prints(t *testing.T) {
	b := open(t, start(t, "--speed", "0", "--shipments", "60"))
	b.visit("/")
	for name, size := range map[string][2]float64{"Letter": {8.5, 11}, "A4": {8.27, 11.69}} {
		for _, width := range size {
			b.print()
			b.width(int64((width - 2*0.394) * 96)) // without the margins
			require.Empty(t, eval[[]string](b, cutOff), "%s, %v in wide", name, width)
		}
	}
}

// cutOff returns the cells that are wider than the page or their column.
const cutOff = `[...document.querySelectorAll("#board th, #board td")].filter(c => c.offsetParent && (c.scrollWidth > c.clientWidth + 1 ||
  c.getBoundingClientRect().right > document.documentElement.clientWidth + 1)).map(c => c.textContent)`

// Links and controls are large enough to hit: WCAG 2.2, 2.5.8.
func TestBoard_TargetsAreLargeEnough(t *testing.T) {
	b := open(t, start(t, "--speed", "0", "--shipments", "60"))
	for _, path := range []string{"/", "/?q=EGHU9023165"} {
		b.visit(path)
		require.Empty(t, eval[[]string](b, `[...document.querySelectorAll("a:not(.skip), button, select, input:not([type=hidden])")].filter(e => {
			const r = e.getBoundingClientRect();
			return e.checkVisibility() && (r.height < 24 || r.width < 24);
		}).map(e => e.outerHTML)`))
	}
}

// The list has pages, also without JavaScript, and a table of all that it shows.
func TestBoard_Pages(t *testing.T) {
	b := open(t, start(t, "--speed", "0", "--shipments", "60"))
	b.visit("/?sort=number")
	last := eval[string](b, `[...document.querySelectorAll("#board tbody th a")].at(-1).textContent`)
	if eval[int](b, rows) == 100 {
		b.click(`a[rel=next]`)
		b.eventually(`location.search.includes("page=2") && document.querySelector("footer")`)
		require.Less(t, last, eval[string](b, `document.querySelector("#board tbody th a").textContent`))
	}
	lines := eval[int](b, `fetch(document.querySelector("a[download]").href).then(r => r.text()).then(t => window.lines = t.trim().split("\r\n").length), 0`)
	require.Zero(t, lines)
	b.eventually(`window.lines > 60`)
}
