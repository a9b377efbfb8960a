package engines

import (
	"slices"
	"sync"
	"testing"
)

// Shared is the testing.TB of a server that all tests of a package share: it ends with [Tests].
type Shared struct{ testing.TB }

var shared struct {
	starting sync.Mutex // held while postgres starts
	postgres *Postgres
	ends     []func()
}

// Cleanup calls f at the end of [Tests.Run].
func (Shared) Cleanup(f func()) { shared.ends = append(shared.ends, f) }

// SharedPostgres returns a server that the tests of a package share. The first call starts it.
func SharedPostgres(t testing.TB) *Postgres {
	t.Helper()
	shared.starting.Lock()
	defer shared.starting.Unlock()
	if shared.postgres == nil {
		shared.postgres = StartPostgres(Shared{t})
	}
	return shared.postgres
}

// Tests are the tests of a package that shares servers, for goleak.VerifyTestMain.
type Tests struct{ *testing.M }

// Run runs the tests, and then ends the servers, the latest first.
func (m Tests) Run() int {
	code := m.M.Run()
	for _, f := range slices.Backward(shared.ends) {
		f()
	}
	return code
}
