package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

const (
	forwardSecret = "a-local-secret-of-the-test"
	elsewhere     = "https://elsewhere.example/" // where the receiver redirects
)

// arrived is what a receiver has accepted.
type arrived struct {
	id      string
	created time.Time
	after   time.Duration // from its creation
}

// forwardBench is a simulated service whose notifications are forwarded to a receiver, without a
// socket and in the time of a synctest bubble.
type forwardBench struct {
	*testing.T
	srv      *terminal49test.Server
	hook     string
	state    string
	answer   func(n int) int // status of the nth request; nil accepts all
	requests int
	got      []arrived
	log, out bytes.Buffer
	via      http.RoundTripper // in front of the simulator; nil for none
}

func newForwardBench(t *testing.T) *forwardBench {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithStart(time.Now()))
	t.Cleanup(srv.Close)
	hook := srv.AddWebhook(terminal49test.Webhook{URL: "https://t49-forward.invalid/", Events: []string{"container.updated"}})
	return &forwardBench{T: t, srv: srv, hook: hook, state: filepath.Join(t.TempDir(), "state.jsonl")}
}

// RoundTrip is the receiver.
func (b *forwardBench) RoundTrip(r *http.Request) (*http.Response, error) {
	require.NotEqual(b, elsewhere, r.URL.String(), "a signature is only for the receiver")
	body, err := io.ReadAll(r.Body)
	require.NoError(b, err)
	require.NoError(b, webhook.Verify(body, r.Header.Get(webhook.SignatureHeader), terminal49.NewSecret(forwardSecret)))
	n, err := webhook.ParseNotification(body)
	require.NoError(b, err)
	status := http.StatusOK
	if b.requests++; b.answer != nil {
		status = b.answer(b.requests)
	}
	if status == 0 {
		return nil, io.ErrUnexpectedEOF
	}
	if (response{status: status}).accepted() {
		created, _ := n.CreatedAt.Instant()
		b.got = append(b.got, arrived{n.ID, created, time.Since(created)})
	}
	return &http.Response{StatusCode: status, Header: http.Header{"Location": {elsewhere}}, Body: http.NoBody, Request: r}, nil
}

// forwarder continues where the state file ends.
func (b *forwardBench) forwarder(since ...time.Time) *forwarder {
	b.Helper()
	transport := b.srv.Transport()
	if b.via != nil {
		transport = b.via
	}
	client, err := terminal49.New(b.srv.Token, terminal49.WithBaseURL(b.srv.URL), terminal49.WithHTTPClient(&http.Client{Transport: transport}))
	require.NoError(b, err)
	at, err := openPosition(b.state, len(since) > 0, append(since, time.Time{})[0])
	require.NoError(b, err)
	target := &url.URL{Scheme: "http", Host: "127.0.0.1:1"}
	to := newReceiver(target, terminal49.NewSecret(forwardSecret))
	to.client.Transport = b
	return &forwarder{
		app: &app{out: &b.out, log: &b.log}, client: client, webhook: b.hook, at: at, to: to,
		log: &notificationLog{client: client, webhook: b.hook, pace: &pace{every: 5 * time.Second}},
	}
}

// during runs a forwarder for a time, or until it fails.
func (b *forwardBench) during(d time.Duration, w *forwarder) error {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), d)
	defer cancel()
	err := w.run(ctx)
	require.NoError(b, w.at.close())
	return err
}

// add logs a notification without delivering it.
func (b *forwardBench) add(at time.Time) string {
	return b.srv.AddWebhookNotification(terminal49test.WebhookNotification{Event: "container.updated", CreatedAt: at, Webhook: b.hook})
}

func (b *forwardBench) ids() (ids []string) {
	for _, one := range b.got {
		ids = append(ids, one.id)
	}
	return ids
}

