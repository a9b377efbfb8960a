package fleet_test

import (
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/testkit/engines"
)

// The connections of all scenarios that run at once have room in the Postgres that they share, so
// none is refused because of what the others do:
//
//   - A process calls the engine once for each bucket at a time, and its pool has no more
//     connections than there are buckets: 4. As many may be those that it gave up and that the
//     server has not ended yet. So a process has room for 8, and the line of a scenario lets no
//     more of them through. Receivers, which are four and have no line, give up none.
//   - A scenario has at most crowd() processes, and parallel() scenarios run at once.
//   - The test itself uses as many connections as one more process. They are reserved for the
//     superuser, which no process is.
//
// These are 14 * (20 + 1) * 8 = 2,352 connections with PROOF=whole, of which 14 * 8 = 112 are
// reserved. In a sample they are 10 * 21 * 8 = 1,680, of which 80 are reserved.
const (
	poolSize   = 4
	perProcess = 2 * poolSize
)

// roomFor returns the settings of a Postgres with room for so many scenarios at once.
func roomFor(scenarios int) []string {
	return []string{
		fmt.Sprintf("max_connections=%d", scenarios*(crowd()+1)*perProcess),
		fmt.Sprintf("superuser_reserved_connections=%d", scenarios*perProcess),
	}
}

// processUser is the user of the processes on the shared server.
const processUser = "process"

// shared is the Postgres that scenarios share. The first one starts it, and sharedTests end it.
var shared struct {
	starting sync.Mutex
	postgres *engines.Postgres
	ends     []func()
}

// untilTheEnd is the testing.TB of that server.
type untilTheEnd struct{ testing.TB }

func (untilTheEnd) Cleanup(f func()) { shared.ends = append(shared.ends, f) }

func sharedPostgres(t *testing.T) *engines.Postgres {
	t.Helper()
	shared.starting.Lock()
	defer shared.starting.Unlock()
	if shared.postgres == nil {
		scenarios, err := strconv.Atoi(parallel())
		require.NoError(t, err)
		p := engines.StartPostgres(untilTheEnd{t}, roomFor(scenarios)...)
		execute(t, store{Driver: "pgx", Source: p.DSN()}, "create role "+processUser+" login")
		shared.postgres = p
	}
	return shared.postgres
}

// sharedTests are the tests that end with the shared server.
type sharedTests struct{ *testing.M }

// Run runs the tests, and then ends the server, what was started last first.
func (m sharedTests) Run() int {
	code := m.M.Run()
	for _, f := range slices.Backward(shared.ends) {
		f()
	}
	return code
}

// sharedDatabase returns a database of the shared server with the tables of sqlstore: as the test
// sees it, and as its processes do.
func sharedDatabase(t *testing.T) (own, processes store) {
	t.Helper()
	own = migrated(t, store{Driver: "pgx", Source: sharedPostgres(t).NewDatabase(t)})
	execute(t, own, "grant all on all tables in schema public to "+processUser)
	return own, own.as(processUser)
}

// execute executes statements in a database.
func execute(t *testing.T, s store, statements ...string) {
	t.Helper()
	db, err := sql.Open(s.Driver, s.Source)
	require.NoError(t, err)
	defer db.Close()
	for _, statement := range statements {
		_, err := db.ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}
}
