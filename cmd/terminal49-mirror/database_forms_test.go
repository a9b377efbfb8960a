package main

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/cmd/internal/clitest"
	"github.com/go-freight/terminal49/internal/testkit/engines"
)

// forms are what may be given to --db. Sources: PostgreSQL's documentation, section 34.1.1
// (connection strings: keywords and values, URIs); sqlite.org/uri.html for file: URLs, which the
// command has never read. Port 1 has no server. Each has the password "pw-49/x".
var forms = []struct {
	name, db string
	want     string // in what is printed
}{
	{"keywords", "host=127.0.0.1 port=1 user=mirror password=pw-49/x dbname=freight connect_timeout=2", "failed to connect"},
	{"keywords with quotes and spaces", "user = 'mirror'  password = 'pw-49/x'\n host = 127.0.0.1 port = 1 connect_timeout=2", "failed to connect"},
	{"keywords, the password first", "password=pw-49/x host=127.0.0.1 port=1 connect_timeout=2", "failed to connect"},
	{"keywords with the password of a key", "host=127.0.0.1 port=1 sslpassword=pw-49/x connect_timeout=2", "failed to connect"},
	{"an address", "hostaddr=127.0.0.1 host=127.0.0.1 port=1 password=pw-49/x connect_timeout=2", "failed to connect"},
	{"a service that no file has", "service=no-such-service password=pw-49/x", "--db"},
	{"a URL", "postgres://mirror:pw-49%2Fx@127.0.0.1:1/freight?connect_timeout=2", "failed to connect"},
	{"a URL of the other name", "postgresql://mirror:pw-49%2Fx@127.0.0.1:1/freight?connect_timeout=2", "failed to connect"},
	{"a URL in capitals", "POSTGRES://mirror:pw-49%2Fx@127.0.0.1:1/freight?connect_timeout=2", "failed to connect"},
	{"a URL with the end of its line", " postgres://mirror:pw-49%2Fx@127.0.0.1:1/freight?connect_timeout=2\n", "failed to connect"},
	{"a password in the query", "postgres://127.0.0.1:1/freight?password=pw-49%2Fx&connect_timeout=2", "failed to connect"},
	{"a password in the query, not escaped", "postgres://127.0.0.1:1/freight?password=pw-49/x&connect_timeout=2", "failed to connect"},
	{"a password of a key in the query", "postgres://127.0.0.1:1/freight?sslpassword=pw-49%2Fx&connect_timeout=2", "failed to connect"},
	{"several hosts", "host=127.0.0.1,127.0.0.1 port=1,1 password=pw-49/x connect_timeout=2", "failed to connect"},
	{"a password with / in a URL", "postgres://mirror:pw-49/x@127.0.0.1:1/freight", "%2F"},
	{"a password with digits and / in a URL", "postgres://mirror:49/pw-49/x@127.0.0.1:1/freight", "%2F"},
	{"a password with # in a URL", "postgres://mirror:49#pw-49/x@127.0.0.1:1/freight", "%2F"},
	{"a password with ? in a URL", "postgres://mirror:49?pw-49/x@127.0.0.1:1/freight", "%2F"},
	{"a bracket that does not end", "postgres://mirror:pw-49@[::1/x", "%2F"},
	{"a broken escape", "postgres://mirror:pw-49%zz/x@127.0.0.1/freight", "%2F"},
	{"keywords, a space in the password", "host=127.0.0.1 port=1 password=a pw-49/x connect_timeout=2", "%2F"},
	{"keywords, a quote that does not end", "host=127.0.0.1 password='pw-49/x", "%2F"},
	{"keywords in capitals", "HOST=127.0.0.1 PASSWORD=pw-49/x", "--db must be a path"},
	{"keywords that Postgres does not know", "server=127.0.0.1;pwd=pw-49/x", "--db must be a path"},
	{"without a scheme", "mirror:pw-49/x@127.0.0.1/freight", "--db must be a path"},
	{"without a user", ":pw-49/x@127.0.0.1/freight", "--db must be a path"},
	{"without a scheme, with slashes", "//mirror:pw-49/x@127.0.0.1/freight", "--db must be a path"},
	{"a scheme without slashes", "postgres:mirror:pw-49/x@127.0.0.1", "--db must be a path"},
	{"another scheme", "mysql://mirror:pw-49/x@127.0.0.1/freight", "--db must be a path"},
	{"the scheme of a driver", "pgx://mirror:pw-49/x@127.0.0.1/freight", "--db must be a path"},
	{"the prefix of JDBC", "jdbc:postgresql://127.0.0.1/freight?user=mirror&password=pw-49/x", "--db must be a path"},
	{"a variable", "DATABASE_URL=postgres://mirror:pw-49/x@127.0.0.1/freight", "--db must be a path"},
	{"quotes that a shell did not remove", `"postgres://mirror:pw-49/x@127.0.0.1/freight"`, "--db must be a path"},
	{"a file: URL", "file:mirror.db?password=pw-49/x", "--db must be a path"},
	{"a sqlite: URL", "sqlite:///mirror.db?key=pw-49/x", "--db must be a path"},
	{"memory", ":memory:", "--db must be a path"},
	{"spaces", "  ", "--db must be a path"},
}

