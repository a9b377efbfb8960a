package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/cmd/internal/clitest"
	"github.com/go-freight/terminal49/internal/testkit/engines"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/webhook"
)

const testSecret = "p0sh-s3cret"

// pushed is a database with a feed, and a receiver.
type pushed struct {
	*bench
	db       *sql.DB
	postgres bool
	seq      int
	made     map[string]time.Time // when each change was committed, by id
	*sink                         // the first receiver
}

// sink is a receiver.
type sink struct {
	t        testing.TB
	mu       sync.Mutex
	answer   func(http.ResponseWriter) bool // reports whether it has answered; nil to accept
	first    []event                        // accepted, in the order of the first time
	at       map[string]time.Time
	bodies   map[string]string
	requests int // with a signature
	errors   []string
}

// newSink returns a receiver and its address.
func newSink(t testing.TB, answer func(http.ResponseWriter) bool) (*sink, string) {
	s := &sink{t: t, answer: answer, at: map[string]time.Time{}, bodies: map[string]string{}}
	receiver := httptest.NewServer(s)
	t.Cleanup(receiver.Close)
	return s, receiver.URL
}

// set changes what a receiver answers.
func (s *sink) set(answer func(http.ResponseWriter) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = answer
}

// answers is an answer with a status.
func answers(status int) func(http.ResponseWriter) bool {
	return func(w http.ResponseWriter) bool { w.WriteHeader(status); return true }
}

type event struct{ ID, Subject string }

// onBothPushed runs a test on SQLite and on Postgres.
func onBothPushed(t *testing.T, f func(*pushed, string)) {
	for _, engine := range []string{"SQLite", "Postgres"} {
		t.Run(engine, func(t *testing.T) {
			b := newBench(t)
			p := &pushed{bench: b, made: map[string]time.Time{}}
			driver, name := "sqlite", b.file()
			if engine == "Postgres" {
				b.db = engines.SharedPostgres(t).NewDatabase(t)
				driver, name, p.postgres = "pgx", b.db, true
			}
			p.db = b.openTables(driver, name)
			b.env = append(b.env, pushSecret+"="+testSecret)
			first, address := newSink(t, nil)
			p.sink = first
			f(p, address)
		})
	}
}

// file returns the name of the SQLite database for its driver.
func (b *bench) file() string {
	return "file:" + b.db + "?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_txlock=immediate"
}

// openTables opens a database, and creates the tables in it.
func (b *bench) openTables(driver, name string) *sql.DB {
	b.Helper()
	db, err := sql.Open(driver, name)
	require.NoError(b, err)
	b.Cleanup(func() { _ = db.Close() })
	client, err := offline()
	require.NoError(b, err)
	m, err := mirror.New(client, db)
	require.NoError(b, err)
	require.NoError(b, m.Migrate(b.Context()))
	return db
}

// ServeHTTP implements http.Handler.
func (s *sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := time.Now()
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = webhook.Verify(body, r.Header.Get(webhook.SignatureHeader), terminal49.NewSecret(testSecret))
	}
	var e event
	if err != nil || json.Unmarshal(body, &e) != nil {
		w.WriteHeader(http.StatusBadRequest) // a killed sender may leave half a request
		return
	}
	if answer := s.note(e.ID, string(body)); answer != nil && answer(w) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, again := s.at[e.ID]; !again {
		s.first = append(s.first, e)
		s.at[e.ID] = now
	}
}

// note compares a body with the one that came under the id before.
func (s *sink) note(id, body string) func(http.ResponseWriter) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	if was, again := s.bodies[id]; again && was != body {
		s.errors = append(s.errors, id+" has two bodies")
	}
	s.bodies[id] = body
	return s.answer
}

// asked returns how many requests with a signature have come, also those that were not accepted.
func (s *sink) asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

// accepted returns how many changes the receiver has accepted.
func (s *sink) accepted() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.first)
}

// add commits a change of a container.
func (p *pushed) add(container string) {
	p.Helper()
	p.seq++
	id := fmt.Sprintf("%d-%016x", p.seq, rand.Uint64())
	statement := "insert into changes (seq, position, kind, id, attribute, old, new, ticket, source, at) values (?, ?, 'container', ?, 'pickup_lfd', null, ?, 1, 'walk', ?)"
	at := any(time.Now().UTC().Format("2006-01-02T15:04:05.000000Z"))
	if p.postgres {
		statement, at = "insert into t49.changes (seq, position, kind, id, attribute, old, new, ticket, source, at) values ($1, $2, 'container', $3, 'pickup_lfd', null, $4, 1, 'walk', $5)", time.Now()
	}
	_, err := p.db.ExecContext(p.Context(), statement, p.seq, id, container, strconv.Itoa(p.seq), at)
	require.NoError(p, err)
	p.made[id] = time.Now()
}

