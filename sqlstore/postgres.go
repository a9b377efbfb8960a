package sqlstore

import "database/sql"

// postgres uses clock_timestamp(), because now() is the time at which the transaction began.
// Nothing depends on a database session, so a pooler may use another connection for each
// transaction.
var postgres = dialect{
	name:  "Postgres",
	serve: `call t49_call($1::text)`,
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
