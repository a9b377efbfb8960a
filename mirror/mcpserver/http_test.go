package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// httpAgent sends requests to a handler.
type httpAgent struct {
	t testing.TB
	http.Handler
}

func newHTTPAgent(t testing.TB, w *world) httpAgent {
	t.Helper()
	s, err := New(Config{Mirror: w.mirror, Reader: w.reader, Now: w.Now})
	require.NoError(t, err)
	return httpAgent{t, Handler(s)}
}

// post sends a message, after edit has changed the request.
func (a httpAgent) post(body string, edit func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(a.t.Context(), http.MethodPost, "http://127.0.0.1:4949/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if edit != nil {
		edit(r)
	}
	w := httptest.NewRecorder()
	a.ServeHTTP(w, r)
	return w
}

const listLine = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

// Only programs of this machine reach the tools: no name that leads here, no page of another
// origin.
func TestHandler_ChecksHostAndOrigin(t *testing.T) {
	bubble(t, func(t *testing.T) {
		a := newHTTPAgent(t, demo(t))
		for _, host := range []string{"localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:4949", "127.8.9.1:80", "[::1]", "[::1]:4949"} {
			for _, origin := range []string{"", "http://" + host, "https://" + host} {
				assert.Equal(t, http.StatusOK, a.post(listLine, from(host, origin)).Code, "%s, %s", host, origin)
			}
			for _, origin := range []string{"null", "https://evil.example", "http://127.0.0.1:9999", "http://localhost.evil.example", "http://" + host + ".evil.example",
				"http://evil.example@" + host, "http://" + host + "@evil.example", "file://" + host, host, "http://" + host + "/", "http://[::1]:4949, http://evil.example"} {
				assert.Equal(t, http.StatusForbidden, a.post(listLine, from(host, origin)).Code, "%s, %s", host, origin)
			}
		}
		for _, host := range []string{"", "evil.example", "evil.example:4949", "localhost.evil.example", "127.0.0.1.nip.io:4949", "0.0.0.0:4949", "[::]", "192.168.1.7", "10.0.0.1:4949",
			"[fe80::1]", "localhost:4949:80", "127.0.0.1 evil.example", "2130706433", "0x7f.1", "127.1", "[::ffff:10.0.0.1]"} {
			for _, origin := range []string{"", "http://" + host} {
				assert.Equal(t, http.StatusForbidden, a.post(listLine, from(host, origin)).Code, "%s, %s", host, origin)
			}
		}
		two := a.post(listLine, func(r *http.Request) { r.Header["Origin"] = []string{"http://127.0.0.1:4949", "http://evil.example"} })
		assert.Equal(t, http.StatusForbidden, two.Code)
	})
}

// from sets Host and Origin.
func from(host, origin string) func(*http.Request) {
	return func(r *http.Request) {
		if r.Host = host; origin != "" {
			r.Header.Set("Origin", origin)
		}
	}
}

// What is not a message is refused, and a call is answered without a session.
func TestHandler_RefusesWhatIsNotAMessage(t *testing.T) {
	bubble(t, func(t *testing.T) {
		a := newHTTPAgent(t, demo(t))
		for _, of := range malformed {
			if strings.HasPrefix(of.line, "[{") {
				continue // a batch, as before 2025-06-18
			}
			w := a.post(of.line, nil)
			assert.GreaterOrEqual(t, w.Code, 400, "%.60s", of.line)
			assert.Less(t, w.Body.Len(), 500)
		}
		for method, status := range map[string]int{http.MethodGet: 405, http.MethodDelete: 405, http.MethodPut: 405, http.MethodOptions: 405} {
			assert.Equal(t, status, a.post("", func(r *http.Request) { r.Method = method }).Code, method)
		}
		w := a.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status"}}`, nil)
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		assert.Equal(t, "application/json", w.Header().Get("Content-Type"))
		assert.Empty(t, w.Header().Get("Mcp-Session-Id"))
		var r struct {
			Result struct{ StructuredContent statusAnswer }
		}
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &r))
		assert.EqualValues(t, 8, r.Result.StructuredContent.Containers)
	})
}

