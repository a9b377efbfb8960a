package mirror

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/sqlstore"
)

// hostileQueries are refused on both databases, before anything is executed.
var hostileQueries = []string{
	// writes, locks and other statements
	"insert into containers (id) values ('x')", "update containers set number = 'x'", "delete from containers", "drop table containers",
	"create table x (a int)", "alter table containers add x int", "truncate containers", "vacuum", "pragma query_only = 0", "attach 'x.db' as x",
	"copy containers to '/tmp/x'", "explain select 1", "analyze", "begin", "commit", "rollback", "set role postgres", "show all", "do 'x'", "call x()",
	"table containers", "values (1)", "", ";", " ", "select", "with", "grant all on containers to public", "lock containers",
	"select 1; delete from containers", "select 1;; select 2", "select 1\x00", "select `number` from containers",
	"with x as (delete from containers returning *) select * from x", "with x as (insert into holds (container_id) values ('x') returning *) select * from x",
	"with x as (update containers set number = 'x' returning id) select id from x", "select * from (delete from containers returning *) x",
	"select number into x from containers", "select * into temp x from containers", "select number from containers for update",
	"select number from containers for share", "select 1 from containers limit 1 for no key update", "select number from containers for key share",
	// other tables, of the mirror and of the database
	"select * from inbox", "select body from inbox", "select * from cursors", "select * from leases", "select * from identity", "select * from pushes",
	"select * from deliveries", "select * from pages", "select * from walks", "select * from live_containers", "select * from last_seen",
	"select * from t49.inbox", "select * from \"t49\".\"inbox\"", "select * from main.inbox", "select * from \"inbox\"", "select * from public.x",
	"select * from t49_b.containers", "select * from \"t49_b\".containers", "select * from containers, inbox", "select * from containers c, inbox i",
	"select * from containers join inbox on true", "select * from containers cross join inbox", "select * from (containers join inbox on true)",
	"select * from (inbox)", "select * from ((inbox))", "select (select count(*) from inbox)", "select 1 where exists (select 1 from inbox)",
	"select 1 where 'x' in (select body from inbox)", "select 1 union select body from inbox", "select 1 from containers order by (select body from inbox limit 1)",
	"select 1 from containers limit (select count(*) from inbox)", "select count(*) filter (where exists (select 1 from inbox)) from containers",
	"with x as (select * from inbox) select * from x", "with inbox as (select * from inbox) select * from inbox",
	"with a as (select * from inbox), inbox as (select 1) select * from a", "select (with inbox as (select 1) select 1), body from inbox",
	"select * from (with inbox as (select 1 as a) select * from inbox) x, inbox", "select 1 as inbox, body from inbox", "select * from containers inbox, inbox x",
	"select 1 as inbox from containers offset, inbox", "select 1 as inbox from containers values, inbox", "select 1 as inbox from containers window, inbox",
	"select 1 as inbox from containers c join shipments s using (id), inbox", "select x.body from lateral (select body from inbox) x",
	"select * from containers natural join inbox", "select * from only inbox", "select * from containers c left join (shipments s join inbox i on true) on true",
	"select * from unknown", "select * from pg_class", "select * from pg_catalog.pg_class", "select * from pg_shadow", "select * from pg_authid",
	"select * from information_schema.tables", "select * from sqlite_master", "select * from sqlite_schema", "select * from sqlite_temp_master",
	"with pg_class as (select * from pg_class) select * from pg_class", "select 1 as pg_class from containers values, pg_class",
	"select * from pg_stat_activity", "select * from pg_settings", "select * from pg_user_mappings", "select raw from containers",
	"select c.raw from containers c", "select digest, ticket from containers", "select parsed from documents", "select tracking_url from shipping_lines",
	"select standing from situations", "select \"raw\" from containers", "select containers.raw from containers", "select changeset from container_events",
	// functions
	"select pg_sleep(10)", "select pg_catalog.pg_sleep(10)", "select \"pg_sleep\"(10)", "select pg_sleep (10)", "select 1 as pg_sleep, pg_sleep(10)",
	"select number pg_sleep(10) from containers", "select * from pg_sleep(10)", "select number from containers where pg_sleep(10) is null",
	"select number from containers order by pg_sleep(10)", "select 1 from containers pg_sleep(10)", "select coalesce(pg_sleep(10)::text, '')",
	"select load_extension('x')", "select readfile('/etc/passwd')", "select writefile('/tmp/x', 'x')", "select pg_read_file('/etc/passwd')",
	"select pg_read_binary_file('/etc/passwd')", "select pg_ls_dir('/')", "select lo_import('/etc/passwd')", "select lo_export(1, '/tmp/x')",
	"select dblink('host=x', 'select 1')", "select query_to_xml('select 1', true, true, '')", "select table_to_xml('pg_class', true, true, '')",
	"select database_to_xml(true, true, '')", "select cursor_to_xml('x', 1, true, true, '')", "select set_config('statement_timeout', '0', false)",
	"select current_setting('data_directory')", "select pg_terminate_backend(1)", "select pg_cancel_backend(1)", "select pg_reload_conf()",
	"select nextval('t49.ticket')", "select setval('t49.ticket', 1)", "select pg_advisory_lock(1)", "select pg_notify('x', 'y')", "select txid_current()",
	"select pg_backend_pid()", "select inet_server_addr()", "select version()", "select sqlite_version()", "select current_user", "select session_user", "select user",
	"select current_catalog", "select current_schema", "select current_schema()", "select 1 as current_user, current_user", "select current_database()",
	"select has_table_privilege('x', 'select')", "select pg_get_viewdef('x')", "select to_regclass('x')", "select obj_description(1)", "select format('%s', 1)",
	"select xmlparse(document '<x/>')", "select xpath('/', '<x/>')", "select json_agg(number) from containers", "select to_jsonb(c) from containers c",
	"select row_to_json(c) from containers c", "select array_agg(number) from containers", "select encode('x', 'hex')", "select md5('x')", "select random()",
	"select randomblob(1000000000)", "select zeroblob(1000000000)", "select hex(zeroblob(1000))", "select printf('%.*c', 1000000000, 'x')",
	"select format('%1000000000s', 'x')", "select replace('a', 'a', 'bb')", "select replace('a', number, '') from containers", "select replace('aa', 'a', 'b' || 'c')",
	"select replace('aa', 'aaa''', 'b''aaaaaaaaaaaaa')", "select replace(number) from containers", "select replace('a', '')", "select repeat('x', 1000000000)", "select lpad('x', 1000000000)", "select rpad('x', 1000000000)",
	"select quote(number) from containers", "select char(120, 120)", "select unistr('x')", "select fts3_tokenizer('x')", "select edit('x')",
	"select * from generate_series(1, 1000000000)", "select generate_series(1, 1000000000)", "select unnest('{1}'::int[])", "select regexp_replace('a', 'a', 'b')",
	"select number ~ '(a+)+$' from containers", "select number similar to 'x' from containers", "select number glob '*' from containers", "select number regexp 'x' from containers",
	"select number match 'x' from containers", "select * from json_each('[1]')", "select * from pragma_table_info('containers')", "select * from pragma_database_list",
	"select * from dbstat", "select * from bytecode('select 1')", "select * from json_tree('{}')", "select 2 ^ 1000", "select |/ 4", "select 5 !",
	// types and literals
	"select 'pg_class'::regclass", "select 1259::regclass", "select cast(1259 as regclass)", "select cast('x' as xml)", "select regclass 'pg_class'",
	"select 1 as regclass, regclass 'pg_class'", "select '1'::oid", "select x'00'", "select 1 as x, x'00'", "select b'1'", "select e'\\000'", "select U&'\\0041'",
	"select n'x'", "select $$x$$", "select $1", "select ?", "select :x", "select @x", "select #x", "select '{1}'::int[]", "select ('{1}'::text)[1]",
	"select array[1]", "select row(1, 2)", "select (containers).raw from containers", "select c.row_to_json from containers c", "select c.pg_typeof from containers c",
	"select 'a' collate \"C\"", "select 'x'::\"char\"", "select 'x'::pg_catalog.text", "select 'x'::char(10)::name", "select interval '1 day' preceding regclass 'x'",
	"select '\\'; delete from containers; --'", "select 'a\\' || '; --'", "select [number] from containers", "select {fn now()}", "select \"number\"\"x\" from containers",
	// recursion, samples and size
	"with recursive x(n) as (select 1 union all select n + 1 from x) select count(*) from x",
	"with x(n) as (select 1 union all select n + 1 from x) select count(*) from x", "select * from containers tablesample bernoulli (10)",
	"select group_concat(a.number) from containers a, containers b", "select string_agg(a.number, '') from containers a, containers b",
	"select string_agg((select string_agg(number, '') from containers), '') from containers", "select string_agg(kind, '') from changes",
	"select string_agg('" + strings.Repeat("x", 300) + "', '') from containers", "select string_agg(number || number, '') from containers",
	"with a as (select number from containers union all select number from containers) select string_agg(number, '') from a",
	"select string_agg(a.number, '') from containers a join containers b on true", "select (select string_agg(number, '') from containers), b.id from holds, fees b",
	"select pg_\u212Aill(1)", "select\u00a01", "select number\u2028from containers", "select 1e99999::numeric::text || pg_sleep(1)",
}

