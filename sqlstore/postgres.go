package sqlstore

import "database/sql"

// postgres uses clock_timestamp(), because now() is the time at which the transaction began.
// Nothing depends on a database session, so a pooler may use another connection for each
// transaction.
var postgres = dialect{
	name:  "Postgres",
	serve: `select t49_serve($1::text::jsonb)::text`,
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
