package sqlstore

import "database/sql"

// postgres uses clock_timestamp(), because now() is the time at which the transaction began.
// Nothing depends on a database session, so a pooler may use another connection for each
// transaction. FOR UPDATE checks the row as other transactions left it, and SKIP LOCKED keeps
// transactions from waiting for each other.
var postgres = dialect{
	name: "Postgres",
	take: `
update t49_slots
set free_at = clock_timestamp() + $5::bigint * interval '1 microsecond', owner = $4::text
where ns = $1::text and bucket = $2::text and n = (
  select s.n from t49_slots s
  where s.ns = $1::text and s.bucket = $2::text and s.n < $3::int and s.free_at <= clock_timestamp() and (
    select b.paused_until <= clock_timestamp()
      and b.born <= clock_timestamp() - $6::bigint * interval '1 microsecond'
      and ($7::bigint = 0 or (extract(epoch from b.born) * 1000000)::bigint <= $7::bigint)
    from t49_buckets b where b.ns = $1::text and b.bucket = $2::text)
  order by s.n desc limit 1 for update of s skip locked)
returning (
  select (extract(epoch from b.born) * 1000000)::bigint
  from t49_buckets b where b.ns = $1::text and b.bucket = $2::text)`,
	look: `
select (extract(epoch from b.born) * 1000000)::bigint,
  (extract(epoch from clock_timestamp() - b.born) * 1000000)::bigint,
  (extract(epoch from b.paused_until - clock_timestamp()) * 1000000)::bigint,
  (select count(*) from t49_slots s where s.ns = b.ns and s.bucket = b.bucket and s.n < $3::int),
  coalesce((select (extract(epoch from min(s.free_at) - clock_timestamp()) * 1000000)::bigint
    from t49_slots s where s.ns = b.ns and s.bucket = b.bucket and s.n < $4::int), 0)
from t49_buckets b where b.ns = $1::text and b.bucket = $2::text`,
	born: `
insert into t49_buckets as b (ns, bucket, size, born, paused_until)
values ($1::text, $2::text, 0, clock_timestamp(), 'epoch')
on conflict (ns, bucket) do update set size = b.size`,
	size: `
update t49_buckets b set size = greatest(b.size, $3::int), born = case
  when b.size > (select count(*) from t49_slots s where s.ns = b.ns and s.bucket = b.bucket and s.n < b.size)
  then clock_timestamp() else b.born end
where b.ns = $1::text and b.bucket = $2::text`,
	fill: `
insert into t49_slots (ns, bucket, n, free_at, owner)
select $1::text, $2::text, n, 'epoch', '' from generate_series(0, $3::int - 1) n
on conflict do nothing`,
	keep: `
update t49_slots s
set free_at = case when k.f > 0 then clock_timestamp() + k.f * interval '1 microsecond' else 'epoch' end,
  owner = case when k.f > 0 then s.owner else '' end
from jsonb_to_recordset($3::text::jsonb) as k(o text, f bigint)
where s.ns = $1::text and s.bucket = $2::text and s.owner = k.o
returning k.o`,
	retake: `
update t49_slots s
set free_at = clock_timestamp() + k.f * interval '1 microsecond', owner = k.o
from (
  select n, row_number() over () i from (
    select n from t49_slots
    where ns = $1::text and bucket = $2::text and free_at <= clock_timestamp()
    order by n limit jsonb_array_length($3::text::jsonb) for update skip locked) locked
) free
join (
  select o, f, row_number() over () i from jsonb_to_recordset($3::text::jsonb) as l(o text, f bigint)
) k on k.i = free.i
where s.ns = $1::text and s.bucket = $2::text and s.n = free.n
returning k.o`,
	pause: `
insert into t49_buckets as b (ns, bucket, size, born, paused_until)
values ($1::text, $2::text, 0, clock_timestamp(), clock_timestamp() + $3::bigint * interval '1 microsecond')
on conflict (ns, bucket) do update set paused_until = greatest(b.paused_until, excluded.paused_until)`,
	claim: `
insert into t49_notifications as d (ns, id, owner, done, until)
values ($1::text, $2::bytea, $3::text, false, clock_timestamp() + $4::bigint * interval '1 microsecond')
on conflict (ns, id) do update set owner = excluded.owner, done = false, until = excluded.until
where d.until <= clock_timestamp()
returning owner`,
	state: `
select done from t49_notifications
where ns = $1::text and id = $2::bytea and until > clock_timestamp()`,
	complete: `
insert into t49_notifications (ns, id, owner, done, until)
values ($1::text, $2::bytea, '', true, clock_timestamp() + $3::bigint * interval '1 microsecond')
on conflict (ns, id) do update set owner = '', done = true, until = excluded.until`,
	release: `
delete from t49_notifications where ns = $1::text and id = $2::bytea and owner = $3::text and not done`,
	sweep: `
delete from t49_notifications where (ns, id) in (
  select ns, id from t49_notifications where until <= clock_timestamp()
  order by until limit $1::int for update skip locked)`,
	// The lock ends with the transaction. If its process is suspended or its machine is gone, the
	// server ends the transaction after ten seconds. A new snapshot for each statement shows what
	// another process committed before the lock.
	isolation:  sql.LevelReadCommitted,
	beforeLock: `set local idle_in_transaction_session_timeout = '10s'`,
	lock:       `select pg_try_advisory_xact_lock(hashtextextended('terminal49 migrations ' || $1::text, 0))`,
	hasTable:   `select to_regclass($1::text) is not null`,
	versions: `create table if not exists %s (
  version_id bigint primary key,
  is_applied boolean not null,
  tstamp timestamptz not null default clock_timestamp()
)`,
	record: `insert into %s (version_id, is_applied) values (%d, true)`,
}