// An event is with the receiver within 6 s (99 of 100), at 12 requests a minute, and the requests
// keep to that: docs/command.md.
func TestForward_WithinSixSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newForwardBench(t)
		container := b.srv.AddContainer(terminal49test.Container{Number: "MSCU1234566"})
		var want int
		go func() {
			random := rand.New(rand.NewPCG(1, 2))
			time.Sleep(time.Second)
			for range 200 {
				time.Sleep(time.Duration(random.IntN(18000)) * time.Millisecond)
				b.srv.UpdateContainer(container, func(c *terminal49test.Container) { c.AvailableForPickup = terminal49test.Bool(want%2 == 0) })
				want++
			}
		}()
		require.NoError(t, b.during(40*time.Minute, b.forwarder()))
		require.Equal(t, 200, want)
		require.Len(t, b.got, want)
		require.True(t, slices.IsSortedFunc(b.got, func(x, y arrived) int { return x.created.Compare(y.created) }))
		slices.SortFunc(b.got, func(x, y arrived) int { return int(x.after - y.after) })
		p99 := b.got[len(b.got)*99/100].after
		t.Logf("figure: forward: event to receiver p50 %v, p99 %v, most %v; %d requests in 40 minutes", b.got[len(b.got)/2].after, p99, b.got[len(b.got)-1].after, b.srv.RequestCount())
		require.LessOrEqual(t, p99, 6*time.Second)
		require.LessOrEqual(t, b.srv.RequestCount(), 12*40+1)
		b.srv.CheckViolations(t)
	})
}

// However often it ends, every notification arrives, and in order if repetitions are left out.
func TestForward_EndsAndContinues(t *testing.T) {
	rounds := 20
	if os.Getenv("PROOF") == "whole" {
		rounds = 60
	}
	synctest.Test(t, func(t *testing.T) {
		b := newForwardBench(t)
		random := rand.New(rand.NewPCG(3, 4))
		b.add(time.Now().Add(-time.Minute)) // before it was ever started: not forwarded
		require.NoError(t, b.during(time.Second, b.forwarder()))
		var want []string
		for range rounds {
			for range random.IntN(160) { // up to two pages
				time.Sleep(time.Duration(random.IntN(50)) * time.Millisecond)
				want = append(want, b.add(time.Now()))
			}
			ends := b.requests + random.IntN(250)
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			b.answer = func(n int) int {
				if n >= ends {
					cancel() // killed, before or after the receiver accepts it
					return []int{0, 200}[n%2]
				}
				return http.StatusOK
			}
			w := b.forwarder()
			require.NoError(t, w.run(ctx))
			cancel()
			require.NoError(t, w.at.close())
		}
		b.answer = nil
		require.NoError(t, b.during(10*time.Minute, b.forwarder()))
		got := firsts(b.ids())
		t.Logf("figure: forward: ended %d times: %d of %d notifications, %d twice", rounds, len(got), len(want), len(b.got)-len(got))
		require.Equal(t, want, got)
	})
}

// firsts leaves repetitions out.
func firsts(ids []string) []string {
	had := map[string]bool{}
	return slices.DeleteFunc(ids, func(id string) bool {
		again := had[id]
		had[id] = true
		return again
	})
}

// What the receiver refuses is sent again, and nothing overtakes it. After as many attempts as the
// service makes (docs/service-containers.md#deliveries) it is given up.
func TestForward_RefusedAndGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newForwardBench(t)
		require.NoError(t, b.during(time.Second, b.forwarder()))
		first, second := b.add(time.Now()), b.add(time.Now().Add(time.Second))
		b.answer = func(n int) int { return []int{500, 302, 206, 0, 307, 308, 204}[min(n-1, 6)] }
		require.NoError(t, b.during(2*time.Minute, b.forwarder()))
		require.Equal(t, []string{first, second}, b.ids())
		require.Contains(t, b.log.String(), first+": 500; next attempt in 1s")
		require.Contains(t, b.log.String(), first+": unexpected EOF; next attempt in 8s")

		b.answer, b.requests = func(n int) int { return map[bool]int{true: 500, false: 200}[n <= attempts] }, 0
		third, fourth := b.add(time.Now().Add(2*time.Second)), b.add(time.Now().Add(3*time.Second))
		err := b.during(10*time.Minute, b.forwarder())
		require.ErrorIs(t, err, errNo)
		require.ErrorContains(t, err, "did not accept 1 of 2")
		require.Equal(t, []string{first, second, fourth}, b.ids())
		require.Contains(t, b.out.String(), third+"  given up after 13 attempts: 500")
	})
}

