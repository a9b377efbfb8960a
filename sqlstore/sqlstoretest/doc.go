// Package sqlstoretest starts real PostgreSQL servers for tests: of the stores in package sqlstore,
// of a mirror, or of a service that uses them. A server listens on a loopback address and keeps its
// data in a folder of its own. Both are gone when the test ends, also if the test process is
// killed.
//
// It needs the programs of PostgreSQL on PATH or in /usr/lib/postgresql/*/bin. If one is missing,
// the test is skipped with the name of the Debian package that contains it; with
// T49_ENGINES=required in the environment, it fails instead. Tests that run as root need the user
// postgres and the program setpriv, because the server refuses to run as root.
package sqlstoretest
