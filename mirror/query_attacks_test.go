package mirror

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/terminal49test"
)

// attack is a statement that was written without knowledge of the code. Must is refuse, bound
// (refused, or answered within the bounds) or allow.
type attack struct{ SQL, Must string }

// repeated is how the file shortens what is repeated in a statement.
var repeated = regexp.MustCompile(`(?s)\{\{([0-9]+) (.*?)\}\}`)

// attacksOn returns 200 hostile statements and 30 that are not.
func attacksOn(t testing.TB, d sqlstore.Dialect) []attack {
	t.Helper()
	data, err := os.ReadFile("testdata/attacks/statements.json")
	require.NoError(t, err)
	var file map[string][]attack
	require.NoError(t, json.Unmarshal(data, &file))
	all := file["sqlite"]
	if d == sqlstore.Postgres {
		all = file["postgres"]
	}
	require.Len(t, all, 230)
	for i := range all {
		all[i].SQL = repeated.ReplaceAllStringFunc(all[i].SQL, func(text string) string {
			parts := repeated.FindStringSubmatch(text)
			n, err := strconv.Atoi(parts[1])
			require.NoError(t, err)
			return strings.Repeat(parts[2], n)
		})
	}
	return all
}

// notOffered are harmless statements that are refused nevertheless: other forms of a text.
var notOffered = []string{"$$", " E'"}

// secretCustomer is in the other account only.
const secretCustomer = "SECRET of the other account"

// oneOfAccounts returns a Reader of the first of two accounts. In SQLite, each has a file.
func oneOfAccounts(t *testing.T, db *sql.DB) *Reader {
	t.Helper()
	r := seeded(t, db)
	require.NoError(t, r.db.Ready(t.Context()))
	if r.db.Dialect == sqlstore.SQLite {
		return r
	}
	srv := stillServer(t)
	customer := srv.AddParty(terminal49test.Party{CompanyName: secretCustomer})
	srv.AddContainer(terminal49test.Container{Shipment: srv.AddShipment(terminal49test.Shipment{Customer: customer})})
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()), terminal49.WithoutRateLimits())
	require.NoError(t, err)
	m, err := New(client, db, WithSchema("t49_b"))
	require.NoError(t, err)
	require.NoError(t, m.Reconcile(t.Context()))
	return r
}

// No hostile statement gets through, costs more than the bounds or changes what later ones see; the
// harmless ones are answered.
func TestQuery_WithstandsAttacks(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		r := oneOfAccounts(t, db)
		before, refused, answered := state(t, r, db), 0, 0
		for _, a := range attacksOn(t, r.db.Dialect) {
			timeout := time.Second
			if a.Must == "allow" {
				timeout = 15 * time.Second // on a busy machine, too
			}
			if text, is := attackWith(t, r, a.SQL, timeout); !is {
				refused++
				assert.NotContains(t, text, secretCustomer, a.SQL)
				assert.True(t, a.Must != "allow" || containsAny(a.SQL, notOffered), "%s: %s", a.SQL, text)
			} else {
				answered++
				assert.NotEqual(t, "refuse", a.Must, "%.200s: %.200s", a.SQL, text)
				assert.NotContains(t, text, secretCustomer, a.SQL)
			}
		}
		t.Logf("refused %d, answered %d", refused, answered)
		require.Equal(t, before, state(t, r, db))
	})
}

func containsAny(text string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

// attackWith executes a statement, and reports its rows or why it was refused. It fails if the
// bounds do not hold, or if the next statement is not answered.
func attackWith(t *testing.T, r *Reader, statement string, timeout time.Duration) (text string, answered bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout+15*time.Second)
	defer cancel()
	result, err := r.Query(ctx, statement, QueryOptions{Timeout: timeout})
	require.NoError(t, ctx.Err(), "%.300s", statement)
	var argument *terminal49.ArgumentError
	if err != nil {
		require.True(t, errors.As(err, &argument), "%.300s: %v", statement, err)
	} else {
		data, err := json.Marshal(result.Rows)
		require.NoError(t, err)
		require.LessOrEqual(t, len(result.Rows), 500, statement)
		require.LessOrEqual(t, len(data), 300<<10, statement) // with quotes and commas
		text = string(data)
	}
	next, nextErr := r.Query(t.Context(), "select customer_name from containers group by 1 order by 1", QueryOptions{Timeout: 15 * time.Second})
	require.NoError(t, nextErr, "after %.300s", statement)
	require.Len(t, next.Rows, 2, "after %.300s", statement)
	if err != nil {
		return err.Error(), false
	}
	return text, true
}

// doubled returns queries of with. Each reads the one before twice.
func doubled(n int, first, each string) string {
	var b strings.Builder
	b.WriteString("with a0 as (" + first + ")")
	for i := 1; i <= n; i++ {
		b.WriteString(", a" + strconv.Itoa(i) + " as (" + strings.ReplaceAll(each, "$", "a"+strconv.Itoa(i-1)) + ")")
	}
	return b.String()
}