// containers is of how many containers changes are added.
const containers = 40

// addAny commits a change of any container.
func (p *pushed) addAny() { p.add("c" + strconv.Itoa(rand.IntN(containers))) }

// mostAhead is how many changes are added that the first receiver has not accepted.
const mostAhead = 200

// addBehind commits a change of any container as soon as the first receiver is not far behind, so
// that a sender always has something to do, however quick the machine is.
func (p *pushed) addBehind() {
	p.until("accepted changes", func() bool { return len(p.made)-p.accepted() < mostAhead })
	p.addAny()
}

// check fails if a change is lost, came before an earlier one of its container, or had two bodies.
func (s *sink) check(made map[string]time.Time) {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	require.Empty(s.t, s.errors)
	require.Len(s.t, s.first, len(made))
	last := map[string]int{}
	for _, e := range s.first {
		require.Contains(s.t, made, e.ID)
		seq, err := strconv.Atoi(e.ID[:strings.Index(e.ID, "-")])
		require.NoError(s.t, err)
		require.Greater(s.t, seq, last[e.Subject], "in the order of the container")
		last[e.Subject] = seq
	}
}

// Senders that are killed at random, with a receiver of which some answers are 500, lose nothing
// and keep the order of each container; ids and bytes stay. Afterwards the sender catches up.
func TestPush_KilledSenders(t *testing.T) {
	t.Parallel()
	onBothPushed(t, func(p *pushed, address string) {
		p.set(func(w http.ResponseWriter) bool {
			return rand.IntN(100) == 0 && answers(http.StatusInternalServerError)(w)
		})
		kills := 5
		if wholeProof {
			kills = 20
		}
		for range kills {
			c := p.start("push", "--from", "begin", address)
			for end := p.asked() + rand.IntN(400); p.asked() <= end; {
				p.addBehind()
			}
			_ = c.cmd.Process.Signal(syscall.SIGKILL)
			<-c.ended
		}
		p.start("push", "--from", "begin", address)
		took := stopwatch()
		p.until("caught up", func() bool { return p.accepted() == len(p.made) })
		p.Logf("figure: %d changes, %d senders killed: caught up %v after the last kill", len(p.made), kills, took().Round(10*time.Millisecond))
		p.check(p.made)
	})
}

func (p *pushed) until(what string, holds func() bool) {
	p.Helper()
	until(p, holds, func() string { return what })
}

// A receiver that hangs, answers 500, 429 or 410, or is not there, does not hold up another one,
// and is reported. Little is stored and nothing is parked meanwhile; afterwards everything arrives.
func TestPush_BadReceivers(t *testing.T) {
	t.Parallel()
	onBothPushed(t, func(p *pushed, address string) {
		works := p.start("push", "--name", "works", "--from", "begin", address)
		bad := startBadReceivers(p)
		for c := range containers {
			p.add("c" + strconv.Itoa(c))
		}
		require.Equal(p, exitFailed, bad.processes["gone"].wait())
		p.until("report", func() bool {
			_, out, log := p.do("status")
			holds := strings.Contains(log, "the push gone has stopped: mirror: the receiver answered 410 Gone")
			for name, problem := range map[string]string{"hangs": "did not answer within 1s", "fails": "answered 500", "asks": "answered 429"} {
				about := regexp.MustCompile("push " + name + " .* 0 parked, 0 sent, the receiver accepts nothing since .*" + problem)
				holds = holds && about.MatchString(out)
			}
			return holds
		})
		for range 500 {
			p.addBehind()
		}
		// The request that never ends has not ended, because its sender waits longer than this test.
		p.until("all at the one that works", func() bool { return p.accepted() == len(p.made) })
		p.check(p.made)
		var stored int
		table := map[bool]string{true: "t49.deliveries", false: "deliveries"}[p.postgres]
		require.NoError(p, p.db.QueryRow("select count(*) from "+table+" where push <> 'never'").Scan(&stored))
		require.LessOrEqual(p, stored, 4*containers, "four receivers have accepted nothing, and nothing is read for them since that is known")
		bad.answer()
		for name, s := range bad.sinks {
			p.until(name, func() bool { return s.accepted() == len(p.made) })
			s.check(p.made)
			require.Zero(p, bad.processes[name].stop(syscall.SIGTERM))
		}
		require.Zero(p, works.stop(syscall.SIGTERM))
	})
}

