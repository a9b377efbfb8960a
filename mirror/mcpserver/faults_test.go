package mcpserver

import (
	"context"
	"database/sql"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

// secretFolder is in the path of the database, which no answer may have.
const secretFolder = "secret-folder"

// demoFile is the database of a mirror of the demo, which tests copy.
var demoFile struct {
	sync.Once
	data []byte
}

// onFile returns the demo with a database in a file, opened with settings.
func onFile(t *testing.T, settings string) (w *world, file string) {
	t.Helper()
	demoFile.Do(func() {
		synctest.Test(t, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "demo.db")
			_, err := demo(t).db.Exec("vacuum into ?", file)
			require.NoError(t, err)
			demoFile.data, err = os.ReadFile(file)
			require.NoError(t, err)
		})
	})
	folder := filepath.Join(t.TempDir(), secretFolder)
	require.NoError(t, os.Mkdir(folder, 0o755))
	w, file = &world{t: t}, filepath.Join(folder, "mirror.db")
	require.NoError(t, os.WriteFile(file, demoFile.data, 0o644))
	w.db = openFile(t, file, settings)
	client, err := terminal49.New("offline")
	require.NoError(t, err)
	w.mirror, err = mirror.New(client, w.db)
	require.NoError(t, err)
	w.reader = mirror.NewReader(w.db)
	s, err := New(Config{Mirror: w.mirror, Reader: w.reader, Now: func() time.Time { return start }})
	require.NoError(t, err)
	w.session = connect(t, s)
	return w, file
}

func openFile(t *testing.T, file, settings string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+file+"?"+settings)
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// plainCalls are a call of each tool about the demo.
func plainCalls(w *world) (calls []asked) {
	w.t.Helper()
	var number, bill string
	require.NoError(w.t, w.db.QueryRow("select c.number, s.bill_of_lading_number from containers c join shipments s on s.id = c.shipment_id order by 1 limit 1").
		Scan(&number, &bill))
	with := map[string]args{
		"status": nil, "find": {"numbers": []string{number, bill}}, "container": {"number": number}, "shipment": {"number": bill},
		"worklist": {}, "summarize": {"by": []string{"situation"}}, "changes": {"since": "1999-12-31T00:00:00Z"}, "history": {"number": number},
		"lookup": {"name": "a"}, "requests": {},
	}
	for _, tool := range slices.Sorted(maps.Keys(toolsOf(w.t, w.session))) {
		arguments, known := with[tool]
		assert.True(w.t, known, "%s has no call", tool)
		calls = append(calls, asked{tool, arguments})
	}
	return calls
}

// requireFaults requires that each call fails with one of the kinds of errors, in the words of an
// agent.
func requireFaults(t *testing.T, w *world, calls []asked, kinds string) {
	t.Helper()
	for _, ask := range calls {
		text := w.refused(ask.tool, ask.with)
		assert.Regexp(t, "^("+kinds+"): ", text, ask.tool)
		for _, secret := range []string{secretFolder, "mirror.db", "SQL", "sqlite", "driver"} {
			assert.NotContains(t, strings.ReplaceAll(text, "SQLite", ""), secret, ask.tool)
		}
	}
}

// Calls are answered while others run and the mirror writes, with what they are answered alone.
func TestServer_ManyCallsAtOnce(t *testing.T) {
	t.Parallel()
	w, _ := onFile(t, "_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)")
	calls := plainCalls(w)
	alone := map[string]string{}
	for _, ask := range calls {
		r := w.result(ask.tool, ask.with)
		require.False(t, r.IsError, "%s: %s", ask.tool, textOf(t, r))
		alone[ask.tool] = withoutTimes(textOf(t, r))
	}
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			for j := range 4 {
				ask := calls[(i+j)%len(calls)]
				r, err := w.session.CallTool(t.Context(), &mcp.CallToolParams{Name: ask.tool, Arguments: ask.with})
				if !assert.NoError(t, err) {
					return
				}
				text := r.Content[0].(*mcp.TextContent).Text
				if r.IsError && ask.tool == "query" { // only some run at once
					assert.Regexp(t, "^wait: ", text)
				} else if ask.tool != "status" {
					assert.Equal(t, alone[ask.tool], withoutTimes(text), ask.tool)
				}
			}
		})
	}
	for range 20 {
		_, err := w.db.Exec("update containers set changed_at = changed_at")
		require.NoError(t, err)
	}
	all.Wait()
}

