package engines

import (
	"slices"
	"sync"
	"testing"
)

// lasting is the testing.TB of a server that all tests of a package share: it ends with [Tests].
type lasting struct{ testing.TB }

var shared struct {
	starting sync.Mutex // held while postgres starts
	postgres *Postgres
	ends     []func()
}

func (lasting) Cleanup(f func()) { shared.ends = append(shared.ends, f) }

// SharedPostgres returns a server that the tests of a package share. The first call starts it, and
// [Tests] ends it. Tests that change the same tables each use a [Postgres.NewDatabase].
func SharedPostgres(t testing.TB) *Postgres {
	t.Helper()
	shared.starting.Lock()
	defer shared.starting.Unlock()
	if shared.postgres == nil {
		shared.postgres = StartPostgres(lasting{t})
	}
	return shared.postgres
}

// Tests are the tests of a package that calls [SharedPostgres]:
//
//	func TestMain(m *testing.M) { os.Exit(engines.Tests{M: m}.Run()) }
type Tests struct{ *testing.M }

// Run runs the tests, and then ends the servers, the latest first. It returns the exit code.
func (m Tests) Run() int {
	code := m.M.Run()
	for _, f := range slices.Backward(shared.ends) {
		f()
	}
	return code
}
