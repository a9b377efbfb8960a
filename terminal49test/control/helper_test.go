package control_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/control"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// simulation is a simulator on a socket.
type simulation struct {
	*testing.T
	*control.Simulator
	url    string
	client *http.Client
}

func newSimulation(t *testing.T, change func(*control.Options)) *simulation {
	t.Helper()
	o := control.Options{
		Default: []terminal49test.Option{terminal49test.WithSpeed(0), terminal49test.WithSeed(1)},
	}
	if change != nil {
		change(&o)
	}
	simulator := control.New(o)
	socket := httptest.NewServer(simulator)
	s := &simulation{t, simulator, socket.URL, socket.Client()}
	t.Cleanup(func() { s.Close(); socket.Close() })
	return s
}

// response is a response with its body read.
type response struct {
	*simulation
	status int
	body   string
}

// send sends a request with the headers that control requires, unless headers, which are pairs,
// replace them. A header with the value "" is not sent.
func (s *simulation) send(method, path, body string, headers ...string) response {
	s.Helper()
	req, err := http.NewRequestWithContext(s.Context(), method, s.url+path, strings.NewReader(body))
	require.NoError(s, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Simulator-Control", "true")
	for i := 0; i < len(headers); i += 2 {
		switch {
		case headers[i] == "Host":
			req.Host = headers[i+1]
		case headers[i+1] == "":
			req.Header.Del(headers[i])
		default:
			req.Header.Set(headers[i], headers[i+1])
		}
	}
	resp, err := s.client.Do(req)
	require.NoError(s, err)
	defer resp.Body.Close()
	read, err := io.ReadAll(resp.Body)
	require.NoError(s, err)
	return response{s, resp.StatusCode, string(read)}
}

// decode reads the body of a response with a status.
func decode[T any](r response, status int) (v T) {
	r.Helper()
	require.Equal(r, status, r.status, r.body)
	require.NoError(r, json.NewDecoder(bytes.NewReader([]byte(r.body))).Decode(&v), r.body)
	return v
}

type problem struct {
	Error   control.CommandError
	Results []json.RawMessage
}

// run executes commands in a world and returns their results.
func (s *simulation) run(world string, commands ...string) []json.RawMessage {
	s.Helper()
	r := s.send("POST", "/_simulator/worlds/"+world+"/commands", strings.Join(commands, "\n"))
	return decode[struct{ Results []json.RawMessage }](r, 200).Results
}

// id returns the member id of a result.
func (s *simulation) id(result json.RawMessage) string {
	s.Helper()
	var v struct{ ID string }
	require.NoError(s, json.Unmarshal(result, &v))
	require.NotEmpty(s, v.ID)
	return v.ID
}

type world struct {
	ID, Token, URL string
	APIBaseURL     string `json:"api_base_url"`
}

// newWorld makes a world whose clock stands still.
func (s *simulation) newWorld(body string) world {
	s.Helper()
	return decode[world](s.send("POST", "/_simulator/worlds", body), 201)
}

// api sends a request of the service to a world.
func (s *simulation) api(token, method, path, body string) response {
	s.Helper()
	return s.send(method, "/v2"+path, body, "Authorization", "Token "+token, "Simulator-Control", "", "User-Agent", "test")
}

// contextWith returns the context of a request that came in at an address.
func contextWith(t *testing.T, local net.Addr) context.Context {
	return context.WithValue(t.Context(), http.LocalAddrContextKey, local)
}
