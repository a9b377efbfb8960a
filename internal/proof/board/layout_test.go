package board

import (
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// windows are the sizes at which the list is laid out, and how many containers one must show.
var windows = []struct {
	width, height int64
	rows          int
}{
	{320, 568, 1}, {390, 844, 6}, {720, 800, 8}, {1024, 800, 12}, {1280, 800, 12}, {1440, 900, 18}, {1920, 1080, 18},
}

// layout is how a page is laid out in a window.
type layout struct {
	First   float64  // top of the first row
	Visible int      // rows that are whole in the window
	Broken  []string // words on more than one line
	Outside []string // cells that are not within the page
	Cut     int      // cells whose text does not fit, which end with "…"
}

// laidOut is the JavaScript that measures a layout.
const laidOut = `(() => {
  const width = document.documentElement.clientWidth, shown = e => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().width > 1;
  const rows = [...document.querySelectorAll("#board tbody tr[id]")].map(r => r.getBoundingClientRect());
  const cells = [...document.querySelectorAll("#board th, #board td")].filter(shown);
  const broken = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
  for (let node; node = walker.nextNode();) {
    if (!shown(node.parentElement)) continue;
    for (const word of node.data.matchAll(/\S+/g)) {
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map(r => Math.round(r.top))).size > 1) broken.push(word[0]);
    }
  }
  return {
    First: rows[0].top, Visible: rows.filter(r => r.top >= 0 && r.bottom <= innerHeight).length, Broken: broken,
    Outside: cells.filter(c => { const r = c.getBoundingClientRect(); return r.left < -1 || r.right > width + 1; }).map(c => c.textContent)
      .concat(document.documentElement.scrollWidth > width ? ["the page scrolls sideways"] : []),
    Cut: cells.filter(c => c.scrollWidth > c.clientWidth + 1).length,
  };
})()`

// highest is how far down the first row may begin.
const highest = 200

// What a dispatcher sees first is containers: the first row is near the top at every width, no word
// is broken, and no column is outside the page.
func TestBoard_FitsTheWindow(t *testing.T) {
	b := open(t, start(t, "--speed", "0", "--shipments", "60"))
	for _, scheme := range []string{"light", "dark"} {
		b.prefer(scheme)
		b.visit("/")
		for _, w := range windows {
			b.run(chromedp.EmulateViewport(w.width, w.height))
			l := eval[layout](b, laidOut)
			t.Logf("figure: %s, %d x %d: first row at %.0f px, %d rows, %d words broken, %d cells outside, %d cut", scheme, w.width, w.height, l.First, l.Visible, len(l.Broken), len(l.Outside), l.Cut)
			require.LessOrEqual(t, l.First, float64(highest), "%d", w.width)
			require.GreaterOrEqual(t, l.Visible, w.rows, "%d", w.width)
			require.Empty(t, l.Broken, "%d", w.width)
			require.Empty(t, l.Outside, "%d", w.width)
			require.Empty(t, eval[[]string](b, cutNumbers), "%d", w.width)
		}
	}
}

// cutNumbers returns the container numbers that are not whole.
const cutNumbers = `[...document.querySelectorAll("#rows th")].filter(th => th.querySelector("a").getBoundingClientRect().right > th.getBoundingClientRect().right + 1).map(th => th.textContent)`

// Roomy rows have the whole sentence. The browser remembers them, also without JavaScript.
func TestBoard_RoomyRows(t *testing.T) {
	b := open(t, start(t, "--speed", "0", "--shipments", "20"))
	call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.run(chromedp.EmulateViewport(1440, 900))
	b.visit("/?sort=number")
	b.click(`#looks button`)
	t.Cleanup(func() { call(b, network.ClearBrowserCookies, cdp.Empty{}) })
	const roomy = `document.documentElement.className === "roomy" && document.querySelector("footer")`
	b.eventually(roomy + ` && location.search === "?sort=number"`)
	b.visit("/")
	require.True(t, eval[bool](b, `document.querySelector(".why").checkVisibility() && !document.querySelector(".brief").checkVisibility()`))
	for _, w := range windows {
		b.run(chromedp.EmulateViewport(w.width, w.height))
		l := eval[layout](b, laidOut)
		require.LessOrEqual(t, l.First, float64(highest), "%d", w.width)
		require.Empty(t, l.Outside, "%d", w.width)
		require.Empty(t, l.Broken, "%d", w.width)
	}
	b.run(chromedp.EmulateViewport(1440, 900))
	b.click(`#looks button`)
	b.eventually(`document.documentElement.className === "" && document.querySelector("footer")`)
}

// The whole sentence is where the pointer or the focus is, where Escape closes it, and on the
// container's page.
func TestBoard_ShowsTheSentence(t *testing.T) {
	b := open(t, start(t, "--speed", "0", "--shipments", "0"))
	b.visit("/")
	const shown = `document.querySelector("#rows .why").checkVisibility()`
	require.False(t, eval[bool](b, shown))
	x, y := eval[float64](b, `document.querySelector("#rows .state").getBoundingClientRect().x + 5`), eval[float64](b, `document.querySelector("#rows .state").getBoundingClientRect().y + 5`)
	call(b, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: x, Y: y})
	b.eventually(shown)
	b.run(chromedp.KeyEvent(kb.Escape))
	b.eventually("!" + shown)
	call(b, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: 1, Y: 1})
	b.do(`document.getElementById("rows").focus()`)
	b.run(chromedp.KeyEvent(kb.Tab))
	b.eventually(shown)
	text := `document.querySelector(".why").textContent`
	sentence := eval[string](b, text)
	require.Contains(t, eval[string](b, `document.getElementById(document.activeElement.getAttribute("aria-describedby")).textContent`), "last free day was")
	b.run(chromedp.KeyEvent(kb.Enter))
	b.eventually(`document.querySelector("article .why")?.checkVisibility()`)
	require.Equal(t, sentence, eval[string](b, text), "and on the container's page")
}

// A page of 100 containers is small.
func TestBoard_IsSmall(t *testing.T) {
	b := open(t, start(t, "--speed", "0", "--shipments", "100"))
	b.visit("/")
	require.Equal(t, 100, eval[int](b, rows))
	elements := eval[int](b, `document.querySelectorAll("*").length`)
	size := eval[int](b, `performance.getEntriesByType("navigation")[0].transferSize`)
	t.Logf("figure: %d elements, %d bytes", elements, size)
	require.LessOrEqual(t, elements, 3000)
	require.LessOrEqual(t, size, 60<<10)
}