// withoutTimes returns a text without what the clock changes.
func withoutTimes(text string) string {
	lines := strings.Split(text, "\n")
	return strings.Join(slices.DeleteFunc(lines, func(l string) bool {
		return strings.HasPrefix(l, "As of ") || strings.HasPrefix(l, "Note: The copy is not kept")
	}), "\n")
}

// A writer that has the whole file for itself makes agents wait, and nothing is broken after it.
func TestServer_DatabaseIsLocked(t *testing.T) {
	t.Parallel()
	w, file := onFile(t, "_pragma=busy_timeout(50)&_pragma=journal_mode(DELETE)")
	calls := plainCalls(w)
	unlock := lock(t, file)
	requireFaults(t, w, calls, "wait")
	w.db.SetMaxOpenConns(1)
	_, err := w.db.Exec("pragma busy_timeout = 600000") // the next call ends only with its context
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	_, err = w.session.CallTool(ctx, &mcp.CallToolParams{Name: "status"})
	require.ErrorIs(t, err, context.Canceled)
	unlock()
	for _, ask := range calls {
		r := w.result(ask.tool, ask.with)
		require.False(t, r.IsError, "%s: %s", ask.tool, textOf(t, r))
	}
}

// lock locks a database, also for readers.
func lock(t *testing.T, file string) (unlock func()) {
	t.Helper()
	conn, err := openFile(t, file, "").Conn(t.Context())
	require.NoError(t, err)
	_, err = conn.ExecContext(t.Context(), "begin exclusive")
	require.NoError(t, err)
	return func() {
		_, err := conn.ExecContext(t.Context(), "rollback")
		require.NoError(t, err)
		require.NoError(t, conn.Close())
	}
}

// A database that is gone, replaced, damaged or closed is an error that says who can help.
func TestServer_DatabaseIsNotTheSame(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(t *testing.T, w *world, file string){
		"removed":  func(t *testing.T, w *world, file string) { removeFile(t, file) },
		"replaced": func(t *testing.T, w *world, file string) { replaceFile(t, file) },
		"garbage": func(t *testing.T, w *world, file string) {
			require.NoError(t, os.Truncate(file, 0))
			require.NoError(t, os.WriteFile(file, []byte(strings.Repeat("no database ", 2000)), 0o644))
			w.db.SetMaxIdleConns(0)
		},
		"closed": func(t *testing.T, w *world, file string) { require.NoError(t, w.db.Close()) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, file := onFile(t, "_pragma=busy_timeout(50)&_pragma=journal_mode(DELETE)")
			calls := plainCalls(w)
			require.False(t, w.result("status", nil).IsError)
			spoil(t, w, file)
			requireFaults(t, w, calls, "wait|help")
		})
	}
}

func removeFile(t *testing.T, file string) {
	t.Helper()
	require.NoError(t, os.Remove(file))
}

// replaceFile puts another mirror in the place of a file.
func replaceFile(t *testing.T, file string) {
	t.Helper()
	other, another := onFile(t, "_pragma=journal_mode(DELETE)")
	require.NoError(t, other.db.Close())
	require.NoError(t, os.Rename(another, file))
}

// A mirror with other rules of the verdict is not answered from as if it had the same.
func TestServer_OtherRules(t *testing.T) {
	t.Parallel()
	w, _ := onFile(t, "_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)")
	calls := plainCalls(w)
	_, err := w.db.Exec("update cursors set value = value + 1 where name = 'situations.rules'")
	require.NoError(t, err)
	for _, ask := range calls {
		r := w.result(ask.tool, ask.with)
		if text := textOf(t, r); r.IsError {
			assert.Regexp(t, "^help: ", text, ask.tool)
		} else if slices.Contains([]string{"worklist", "summarize"}, ask.tool) {
			assert.Contains(t, text, "rules", ask.tool)
		}
	}
}
