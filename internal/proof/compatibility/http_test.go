package compatibility_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// httpOf has what the commands serve and send by HTTP: paths, statuses, types, headers and bodies.
func httpOf(t *testing.T) (lines []string) {
	lines = append(lines, httpOfMirror(t)...)
	lines = append(lines, unhealthy(t)...)
	lines = append(lines, unready(t)...)
	return append(lines, httpOfBoard(t)...)
}

// answers describes a response.
func answers(what string, r response) string {
	return strings.TrimSpace(fmt.Sprintf("%s: %d %s", what, r.status, r.header.Get("Content-Type")))
}

// ready waits for a response 200: until the database answers in time, it is 503.
func (r *running) ready(address string) (got response) {
	r.t.Helper()
	r.wait("response 200", func() bool {
		got = fetch(r.t, address)
		return got.status == http.StatusOK
	})
	return got
}

func httpOfMirror(t *testing.T) (lines []string) {
	l := newLive(t)
	lines = append(lines,
		answers("terminal49-mirror run --listen GET /healthz", l.mirror.ready(l.listen+"/healthz")),
		answers("terminal49-mirror run --listen GET /metrics, with --metrics", fetch(t, l.listen+"/metrics")),
		answers("terminal49-mirror run --metrics GET /healthz", l.mirror.ready(l.metrics+"/healthz")),
		answers("terminal49-mirror run --metrics GET /metrics", l.mirror.ready(l.metrics+"/metrics")),
		answers("terminal49-mirror run --url POST, not signed", do(t, http.MethodPost, l.listen+"/webhook", "{}", nil)),
		answers("terminal49-mirror run --url GET", fetch(t, l.listen+"/webhook")),
		answers("terminal49-mirror push --metrics GET /healthz", l.push.ready(l.push.served("metrics")+"/healthz")),
		answers("terminal49-mirror push --metrics GET /metrics", l.push.ready(l.push.served("metrics")+"/metrics")),
	)
	if body := l.mirror.ready(l.listen + "/healthz").body; body != "ok\n" {
		t.Errorf("the body of /healthz is %q", body)
	}
	lines = append(lines, pushed(t, l.receiver.first(t))...)
	for _, r := range []*running{l.push, l.mirror} {
		if status := r.stop(syscall.SIGTERM); status != 0 {
			t.Errorf("%v: exit status %d", r.cmd.Args, status)
		}
	}
	alone := l.start("terminal49-mirror", "run", "--listen", "127.0.0.1:0")
	lines = append(lines, answers("terminal49-mirror run --listen GET /metrics", alone.ready(alone.served("listen")+"/metrics")))
	return lines
}

// pushed describes a delivery of a push, the first of an account.
func pushed(t *testing.T, d delivery) (lines []string) {
	t.Helper()
	if err := webhook.Verify([]byte(d.body), d.header.Get("X-T49-Webhook-Signature"), terminal49.NewSecret("secret-1")); err != nil {
		t.Errorf("the signature of a push: %v", err)
	}
	lines = append(lines, "terminal49-mirror push: "+d.method+" "+d.header.Get("Content-Type"),
		"terminal49-mirror push: signature in X-T49-Webhook-Signature")
	for name := range d.header {
		if name != "Accept-Encoding" { // which Go's client adds
			lines = append(lines, "terminal49-mirror push: header "+name)
		}
	}
	agent, _, _ := strings.Cut(d.header.Get("User-Agent"), "/")
	lines = append(lines, "terminal49-mirror push: User-Agent "+agent+"/VERSION")
	lines = append(lines, membersOf(t, "terminal49-mirror push", d.body, 2)...)
	var event struct {
		SpecVersion, ID, Source, Type, Subject, DataContentType string
		Data                                                    struct{ Position, Kind, ID, Attribute string }
	}
	if err := json.Unmarshal([]byte(d.body), &event); err != nil {
		t.Fatal(err)
	}
	if event.ID != event.Data.Position {
		t.Errorf("the id of an event is %s, and the position of its change %s", event.ID, event.Data.Position)
	}
	account := regexp.MustCompile(`[0-9a-f-]{36}`).ReplaceAllString(event.Source, "ACCOUNT")
	return append(lines, "terminal49-mirror push .specversion is "+event.SpecVersion, "terminal49-mirror push .source is "+account,
		"terminal49-mirror push .type is "+strings.Replace(event.Type, event.Data.Kind+"."+event.Data.Attribute, "KIND.ATTRIBUTE", 1),
		"terminal49-mirror push .subject is "+strings.Replace(event.Subject, event.Data.Kind+"/"+event.Data.ID, "KIND/ID", 1),
		"terminal49-mirror push .datacontenttype is "+event.DataContentType)
}