// A response has the id of its call, as it was, also in a batch.
func TestHandler_KeepsIDs(t *testing.T) {
	bubble(t, func(t *testing.T) {
		a := newHTTPAgent(t, demo(t))
		for id, want := range keptIDs {
			w := a.post(`{"jsonrpc":"2.0","id":`+id+`,"method":"ping"}`, nil)
			requireID(t, want, w.Body.String())
			if want == "null" {
				require.Equal(t, http.StatusBadRequest, w.Code)
			}
		}
		batch := a.post(`[{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"},{"jsonrpc":"2.0","id":"\u0000id OTAwNzE5OTI1NDc0MDk5Mw","method":"ping"}]`,
			func(r *http.Request) { r.Header.Set("Mcp-Protocol-Version", "2025-03-26") })
		var all []json.RawMessage
		require.NoError(t, json.Unmarshal(batch.Body.Bytes(), &all), batch.Body)
		var ids []string
		for _, one := range all {
			var of struct{ ID json.RawMessage }
			require.NoError(t, json.Unmarshal(one, &of))
			ids = append(ids, string(of.ID))
		}
		assert.ElementsMatch(t, []string{"9007199254740993", `"\u0000id OTAwNzE5OTI1NDc0MDk5Mw"`}, ids)
	})
}

// Of too many requests at once the last ones are asked to wait.
func TestHandler_BoundsTheRequestsAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		a := newHTTPAgent(t, demo(t))
		begun, end := make(chan struct{}), make(chan struct{})
		ended := make(chan int)
		for i := range mostCalls {
			go func() {
				body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, i)
				ended <- a.post("", func(r *http.Request) { r.Body = &slowBody{strings.NewReader(body), begun, end} }).Code
			}()
			<-begun
		}
		w := a.post(listLine, nil)
		assert.Equal(t, http.StatusServiceUnavailable, w.Code)
		assert.Equal(t, "1", w.Header().Get("Retry-After"))
		close(end)
		for range mostCalls {
			assert.Equal(t, http.StatusOK, <-ended)
		}
		assert.Equal(t, http.StatusOK, a.post(listLine, nil).Code)
	})
}

// slowBody is a body that begins, and waits until it may go on.
type slowBody struct {
	*strings.Reader
	begun, end chan struct{}
}

func (b *slowBody) Read(p []byte) (int, error) {
	if b.begun != nil {
		b.begun <- struct{}{}
		b.begun = nil
		<-b.end
	}
	return b.Reader.Read(p)
}

func (b *slowBody) Close() error { return nil }

// A call ends with its request, in every version of the protocol, so that those that left do not
// keep the next one waiting.
func TestHandler_EndsACallWithItsRequest(t *testing.T) {
	for _, version := range []string{"", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				w := demo(t)
				a := newHTTPAgent(t, w)
				conn, err := w.db.Conn(t.Context()) // the only one, so that calls wait
				require.NoError(t, err)
				ctx, leave := context.WithCancel(t.Context())
				begun, before, ended := time.Now(), w.db.Stats().WaitCount, make(chan int, 1)
				go func() {
					meta := ""
					if version == "2026-07-28" {
						meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
					}
					ended <- a.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status"`+meta+`}}`, func(r *http.Request) {
						*r = *r.WithContext(ctx)
						if version != "" {
							r.Header.Set("Mcp-Protocol-Version", version)
						}
						if meta != "" {
							r.Header.Set("Mcp-Method", "tools/call")
							r.Header.Set("Mcp-Name", "status")
						}
					}).Code
				}()
				synctest.Wait()
				assert.Equal(t, before+1, w.db.Stats().WaitCount, "it does not wait for the database")
				leave()
				<-ended
				assert.Equal(t, begun, time.Now()) // on the clock of the bubble
				require.NoError(t, conn.Close())
			})
		})
	}
}