// What a database does for a statement before its first row, or in one call of a function, has no
// timeout in SQLite. So a statement cannot become large by reading itself.
func TestQuery_CannotMultiply(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 3000)
	onBoth(t, func(t *testing.T, db *sql.DB) {
		r := seeded(t, db)
		for name, statement := range map[string]string{
			"rows":     doubled(25, "select 1 as x", "select p.x from $ p, $ q") + " select x from a25",
			"unions":   doubled(25, "select 1 as x", "select x from $ union all select x from $") + " select x from a25",
			"views":    doubled(6, "select id from containers", "select id from $ where id in (select id from $)") + " select id from a6",
			"texts":    doubled(7, "select '"+long+"' as t", "select t || t as t from $") + " select t from a7",
			"derived":  "select t || t from (select number || number as t from containers) x",
			"function": "select trim(t || 'x') from (select '" + long + "' || number as t from containers) x",
		} {
			problem := refusal(t, r, statement, QueryOptions{})
			assert.Regexp(t, `more than 64 times|in one select only`, problem, name)
		}
		for _, statement := range []string{
			doubled(4, "select id from containers", "select id from $ where id in (select id from $)") + " select id from a4",
			"with a as (select number || ' ' || customer_name as t from containers) select t from a union select t from a",
		} {
			_, err := r.Query(t.Context(), statement, QueryOptions{})
			assert.NoError(t, err, statement)
		}
	})
}

// Comments are taken out before the check, and the database gets the same text.
func TestQuery_WithoutComments(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		r := seeded(t, db)
		for statement, want := range map[string]any{
			"-- how many; delete from holds\nselect 7 -- seven":    int64(7),
			"/* it's\n; */ select/**/8 /* \" */ ;":                 int64(8),
			"select '-- no comment' -- one":                        "-- no comment",
			"select '/* ' || '*/'":                                 "/* */",
			"select 9 as \"--\" -- \"":                             int64(9),
			"(select 5 /* five */) union (select 5) -- once":       int64(5),
			"select 1 /* a */ + /* b */ 1 --\r+ 1":                 int64(3),
			"select count(*) from holds /* where 1 = 0 -- */ -- x": nil,
		} {
			got, err := r.Query(t.Context(), statement, QueryOptions{})
			if r.db.Dialect == sqlstore.SQLite && strings.HasPrefix(statement, "(") {
				require.ErrorContains(t, err, "does not work", "SQLite has no such parentheses")
				continue
			}
			require.NoError(t, err, statement)
			require.Len(t, got.Rows, 1, statement)
			if want != nil {
				assert.EqualValues(t, want, got.Rows[0][0], statement)
			}
		}
		for _, statement := range []string{
			"select 1 /* /* */ */", "select 1 /* open", "select 1 --\n; delete from holds", "select 'x\\' -- '", "select 1 /* x */; /* y */ select 2",
			"/* only */", "-- only", "select 1 from /* x */ inbox", "select 1 from containers, -- x\ninbox", "sel/**/ect 1", "select 1 -/**/- 1; select 2",
		} {
			refusal(t, r, statement, QueryOptions{})
		}
	})
}

// SQLite reads a table whose name follows "in".
func TestQuery_InHasParentheses(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		r := seeded(t, db)
		for _, statement := range []string{
			"select 1 in inbox, 1 as inbox", "select id in main.walks, 1 as walks from containers main", "select id from containers where id not in inbox",
			"with x as (select id from containers) select 1 from containers where id in x",
		} {
			assert.Contains(t, refusal(t, r, statement, QueryOptions{}), `must have "(" after "in"`, statement)
		}
		got, err := r.Query(t.Context(), "select 1 from shipments where id in (select shipment_id from containers) and 1 not in (2, 3) limit 1", QueryOptions{})
		require.NoError(t, err)
		require.Len(t, got.Rows, 1)
	})
}

// A list as a text is cut where it is made, before a function or a column has it.
func TestQuery_CutsLists(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		r := seeded(t, db)
		require.NoError(t, r.db.Ready(t.Context()))
		const twice = "insert into t49.holds (n, container_id, name, status, first_seen, last_seen, source) " +
			"select n + (select max(n) from t49.holds), container_id, name, status, first_seen, last_seen, source from t49.holds"
		for range 9 {
			_, err := db.ExecContext(t.Context(), r.db.SQL(twice))
			require.NoError(t, err)
		}
		for query, want := range map[string]any{
			"select length(string_agg(case when name = 'x' then 'yyyyyyyyyyyyy' else 'xxxxxxxxxxx' end, '')) from holds":       2001,
			"with a as (select string_agg(name, ',') filter (where name is not null) as t from holds) select length(t) from a": 2001,
			"select 1 + length( STRING_AGG ( ( name ) , ',' ) ) as n from holds where status in ('hold', 'pending')":           2002,
			"select string_agg(name, ',') filter (where name is null) as none from holds":                                      nil,
			"select length(string_agg(name, ')')) /* ( */ as \"string_agg(\" from holds":                                       2001,
			"select length(t) from (select string_agg(name, ',' order by name desc) as t from holds) x -- (":                   2001,
		} {
			got, err := r.Query(t.Context(), query, QueryOptions{})
			require.NoError(t, err, query)
			require.Len(t, got.Rows, 1, query)
			require.EqualValues(t, want, got.Rows[0][0], query)
		}
		assert.Contains(t, refusal(t, r, "select string_agg(name, ',') over (order by name) from holds", QueryOptions{}), `"over"`)
		assert.Contains(t, refusal(t, r, "select string_agg(name, ',') filter (where true) over (order by name) from holds", QueryOptions{}), `"over"`)
		got, err := r.Query(t.Context(), "select string_agg(name, ',') from holds", QueryOptions{})
		require.NoError(t, err)
		require.True(t, got.Shortened)
	})
}