// twoAccounts returns a reader of one account, and the database, which has another one, too.
func twoAccounts(t *testing.T, db *sql.DB) *Reader {
	t.Helper()
	r := seeded(t, db)
	require.NoError(t, r.db.Ready(t.Context()))
	if r.db.Dialect == sqlstore.Postgres {
		for _, statement := range []string{
			"create schema t49_b", "create table t49_b.containers as select * from t49.containers", "create table public.x as select 1 as a",
			"create table inbox as select 'body' as body", "create function public.writes() returns int language sql volatile as 'select 1'",
		} {
			_, err := db.ExecContext(t.Context(), statement)
			require.NoError(t, err)
		}
	}
	return r
}

// A hostile query is refused before it is executed, and changes nothing.
func TestQuery_RefusesWhatIsHostile(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		r := twoAccounts(t, db)
		before := state(t, r, db)
		for _, query := range hostileQueries {
			// In a minute a database has prepared it, unless it does so for as long as it likes.
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			result, err := r.Query(ctx, query, QueryOptions{})
			late := ctx.Err()
			cancel()
			var argument *terminal49.ArgumentError
			if !errors.As(err, &argument) {
				t.Errorf("%q: %v, %+v", query, err, result)
				continue
			}
			require.NotContains(t, argument.Problem, "takes longer", query)
			require.NoError(t, late, query)
		}
		require.Equal(t, before, state(t, r, db))
	})
}

