package sqlstore_test

import (
	"database/sql"
	"strings"
	"sync"
	"testing"

	"github.com/go-freight/terminal49/sqlstore"
)

func TestMigrate_MayRunTwice(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d database) {
		db := d.open(t)
		db.SetMaxOpenConns(1)
		for range 2 {
			if err := sqlstore.Migrate(t.Context(), db, d.dialect); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestMigrate_MayRunInSeveralProcessesAtOnce(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d database) {
		var processes sync.WaitGroup
		for range 5 {
			db := d.open(t)
			processes.Go(func() {
				if err := sqlstore.Migrate(t.Context(), db, d.dialect); err != nil {
					t.Error(err)
				}
			})
		}
		processes.Wait()
		var rows, versions int
		err := d.open(t).QueryRow("select count(*), count(distinct version_id) from t49_migrations").Scan(&rows, &versions)
		if err != nil || rows != versions || rows < 2 {
			t.Errorf("%d rows of %d versions, error %v: want each version once", rows, versions, err)
		}
	})
}

func TestMigrate_WaitsForADeadProcessOnlyUntilItsLockExpires(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d database) {
		db := d.open(t)
		execute(t, db, "create table t49_migrating (id integer primary key, owner text not null, until "+
			map[sqlstore.Dialect]string{sqlstore.Postgres: "timestamptz", sqlstore.SQLite: "integer"}[d.dialect]+" not null)")
		until := map[sqlstore.Dialect]string{
			sqlstore.Postgres: "clock_timestamp() + interval '300 ms'",
			sqlstore.SQLite:   "cast(unixepoch('subsec') * 1000000 as integer) + 300000",
		}[d.dialect]
		execute(t, db, "insert into t49_migrating (id, owner, until) values (1, 'dead', "+until+")")
		execute(t, db, "create table was as select until from t49_migrating")
		if err := sqlstore.Migrate(t.Context(), db, d.dialect); err != nil {
			t.Fatal(err)
		}
		clock := map[sqlstore.Dialect]string{
			sqlstore.Postgres: "clock_timestamp()", sqlstore.SQLite: "cast(unixepoch('subsec') * 1000000 as integer)",
		}[d.dialect]
		var expired bool
		if err := db.QueryRow("select until <= " + clock + " from was").Scan(&expired); err != nil || !expired {
			t.Errorf("Migrate ended while another process had the lock (%v)", err)
		}
	})
}

func TestSchema_EqualsTheTablesOfMigrate(t *testing.T) {
	eachDatabase(t, func(t *testing.T, migrated database) {
		migrated = migrated.withTables(t)
		byHand := map[sqlstore.Dialect]func(testing.TB) database{sqlstore.Postgres: newPostgres, sqlstore.SQLite: newSQLite}[migrated.dialect](t)
		db := byHand.open(t)
		for range 2 { // the second time it changes nothing
			execute(t, db, sqlstore.Schema(byHand.dialect))
		}
		want, got := tables(t, migrated.open(t), migrated.dialect), tables(t, db, byHand.dialect)
		if got != want || !strings.Contains(got, "paused_until") {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		if err := sqlstore.Migrate(t.Context(), db, byHand.dialect); err != nil {
			t.Errorf("Migrate after Schema: %v", err)
		}
	})
}

// tables describes all tables and indexes but those of Migrate itself.
func tables(t *testing.T, db *sql.DB, d sqlstore.Dialect) string {
	t.Helper()
	query := map[sqlstore.Dialect]string{
		sqlstore.Postgres: `
select string_agg(line, chr(10) order by line) from (
  select concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) as line
  from information_schema.columns where table_schema = 'public' and table_name not like 't49_migrat%'
  union all
  select concat_ws(' ', indexdef, reloptions) from pg_indexes join pg_class on relname = tablename
  where schemaname = 'public' and tablename not like 't49_migrat%') x`,
		sqlstore.SQLite: `select group_concat(sql, char(10)) from (
  select sql from sqlite_master where tbl_name not like 't49_migrat%' and tbl_name not like 'sqlite_%' order by name)`,
	}[d]
	var all string
	if err := db.QueryRow(query).Scan(&all); err != nil {
		t.Fatal(err)
	}
	return all
}
