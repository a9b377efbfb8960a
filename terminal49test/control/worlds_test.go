package control_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/control"
)

// Source: the package documentation: a request goes to the world of its token.
func TestWorlds_AreApart(t *testing.T) {
	s := newSimulation(t, func(o *control.Options) { o.Fill = func(server *terminal49test.Server) { server.SeedDemo() } })
	one, two := s.newWorld(`{"id":"t1","options":{"speed":0,"start":"2026-03-02T15:00:00Z"}}`), s.newWorld(`{}`)
	require.NotEqual(t, one.Token, two.Token)
	require.Equal(t, s.url+"/v2", one.APIBaseURL)
	require.Equal(t, s.url+"/_simulator/worlds/t1", one.URL)
	s.run("t1", `{"add_shipment":{"bill_of_lading_number":"MAEU1"}}`)
	total := func(token string) int {
		return len(decode[struct{ Data []any }](s.api(token, "GET", "/shipments", ""), 200).Data)
	}
	require.Equal(t, 6, total(s.Default().Token))
	require.Equal(t, 1, total(one.Token))
	require.Equal(t, 0, total(two.Token))
	require.Equal(t, 401, s.api("another", "GET", "/shipments", "").status)

	ready := decode[struct {
		Simulator string
		Version   int
		Worlds    []string
	}](s.send("GET", "/_simulator", "", "Simulator-Control", ""), 200)
	require.Equal(t, "terminal49", ready.Simulator)
	require.Equal(t, []string{"default", "t1", two.ID}, ready.Worlds)
	list := s.send("GET", "/_simulator/worlds", "")
	require.NotContains(t, list.body, one.Token)

	require.Equal(t, 204, s.send("DELETE", "/_simulator/worlds/t1", "").status)
	require.Equal(t, 401, s.api(one.Token, "GET", "/shipments", "").status)
	require.Equal(t, 404, s.send("GET", "/_simulator/worlds/t1/clock", "").status)
	require.Equal(t, 404, s.send("DELETE", "/_simulator/worlds/t1", "").status)
	require.Equal(t, 403, s.send("DELETE", "/_simulator/worlds/default", "").status)
	require.Equal(t, 204, s.send("POST", "/_simulator/reset", "").status)
	require.Equal(t, 6, total(s.Default().Token))
}

// Source: the package documentation: at most 64 worlds, an id of letters, digits, - and _.
func TestWorlds_Refused(t *testing.T) {
	s := newSimulation(t, nil)
	s.newWorld(`{"id":"t1","options":{"token":"a-token"}}`)
	for body, status := range map[string]int{
		`{"id":"t1"}`: 409, `{"id":"default"}`: 409, `{"options":{"token":"a-token"}}`: 409,
		`{"id":"a/b"}`: 422, `{"options":{"sped":0}}`: 422, `{"options":{"rate_limits":{"creat":1}}}`: 422, `[]`: 422, `{`: 422,
		`{"scenario":"nothing"}`: 422, `{"options":{"start":"1969-12-31T23:59:59Z"}}`: 422, `{"options":{"speed":-1}}`: 422, `{"options":{"webhooks":"never"}}`: 422,
		`{"options":{"token":"a\r\nb"}}`: 422, `{"options":{"token":"a b"}}`: 422, `{"options":{"token":"ü"}}`: 422, `{"options":{"webhook_noise":{"lost":7}}}`: 422,
	} {
		r := s.send("POST", "/_simulator/worlds", body)
		require.NotEmpty(t, decode[problem](r, status).Error.Message, body)
	}
	require.Equal(t, "options.sped", decode[problem](s.send("POST", "/_simulator/worlds", `{"options":{"sped":0}}`), 422).Error.Member)
	for i := range 62 {
		s.newWorld(fmt.Sprintf(`{"id":"n%d","options":{"without_reference_data":true}}`, i))
	}
	require.Equal(t, http.StatusConflict, s.send("POST", "/_simulator/worlds", ``).status)
	s.send("DELETE", "/_simulator/worlds/n0", "")
	s.newWorld(``)
}

// Source: the documentation of WithStorageURL: a presigned URL is one of the world that made it.
func TestWorlds_HaveTheirOwnStorage(t *testing.T) {
	s := newSimulation(t, nil)
	w := s.newWorld(`{"id":"t1"}`)
	id := s.id(s.run("t1", `{"add_document":{"file_name":"a.pdf","content":"the file"}}`)[0])
	link := decode[struct {
		URL string `json:"download_url"`
	}](s.api(w.Token, "GET", "/documents/"+id+"/download_url", ""), 200).URL
	path, here := strings.CutPrefix(link, s.url)
	require.True(t, here, link)
	require.Equal(t, "the file", s.send("GET", path, "", "Simulator-Control", "").body)
	require.Equal(t, 403, s.send("GET", strings.Replace(path, "/t1/", "/default/", 1), "").status)
}

// Source: the documentation of Server.Reset, and of the request: the world as it began.
func TestWorlds_AreReset(t *testing.T) {
	s := newSimulation(t, nil)
	s.newWorld(`{"id":"a","scenario":"rail-import","options":{"speed":0,"start":"2026-03-02T15:00:00Z"}}`)
	resources := func() string { return s.send("GET", "/_simulator/worlds/a/resources", "").body }
	begun := resources()
	s.run("a", `{"advance":"20d"}`, `{"fault":{"operation":"shipments.get","times":3}}`)
	require.NotEqual(t, begun, resources())
	require.Equal(t, 204, s.send("POST", "/_simulator/worlds/a/reset", "").status)
	require.Equal(t, begun, resources())
	require.NotContains(t, s.send("GET", "/_simulator/worlds/a/faults", "").body, "shipments.get")
}

// A client that goes on with the token of a dropped world does not appear in the logs of another
// one. The token can be that of a new world.
func TestWorlds_ADroppedTokenCountsForNoWorld(t *testing.T) {
	s := newSimulation(t, nil)
	old := s.newWorld(`{"id":"old","options":{"token":"a-token"}}`)
	require.Equal(t, 204, s.send("DELETE", "/_simulator/worlds/old", "").status)
	dropped := s.api(old.Token, "GET", "/shipments", "")
	require.Equal(t, 401, dropped.status)
	require.Empty(t, s.Default().Requests())
	require.Empty(t, s.Default().Violations())
	require.Equal(t, dropped.body, s.api("another", "GET", "/shipments", "").body)
	require.Len(t, s.Default().Requests(), 1)

	s.newWorld(`{"id":"new","options":{"token":"a-token"}}`)
	require.Equal(t, 200, s.api("a-token", "GET", "/shipments", "").status)
	require.Equal(t, 409, s.send("POST", "/_simulator/worlds", `{"options":{"token":"a-token"}}`).status)
}