// Times of creation decide the order; what they do not decide is reported.
func TestForward_TiesAndLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newForwardBench(t)
		start := time.Now()
		later, tie := b.add(start.Add(2*time.Second)), b.add(start.Add(time.Second))
		other := b.add(start.Add(time.Second))
		for i := range 250 { // pages without a notification of the webhook
			b.srv.AddWebhookNotification(terminal49test.WebhookNotification{Event: "container.updated", CreatedAt: start.Add(time.Minute + time.Duration(i)*time.Second), Webhook: "another"})
		}
		foreign := b.srv.AddWebhookNotification(terminal49test.WebhookNotification{Event: "container.updated", CreatedAt: start.Add(time.Second), Webhook: "another"})
		go func() {
			time.Sleep(time.Minute)
			b.add(start.Add(500 * time.Millisecond))
		}()
		require.NoError(t, b.during(2*time.Minute, b.forwarder(start)))
		require.Len(t, b.got, 4)
		require.NotContains(t, b.ids(), foreign)
		require.ElementsMatch(t, []string{tie, other}, b.ids()[:2])
		require.Equal(t, later, b.ids()[2])
		lines := strings.Split(b.out.String(), "\n")
		require.NotContains(t, lines[0], "(")
		require.Contains(t, lines[1], "(same time as the one before)")
		require.NotContains(t, lines[2], "(")
		require.Contains(t, lines[3], "(late: ")
	})
}

// What appears late below the first page is found too, within ten minutes.
func TestForward_LateBelowTheFirstPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newForwardBench(t)
		start := time.Now()
		for i := range 300 {
			b.add(start.Add(time.Duration(i) * time.Second))
		}
		late := ""
		time.AfterFunc(time.Minute, func() { late = b.add(start.Add(10 * time.Second)) })
		require.NoError(t, b.during(12*time.Minute, b.forwarder(start)))
		require.Len(t, b.got, 301)
		require.Equal(t, late, b.ids()[300])
	})
}

// The first time, only the end of a long log is read, and nothing of it is forwarded.
func TestForward_LongLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newForwardBench(t)
		for i := range 1500 {
			b.add(time.Now().Add(-time.Duration(i) * time.Minute))
		}
		w := b.forwarder()
		list, err := w.log.read(t.Context(), w.at, true)
		require.NoError(t, err)
		require.NoError(t, w.at.begin(list))
		require.Equal(t, 1, b.srv.RequestCount())
		id := b.add(time.Now().Add(time.Second))
		require.NoError(t, b.during(time.Minute, w))
		require.Equal(t, []string{id}, b.ids())
	})
}

// rewritten changes the log of the service.
type rewritten struct {
	to     http.RoundTripper
	change func(page string, document map[string]any) bool // false: the service fails
	pages  int
}

func (r *rewritten) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := r.to.RoundTrip(req)
	if err != nil || !strings.HasSuffix(req.URL.Path, "/webhook_notifications") {
		return resp, err
	}
	r.pages++
	var document map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&document); err != nil {
		return nil, err
	}
	if !r.change(req.URL.Query().Get("page[number]"), document) {
		resp.StatusCode = http.StatusServiceUnavailable
	}
	text, err := json.Marshal(document)
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	return resp, err
}

// The service documents neither the order of its log, nor that it has all members, nor that it has
// pages (docs/service-containers.md#notification-log).
func TestForward_OddLogs(t *testing.T) {
	for name, change := range map[string]func(page string, document map[string]any) bool{
		"oldest first": func(_ string, d map[string]any) bool { slices.Reverse(d["data"].([]any)); return true },
		"no times": func(_ string, d map[string]any) bool {
			for _, n := range d["data"].([]any) {
				delete(n.(map[string]any)["attributes"].(map[string]any), "created_at")
			}
			return true
		},
		"one page again and again": func(_ string, d map[string]any) bool {
			d["links"].(map[string]any)["next"] = "https://api.terminal49.com/v2/webhook_notifications?page%5Bnumber%5D=2"
			return true
		},
		"elements that are none": func(_ string, d map[string]any) bool {
			d["data"] = append([]any{nil, 7.0, map[string]any{}}, d["data"].([]any)...)
			return true
		},
		"webhook not named": func(_ string, d map[string]any) bool {
			for _, n := range d["data"].([]any) {
				delete(n.(map[string]any), "relationships")
			}
			return true
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newForwardBench(t)
				b.via = &rewritten{to: b.srv.Transport(), change: change}
				for range 5 {
					b.add(time.Now().Add(-time.Second))
				}
				require.NoError(t, b.during(time.Minute, b.forwarder()))
				require.Empty(t, b.got)
				var want []string
				for i := range 20 {
					want = append(want, b.add(time.Now().Add(time.Duration(i)*time.Millisecond)))
				}
				require.NoError(t, b.during(time.Minute, b.forwarder()))
				if name == "no times" {
					require.ElementsMatch(t, want, b.ids())
				} else {
					require.Equal(t, want, b.ids())
				}
			})
		})
	}
}

