package fleet_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49/internal/testkit/engines"
)

// scenario is processes at full demand in all buckets, something that happens to them, and what
// must hold all the same: in no window the service counts more requests than the limits.
type scenario struct {
	name    string
	engine  func(*fleetRun)
	workers int             // 0 means 8
	far     int             // how many of them reach the engine through the far line
	order   order           // what differs from the others
	before  func(*fleetRun) // happens before the workers start
	fault   func(*fleetRun) // begins when the budget is used, and ends after two windows
	times   int             // the worst window has at most so many times the limit; 0 means 1
	use     float64         // how much of each budget is used at least; 0 means 0.9
	calls   float64         // how many calls of the engine a request takes at most; 0 for any number
	windows int             // how long the figures are taken; 0 means 2 windows
	goal    func(*fleetRun) // something else that must hold
}

// fleetRun is a scenario that runs.
type fleetRun struct {
	*testing.T
	scenario
	store    store
	redis    []*engines.Redis
	postgres *engines.Postgres
	direct   store // that of the Postgres, for the test itself
	api      *service
	window   time.Duration
	near     *line // nil if the engine is not one server
	distant  *line
	running  []*process
	healed   []func()
	from     time.Time // since when the figures are taken
	took     [5]int64  // calls of the engine before that
}

// shortWindow is the window that the gate runs with. Real ones have 60 seconds.
const shortWindow = 5 * time.Second

func serviceWindow() time.Duration {
	if long() {
		return time.Minute
	}
	return shortWindow
}

func (s scenario) run(t *testing.T) {
	r := &fleetRun{T: t, scenario: s, window: serviceWindow()}
	r.workers, r.times, r.windows = or(s.workers, 8), or(s.times, 1), or(s.windows, 2)
	r.use = max(s.use, 0.9)
	r.api = newService(t, r.window)
	r.engine(r)
	t.Cleanup(r.heal) // an engine that is suspended would not end
	r.connect()
	if r.before != nil {
		r.before(r)
	}
	r.begin()
	if r.fault != nil {
		r.wait(1.5)
		r.fault(r)
		r.wait(2)
		r.heal()
		r.wait(2)
		r.from = time.Now()
	}
	r.took = r.called()
	r.wait(float64(r.windows + 1))
	r.judge()
}

// connect makes the lines to the engine.
func (r *fleetRun) connect() {
	if r.store.host() != "" {
		near, distant := max(r.workers-r.far, 1), max(r.far, 1) // processes; a caller of a test is one
		r.near, r.distant = newLine(r.T, r.store.host(), near*perProcess), newLine(r.T, r.store.host(), distant*perProcess)
	}
}

func or(n, without int) int {
	if n == 0 {
		return without
	}
	return n
}

func (r *fleetRun) wait(windows float64) { rest(time.Duration(windows * float64(r.window))) }

// scaled returns a duration that has the part d of a real window.
func (r *fleetRun) scaled(d time.Duration) time.Duration {
	return time.Duration(float64(d) * float64(r.window) / float64(time.Minute))
}

// until adds what ends the fault.
func (r *fleetRun) until(heal ...func()) { r.healed = append(r.healed, heal...) }

func (r *fleetRun) heal() {
	for _, f := range r.healed {
		f()
	}
	r.healed = nil
}

// agents returns the names of the processes, those on the far line first.
func (r *fleetRun) agents() (list []string) {
	for i := range r.workers {
		list = append(list, fmt.Sprintf("worker/%d", i))
	}
	return list
}

// longestWindow is the longest that a scenario begins again with, and in which a call of the engine
// may take as long as in a real one.
const longestWindow = 27 * time.Second

