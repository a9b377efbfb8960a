package control_test

import (
	"fmt"
	"net/http"
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
}

// Source: the package documentation: at most 64 worlds, an id of letters, digits, - and _.
func TestWorlds_Refused(t *testing.T) {
	s := newSimulation(t, nil)
	s.newWorld(`{"id":"t1","options":{"token":"a-token"}}`)
	for body, status := range map[string]int{
		`{"id":"t1"}`: 409, `{"id":"default"}`: 409, `{"options":{"token":"a-token"}}`: 409,
		`{"id":"a/b"}`: 422, `{"options":{"sped":0}}`: 422, `{"options":{"rate_limits":{"creat":1}}}`: 422, `[]`: 422, `{`: 422,
		`{"scenario":"nothing"}`: 422, `{"options":{"speed":-1}}`: 422, `{"options":{"webhooks":"never"}}`: 422,
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
