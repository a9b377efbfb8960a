// Package engines starts real Redis, PostgreSQL and PgBouncer servers for the tests of this
// repository. A server listens on a loopback address, and ends with the test or with the tests of
// its package. It can be restarted, stopped at once, given another clock, or replaced by its
// replica. The data of PostgreSQL are in a folder of its own, which is gone when the test ends,
// also if the test process is killed.
//
// It needs redis-server, and the programs of PostgreSQL, on PATH or in /usr/lib/postgresql/*/bin.
// If one is missing, the test is skipped with the name of the Debian package that contains it; with
// T49_ENGINES=required in the environment, it fails instead. Tests that run as root need the user
// postgres and the program setpriv, because PostgreSQL refuses to run as root.
package engines
