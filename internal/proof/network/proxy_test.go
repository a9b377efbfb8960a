package network_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// Many companies require a proxy. It must not see the token, and its own password must not be
// logged.

const proxyPassword = "pr0xy-pa55word"

// connectProxy is a proxy that keeps everything that it receives from its clients, including the
// content of tunnels.
type connectProxy struct {
	answer int // to CONNECT; 0 is a tunnel

	mu   sync.Mutex
	got  bytes.Buffer
	open sync.WaitGroup
}

func (p *connectProxy) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.got.Write(b)
}

func (p *connectProxy) seen() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.got.String()
}

func (p *connectProxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	head, _ := httputil.DumpRequest(r, true)
	_, _ = p.Write(head)
	if p.answer != 0 {
		w.Header().Set("Proxy-Authenticate", `Basic realm="`+r.Header.Get("Proxy-Authorization")+`"`)
		w.WriteHeader(p.answer)
		return
	}
	out, err := net.Dial("tcp", r.Host)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	in, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		_ = out.Close()
		return
	}
	_, _ = io.WriteString(in, "HTTP/1.1 200 Connection established\r\n\r\n")
	p.open.Add(1)
	go func() {
		defer p.open.Done()
		_, _ = io.Copy(in, out)
		_ = in.Close()
	}()
	_, _ = io.Copy(io.MultiWriter(out, p), in)
	_ = out.Close()
}

// through starts p and makes tr use it, with a password.
func (p *connectProxy) through(t testing.TB, tr *http.Transport) {
	t.Helper()
	t.Cleanup(p.open.Wait)
	srv, _ := serving(t, p.ServeHTTP)
	u, err := url.Parse(srv.URL)
	require.NoError(t, err)
	u.User = url.UserPassword("depot", proxyPassword)
	tr.Proxy = http.ProxyURL(u)
}

func TestNetwork_AProxyReceivesNoToken(t *testing.T) {
	for _, proto := range []int{1, 2} {
		srv, arrived := serving(t, func(w http.ResponseWriter, r *http.Request) {
			require.Equal(t, proto, r.ProtoMajor)
			require.Equal(t, "Token "+testkit.Token, r.Header.Get("Authorization"))
			require.Empty(t, r.Header.Get("Proxy-Authorization"))
			fine(w, r)
		}, http2)
		tr, proxy := trusting(srv), &connectProxy{}
		tr.ForceAttemptHTTP2 = proto == 2
		proxy.through(t, tr)
		client := overNetwork(t, srv.URL, tr)
		for _, call := range testkit.FaultyCalls() {
			require.NoError(t, call.Do(t.Context(), client))
		}
		require.Equal(t, len(testkit.FaultyCalls()), arrived())
		seen := proxy.seen()
		require.Equal(t, 2, strings.Count(seen, "CONNECT "), "the first connection is not kept, the second is")
		require.Contains(t, seen,
			"Proxy-Authorization: Basic "+base64.StdEncoding.EncodeToString([]byte("depot:"+proxyPassword)))
		require.Greater(t, len(seen), 500, "the tunnel is watched too")
		require.NotContains(t, seen, testkit.Token)
		require.NotContains(t, seen, "\nAuthorization")
	}
}

