package schedules_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// Every test elsewhere applies one known fault to one call. Here the faults
// are drawn, several of them meet on one connection, and calls share it. Nothing depends on time:
// only what the service did is compared with what the caller got. The expectations are those of
// internal/proof/reliability.md and of the doc comment of IsOutcomeUnknown.

// protocol is what a client and a service speak.
type protocol struct {
	name       string
	tls, http2 bool
}

var protocols = []protocol{
	{"HTTP/1.1", false, false}, {"HTTP/1.1 with TLS", true, false},
	{"HTTP/2 with TLS", true, true}, {"HTTP/2 without TLS", false, true},
}

// configs returns the TLS configurations of both sides, with what makes many handshakes cheap.
func (p protocol) configs(t *testing.T) (server, client *tls.Config) {
	cert, pool := testkit.Certified(t, nil)
	server = &tls.Config{Certificates: []tls.Certificate{cert}, CurvePreferences: []tls.CurveID{tls.X25519}}
	if p.http2 {
		server.NextProtos = []string{"h2"}
	}
	return server, &tls.Config{RootCAs: pool, CurvePreferences: server.CurvePreferences,
		ClientSessionCache: tls.NewLRUClientSessionCache(0)}
}

func (p protocol) transport(client *tls.Config) (scheme string, tr *http.Transport) {
	tr = &http.Transport{Protocols: new(http.Protocols)}
	tr.Protocols.SetHTTP1(!p.http2)
	tr.Protocols.SetHTTP2(p.http2 && p.tls)
	tr.Protocols.SetUnencryptedHTTP2(p.http2 && !p.tls)
	if !p.tls {
		return "http://", tr
	}
	tr.TLSClientConfig = client.Clone()
	return "https://", tr
}

// schedule is what a seed decides. Its calls and requests draw from it independently of each other,
// so that their order does not change what happens to them.
type schedule struct {
	protocol
	seed        uint64
	outOfStep   bool          // connections may carry responses that nothing asked for
	patience    time.Duration // of an attempt; 0 is the default
	callers     int
	setting     string
	inTransport bool
	retries     bool
	calls       []*call
}

// call is one call of a schedule.
type call struct {
	kind
	tag    string
	cancel time.Duration // when its context ends; negative for never
	idle   bool          // idle connections are closed before it
	err    error
}

func (s *schedule) random(purpose uint64) *rand.Rand { return rand.New(rand.NewPCG(s.seed, purpose)) }

func newSchedule(p protocol, seed uint64) *schedule {
	s := &schedule{protocol: p, seed: seed}
	r := s.random(1 << 50)
	s.outOfStep, s.retries, s.inTransport = r.IntN(4) == 0, r.IntN(4) > 0, r.IntN(2) == 0
	s.callers, s.setting = 1+r.IntN(3), pick(r, settings...)
	if r.IntN(6) == 0 {
		s.patience = 15 * time.Millisecond
	}
	for i := range s.callers + r.IntN(6) {
		s.calls = append(s.calls, s.newCall(r, i))
	}
	return s
}

// settings are the names of testkit.Settings, in an order of their own.
var settings = func() (names []string) {
	for name := range testkit.Settings {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}()

// newCall draws a call. A response without a resource cannot show that it belongs to another
// request, so schedules with connections out of step have no such calls.
func (s *schedule) newCall(r *rand.Rand, i int) *call {
	c := &call{kind: pick(r, kinds...), tag: tagOf(i), cancel: -1, idle: r.IntN(10) == 0}
	for s.outOfStep && !c.proven {
		c.kind = pick(r, kinds...)
	}
	if r.IntN(7) == 0 {
		c.cancel = time.Duration(r.IntN(4000)) * time.Microsecond
	}
	return c
}

// run makes the calls, and returns what the service did when nothing is under way any more.
func (s *schedule) run(t *testing.T, server, client *tls.Config) *service {
	hang := time.AfterFunc(3*time.Minute, func() { panic(fmt.Sprintf("%s hangs", s)) })
	defer hang.Stop()
	if !s.tls {
		server = nil
	}
	srv := s.serve(t, server)
	defer srv.close()
	scheme, tr := s.transport(client)
	defer tr.CloseIdleConnections()
	c := s.client(t, scheme+srv.listener.Addr().String(), tr)
	var callers sync.WaitGroup
	for first := range s.callers {
		callers.Go(func() {
			for i := first; i < len(s.calls); i += s.callers {
				s.make(t.Context(), c, tr, s.calls[i])
			}
		})
	}
	callers.Wait()
	return srv
}

func (s *schedule) client(t *testing.T, base string, tr *http.Transport) *terminal49.Client {
	opts := []terminal49.Option{
		terminal49.WithBaseURL(base), terminal49.WithHTTPClient(&http.Client{Transport: tr}), terminal49.WithoutRateLimits(),
		terminal49.WithRetryPolicy(terminal49.RetryPolicy{MinBackoff: time.Millisecond, MaxBackoff: time.Millisecond,
			MaxRetryAfter: time.Millisecond}),
		testkit.Settings[s.setting].Option(tr, s.inTransport),
	}
	if !s.retries {
		opts = append(opts, terminal49.WithMaxAttempts(1))
	}
	client, err := terminal49.New(testkit.Token, opts...)
	require.NoError(t, err)
	return client
}

func (s *schedule) make(ctx context.Context, c *terminal49.Client, tr *http.Transport, made *call) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if made.cancel >= 0 {
		defer time.AfterFunc(made.cancel, cancel).Stop()
	}
	if made.idle {
		tr.CloseIdleConnections()
	}
	var opts []terminal49.CallOption
	if s.patience > 0 {
		opts = append(opts, terminal49.WithAttemptTimeout(s.patience))
	}
	made.err = made.do(ctx, c, made.tag, opts...)
}

