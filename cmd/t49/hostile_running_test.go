package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/cmd/internal/clitest"
	"github.com/go-freight/terminal49/terminal49test"
)

// printed returns both outputs so far.
func (r *running) printed() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out.String()
}

// With --json, all of the standard output is JSON.
func TestHostile_Watch(t *testing.T) {
	for _, flag := range []string{"--json=false", "--json"} {
		a := newAccount(t)
		s, address := newSpoiler(t, a.srv)
		a.env[1] = "T49_API_BASE_URL=" + address
		container := a.srv.ContainerIDs(a.demo.Shipments[1])[0]
		r := a.start("watch", container, "--interval", "50ms", flag)
		r.until("watching ")
		a.srv.UpdateContainer(container, func(c *terminal49test.Container) {
			c.SealNumber, c.CurrentStatus = "SEAL", "available"
			c.Fees = []terminal49test.Fee{{Type: "exam", Amount: 12.5}}
		})
		if flag == "--json" {
			line := r.until(`(?m)^(\{.*\})$`)
			clitest.RequirePrintable(t, r.printed())
			require.Positive(t, s.requireExact(t, line))
		} else {
			r.until(" changed: ")
			r.until(`(?s)changed: .*\n  MEDU`)
			clitest.RequirePrintable(t, r.printed())
		}
		r.interrupt()
	}
}

// Anyone can send a receiver anything; a signed notification is printed.
func TestHostile_Listen(t *testing.T) {
	const secret = "a-secret-of-the-test"
	body, err := json.Marshal(map[string]any{
		"data": map[string]any{
			"id": "87d4f5e3-df7b-4725-85a3-b80acc572e5d", "type": "webhook_notification",
			"attributes": map[string]any{"event": "container.updated" + hostile, "delivery_status": "pending" + hostile, "created_at": "2026-11-22T12:00:00Z"},
		},
	})
	require.NoError(t, err)
	mac := hmac.New(sha256.New, []byte(secret))
	_, _ = mac.Write(body)
	signature := hex.EncodeToString(mac.Sum(nil))
	for _, flag := range []string{"--json=false", "--json"} {
		a := &account{T: t, env: []string{"T49_WEBHOOK_SECRET=" + secret}}
		r := a.start("webhooks", "listen", "--addr", "127.0.0.1:0", flag)
		address := r.until(`receiving on http://(\S+)`)
		for _, sent := range []struct{ signature, body string }{{signature, string(body)}, {"\u009b2J\u202e", string(body)}, {"", hostile}} {
			req, err := http.NewRequest(http.MethodPost, "http://"+address+"/"+url.PathEscape(hostile), strings.NewReader(sent.body))
			require.NoError(t, err)
			req.Header.Set("X-T49-Webhook-Signature", sent.signature)
			req.Header.Set("Content-Type", "application/json\u009b")
			resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
		}
		r.until("container.updated")
		r.until(`(?s)\n401 .*\n4\d\d `)
		clitest.RequirePrintable(t, r.printed())
		r.interrupt()
	}
}

// The log has anything, and the receiver answers with anything.
func TestHostile_Forward(t *testing.T) {
	for _, flag := range []string{"--json=false", "--json"} {
		a := newAccount(t)
		s, address := newSpoiler(t, a.srv)
		a.env[1] = "T49_API_BASE_URL=" + address
		hook := a.srv.AddWebhook(terminal49test.Webhook{URL: "https://example.com/hook"})
		refusals := 0
		endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if refusals++; refusals == 1 {
				w.WriteHeader(599)
			}
		}))
		r := a.start("webhooks", "forward", endpoint.URL+"/"+url.PathEscape(hostile), "--webhook", hook, "--rate", "60", "--since", "1h", flag)
		r.until("forwarding from")
		a.srv.AddWebhookNotification(terminal49test.WebhookNotification{Event: "container.updated", Webhook: hook, CreatedAt: time.Now()})
		r.until("container.updated.*: 599; next attempt in 1s")
		if flag == "--json" {
			var delivered struct{ Data json.RawMessage }
			require.NoError(t, json.Unmarshal([]byte(r.until(`(?m)^(\{"data".*\})$`)), &delivered))
			require.Positive(t, s.requireExact(t, string(delivered.Data)))
		} else {
			r.until(`container.updated.*  200`)
		}
		clitest.RequirePrintable(t, r.printed())
		r.interrupt()
		endpoint.Close()
	}
}