// badReceivers do not work until answer is called.
type badReceivers struct {
	sinks     map[string]*sink
	processes map[string]*child
	answer    func()
}

func startBadReceivers(p *pushed) *badReceivers {
	b := &badReceivers{sinks: map[string]*sink{}, processes: map[string]*child{}}
	wait, addresses := make(chan struct{}), map[string]string{}
	hang := func(w http.ResponseWriter) bool { <-wait; return answers(http.StatusServiceUnavailable)(w) }
	for name, answer := range map[string]func(http.ResponseWriter) bool{
		"hangs": hang, // its sender gives up after a second
		"never": hang,
		"fails": answers(http.StatusInternalServerError),
		"gone":  answers(http.StatusGone),
		"asks": func(w http.ResponseWriter) bool {
			w.Header().Set("Retry-After", "1")
			return answers(http.StatusTooManyRequests)(w)
		},
	} {
		b.sinks[name], addresses[name] = newSink(p, answer)
		timeout := map[bool]string{true: "5m", false: "1s"}[name == "never"]
		b.processes[name] = p.start("push", "--name", name, "--from", "begin", "--timeout", timeout, addresses[name])
	}
	release := sync.OnceFunc(func() { close(wait) })
	p.Cleanup(release) // or the receivers that hang never end, if the test fails
	b.answer = func() {
		for _, s := range b.sinks {
			s.set(nil)
		}
		release()
		b.processes["gone"] = p.start("push", "--name", "gone", addresses["gone"])
	}
	return b
}

// times returns how long the changes took from their commits to the first receiver, sorted.
func (p *pushed) times() (all []time.Duration) {
	for id, at := range p.made {
		all = append(all, p.at[id].Sub(at))
	}
	slices.Sort(all)
	return all
}

// The second process with a name waits, and goes on at once when the first one is killed.
func TestPush_AnotherProcessTakesOver(t *testing.T) {
	t.Parallel()
	onBothPushed(t, func(p *pushed, address string) {
		one := p.start("push", "--from", "begin", address)
		p.add("a")
		p.until("the first change", func() bool { return p.accepted() == 1 })
		other := p.start("push", address)
		other.until("waiting", func() bool { return strings.Contains(other.logged(), "another process has the lease") })
		require.Equal(p, -1, one.stop(syscall.SIGKILL))
		p.add("a")
		p.until("the second change", func() bool { return p.accepted() == 2 })
		require.Zero(p, other.stop(syscall.SIGTERM), other.logged())
		require.Contains(p, other.logged(), "sending goes on from the stored position")
		p.check(p.made)
	})
}