// A service that is away is waited for; one that refuses the token is not.
func TestForward_Outage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newForwardBench(t)
		var back atomic.Bool
		b.via = &rewritten{to: b.srv.Transport(), change: func(string, map[string]any) bool { return back.Load() }}
		time.AfterFunc(5*time.Minute, func() { back.Store(true) })
		id := b.add(time.Now())
		require.NoError(t, b.during(10*time.Minute, b.forwarder(time.Now().Add(-time.Hour))))
		require.Equal(t, []string{id}, b.ids())
		require.Equal(t, 1, strings.Count(b.log.String(), "the log cannot be read now; nothing is lost"))
		require.Contains(t, b.log.String(), "the service answers again")

		b.srv.AddFault(terminal49test.Fault{Status: 401, Times: -1})
		err := b.during(time.Minute, b.forwarder())
		require.ErrorIs(t, err, terminal49.ErrUnauthorized)
	})
}

// The service may deactivate a webhook (docs/service-containers.md#webhooks).
func TestForward_InactiveWebhook(t *testing.T) {
	for _, activate := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			b := newForwardBench(t)
			w := b.forwarder()
			w.activate = activate
			time.AfterFunc(time.Minute, func() {
				b.srv.UpdateWebhook(b.hook, func(h *terminal49test.Webhook) { h.Inactive = true })
			})
			require.NoError(t, b.during(20*time.Minute, w))
			hook, _ := b.srv.Webhook(b.hook)
			require.Equal(t, !activate, hook.Inactive)
			require.Contains(t, b.log.String(), map[bool]string{true: "is active again", false: "--activate activates it"}[activate])
		})
	}
}

func TestForward_DamagedState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.jsonl")
	at := time.Date(2026, 11, 26, 8, 0, 0, 0, time.UTC)
	const head = `{"floor":"2026-11-26T07:00:00Z"}` + "\n"
	require.NoError(t, os.WriteFile(path, []byte(head+`{"id":"a","created":"2026-11-26T08:00:00Z"}`+"\n"+`{"id":"b","crea`), 0o600))
	p, err := openPosition(path, false, time.Time{}) // the end of the process cut off the last line
	require.NoError(t, err)
	require.False(t, p.isNew(logged{id: "a", created: at}))
	require.True(t, p.isNew(logged{id: "b", created: at}))
	require.False(t, p.isNew(logged{id: "c", created: at.Add(-2 * time.Hour)}))
	require.NoError(t, p.record("b", at.Add(3*time.Hour)))
	require.NoError(t, p.advance())
	require.NoError(t, p.close())
	for _, text := range []string{head + "x\n", head + head} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := openPosition(path, false, time.Time{})
		require.ErrorContains(t, err, "is damaged; delete it")
		p, err := openPosition(path, true, at)
		require.NoError(t, err)
		require.NoError(t, p.close())
	}
}

// A file that does not begin as one of this command is never replaced, whatever the options.
func TestForward_StateOfSomebodyElse(t *testing.T) {
	folder := t.TempDir()
	path, victim := filepath.Join(folder, "state.jsonl"), filepath.Join(folder, "victim")
	for _, text := range []string{"x\n", "one line", "{}\n", `{"id":"a"}` + "\n", `{"floor":"2026-11-26T07:00:00Z"}`, "\n"} {
		for _, again := range []bool{false, true} {
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			_, err := openPosition(path, again, time.Now())
			require.ErrorContains(t, err, "is not a file of this command, and is left as it is", "%q", text)
			kept, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, text, string(kept))
		}
	}
	require.NoError(t, os.WriteFile(path, nil, 0o600)) // as mktemp makes one
	require.NoError(t, os.WriteFile(victim, []byte("kept"), 0o600))
	require.NoError(t, os.Symlink(victim, path+".new"))
	p, err := openPosition(path, true, time.Now())
	require.NoError(t, err)
	require.NoError(t, p.close())
	kept, err := os.ReadFile(victim)
	require.NoError(t, err)
	require.Equal(t, "kept", string(kept), "no link beside the file is followed")
}

