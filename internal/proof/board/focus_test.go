package board

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// When the row that has the focus is gone, the focus goes to the one in its place, not to the top.
func TestBoard_KeepsTheFocusInTheList(t *testing.T) {
	site := start(t, "--speed", "0", "--shipments", "60")
	b := open(t, site)
	b.visit("/?situation=at_sea&sort=number")
	b.eventually(`document.getElementById("now").textContent !== ""`)
	require.Greater(t, eval[int](b, rows), 2)
	b.do(`document.querySelector("#board tbody tr").id = "c-gone"; document.querySelector("#board tbody a").focus()`)
	// It is looked at once the row is gone: the next reading of the page may put another row first.
	b.do(`new MutationObserver((_, all) => {
		if (document.getElementById("c-gone")) return;
		all.disconnect();
		window.kept = document.activeElement.closest("#board tbody tr") === document.querySelector("#board tbody tr");
	}).observe(document.querySelector("#board tbody"), { childList: true })`)
	post(t, site, "86400")
	b.eventually(`window.kept !== undefined`)
	require.True(t, eval[bool](b, `window.kept`))
	post(t, site, "0")
}