// violation returns which promise a call broke, or "".
func (s *schedule) violation(c *call, acted int) string {
	unknown := terminal49.IsOutcomeUnknown(c.err)
	switch {
	case errors.Is(c.err, errOther):
		return c.err.Error()
	case s.patience == 0 && errors.Is(c.err, context.DeadlineExceeded):
		return "it hung"
	case c.reads() && unknown:
		return "the outcome of a read is unknown"
	case c.reads():
		return ""
	case c.creates() && acted > 1:
		return "it acted more than once"
	case c.err == nil && acted == 0:
		return "its error is nil, but it did not act"
	case c.err != nil && !unknown && acted > 0:
		return "it acted, but its outcome is not unknown"
	}
	return ""
}

func (s *schedule) String() string {
	return fmt.Sprintf("seed %d over %s (setting %q, in a transport %t, retries %t, patience %v, out of step %t)",
		s.seed, s.name, s.setting, s.inTransport, s.retries, s.patience, s.outOfStep)
}

// figures count the calls of all schedules over a protocol.
type figures struct{ calls, requests, acted, succeeded, unknown, failed atomic.Int64 }

func (f *figures) add(c *call, acted, requests int) {
	f.calls.Add(1)
	f.requests.Add(int64(requests))
	f.acted.Add(int64(acted))
	switch {
	case c.err == nil:
		f.succeeded.Add(1)
	case terminal49.IsOutcomeUnknown(c.err):
		f.unknown.Add(1)
	default:
		f.failed.Add(1)
	}
}

func TestSchedules_ActOnceOrReport(t *testing.T) {
	log.SetOutput(io.Discard) // net/http reports what it did not ask for
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // nothing outlives its schedule
	first, count := seeds(t)
	for _, p := range protocols {
		t.Run(strings.ReplaceAll(p.name, "/", " "), func(t *testing.T) {
			server, client := p.configs(t)
			var (
				sum     figures
				next    atomic.Uint64
				workers sync.WaitGroup
			)
			for range 16 { // they wait more than they compute
				workers.Go(func() {
					for n := next.Add(1) - 1; n < count; n = next.Add(1) - 1 {
						newSchedule(p, first+n).check(t, server, client, &sum)
					}
				})
			}
			workers.Wait()
			t.Logf("figure: %d schedules of random faults over %s: %d calls, %d requests arrived, acted %d times, %d nil, %d unknown, %d not carried out",
				count, p.name, sum.calls.Load(), sum.requests.Load(), sum.acted.Load(), sum.succeeded.Load(), sum.unknown.Load(), sum.failed.Load())
			if count > 1 { // otherwise the schedules prove nothing
				require.NotZero(t, sum.succeeded.Load())
				require.NotZero(t, sum.unknown.Load())
				require.NotZero(t, sum.failed.Load())
			}
		})
	}
}

// check runs a schedule and reports broken promises.
func (s *schedule) check(t *testing.T, server, client *tls.Config, sum *figures) {
	srv := s.run(t, server, client)
	for i, c := range s.calls {
		acted, fates := srv.acted[c.tag], srv.fates[c.tag]
		sum.add(c, acted, len(fates))
		if problem := s.violation(c, acted); problem != "" {
			t.Errorf("%s: call %d, %s: %s\nacted: %d\nerror: %v\nrequests: %+v\nagain: SEED=%d go test -run %s -count 100",
				s, i, c.Name, problem, acted, c.err, fates, s.seed, t.Name())
		}
	}
}

// seeds returns the first seed and their number: SEED alone, if it is set.
func seeds(t *testing.T) (first, count uint64) {
	text := os.Getenv("SEED")
	if text == "" {
		return 1, testkit.Scale[uint64](100, 2000)
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	require.NoError(t, err, "SEED is a number")
	return seed, 1
}
