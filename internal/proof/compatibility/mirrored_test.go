package compatibility_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/go-freight/terminal49/terminal49test"
)

// copied is a simulated account, and a SQLite database that a mirror of it has filled.
type copied struct {
	account
	demo terminal49test.Demo
	db   string
}

func newCopy(t *testing.T) copied {
	a, demo := newAccount(t)
	a.dir = t.TempDir()
	c := copied{a.with("T49_PUSH_SECRET=secret-1"), demo, filepath.Join(a.dir, "terminal49.db")}
	r := c.start("terminal49-mirror", "run", "--metrics", "127.0.0.1:0")
	c.untilWalked(r)
	if status := r.stop(syscall.SIGTERM); status != 0 {
		t.Fatalf("run: exit status %d\n%s", status, r.printed())
	}
	return c
}

// served waits for the address that a flag's server has printed.
func (r *running) served(flag string) string {
	r.t.Helper()
	return r.until(`--` + flag + ` serves (http://\S+)`)
}

// untilWalked waits until everything has been walked over.
func (c copied) untilWalked(r *running) {
	c.t.Helper()
	address := r.served("metrics")
	r.wait("whole walk", func() bool {
		return strings.Contains(fetch(c.t, address+"/metrics").body, `of="whole_walk"`)
	})
}

// exec changes the database behind the mirror's back.
func (c copied) exec(statement string, args ...any) {
	c.t.Helper()
	db, err := sql.Open("sqlite", "file:"+c.db+"?_pragma=busy_timeout(5000)")
	if err == nil {
		_, err = db.ExecContext(c.t.Context(), statement, args...)
	}
	if err != nil {
		c.t.Fatalf("%s: %v", statement, err)
	}
	if err := db.Close(); err != nil {
		c.t.Fatal(err)
	}
}

// positions returns those of the feed.
func (c copied) positions() (list []string) {
	c.t.Helper()
	for line := range strings.Lines(c.must("terminal49-mirror", "tail")) {
		var change struct{ Position string }
		if err := json.Unmarshal([]byte(line), &change); err != nil {
			c.t.Fatal(err)
		}
		list = append(list, change.Position)
	}
	return list
}

// response is one of HTTP.
type response struct {
	status int
	header http.Header
	body   string
}

// fetch returns a response; none is an empty one.
func fetch(t *testing.T, address string) response {
	t.Helper()
	return do(t, http.MethodGet, address, "", nil)
}

func do(t *testing.T, method, address, body string, header http.Header) response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range header {
		req.Header[name] = values
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		return response{}
	}
	defer resp.Body.Close() //nolint:errcheck // it was read
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Errorf("%s %s: %v", method, address, err)
	}
	return response{resp.StatusCode, resp.Header, string(text)}
}

// exitsOfMirror runs the cases of terminal49-mirror one after another, because each needs the
// database that the one before leaves.
func exitsOfMirror(t *testing.T) (lines []string) {
	c := newCopy(t)
	exits := func(name, args string) {
		status, _, _ := c.run("terminal49-mirror", words(args)...)
		lines = append(lines, fmt.Sprintf("terminal49-mirror, %s: exit status %d", name, status))
	}
	exits("help", "--help")
	exits("status, healthy", "status")
	exits("verify, equal", "verify")
	exits("unknown command", "nothing")
	exits("unknown flag", "status --nothing")
	exits("invalid value", "run --share 2")
	exits("no database", "status --db none.db")
	exits("worklist of another kind", "worklist nothing")
	exits("invalid position", "tail --after 1")
	exits("unknown row", "repair 4f0c0a2e-9d3f-4f0b-9a43-0b9f2c6a5f11")
	exits("unknown push", "push remove --name nothing")
	exits("confirm-deletions, another number", "confirm-deletions containers --expect 1")
	exits("lost position", "tail --after 999999-0123456789abcdef")
	exits("push, lost position", "push --from 999999-0123456789abcdef http://127.0.0.1:1/")
	exits("database cannot be reached", "status --db postgres://me@127.0.0.1:1/freight?connect_timeout=1")
	lines = append(lines, c.gone())

	token := c.env[0]
	c.env[0] = "NOTHING="
	exits("no token", "run")
	c.env[0] = "T49_API_TOKEN=another"
	exits("wrong token", "verify")
	c.env[0] = token

	container := c.srv.ContainerIDs(c.demo.Shipments[0])[0]
	c.srv.UpdateContainer(container, func(c *terminal49test.Container) { c.SealNumber = "SEAL-1" })
	exits("verify, a difference", "verify")
	exits("reconcile", "reconcile")
	c.srv.RemoveContainer(container)
	exits("repair, not possible", "repair "+container)
	for r := range c.srv.Snapshot("container") {
		c.srv.RemoveContainer(r.ID)
	}
	exits("reconcile, rows wait", "reconcile")
	c.exec("update walks set started_at = '2026-01-01T00:00:00.000000Z', page_at = '2026-01-01T00:00:00.000000Z'")
	c.exec("update cursors set value = '2026-01-01T00:00:00.000000Z' where name = 'begun'")
	exits("status, too old", "status")
	return append(lines, "terminal49-mirror, run, SIGTERM: exit status 0") // newCopy requires it
}

// gone returns how push ends if its receiver answers 410.
func (c copied) gone() string {
	receiver := newReceiver(c.t, http.StatusGone)
	status, _, _ := c.run("terminal49-mirror", "push", "--from", "begin", "--name", "gone", receiver.URL)
	_, _, _ = c.run("terminal49-mirror", "push", "remove", "--name", "gone")
	return fmt.Sprintf("terminal49-mirror, push, 410 Gone: exit status %d", status)
}
