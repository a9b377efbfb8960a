package board

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// node is what a screen reader gets of an element.
type node struct {
	role, name, live string
	parent           accessibility.NodeID
}

// tree is the accessibility tree of a page.
type tree struct {
	nodes map[accessibility.NodeID]node
	order []accessibility.NodeID
}

func (b *tab) tree() tree {
	b.Helper()
	result, err := chromedp.Call(b.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	require.NoError(b, err)
	t := tree{nodes: map[accessibility.NodeID]node{}}
	for _, n := range result.Nodes {
		read := node{parent: n.ParentID}
		if !n.Ignored {
			read.role, read.name = textOf(n.Role), textOf(n.Name)
			for _, property := range n.Properties {
				if property.Name == "live" {
					read.live = textOf(property.Value)
				}
			}
		}
		t.nodes[n.NodeID] = read
		t.order = append(t.order, n.NodeID)
	}
	return t
}

func textOf(v *accessibility.Value) (s string) {
	if v == nil || json.Unmarshal(v.Value, &s) != nil {
		return ""
	}
	return s
}

// with returns the nodes of a role, in the order of the page.
func (t tree) with(role string) (found []accessibility.NodeID) {
	for _, id := range t.order {
		if t.nodes[id].role == role {
			found = append(found, id)
		}
	}
	return found
}

func (t tree) names(role string) (names []string) {
	for _, id := range t.with(role) {
		names = append(names, t.nodes[id].name)
	}
	return names
}

// in reports whether a node is below one of the others.
func (t tree) in(id accessibility.NodeID, others ...accessibility.NodeID) bool {
	for at := t.nodes[id].parent; at != ""; at = t.nodes[at].parent {
		if slices.Contains(others, at) {
			return true
		}
	}
	return false
}

// Roles and their names are those of WAI-ARIA 1.2 and HTML-AAM. On a phone rows are drawn as cards
// with fewer columns, and remain rows.
func TestBoard_ForScreenReaders(t *testing.T) {
	b := open(t, start(t, "--speed", "0", "--shipments", "10"))
	columns := []string{"Container", "Situation", "Last free day", "Holds", "Fees owed", "Place", "Arrival", "Vessel", "Size, seal", "Customer"}
	for width, want := range map[int64][]string{1440: columns, 1024: columns[:7], 380: columns[:7]} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			b.run(chromedp.EmulateViewport(width, 800))
			b.visit("/")
			b.click(`.filters summary`)
			page := b.tree()
			for _, landmark := range []string{"banner", "search", "main", "contentinfo"} {
				require.Len(t, page.with(landmark), 1, landmark)
			}
			require.Contains(t, page.names("searchbox"), "Find")
			require.Equal(t, []string{"Port of discharge", "Place", "Destination", "Line", "Vessel", "Customer", "Hold", "Owes", "Situation", "What to do", "Sort by"}, page.names("combobox"))
			require.NotContains(t, page.names("button"), "")
			require.NotContains(t, page.names("link"), "")
			require.Subset(t, page.names("heading"), []string{"Containers"})

			tables := page.with("table")
			require.Len(t, tables, 1)
			require.Contains(t, page.nodes[tables[0]].name, "containers, the most urgent first")
			headings := page.names("columnheader")
			require.Equal(t, want, headings)
			numbers := page.with("rowheader")
			require.Len(t, numbers, eval[int](b, rows))
			require.Len(t, page.with("row"), len(numbers)+1)
			require.Len(t, page.with("cell"), len(numbers)*(len(headings)-1))
			require.Regexp(t, `^[A-Z]{4}\d{7}`, page.nodes[numbers[0]].name)

			// What happens is announced when the reader pauses. The clock is not announced: it changes
			// every second.
			status := page.with("status")
			require.Len(t, status, 1)
			require.Equal(t, "polite", page.nodes[status[0]].live)
			clocks := page.with("time")
			require.NotEmpty(t, clocks)
			for _, clock := range clocks {
				require.False(t, page.in(clock, status...))
				require.Empty(t, page.nodes[clock].live)
			}
		})
	}
}

// axe-core finds nothing against WCAG 2.2 AA, nor against what it calls good practice.
func TestPages_ForAxe(t *testing.T) {
	b := open(t, start(t, "--speed", "0", "--shipments", "20"))
	b.visit("/")
	script, pages := axe(t), []string{"/", "/?situation=held", "/changes", eval[string](b, `document.querySelector("#rows a").getAttribute("href")`)}
	for _, scheme := range []string{"light", "dark"} {
		b.prefer(scheme)
		for i, page := range pages {
			b.run(chromedp.EmulateViewport([]int64{1440, 390, 1024, 390}[i], 900))
			b.visit(page)
			b.do(`document.querySelector(".filters details")?.setAttribute("open", "")`)
			b.do(script + "; undefined")
			b.do(`axe.run(document, { resultTypes: ["violations"] }).then(r => window.found = r.violations.map(v => v.id + ": " + v.nodes.map(n => n.html).slice(0, 3))); undefined`)
			b.eventually(`window.found`)
			require.Empty(t, eval[[]string](b, `window.found`), "%s, %s", page, scheme)
		}
	}
}

func TestContainer_ForScreenReaders(t *testing.T) {
	b := open(t, start(t, "--speed", "0", "--shipments", "0"))
	b.visit("/?q=EGHU9023165")
	b.run(chromedp.Click(`#board tbody th a`))
	b.eventually(`document.querySelector("article h2")`)
	page := b.tree()
	require.Equal(t, []string{"Containers", "EGHU9023165 at sea", "Journey", "Changes since the board was started"}, page.names("heading"))
	images := append(page.names("image"), page.names("img")...)
	require.Contains(t, strings.Join(images, "\n"), "Route: Shanghai, Busan, Los Angeles")
	require.Subset(t, page.names("region"), []string{"Journey", "Changes since the board was started"})
	require.Greater(t, len(page.with("listitem")), 5)
	require.Greater(t, len(page.with("term")), 8)
	require.Len(t, page.with("definition"), len(page.with("term")))
	require.Equal(t, "polite", page.nodes[page.with("status")[0]].live)
}