// A receiver answers with anything; the name of an event may be anything.
func TestHostile_Send(t *testing.T) {
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack() // the answer is not HTTP
		if err == nil {
			_, _ = io.WriteString(conn, "HTTP/1.1 2\u009b0 \x1b[2J\r\n\r\n")
			_ = conn.Close()
		}
	}))
	defer receiver.Close()
	a := &account{T: t, env: []string{"T49_WEBHOOK_SECRET=x"}}
	for _, args := range [][]string{
		{receiver.URL, "--event", "container.updated"}, {receiver.URL, "--event", clitest.Hostile},
		{"http://127.0.0.1:1/" + clitest.Hostile}, {"http://127.0.0.1:1/", "--event", "container.updated"},
	} {
		status, out, log := a.do(append([]string{"webhooks", "send"}, args...)...)
		require.NotZero(t, status)
		require.NotEmpty(t, out+log)
		documented.RequireHarmless(t, status, out, log, args)
	}
}

// SECURITY: any web page could have the simulator print escape sequences at its end. A program
// can still send such a path.
func TestHostile_Simulator(t *testing.T) {
	a := &account{T: t}
	r := a.start("simulator", "--addr", "127.0.0.1:0")
	a.env = strings.Fields(r.until(`(?m)^export (.*)$`))
	address := strings.TrimSuffix(strings.TrimPrefix(a.env[0], "T49_API_BASE_URL="), "/v2")
	token := strings.TrimPrefix(a.env[1], "T49_API_TOKEN=")
	ask := func(method, path string, headers ...string) int {
		req, err := http.NewRequest(method, address+path, http.NoBody)
		require.NoError(t, err)
		for i := 0; i < len(headers); i += 2 {
			req.Header.Set(headers[i], headers[i+1])
		}
		resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		return resp.StatusCode
	}
	require.Equal(t, 404, ask("GET", "/x/%1b%5d0;title%07"+url.PathEscape(hostile), "Authorization", "Token "+token))
	ask("GET", "/v2/shipments?"+url.QueryEscape(hostile)+"="+url.QueryEscape(hostile), "Authorization", "Token "+token)
	require.Equal(t, 403, ask("GET", "/x/%1b%5d0;title%07", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors"))
	r.interrupt()
	r.until("violations of what the service documents: [1-9]")
	clitest.RequirePrintable(t, r.printed())
	require.Contains(t, r.printed(), "/x/?]0;title?")
}

// Arguments and variables may come from a file that somebody else wrote.
func TestHostile_Arguments(t *testing.T) {
	a := newAccount(t)
	const bad = clitest.Hostile
	cases := []clitest.Case{
		{Args: []string{"shipments"}, Env: []string{"T49_API_BASE_URL=" + bad}}, {Args: []string{"shipments"}, Env: []string{"T49_ACCOUNT_ID=" + bad}},
		{Args: []string{"shipments"}, Env: []string{"T49_API_TOKEN=" + bad}},
	}
	for _, args := range [][]string{
		{bad}, {"help", bad}, {"help", "\u202e\u009b"}, {"--" + bad}, {"shipments", bad}, {"containers", "--status", bad}, {"containers", "--count-by", bad}, {"ready", bad}, {"track", bad},
		{"search", bad}, {"api", "/" + bad}, {"api", "-X", bad, "/ports/x"}, {"api", "/ports", "-f", bad}, {"api", "/ports", "-f", bad + "=" + bad}, {"api", "/ports", "-f", "x:=" + bad},
		{"ready", "--from", bad}, {"containers", "--json", "--fields", bad}, {"shipping-lines", bad}, {"parties", bad}, {"events", bad}, {"watch", bad}, {"fees", bad},
		{"webhooks", "create", bad}, {"webhooks", "delete", bad}, {"webhooks", "send", bad}, {"webhooks", "forward", bad}, {"webhooks", "forward", "http://127.0.0.1/" + bad, "--webhook", bad}, {"webhooks", "forward", "http://127.0.0.1/", "--since", bad}, {"containers", "refresh", bad},
		{"shipments", "stop", bad}, {"simulator", "--addr", bad}, {"simulator", "--speed", bad}, {"webhooks", "listen", "--addr", bad},
		{"tracking-requests", "--number", bad}, {"ready", "MSKU7182047", "--max-age", bad}, {"ready", "\xff\x9b2J"},
	} {
		cases = append(cases, clitest.Case{Args: args})
	}
	documented.RunCases(t, a.command, cases)
}