// The address that serves the webhook lists no pushes if --metrics serves them: their lines have
// the hosts of receivers.
func TestPush_PublicHealth(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.srv.SeedDemo()
	b.env = append(b.env, pushSecret+"="+testSecret)
	c := b.start("run", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0")
	c.untilWalked()
	_, receiver := newSink(t, nil)
	push := b.start("push", receiver)
	c.until("push", func() bool {
		_, body := get(t.Context(), c.address("metrics")+healthPath)
		return strings.HasPrefix(body, "ok\npush default to "+receiver)
	})
	_, body := get(t.Context(), c.address("listen")+healthPath)
	require.Equal(t, "ok\n", body)
	require.Zero(t, push.stop(syscall.SIGTERM), push.logged())
	require.Zero(t, c.stop(syscall.SIGTERM), c.logged())
}

// The status, /healthz and /metrics report each push, and the exit status and the error say what to
// do when it cannot go on.
func TestPush_Reports(t *testing.T) {
	t.Parallel()
	onBothPushed(t, func(p *pushed, address string) {
		p.add("a")
		c := p.start("push", "--name", "board", "--from", "begin", "--metrics", "127.0.0.1:0", address+"/T0K3NPATH")
		p.until("the change", func() bool { return p.accepted() == 1 })
		body := ""
		p.until("health", func() bool {
			_, body = get(p.Context(), c.address("metrics")+healthPath)
			return strings.Contains(body, "1 sent")
		})
		require.True(p, strings.HasPrefix(body, "ok\npush board to "+address+": at 1-"), body)
		_, body = get(p.Context(), c.address("metrics")+metricsPath)
		require.Contains(p, body, `terminal49_mirror_push_sent_total{push="board"} 1`)
		require.Zero(p, c.stop(syscall.SIGTERM), c.logged())
		require.NotContains(p, c.logged(), "T0K3NPATH")
		_, out, _ := p.do("status")
		require.Contains(p, out, "push board ")
		_, err := p.db.ExecContext(p.Context(), map[bool]string{true: "delete from t49.changes", false: "delete from changes"}[p.postgres])
		require.NoError(p, err)
		status, _, log := p.do("push", "--name", "board", address)
		require.Equal(p, exitLost, status)
		require.Contains(p, log, "terminal49-mirror push reposition --name board --from end")
		status, _, log = p.do("status")
		require.Equal(p, exitDiffers, status)
		require.Contains(p, log, "the push board has stopped: ")
		require.Equal(p, "0 to be sent again\n", p.must("push", "replay", "--name", "board"))
		require.Empty(p, p.must("push", "parked", "--name", "board"))
		p.must("push", "reposition", "--name", "board", "--from", "end")
		p.must("push", "remove", "--name", "board")
		status, _, log = p.do("push", "remove", "--name", "board")
		require.Equal(p, exitUsage, status)
		require.Contains(p, log, "there is no push named board")
	})
}

// What is wrong is an error that names the flag, before anything runs, and without the secrets.
func TestPush_BadInput(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.db = "./none.db"
	file := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(file, []byte("\n"), 0o600))
	const address = "https://example.com/T0K3NPATH"
	for want, args := range map[string][]string{
		"URL, or T49_PUSH_URL, must be an http or https address":                {},
		"URL, or T49_PUSH_URL, must be":                                         {"example.com/T0K3NPATH"},
		"T49_PUSH_SECRET is not set, and --secret-file is not given":            {address, "--secret-file", file},
		"--secret-file cannot be read":                                          {address, "--secret-file", file + "0"},
		`--filter has the unknown kind "containers"; the kinds are container, `: {address, "--filter", "containers"},
		`--filter has the attribute "LFD"`:                                      {address, "--filter", "container.LFD"},
		"--from must be begin, end, or the position of a change":                {address, "--from", "17"},
		"--name must have lower-case letters":                                   {address, "--name", "Board 1"},
		"--timeout must be from 100 ms":                                         {address, "--timeout", "0"},
		"--attempts must be at least 1":                                         {address, "--attempts", "0"},
		"there is no database ./none.db":                                        {address},
	} {
		cmd := b.command(append([]string{"push"}, args...)...)
		cmd.Env = append(cmd.Env, pushSecret+"="+testSecret)
		if strings.Contains(want, "is not set") {
			cmd.Env = append(cmd.Env, pushSecret+"=")
		}
		status, _, log := clitest.Run(b, cmd)
		require.Equal(t, exitUsage, status, want)
		require.Contains(t, log, want)
		require.NotContains(t, log, "T0K3NPATH")
		require.NotContains(t, log, testSecret)
	}
}

// TestMeasure_Push measures the time from the commit of a change to its arrival at a receiver, at
// 100 changes a second, and the CPU time of the sender then and when it is idle:
//
//	MEASURE=1 go test -run Measure_Push -v ./cmd/terminal49-mirror
func TestMeasure_Push(t *testing.T) {
	if os.Getenv("MEASURE") == "" {
		t.Skip("set MEASURE=1")
	}
	onBothPushed(t, func(p *pushed, address string) {
		c := p.start("push", "--from", "begin", address)
		p.add("a")
		p.until("the first change", func() bool { return p.accepted() == 1 })
		before := c.cpu()
		pause(20 * time.Second)
		p.Logf("figure: idle for 20 s: %v of CPU", c.cpu()-before)
		before = c.cpu()
		const long = 60 * time.Second
		pace(10*time.Millisecond, long, p.addAny)
		p.until("all", func() bool { return p.accepted() == len(p.made) })
		used := c.cpu() - before
		p.check(p.made)
		times := p.times()
		at := func(part int) time.Duration { return times[len(times)*part/1000].Round(time.Millisecond) }
		p.Logf("figure: %d changes at 100/s: p50 %v, p99 %v, p99.9 %v, most %v; %v of CPU in %v", len(times), at(500), at(990), at(999), times[len(times)-1], used, long)
		require.Less(p, at(990), 250*time.Millisecond)
	})
}

// cpu returns the CPU time that a running command has used. It needs Linux.
func (c *child) cpu() (used time.Duration) {
	c.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.cmd.Process.Pid))
	require.NoError(c, err)
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:])) // from the third
	for _, field := range fields[11:13] {
		ticks, err := strconv.Atoi(field)
		require.NoError(c, err)
		used += time.Duration(ticks) * 10 * time.Millisecond
	}
	return used
}