// A proxy that refuses a call has sent nothing, so even a creation is retried, unless the password
// is refused; it must not appear in errors and logs.
func TestNetwork_ProxiesThatRefuse(t *testing.T) {
	closed := func(_ *testing.T, tr *http.Transport) {
		tr.Proxy = http.ProxyURL(&url.URL{Scheme: "http", Host: unused, User: url.UserPassword("depot", proxyPassword)})
	}
	answering := func(status int) func(*testing.T, *http.Transport) {
		return func(t *testing.T, tr *http.Transport) { (&connectProxy{answer: status}).through(t, tr) }
	}
	saying := func(status string) func(*testing.T, *http.Transport) {
		return func(t *testing.T, tr *http.Transport) {
			tr.Proxy = http.ProxyURL(&url.URL{Scheme: "http", User: url.UserPassword("depot", proxyPassword), Host: holding(t, func(c net.Conn) {
				_, _ = io.WriteString(c, "HTTP/1.1 "+status+"\r\nContent-Length: 0\r\n\r\n")
			})})
		}
	}
	misspelt := func(address string) func(*testing.T, *http.Transport) {
		return func(_ *testing.T, tr *http.Transport) {
			_, err := url.Parse(address)
			require.Error(t, err)
			tr.Proxy = func(*http.Request) (*url.URL, error) {
				return nil, fmt.Errorf("invalid proxy address %q: %v", address, err)
			}
		}
	}
	for name, c := range map[string]struct {
		setUp func(*testing.T, *http.Transport)
		blind bool // net/http does not report how much was sent
		tries int  // 0 means all
	}{
		// Without another password it would refuse again (RFC 9110, section 15.5.8).
		"407": {setUp: answering(http.StatusProxyAuthRequired), tries: 1},
		// A client ignores the phrase (RFC 9112, section 4).
		"407 with another phrase":   {setUp: saying("407 Proxy Access Denied"), tries: 1},
		"407 without a phrase":      {setUp: saying("407 "), tries: 1},
		"407 with that of a 401":    {setUp: saying("407 Unauthorized"), tries: 1},
		"407 with that of a 503":    {setUp: saying("407 Service Unavailable"), tries: 1},
		"502 that names a password": {setUp: saying("502 Authentication service is away")},

		"502":    {setUp: answering(http.StatusBadGateway)},
		"403":    {setUp: answering(http.StatusForbidden)},
		"closed": {setUp: closed},
		"not TLS after all": {setUp: func(t *testing.T, tr *http.Transport) {
			tr.Proxy = http.ProxyURL(&url.URL{Scheme: "https",
				Host: holding(t, func(c net.Conn) {
					_, _ = io.WriteString(c, "nonsense")
					_ = c.Close()
				}), User: url.UserPassword("depot", proxyPassword)})
		}},
		"unknown kind": {setUp: func(_ *testing.T, tr *http.Transport) {
			tr.Proxy = http.ProxyURL(&url.URL{Scheme: "gopher", Host: "127.0.0.1:70",
				User: url.UserPassword("depot", proxyPassword)})
		}},
		"bad address": {setUp: misspelt("http://depot:" + proxyPassword + "%zz@proxy.example:3128"),
			blind: true},
		"bad address without http": {setUp: misspelt("9depot:" + proxyPassword + "%zz@proxy.example:3128"), blind: true},
		"bad address with a space": {setUp: misspelt("http://depot:ab " + proxyPassword + "@proxy.example:3128"),
			blind: true},
		"bad address with an equal": {setUp: misspelt("http://depot:ab'" + proxyPassword + "%zz@proxy.example"),
			blind: true},
	} {
		for _, call := range testkit.FaultyCalls() {
			t.Run(name+"/"+call.Name, func(t *testing.T) {
				srv, arrived := serving(t, fine, http2)
				tr := trusting(srv)
				c.setUp(t, tr)
				var text bytes.Buffer
				log := slog.New(slog.NewTextHandler(&text, &slog.HandlerOptions{Level: slog.LevelDebug}))
				note := func(v any) { _, _ = fmt.Fprintf(&text, "%v %+v %#v\n", v, v, v) }
				client := overNetwork(t, srv.URL, tr, terminal49.WithLogger(log), terminal49.WithHooks(terminal49.Hooks{
					OnAttempt: func(_ context.Context, a terminal49.Attempt) { note(a); note(a.Err) },
					OnRetry:   func(_ context.Context, r terminal49.Retry) { note(r); note(r.Err) },
				}))
				err := call.Do(t.Context(), client)
				var lost *terminal49.TransportError
				require.ErrorAs(t, err, &lost)
				require.Zero(t, arrived())
				if !c.blind {
					require.Equal(t, cmp.Or(c.tries, maxAttempts), lost.Attempts, "%v", err)
					require.False(t, terminal49.IsOutcomeUnknown(err), "%v", err)
				}
				for e := err; e != nil; e = errors.Unwrap(e) {
					note(e)
				}
				note(client)
				require.NotContains(t, text.String(), proxyPassword)
				require.NotContains(t, text.String(), base64.StdEncoding.EncodeToString([]byte("depot:"+proxyPassword)))
			})
		}
	}
}