// SECURITY: no form of --db prints its password or makes a file that is named by it.
func TestDatabase_EveryForm(t *testing.T) {
	for _, form := range forms {
		t.Run(form.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			for _, command := range []string{"status", "run"} {
				b.db = form.db
				cmd := b.command(command)
				if command == "run" {
					b.db = ""
					cmd = b.command(command)
					cmd.Env = append(cmd.Env, "T49_MIRROR_DB="+form.db)
				}
				status, out, log := clitest.Run(b, cmd)
				require.NotZero(t, status)
				require.Empty(t, out)
				require.Contains(t, log, form.want)
				require.NotContains(t, log, "pw-49")
				require.NotContains(t, log, "panic")
				made, err := os.ReadDir(cmd.Dir)
				require.NoError(t, err)
				require.Empty(t, made)
			}
		})
	}
}

// What may be the name of a file is one, in any folder; a name that looks like an address is one
// after ./.
func TestDatabase_Files(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("data", 0o700))
	for _, name := range []string{
		"mirror.db", "my fleet.db", "data/mirror.db", "./host=x password=y", "./mirror:pw@host.db", "./a=b.db", "a&b.db", "a?b.db", "a#b.db", "50%.db",
		"postgres", "password.db", "ü.db", filepath.Join(t.TempDir(), "host=x.db"),
	} {
		db, err := (&app{db: name}).open(true)
		require.NoError(t, err, name)
		require.NoError(t, db.Ping(), name)
		require.NoError(t, db.Close())
		_, err = os.Stat(name)
		require.NoError(t, err, name)
	}
	for _, name := range []string{"c=d.db", "c:d.db", "c@d.db", "data/c=d.db"} {
		_, err := (&app{db: name}).open(true)
		require.ErrorIs(t, err, errNotDatabase, name)
		_, err = os.Stat(name)
		require.ErrorIs(t, err, os.ErrNotExist, name)
	}
}

// Keywords reach the same database as a URL, and its password is in no error.
func TestDatabase_KeywordsOfPostgres(t *testing.T) {
	t.Parallel()
	postgres := engines.StartPostgres(t)
	b := newBench(t)
	b.srv.SeedDemo()
	b.db = postgres.DSN()
	b.copy()
	byURL := b.must("tail")
	require.NotEmpty(t, byURL)
	address, err := url.Parse(postgres.DSN())
	require.NoError(t, err)
	b.db = "host=127.0.0.1 port=" + address.Port() + ` user=postgres password='a \'b' dbname = postgres sslmode=disable`
	require.Equal(t, byURL, b.must("tail"))

	b.db = "host=127.0.0.1 port=" + address.Port() + ` user=postgres password='a \'b' sslmode=disable dbname=none-of-these`
	status, out, log := b.do("status")
	require.Equal(t, exitFailed, status)
	require.NotContains(t, out+log, `a 'b`)
	require.NotContains(t, out+log, `a \'b`)
}

// SECURITY: data is exact, also if it has the password as a word.
func TestData_IsExactWhateverThePasswordIs(t *testing.T) {
	t.Parallel()
	postgres := engines.StartPostgres(t)
	b := newBench(t)
	b.srv.SeedDemo()
	b.db = postgres.DSN()
	b.copy()
	exact := b.must("tail")
	require.Contains(t, exact, ":null")
	for _, word := range []string{"null", "shipment", "attribute", "seq\""} {
		b.db = strings.Replace(postgres.DSN(), "postgres@", "postgres:"+url.PathEscape(word)+"@", 1)
		require.Equal(t, exact, b.must("tail"), word)
		require.Contains(t, b.must("status"), "rows of shipments", word)
		require.Contains(t, b.must("verify"), "no difference in ", word)
	}
	// A log in JSON stays JSON, whatever word the password is.
	for _, word := range []string{"null", "\"msg\":\"", "INFO", "level", "mirror"} {
		b.db = strings.Replace(postgres.DSN(), "postgres@", "postgres:"+url.PathEscape(word)+"@", 1)
		c := b.start("run", "--log", "json", "--metrics", "127.0.0.1:0")
		c.until("log", func() bool { return strings.Count(c.logged(), "\n") > 1 })
		require.Zero(t, c.stop(syscall.SIGTERM))
		for line := range strings.Lines(c.logged()) {
			require.True(t, !strings.HasPrefix(line, "{") || json.Valid([]byte(line)), "%s: %s", word, line)
		}
		require.Contains(t, c.logged(), `{"time":"`)
	}
}
