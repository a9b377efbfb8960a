package board

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/cmd/internal/clitest"
	"github.com/go-freight/terminal49/terminal49test"
)

// hostile is what the service's texts end in, with what HTML interprets.
const hostile = "\x00" + clitest.Hostile + "<b>&\"'"

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// spoil is middleware that appends the hostile text to all texts of the service.
func spoil(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		resp, err := next.RoundTrip(r)
		if err != nil {
			return nil, err
		}
		body, err := io.ReadAll(resp.Body)
		body = clitest.SpoiledJSON(body, hostile)
		resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		resp.Header.Del("Content-Length")
		return resp, err
	})
}

// SECURITY: pages and events hold only characters that are shown, whatever the service sends.
func TestPages_OnlyShownCharacters(t *testing.T) {
	p := newPage(t)
	p.client, p.site.model = newClient(t, p.server, terminal49.WithMiddleware(spoil)), newModel()
	p.read()
	query := "/?q=" + url.QueryEscape(hostile) + "&terminal=" + url.QueryEscape(hostile) + "&customer=" + url.QueryEscape(hostile)
	pages := []string{p.get("/"), p.get(query), p.do(http.MethodGet, "/containers/"+url.PathEscape(hostile), nil).Body.String(),
		p.do(http.MethodPost, "/clock", url.Values{"speed": {hostile}}).Body.String()}
	for _, r := range allRows(t, p.listed, p.site.model) {
		pages = append(pages, p.get(r.Link()))
		p.server.AddFault(terminal49test.Fault{Status: 422, Times: -1})
		pages = append(pages, p.get(r.Link()))
		p.server.ClearFaults()
	}
	pages = append(pages, strings.NewReplacer("\ufeff", "", "\r\n", "\n", "<b>", "").Replace(p.get("/containers.csv"))) // it is not HTML
	recorder := httptest.NewRecorder()
	(&stream{w: recorder, flush: http.NewResponseController(recorder)}).send(beat{Age: hostile, Problem: hostile, IDs: []string{hostile}})
	pages = append(pages, recorder.Body.String())
	require.Greater(t, len(pages), 18)
	for _, page := range pages {
		i := strings.IndexFunc(page, func(r rune) bool { return r != '\n' && r != '\t' && unicode.In(r, unicode.C, unicode.Zl, unicode.Zp) })
		require.Negative(t, i, "%+q", page[max(0, i-40):min(len(page), max(i, 0)+20)])
		require.NotContains(t, page, "<b>")
	}
	t.Logf("figure: %d pages and events", len(pages))
}

// SECURITY: a service or proxy that repeats the token, in any case or escaped, shows it on no page.
func TestPages_HideTheToken(t *testing.T) {
	p := newPage(t)
	client, err := HidingToken(func(opts ...terminal49.Option) (*terminal49.Client, error) {
		return terminal49.New("Token "+p.server.Token, append(opts, terminal49.WithBaseURL(p.server.URL), terminal49.WithHTTPClient(p.server.HTTPClient()))...)
	})
	require.NoError(t, err)
	p.server.UpdateShipment(p.demo.Shipments[0], func(s *terminal49test.Shipment) {
		s.ReferenceNumbers = []string{"A " + p.server.Token, strings.ToUpper(p.server.Token), url.QueryEscape("B " + p.server.Token)}
	})
	id := p.server.ContainerIDs(p.demo.Shipments[0])[0]
	p.server.UpdateContainer(id, func(c *terminal49test.Container) { c.SealNumber = p.server.Token })
	p.client = client
	p.read()
	for _, path := range []string{"/", "/containers/" + id, "/containers.csv"} {
		text := strings.ToLower(p.get(path))
		require.NotContains(t, text, p.server.Token, path)
		require.Contains(t, text, "[secret]", path)
	}
}