// chained returns a query of n queries. Each has the column of the one before several times.
func chained(n int, column, with string) string {
	var b strings.Builder
	b.WriteString("with a0 as (select weight_in_lbs as x from containers)")
	for i := range n {
		fmt.Fprintf(&b, ", a%d as %s(select %s as x from a%d)", i+1, with, column, i)
	}
	fmt.Fprintf(&b, " select x from a%d", n)
	return b.String()
}

// nested returns an expression around itself.
func nested(n int, around string) string {
	x := "available_for_pickup"
	for range n {
		x = strings.Replace(around, "?", x, 1)
	}
	return "select " + x + " from containers"
}

// A query that the database would make large while it prepares it is refused before it is sent.
func TestQuery_RefusesWhatBecomesLarge(t *testing.T) {
	t.Parallel()
	sum := "x" + strings.Repeat(" + x", 7)
	onBoth(t, func(t *testing.T, db *sql.DB) {
		r := seeded(t, db)
		subqueries := "weight_in_lbs as x from containers"
		for range 12 {
			subqueries = sum + " as x from (select " + subqueries + ") t"
		}
		for query, problem := range map[string]string{
			chained(12, sum, ""):                                                               "as materialized",
			chained(12, sum, "not materialized "):                                              "as materialized",
			chained(12, "coalesce("+sum+", 1)", ""):                                            "as materialized",
			chained(12, "case when x > 1 then x when x < 0 then x end", ""):                    "as materialized",
			chained(12, "(select max(a.x + a.x + a.x) from (select x) a)", ""):                 "as materialized",
			"select " + subqueries:                                                             "as materialized",
			nested(30, "(? between available_for_pickup and true)"):                            "between",
			nested(30, "coalesce(? between available_for_pickup and true, false)"):             "between",
			nested(30, "case when true then ? between false and true end"):                     "between",
			nested(9, "(? in (availability_known, available_for_pickup, availability_known))"): "another one",
			"select 1 in (" + strings.Repeat("id, ", 12) + "number) from containers":           "at most 12 elements",
			"select mod(9e130000, 7e65000)":                                                    "must not have the number",
			"select 1" + strings.Repeat("1", 41):                                               "must not have the number",
			"select 'a' like 'b'" + strings.Repeat(" or 'a' like 'b'", 420):                    "as materialized",
		} {
			require.Contains(t, refusal(t, r, query, QueryOptions{}), problem, query)
		}
		if r.db.Dialect == sqlstore.Postgres {
			lateral := "select a1.x from containers a0"
			for i := range 12 {
				column := strings.Repeat(fmt.Sprintf(" + a%d.x", i), 8)[3:]
				lateral += fmt.Sprintf(" cross join lateral (select %s as x) a%d", strings.ReplaceAll(column, "a0.x", "a0.weight_in_lbs"), i+1)
			}
			require.Contains(t, refusal(t, r, lateral, QueryOptions{}), "as materialized")
		}
		for _, query := range []string{ // these are not large
			chained(4, "case when x > 1 then x else 0 end", ""), chained(20, "x + 1", ""), chained(6, sum, "materialized "),
			"select number from containers where number in ('" + strings.Repeat("MSCU1234567', '", 300) + "x')",
			"select number from containers where (weight_in_lbs between 1 and 2 or weight_in_lbs between 5 and 9) and (weight_in_lbs in (1, equipment_length))",
		} {
			_, err := r.Query(t.Context(), query, QueryOptions{})
			require.NoError(t, err, query)
		}
	})
}
