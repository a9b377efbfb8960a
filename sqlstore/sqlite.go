package sqlstore

import "strings"

// sqlite has one writer at a time, and SQLite reads the clock after it has the lock, once in each
// statement. NOW is that time in microseconds, but exact only to a millisecond: a notification is
// therefore unknown only after until, which is a whole millisecond, too.
var sqlite = dialect{
	name: "SQLite",

	oneWriter: true,

	lockBucket: now(`
insert into t49_buckets (ns, bucket, state) values (?1, ?2, '{}')
on conflict (ns, bucket) do update set state = state returning state, NOW`),
	writeBucket: `update t49_buckets set state = ?3 where ns = ?1 and bucket = ?2`,
	// A transaction that begins by writing waits for the others that write, and then reads what they
	// left. One that begins by reading would fail when it writes.
	beforeLock: `create table t49_migration_lock (n integer); drop table t49_migration_lock`,
	lock:       `select ?1 <> ''`,
	hasTable:   `select exists (select 1 from sqlite_master where type = 'table' and name = ?1)`,
	versions: `create table if not exists %s (
  version_id integer primary key,
  is_applied boolean not null,
  tstamp text not null default current_timestamp
)`,
	record: `insert into %s (version_id, is_applied) values (%d, true)`,
}

func now(statement string) string {
	return strings.ReplaceAll(statement, "NOW", "cast(round(unixepoch('subsec') * 1000) * 1000 as integer)")
}
