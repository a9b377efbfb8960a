package mcpserver

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The bounds of what agents send.
const (
	mostMessage = 1 << 20 // bytes
	mostCalls   = 64      // at once
)

// The bounds of a request by HTTP. A response is written after at most callTime.
const (
	bodyTime     = 10 * time.Second
	responseTime = callTime + bodyTime
)

// Handler returns a handler that serves s over streamable HTTP to agents on the same machine. It
// has no logins, so listen on a loopback address. It refuses a Host that is not a name of the
// loopback interface, and the Origin of any web page. The size of a body, the time of a request and
// the number of requests at once are bounded, and it keeps no sessions.
func Handler(s *mcp.Server) http.Handler {
	serve := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: mostMessage, PropagateRequestCancellation: true,
	})
	places := make(chan struct{}, mostCalls)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if problem := foreign(r); problem != "" {
			http.Error(w, problem, http.StatusForbidden)
			return
		}
		select {
		case places <- struct{}{}:
			defer func() { <-places }()
		default:
			w.Header().Set("Retry-After", "1")
			http.Error(w, "wait: there are too many requests at once; ask again in 1 s", http.StatusServiceUnavailable)
			return
		}
		bound(w)
		r = r.WithContext(context.WithValue(r.Context(), requestKey{}, r.Context()))
		kept, ok := keepRequest(r)
		if !ok {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write(refusal(nil, jsonrpc.CodeInvalidRequest, notAnID)) // the agent has left
			return
		}
		if kept {
			w = restoring{w}
		}
		serve.ServeHTTP(w, r)
	})
}

// keepRequest keeps the ids of a request, and reports whether it has stand-ins. It returns false
// for an id that is not allowed. What is too long or cannot be read is left to the SDK.
func keepRequest(r *http.Request) (kept, ok bool) {
	if r.Method != http.MethodPost {
		return false, true
	}
	data, err := io.ReadAll(io.LimitReader(r.Body, mostMessage+1))
	body := data
	if ok = true; err == nil {
		body, ok = keepIDs(data)
	}
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(body), r.Body), r.Body}
	return !bytes.Equal(body, data), ok
}

// restoring is a writer of responses with stand-ins, each message whole.
type restoring struct{ http.ResponseWriter }

// Unwrap is for [http.ResponseController].
func (w restoring) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Write implements [http.ResponseWriter].
func (w restoring) Write(data []byte) (int, error) {
	if _, err := w.ResponseWriter.Write(restoreIDs(data)); err != nil {
		return 0, err
	}
	return len(data), nil
}

// requestKey is the key of the context of a request by HTTP, in the contexts of its calls.
type requestKey struct{}

// whileRequested returns a context that also ends with the request of a call. The SDK hands on the
// end of a request only in its latest protocol versions, and the values of its context in all.
func whileRequested(ctx context.Context) (context.Context, context.CancelFunc) {
	request, is := ctx.Value(requestKey{}).(context.Context)
	if !is {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(request, cancel)
	return ctx, func() { stop(); cancel() }
}

// foreign returns why a request may come from a web page, or was led here by another name; "" if
// neither.
func foreign(r *http.Request) string {
	if !isLoopback(r.Host) {
		return "the Host must be localhost or an address of the loopback interface"
	}
	for _, origin := range r.Header.Values("Origin") {
		if !strings.EqualFold(origin, "http://"+r.Host) && !strings.EqualFold(origin, "https://"+r.Host) {
			return "the Origin must be that of this server, or none"
		}
	}
	return ""
}

// isLoopback reports whether a host, with or without a port, is one of this machine only.
func isLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	address, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || err == nil && address.IsLoopback()
}

// bound ends a request whose client does not send its body, or does not read its response. A
// writer without deadlines, as in a test, has none.
func bound(w http.ResponseWriter) {
	to, now := http.NewResponseController(w), time.Now()
	_ = to.SetReadDeadline(now.Add(bodyTime))
	_ = to.SetWriteDeadline(now.Add(responseTime))
}
