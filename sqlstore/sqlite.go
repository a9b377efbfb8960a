package sqlstore

import "strings"

// sqlite has one writer at a time, and SQLite reads the clock after it has the lock, once in each
// statement. NOW is that time in microseconds, but exact only to a millisecond: a slot is
// therefore free only after free_at, and a notification is unknown only after until.
var sqlite = dialect{
	name: "SQLite",

	oneWriter: true,

	take: now(`
update t49_slots
set free_at = NOW + ?5, owner = ?4
where ns = ?1 and bucket = ?2 and n = (
  select s.n from t49_slots s
  where s.ns = ?1 and s.bucket = ?2 and s.n < ?3 and s.free_at < NOW and (
    select b.paused_until <= NOW and b.born <= NOW - ?6 and (?7 = 0 or b.born <= ?7)
    from t49_buckets b where b.ns = ?1 and b.bucket = ?2)
  order by s.n desc limit 1)
returning (select b.born from t49_buckets b where b.ns = ?1 and b.bucket = ?2)`),
	look: now(`
select b.born, NOW - b.born, b.paused_until - NOW,
  (select count(*) from t49_slots s where s.ns = b.ns and s.bucket = b.bucket and s.n < ?3),
  coalesce((select min(s.free_at) - NOW
    from t49_slots s where s.ns = b.ns and s.bucket = b.bucket and s.n < ?4), 0)
from t49_buckets b where b.ns = ?1 and b.bucket = ?2`),
	born: now(`
insert into t49_buckets (ns, bucket, size, born, paused_until)
values (?1, ?2, 0, NOW, 0)
on conflict (ns, bucket) do update set size = size`),
	size: now(`
update t49_buckets as b set size = max(b.size, ?3), born = case
  when b.size > (select count(*) from t49_slots s where s.ns = b.ns and s.bucket = b.bucket and s.n < b.size)
  then NOW else b.born end
where b.ns = ?1 and b.bucket = ?2`),
	fill: `
insert into t49_slots (ns, bucket, n, free_at, owner)
with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n + 1 < ?3)
select ?1, ?2, n, 0, '' from numbers where true
on conflict do nothing`,
	keep: now(`
with k as materialized (select value ->> 'o' o, value ->> 'f' f from json_each(?3))
update t49_slots as s
set free_at = case when k.f > 0 then NOW + k.f else 0 end, owner = case when k.f > 0 then s.owner else '' end
from k where s.ns = ?1 and s.bucket = ?2 and s.owner = k.o
returning owner`),
	retake: now(`
update t49_slots as s
set free_at = NOW + k.f, owner = k.o
from (
  select n, row_number() over (order by n) i from t49_slots
  where ns = ?1 and bucket = ?2 and free_at < NOW limit json_array_length(?3)
) free
join (select key + 1 i, value ->> 'o' o, value ->> 'f' f from json_each(?3)) k on k.i = free.i
where s.ns = ?1 and s.bucket = ?2 and s.n = free.n
returning owner`),
	pause: now(`
insert into t49_buckets (ns, bucket, size, born, paused_until)
values (?1, ?2, 0, NOW, NOW + ?3)
on conflict (ns, bucket) do update set paused_until = max(paused_until, excluded.paused_until)`),
	claim: now(`
insert into t49_notifications as d (ns, id, owner, done, until)
values (?1, ?2, ?3, false, NOW + ?4)
on conflict (ns, id) do update set owner = excluded.owner, done = false, until = excluded.until
where d.until < NOW
returning owner`),
	state: now(`
select done from t49_notifications where ns = ?1 and id = ?2 and until >= NOW`),
	complete: now(`
insert into t49_notifications (ns, id, owner, done, until)
values (?1, ?2, '', true, NOW + ?3)
on conflict (ns, id) do update set owner = '', done = true, until = excluded.until`),
	release: `
delete from t49_notifications where ns = ?1 and id = ?2 and owner = ?3 and not done`,
	sweep: now(`
delete from t49_notifications where (ns, id) in (
  select ns, id from t49_notifications where until < NOW order by until limit ?1)`),
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
