package control_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test/control"
)

// Source: the package documentation, "Security". Any page that a browser shows can send these.
func TestAccess_PagesOfTheWebAreRefused(t *testing.T) {
	s := newSimulation(t, nil)
	s.newWorld(`{"id":"t1"}`)
	const commands = "/_simulator/commands"
	before := s.Default().Now()
	for _, try := range []struct {
		method, path string
		status       int
		headers      []string
	}{
		{"POST", commands, 403, []string{"Simulator-Control", ""}},
		{"POST", commands, 403, []string{"Simulator-Control", "false"}},
		{"POST", commands, 415, []string{"Content-Type", ""}},
		{"POST", commands, 415, []string{"Content-Type", "text/plain"}},
		{"POST", commands, 415, []string{"Content-Type", "application/x-www-form-urlencoded"}},
		{"POST", commands, 403, []string{"Origin", "https://evil.example"}},
		{"POST", commands, 403, []string{"Origin", "null"}},
		{"POST", commands, 403, []string{"Sec-Fetch-Site", "cross-site"}},
		{"POST", commands, 403, []string{"Sec-Fetch-Site", "same-site"}},
		{"POST", commands, 403, []string{"Host", "evil.example"}},
		{"POST", commands, 403, []string{"Host", "evil.example:8051"}},
		{"POST", commands, 403, []string{"Host", "192.0.2.1"}},
		{"POST", commands, 403, []string{"Host", "localhost.evil.example"}},
		{"POST", commands, 403, []string{"Host", "127.0.0.1.evil.example"}},
		{"GET", "/_simulator", 403, []string{"Host", "evil.example"}},
		{"GET", "/_simulator/requests", 403, []string{"Origin", "https://evil.example"}},
		{"GET", "/_simulator/clock", 403, []string{"Sec-Fetch-Site", "cross-site"}},
		{"DELETE", "/_simulator/worlds/default", 403, []string{"Simulator-Control", ""}},
		{"DELETE", "/_simulator/worlds/t1", 403, []string{"Simulator-Control", ""}},
		{"OPTIONS", commands, 403, []string{"Origin", "https://evil.example", "Simulator-Control", ""}},
		{"OPTIONS", commands, 404, nil},
		{"PUT", commands, 404, nil},
		{"GET", commands, 404, nil},
		{"GET", "/_simulator/nowhere", 404, nil},
		{"GET", "/_simulator/storage/nobody/x", 404, nil},
	} {
		r := s.send(try.method, try.path, `{"advance":"1h"}`, try.headers...)
		require.Equal(t, try.status, r.status, "%+v: %s", try, r.body)
		require.NotContains(t, r.body, s.Default().Token)
	}
	require.Equal(t, before, s.Default().Now())
	require.Equal(t, 200, s.send("GET", "/_simulator/worlds/t1/clock", "").status)
	for _, host := range []string{"localhost:8051", "127.0.0.1", "[::1]:8051", "api.localhost"} {
		require.Equal(t, 200, s.send("POST", commands, `{"advance":"0s"}`, "Host", host).status)
	}
	require.Equal(t, 200, s.send("POST", commands, `{"advance":"0s"}`, "Origin", s.url).status)
}

// A request that came over no TCP address, such as over a Unix socket, counts as one over loopback.
func TestAccess_WithoutAnAddressTheHostIsChecked(t *testing.T) {
	s := control.New(control.Options{})
	defer s.Close()
	for host, status := range map[string]int{"localhost": 200, "[::1]:8051": 200, "evil.example": 403, "localhost.evil.example": 403, "127.0.0.1.evil.example": 403} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", "http://"+host+"/_simulator/clock", http.NoBody))
		require.Equal(t, status, w.Code, host)
	}
}

// Source: the documentation of Options.ControlToken.
func TestAccess_OtherMachinesNeedTheToken(t *testing.T) {
	for _, try := range []struct {
		token, sent, local string
		status             int
	}{
		{"", "true", "192.0.2.7", 403}, {"", "", "192.0.2.7", 403}, {"", "true", "127.0.0.1", 200},
		{"s3cret", "true", "192.0.2.7", 403}, {"s3cret", "s3cre", "192.0.2.7", 403}, {"s3cret", "s3cret", "192.0.2.7", 200},
		{"s3cret", "true", "127.0.0.1", 403}, {"s3cret", "", "127.0.0.1", 403}, {"s3cret", "s3cret", "127.0.0.1", 200},
	} {
		s := control.New(control.Options{ControlToken: try.token})
		for _, method := range []string{"GET /_simulator/clock", "POST /_simulator/commands"} {
			name, path, _ := strings.Cut(method, " ")
			r := httptest.NewRequest(name, "http://"+try.local+path, strings.NewReader(`{"pause":{}}`))
			local := &net.TCPAddr{IP: net.ParseIP(try.local)}
			r = r.WithContext(contextWith(t, local))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Simulator-Control", try.sent)
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			require.Equal(t, try.status, w.Code, "%+v %s: %s", try, method, w.Body)
			require.NotContains(t, w.Body.String(), "s3cret")
		}
		s.Close()
	}
	// Whether the simulator is ready is not a secret; its worlds are.
	for local, want := range map[string]string{"192.0.2.7": `{"simulator":"terminal49","version":1}`, "127.0.0.1": `{"simulator":"terminal49","version":1,"worlds":["default"]}`} {
		s := control.New(control.Options{})
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", "http://"+local+"/_simulator", http.NoBody).WithContext(contextWith(t, &net.TCPAddr{IP: net.ParseIP(local)})))
		require.JSONEq(t, want, w.Body.String())
		s.Close()
	}
	// The service itself needs only its own token, as before.
	s := control.New(control.Options{})
	defer s.Close()
	r := httptest.NewRequest("GET", "http://192.0.2.7/v2/shipments", http.NoBody).WithContext(contextWith(t, &net.TCPAddr{IP: net.ParseIP("192.0.2.7")}))
	r.Header.Set("Authorization", "Token "+s.Default().Token)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	require.Equal(t, 200, w.Code)
}
