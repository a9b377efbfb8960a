package board

import (
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

const rows = `document.querySelectorAll("#board tbody tr[id]").length`

func TestBoard_LoadsFiltersAndFinds(t *testing.T) {
	b := open(t, start(t, "--speed", "0", "--shipments", "60"))
	b.visit("/")
	all := eval[int](b, rows)
	require.Greater(t, all, 60)

	// A filter applies when it is chosen.
	b.run(chromedp.SetValue(`select[name=situation]`, "held"))
	b.eventually(`location.search.includes("situation=held") && document.querySelector("footer")`)
	held := eval[int](b, rows)
	require.Positive(t, held)
	require.Less(t, held, all)
	require.True(t, eval[bool](b, `[...document.querySelectorAll("#board tbody .state")].every(s => s.innerText.includes("held"))`))

	// A container is found by its number in any form.
	b.visit("/")
	b.run(chromedp.SendKeys(`input[name=q]`, "medu 330918-8"+kb.Enter))
	b.eventually(`location.search.includes("medu") && document.querySelector("footer")`)
	require.Equal(t, 1, eval[int](b, rows))
	require.Equal(t, "MEDU3309188", eval[string](b, `document.querySelector("#board tbody th a").innerText`))
}

// Rows, counts and new containers come while one looks, without another load of the page.
func TestBoard_UpdatesByItself(t *testing.T) {
	site := start(t, "--speed", "0", "--shipments", "30")
	b := open(t, site)
	b.visit("/?sort=eta")
	b.do(`window.sameLoad = true`)
	before := eval[string](b, `document.getElementById("counts").textContent`)
	now := eval[string](b, `document.getElementById("now").textContent`)
	post(t, site, "86400") // a user turns the clock
	b.eventually(`document.querySelectorAll("#board tr.changed").length > 3`)
	b.eventually(`document.getElementById("news").textContent.includes("changed")`)
	b.eventually(`document.getElementById("counts").textContent !== ` + fmt.Sprintf("%q", before))
	b.eventually(`document.getElementById("now").textContent !== "` + now + `"`)
	post(t, site, "0")
	require.True(t, eval[bool](b, `window.sameLoad === true`))
	// What the page has come to is what the server shows.
	b.eventually(`fetch(location.href).then(r => r.text()).then(t => {
		const page = new DOMParser().parseFromString(t, "text/html");
		window.same = JSON.stringify([...page.querySelectorAll("#board tbody tr")].map(r => r.textContent)) ===
			JSON.stringify([...document.querySelectorAll("#board tbody tr")].map(r => r.textContent)) &&
			page.getElementById("counts").textContent === document.getElementById("counts").textContent;
	}), window.same`)
}

func post(t *testing.T, site, speed string) {
	t.Helper()
	resp, err := http.PostForm(site+"/clock", url.Values{"speed": {speed}})
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	http.DefaultClient.CloseIdleConnections()
}

// The buttons turn the clock and lead back to the page they are on.
func TestBoard_TurnsTheClock(t *testing.T) {
	b := open(t, start(t, "--speed", "0", "--shipments", "10"))
	b.visit("/?situation=out")
	b.click(`.clock summary`)
	b.run(chromedp.Click(`button[value="3600"]`))
	b.eventually(`document.querySelector('button[value="3600"]').getAttribute("aria-pressed") === "true"`)
	require.Equal(t, "/?situation=out", eval[string](b, `location.pathname + location.search`))
}

func TestContainer_MapAndJourney(t *testing.T) {
	b := open(t, start(t, "--speed", "0", "--shipments", "0"))
	b.visit("/?q=EGHU9023165") // on the vessel
	b.run(chromedp.Click(`#board tbody th a`))
	b.eventually(`document.querySelector("article svg.map path.past, article svg.map path.expected")`)
	require.False(t, eval[bool](b, `document.querySelector("svg.map").outerHTML.includes("NaN")`))
	require.True(t, eval[bool](b, `[...document.querySelectorAll("svg.map path.past")].every(p => p.getTotalLength() > 1)`))
	require.Greater(t, eval[float64](b, `document.querySelector("svg.map .land").getBBox().width`), 300.0, "the coast is drawn")
	require.Greater(t, eval[int](b, `document.querySelectorAll(".timeline li").length`), 3)
}

// Everything but updates works without JavaScript.
func TestBoard_WithoutJavaScript(t *testing.T) {
	b := open(t, start(t, "--speed", "0", "--shipments", "10"))
	call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.visit("/")
	b.click(`.filters summary`)
	b.run(chromedp.SetValue(`select[name=situation]`, "held"))
	b.click(`.buttons button:not(.narrow)`)
	b.eventually(`location.search.includes("situation=held") && document.querySelector("footer")`) // the page before has such rows too
	b.run(chromedp.WaitVisible(`tr[id] .state.held`))
	b.run(chromedp.Click(`#board tbody th a`), chromedp.WaitVisible(`.timeline li`))
}

// The keyboard reaches everything: after the link that skips comes the first row, and keys move
// between the rows.
func TestBoard_Keyboard(t *testing.T) {
	b := open(t, start(t, "--speed", "0", "--shipments", "0"))
	b.visit("/")
	press := func(keys ...string) int {
		for _, key := range keys {
			b.run(chromedp.KeyEvent(key))
		}
		return eval[int](b, `[...document.querySelectorAll("#rows tr")].indexOf(document.activeElement.closest("tr"))`)
	}
	press(kb.Tab)
	require.Equal(t, "Skip to the containers", eval[string](b, `document.activeElement.textContent`))
	press(kb.Enter)
	b.eventually(`document.activeElement.id === "rows"`)
	require.Equal(t, 0, press(kb.Tab))
	require.Equal(t, "A", eval[string](b, `document.activeElement.tagName`))
	last := eval[int](b, rows) - 1
	require.Equal(t, []int{1, 2, 1, last, last, 0, 0}, []int{press(kb.ArrowDown), press(kb.ArrowDown), press(kb.ArrowUp), press(kb.End), press(kb.ArrowDown), press(kb.Home), press(kb.ArrowUp)})
	press("/")
	require.Equal(t, "q", eval[string](b, `document.activeElement.name`))
	b.do(`document.activeElement.value = ""`) // the protocol types the key too
	b.run(chromedp.KeyEvent("medu 330918-8" + kb.Enter))
	b.eventually(`location.search.includes("medu") && document.readyState === "complete" && document.activeElement.id === "rows"`)
	require.Equal(t, 0, press(kb.ArrowDown))
	b.run(chromedp.KeyEvent(kb.Enter))
	b.eventually(`document.querySelector("article h2")`)
}

// Each control has a name, each table cell a heading, and colours have the contrast of WCAG 2 AA.
func TestBoard_Accessible(t *testing.T) {
	b := open(t, start(t, "--speed", "0", "--shipments", "60"))
	for _, scheme := range []string{"light", "dark"} {
		b.prefer(scheme)
		b.visit("/")
		require.Empty(t, eval[[]string](b, contrast), scheme)
	}
	require.Zero(t, eval[int](b, `[...document.querySelectorAll("input:not([type=hidden]), select")].filter(e => !e.labels.length).length`))
	require.Zero(t, eval[int](b, `[...document.querySelectorAll("button")].filter(e => !e.textContent.trim()).length`))
	require.Equal(t, eval[int](b, `document.querySelectorAll("thead th[scope=col]").length`),
		eval[int](b, `document.querySelector("tbody tr[id]").children.length`))
	require.Equal(t, "en", eval[string](b, `document.documentElement.lang`))
}

// contrast returns the texts whose contrast with what is behind them is below 4.5.
const contrast = `(() => {
  const numbers = c => c.match(/[\d.]+/g).map(Number);
  const luminance = c => {
    const [r, g, b] = numbers(c).map(v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = e => {
    for (; e; e = e.parentElement) {
      const c = getComputedStyle(e).backgroundColor;
      if (numbers(c)[3] !== 0) return c;
    }
    return "rgb(255, 255, 255)";
  };
  const poor = [];
  for (const e of document.querySelectorAll("body *")) {
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) || !e.offsetParent) continue;
    const a = luminance(getComputedStyle(e).color), b = luminance(behind(e));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5 && poor.length < 10) poor.push(e.tagName + " " + e.className + " " + ratio.toFixed(2) + ": " + e.textContent.trim().slice(0, 20));
  }
  return poor;
})()`

func TestBoard_OnAPhone(t *testing.T) {
	b := open(t, start(t, "--speed", "0", "--shipments", "60"))
	b.run(chromedp.EmulateViewport(360, 740, chromedp.EmulateMobile))
	for _, path := range []string{"/", "/?q=EGHU9023165"} {
		b.visit(path)
		require.LessOrEqual(t, eval[int](b, `document.documentElement.scrollWidth`), 360, path)
	}
	// What was found is in sight and has the focus, and the filters open without JavaScript.
	b.eventually(`document.activeElement.id === "rows"`)
	b.eventually(`document.querySelector("#board tbody tr").getBoundingClientRect().bottom < 741`)
	require.LessOrEqual(t, eval[int](b, `document.querySelector("thead").offsetHeight`), 1, "the headings are not in sight")
	const visible = `document.querySelector("select[name=situation]").checkVisibility()`
	require.False(t, eval[bool](b, visible))
	b.click(`.filters summary`)
	require.True(t, eval[bool](b, visible))
}

var update = flag.Bool("update", false, "write the pictures of the documentation")

// TestPictures makes the pictures in docs/images, with -update.
func TestPictures(t *testing.T) {
	if !*update {
		t.Skip("-update writes them")
	}
	b := open(t, start(t, "--speed", "0"))
	picture := func(name, path string, width, height int64, scheme string) {
		b.prefer(scheme)
		b.run(chromedp.EmulateViewport(width, height))
		b.visit(path)
		png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join("..", "..", "..", "docs", "images", name), png, 0o644))
	}
	require.NoError(t, os.MkdirAll(filepath.Join("..", "..", "..", "docs", "images"), 0o755))
	picture("board.png", "/", 1240, 720, "light")
	picture("board-dark.png", "/?situation=held", 1240, 620, "dark")
	picture("board-phone.png", "/", 380, 760, "light")
	b.visit("/?q=EGHU9023165")
	container := eval[string](b, `document.querySelector("#board tbody th a").getAttribute("href")`)
	picture("board-container.png", container, 1240, 900, "light")
}
