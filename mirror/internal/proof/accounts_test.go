//go:build unix

package proof

import (
	"database/sql"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// Two accounts live in one database, each in a schema. Their processes are killed at random moments
// while both worlds change. Each copy is complete, and has nothing of the other account.
func TestAccounts_KilledInOneDatabase(t *testing.T) {
	t.Parallel()
	const round = 50
	kills := amount(3, 10, 150) // of each account
	db := postgres(t)
	type account struct {
		*service
		*stored
	}
	var accounts []account
	for n, schema := range []string{"acct_a", "acct_b"} {
		of := db
		of.Schema = schema
		accounts = append(accounts, account{newService(t, uint64(5+n), 12, terminal49test.WithSeed(int64(50+n))), of.open(t)})
	}
	t.Run("killed", func(t *testing.T) {
		for _, a := range accounts {
			t.Run(a.schema, func(t *testing.T) {
				t.Parallel()
				of := db
				of.Schema = a.schema
				for done := 0; done < kills; done += round {
					killAtRandom(t, min(round, kills-done), a.service, of, a.stored)
				}
				t.Logf("figure: %s: killed at %d random moments: 0 lost, 0 wrong, 0 doubled; %s", a.schema, kills, amounts(t, a.stored))
			})
		}
	})
	wrong, compared := 0, 0
	for i, a := range accounts {
		other := worldOf(t, accounts[1-i].Server)
		for k := range accounts[1-i].stored.rows(t) {
			other[k] = resource{}
		}
		for k, n := range a.kept(t) {
			compared += n
			if _, is := other[k]; is && !slices.Contains(shared, k.Type) {
				wrong += n
			}
		}
	}
	require.Zero(t, wrong, "rows or changes of the other account")
	require.Greater(t, compared, 300)
	require.Zero(t, accounts[0].count(t, "select count(*) from pg_class where relnamespace = 'public'::regnamespace"), "nothing is in public")
	t.Logf("figure: %d kills of two accounts in one database; %d rows and changes compared: %d in the wrong schema", 2*kills, compared, wrong)
}

// shared are the resources that are not those of an account.
var shared = append([]string{"shipping_line"}, onDemand...)

// kept returns how many rows and changes there are of each resource.
func (s *stored) kept(t testing.TB) map[key]int {
	t.Helper()
	all := map[key]int{}
	for k := range s.rows(t) {
		all[k]++
	}
	s.each(t, "select kind, id from t49.changes", func(c []sql.NullString) { all[key{c[0].String, c[1].String}]++ })
	return all
}
