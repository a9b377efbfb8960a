package board

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// A container's page says in the time of its place when the terminal was checked, and a simulated
// container does not lead to the real service.
func TestContainer_Page(t *testing.T) {
	p := newPage(t)
	id := p.server.ContainerIDs(p.demo.Shipments[0])[0]
	text := p.get("/containers/" + id)
	require.Regexp(t, `<dt>Terminal checked</dt><dd>2024-07-01 \d\d:\d\d UTC-7</dd>`, text)
	require.NotContains(t, text, "app.terminal49.com")
	p.site.source = real{p.listed}
	require.Contains(t, p.get("/containers/"+id), `href="https://app.terminal49.com/shipments/find?q=MSKU7182047"`)
}

// real is a source without a simulated clock.
type real struct{ source }

// What could not be read is said in a user's words.
func TestContainer_SaysWhatIsMissing(t *testing.T) {
	p := newPage(t)
	p.server.AddFault(terminal49test.Fault{Kind: terminal49test.FaultRefuse, Times: -1})
	text := p.get("/containers/" + p.server.ContainerIDs(p.demo.Shipments[0])[0])
	require.Contains(t, text, "The journey and the route could not be read in full. Terminal49 does not answer.</p>")
	p.server.ClearFaults()
}

// Until everything has been read, a container that is not found may be among the others.
func TestList_SaysThatItIsPartial(t *testing.T) {
	p := newPage(t)
	p.site.source = newAccount(Own{})
	w := p.do(http.MethodGet, "/?q=NOPE1234567", nil)
	require.Contains(t, w.Body.String(), "No container of those read so far is like this.")
	w = p.do(http.MethodGet, "/?q=NOPE1234567,MSKU7182047", nil)
	require.Contains(t, w.Body.String(), "Not on the board, which has not read everything yet: NOPE1234567")
}
