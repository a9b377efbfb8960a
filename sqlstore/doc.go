// Package sqlstore keeps in Postgres or SQLite what several processes share: the rate limits of one
// API key ([NewLimiter]), and the notifications that were handled ([NewDedupe]).
//
// # Postgres
//
// Any database/sql driver works; this is pgx (import _ "github.com/jackc/pgx/v5/stdlib"):
//
//	db, err := sql.Open("pgx", os.Getenv("DATABASE_URL"))
//	db.SetMaxIdleConns(4) // one for each rate limit, or a busy limiter connects again and again
//	err = sqlstore.Migrate(ctx, db, sqlstore.Postgres) // or apply Schema with your own migrations
//	limiter, err := sqlstore.NewLimiter(db, sqlstore.Postgres, token)
//	client, err := terminal49.New(token, terminal49.WithLimiter(limiter))
//	store, err := sqlstore.NewDedupe(db, sqlstore.Postgres, "orders")
//	handler, err := webhook.NewHandler(webhook.WithSecrets(secret),
//		webhook.WithDedupe(store, webhook.DefaultDedupeRetention), webhook.OnContainerUpdated(updated))
//
// Nothing depends on a database session, so PgBouncer's transaction mode works. The driver must not
// prepare statements there: add default_query_exec_mode=exec (or simple_protocol) to the address
// for pgx. Slots survive a restart, a crash and a failover, unless the server loses commits that it
// has confirmed (synchronous_commit=off, or an asynchronous replica that lagged). A limiter notices
// this, and writes the slots of its own process back: one window may have up to twice the limit,
// also after several losses.
//
// # SQLite
//
// All processes on one machine open the same file, which must not be on a network file system. This
// is the driver without C (import _ "modernc.org/sqlite"):
//
//	db, err := sql.Open("sqlite", "file:fleet.db"+
//		"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)"+
//		"&_pragma=synchronous(NORMAL)&_txlock=immediate")
//	err = sqlstore.Migrate(ctx, db, sqlstore.SQLite)
//	limiter, err := sqlstore.NewLimiter(db, sqlstore.SQLite, token)
//
// The busy timeout is required as soon as two connections write. Slots survive a crash of a
// process. A power failure may lose the latest ones, unless synchronous is FULL, with which every
// request waits for the disk.
//
// While the file is locked, calls wait, and [fleet.WithEvents] reports why. A call inside a write
// transaction of the same file therefore waits for itself: commit before it, or give the limiter a
// file of its own.
//
// # Clocks
//
// Only the database's clock matters. If it jumps back, claims stay taken that much longer; slots do
// not. If it jumps forward, both are free that much earlier.
package sqlstore