// begin starts the workers, and again with a longer window if the machine is too slow for any call
// of the engine to be in time.
func (r *fleetRun) begin() {
	for {
		r.startWorkers()
		from, ok := r.api.firstArrival()
		if ok {
			r.from = from
			return
		}
		for _, p := range r.running {
			p.kill()
		}
		r.api.Close()
		if len(r.api.failures) > 0 || r.window >= longestWindow {
			r.Fatalf("no request in time; failures: %v", r.api.failures)
		}
		r.Logf("no request in time: again with a longer window than %v", r.window)
		r.window = min(2*r.window, longestWindow)
		r.api = newService(r.T, r.window)
	}
}

func (r *fleetRun) startWorkers() {
	r.running = make([]*process, r.workers)
	for i := range r.running {
		r.startWorker(i)
	}
}

func (r *fleetRun) startWorker(i int) {
	o := r.order
	o.Role, o.API, o.Window, o.Callers = "worker", r.api.URL, r.window, or(o.Callers, 1+40/r.workers)
	o.Agent, o.Store = r.agents()[i], r.store
	switch {
	case r.near == nil:
	case i < r.far:
		o.Store = r.store.through(r.distant)
	default:
		o.Store = r.store.through(r.near)
	}
	r.running[i] = start(r.T, o, false)
}

// called returns how many calls of the engine were made, by bucket and at last those without.
func (r *fleetRun) called() (n [5]int64) {
	for _, l := range []*line{r.near, r.distant} {
		for i := range n {
			if l != nil {
				n[i] += l.calls[i].Load()
			}
		}
	}
	return n
}

// judge requires that the goals hold, and prints the figures. Those of speed are required in real
// windows only: in short ones they depend on what else the machine does.
func (r *fleetRun) judge() {
	now := time.Now()
	all, sent := r.api.between(time.Time{}, now), r.api.between(r.from, now)
	worst, after, used := r.api.worst(all), r.api.worst(sent), r.api.used(r.from, r.windows)
	each, total := r.callsOf(sent)
	r.Logf("figure: %s: %d processes: worst window %v, use %s, %s calls of the engine per request (%s)",
		r.Name(), r.workers, worst, r.percent(used), total, strings.Join(each[:], "/"))
	for i, b := range buckets {
		r.require(worst[i] <= r.times*b.limit, "%s: %d requests in the worst window", b.name, worst[i])
		r.require(after[i] <= b.limit, "%s: %d requests in the worst window at the end", b.name, after[i])
		r.require(!long() || float64(used[i]) >= r.use*float64(b.limit*r.windows)-1, "%s: %d requests in %d windows", b.name, used[i], r.windows)
	}
	r.api.mu.Lock()
	r.require(len(r.api.failures) == 0, "failures: %v", r.api.failures)
	r.api.mu.Unlock()
	if r.goal != nil {
		r.goal(r)
	}
}

// require reports a goal that does not hold, and goes on.
func (r *fleetRun) require(holds bool, format string, args ...any) {
	if !holds {
		r.Errorf(format, args...)
	}
}

func (r *fleetRun) percent(used figures) string {
	var list []string
	for i, b := range buckets {
		list = append(list, fmt.Sprintf("%.1f", 100*float64(used[i])/float64(b.limit*r.windows)))
	}
	return strings.Join(list, "/") + " %"
}

// callsOf returns how many calls of the engine the requests took, by bucket and of all.
func (r *fleetRun) callsOf(sent []arrival) (each [4]string, total string) {
	if r.near == nil {
		return [4]string{"-", "-", "-", "-"}, "-"
	}
	sum, now := 0.0, r.called()
	for i := range now {
		n := float64(now[i] - r.took[i])
		if sum += n; i < len(each) {
			requests := only(sent, func(a arrival) bool { return a.bucket == i })
			each[i] = fmt.Sprintf("%.2f", n/float64(len(requests)))
		}
	}
	perRequest := sum / float64(len(sent))
	if r.scenario.calls > 0 {
		r.require(!long() || perRequest <= r.scenario.calls, "%.2f calls of the engine per request", perRequest)
	}
	return each, fmt.Sprintf("%.2f", perRequest)
}