// unhealthy returns the response of a mirror that the service refuses a list.
func unhealthy(t *testing.T) []string {
	a, _ := newAccount(t)
	a.srv.AddFault(terminal49test.Fault{Operation: "shipments.list", Times: -1, Status: 403})
	r := a.start("terminal49-mirror", "run", "--metrics", "127.0.0.1:0")
	address := r.served("metrics")
	r.wait("refused walk", func() bool { return strings.Contains(fetch(t, address+"/healthz").body, "403") })
	return []string{answers("terminal49-mirror run --metrics GET /healthz, unhealthy", fetch(t, address+"/healthz"))}
}

// unready returns the responses of a mirror while another process creates its tables, and after its
// database went away.
func unready(t *testing.T) (lines []string) {
	a, _ := newAccount(t)
	dbs := newDatabases(t)
	lock := must(dbs[0].BeginTx(t.Context(), nil))(t)
	defer lock.Rollback() //nolint:errcheck // the file is not used again
	r := a.start("terminal49-mirror", "run", "--db", dbs[0].name, "--metrics", "127.0.0.1:0")
	lines = append(lines, r.health("without tables")...)

	r = a.start("terminal49-mirror", "run", "--db", dbs[1].name, "--metrics", "127.0.0.1:0")
	r.ready(r.served("metrics") + "/metrics")
	name := dbs[1].texts(t, "select current_database()")[0][0]
	other := newDatabases(t)[1]
	other.exec(t, fmt.Sprintf("alter database %q allow_connections false", name))
	other.exec(t, fmt.Sprintf("select pg_terminate_backend(pid) from pg_stat_activity where datname = '%s'", name))
	r.wait("another response than 200", func() bool { return fetch(t, r.served("metrics")+"/metrics").status != http.StatusOK })
	return append(lines, r.health("whose database went away")...)
}

// health returns the responses of a mirror in a state.
func (r *running) health(state string) (lines []string) {
	for _, path := range []string{"/healthz", "/metrics"} {
		lines = append(lines, answers("terminal49-mirror run --metrics GET "+path+", "+state, fetch(r.t, r.served("metrics")+path)))
	}
	return lines
}

var (
	containerLink = regexp.MustCompile(`href="(/containers/[0-9a-f-]+)`)
	control       = regexp.MustCompile(`<(?:input|select)[^>]* name="?(\w+)`)
	sortLink      = regexp.MustCompile(`[?&](?:amp;)?sort=([\w-]+)`)
)

func httpOfBoard(t *testing.T) (lines []string) {
	r := (account{t: t}).start("terminal49-board", "--demo", "--speed", "0", "--shipments", "20", "--addr", "127.0.0.1:0")
	site := r.until(`(http://\S+)`)
	page := response{}
	r.wait("container", func() bool {
		page = fetch(t, site+"/")
		return containerLink.MatchString(page.body)
	})
	container := containerLink.FindStringSubmatch(page.body)[1]
	table := fetch(t, site+"/containers.csv")
	lines = append(lines,
		answers("terminal49-board GET /", page),
		answers("terminal49-board GET /containers.csv", table),
		answers("terminal49-board GET /containers/ID", fetch(t, site+container)),
		answers("terminal49-board GET /containers/ID, unknown", fetch(t, site+"/containers/5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d")),
		answers("terminal49-board GET /changes", fetch(t, site+"/changes")),
		answers("terminal49-board GET another path", fetch(t, site+"/nothing")),
		answers("terminal49-board POST /clock", do(t, http.MethodPost, site+"/clock", "speed=0", http.Header{"Content-Type": {"application/x-www-form-urlencoded"}})),
	)
	for _, found := range control.FindAllStringSubmatch(page.body, -1) {
		lines = append(lines, "terminal49-board parameter "+found[1])
	}
	for _, found := range sortLink.FindAllStringSubmatch(page.body, -1) {
		lines = append(lines, "terminal49-board parameter sort="+found[1])
	}
	text, marked := strings.CutPrefix(table.body, "\ufeff")
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) < 2 || !marked {
		t.Fatalf("/containers.csv: %v, %d rows, with a mark: %t", err, len(rows), marked)
	}
	for i, title := range rows[0] {
		lines = append(lines, fmt.Sprintf("terminal49-board /containers.csv column %02d: %s", i+1, title))
		for _, form := range formsOf(rows[1:], i) {
			lines = append(lines, fmt.Sprintf("terminal49-board /containers.csv column %02d %s: %s", i+1, title, form))
		}
	}
	return lines
}