// As a user runs it: a webhook is needed, one is chosen, and the secret stays secret.
func TestForward_Command(t *testing.T) {
	a := newAccount(t)
	a.env = append(a.env, "T49_WEBHOOK_SECRET=a-secret")
	other := filepath.Join(t.TempDir(), "other")
	require.NoError(t, os.WriteFile(other, []byte("one line"), 0o600))
	for _, c := range []struct {
		args   []string
		status int
		log    string
	}{
		{[]string{"ftp://127.0.0.1/"}, exitUsage, "URL must be an http or https address"},
		{[]string{"http://example.com/"}, exitUsage, "--anywhere"},
		{[]string{"http://127.0.0.1:1/", "--rate", "0"}, exitUsage, "--rate must be 1 to 60"},
		{[]string{"http://127.0.0.1:1/", "--since", "yesterday"}, exitUsage, "--since must be a past time such as"},
		{[]string{"http://127.0.0.1:1/"}, exitUsage, "the account has no webhook"},
		{[]string{"http://127.0.0.1:1/", "--create", "https://a.example/", "--state", "/dev/null/x"}, exitUsage, "choose another --state: mkdir /dev/null"},
		{[]string{"http://127.0.0.1:1/", "--create", "https://a.example/", "--state", "."}, exitUsage, "choose another --state: . is not a file"},
		{[]string{"http://127.0.0.1:1/", "--create", "https://a.example/", "--state", other}, exitUsage, "is left as it is"},
		{[]string{"http://127.0.0.1:1/", "--webhook", "x", "--create", "https://a.example/"}, exitUsage, "exclude each other"},
		{[]string{"http://127.0.0.1:1/", "--create", "http://a.example/"}, exitUsage, "https"},
		{[]string{"http://127.0.0.1:1/", "--webhook", "5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d"}, exitNotFound, ""},
	} {
		status, out, log := a.do(append([]string{"webhooks", "forward"}, c.args...)...)
		require.Equal(t, c.status, status, "%v: %s", c.args, log)
		require.Empty(t, out)
		require.Contains(t, log, c.log)
	}
	require.NotContains(t, a.must("webhooks", "list"), "https", "none was created")
	r := a.start("webhooks", "forward", "http://127.0.0.1:1/", "--create", "https://t49-forward.invalid/", "--rate", "60")
	r.until("created webhook .*\n.*forwarding from webhook")
	a.srv.UpdateContainer(a.srv.ContainerIDs(a.demo.Shipments[1])[0], func(c *terminal49test.Container) { c.SealNumber = "SEAL" })
	r.interrupt()
	a.srv.AddWebhook(terminal49test.Webhook{URL: "https://b.example/a-secret-path"})
	status, _, log := a.do("webhooks", "forward", "http://127.0.0.1:1/")
	require.Equal(t, exitUsage, status)
	require.Contains(t, log, "the account has 2 webhooks; choose one with --webhook ID")
	require.Contains(t, log, "  b.example\n")
	require.NotContains(t, log, "a-secret")
}

// The process is killed while notifications happen: none is lost, and they arrive in order.
func TestForward_Killed(t *testing.T) {
	if os.Getenv("PROOF") != "whole" {
		t.Skip("it takes half a minute; TestForward_EndsAndContinues is the quick form")
	}
	a := newAccount(t, terminal49test.WithSpeed(1), terminal49test.WithoutRateLimits())
	hook := a.srv.AddWebhook(terminal49test.Webhook{URL: "https://t49-forward.invalid/", Events: []string{"container.updated"}})
	var mu sync.Mutex
	var got []string
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		assert.NoError(t, webhook.Verify(body, r.Header.Get(webhook.SignatureHeader), terminal49.NewSecret(forwardSecret)))
		n, err := webhook.ParseNotification(body)
		assert.NoError(t, err)
		mu.Lock()
		defer mu.Unlock()
		got = append(got, n.ID)
	}))
	defer endpoint.Close()
	a.env = append(a.env, secretVariable+"="+forwardSecret)
	args := []string{"webhooks", "forward", endpoint.URL, "--webhook", hook, "--rate", "60", "--state", filepath.Join(t.TempDir(), "state")}
	first := a.start(append(args, "--since", "1h")...)
	first.until("forwarding from")
	first.interrupt()
	var want []string
	random := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		r := a.start(args...)
		for range 40 {
			want = append(want, a.srv.AddWebhookNotification(terminal49test.WebhookNotification{Event: "container.updated", Webhook: hook}))
			time.Sleep(time.Duration(random.IntN(60)) * time.Millisecond)
		}
		require.NoError(t, r.cmd.Process.Kill())
		_ = r.cmd.Wait()
	}
	r := a.start(args...)
	require.Eventually(t, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(firsts(slices.Clone(got))) == len(want)
	}, time.Minute, 50*time.Millisecond)
	r.interrupt()
	mu.Lock()
	defer mu.Unlock()
	t.Logf("figure: forward: killed 20 times: %d of %d notifications, %d twice", len(firsts(slices.Clone(got))), len(want), len(got)-len(want))
	require.Equal(t, want, firsts(got))
}
