package compatibility_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/webhook"
)

// storedData has the rows of the databases that each version has filled, which today's code
// migrates, keeps and goes on with. The databases are in forms.
func storedData(t *testing.T) (lines []string) {
	if *update {
		writeData(t)
	}
	files, err := filepath.Glob("forms/*/*.sql.gz")
	if err != nil || len(files) == 0 {
		t.Fatalf("no databases: %v", err)
	}
	for _, file := range files {
		lines = append(lines, readData(t, file)...)
	}
	return lines
}

// newest is the folder of the forms of the version of doc.go.
var newest = filepath.Join("forms", "v"+terminal49.Version)

// fillings fill a database, by the name that its file has before the dialect.
var fillings = map[string]func(*testing.T, database){"mirror": fillMirror, "store": fillStore}

// writeData fills the databases of this version, unless they have today's tables.
func writeData(t *testing.T) {
	for name, fill := range fillings {
		for _, db := range newDatabases(t) {
			file := filepath.Join(newest, name+"."+strings.ToLower(db.dialect.String())+".sql.gz")
			if isCurrent(t, file) {
				continue
			}
			schema := schemaOf(t, name, db.dialect)
			db.exec(t, schema)
			fill(t, db)
			write(t, file, compressed(t, schema+db.dump(t)))
		}
	}
}

// schemaOf returns the statements that make today's tables.
func schemaOf(t *testing.T, name string, dialect sqlstore.Dialect) string {
	if name == "store" {
		return sqlstore.Schema(dialect)
	}
	return account{t: t}.must("terminal49-mirror", "print-sql", "--dialect", strings.ToLower(dialect.String()))
}

// isCurrent reports whether the database of a file has today's tables.
func isCurrent(t *testing.T, file string) bool {
	name, dialect := nameAndDialect(file)
	script, err := script(file)
	return err == nil && strings.HasPrefix(script, schemaOf(t, name, dialect))
}

// nameAndDialect returns what the name of a file consists of.
func nameAndDialect(file string) (name string, dialect sqlstore.Dialect) {
	name, rest, _ := strings.Cut(filepath.Base(file), ".")
	if strings.HasPrefix(rest, "postgres") {
		return name, sqlstore.Postgres
	}
	return name, sqlstore.SQLite
}

// empty returns an empty database of a dialect.
func empty(t *testing.T, dialect sqlstore.Dialect) database {
	all := newDatabases(t)
	return all[slices.IndexFunc(all, func(d database) bool { return d.dialect == dialect })]
}

// readData restores the database of a file, migrates it, and compares each row and the tables.
func readData(t *testing.T, file string) (lines []string) {
	name, dialect := nameAndDialect(file)
	script, err := script(file)
	if err != nil {
		t.Fatal(err)
	}
	db := empty(t, dialect)
	db.exec(t, script)
	before := map[string][]string{}
	columns := map[string][]string{}
	for _, table := range db.tables(t) {
		columns[table] = db.columns(t, table)
		before[table] = db.rows(t, table, columns[table])
	}
	migrate(t, name, db)
	for table, rows := range before {
		if strings.HasSuffix(table, "migrations") {
			continue
		}
		if after := db.rows(t, table, columns[table]); !slices.Equal(rows, after) {
			t.Errorf("surface stored-data: %s: the rows of %s differ after the migration: %d were, %d are", file, table, len(rows), len(after))
		}
		lines = append(lines, fmt.Sprintf("%s %s: %d rows", strings.TrimPrefix(file, "forms/"), table, len(rows)))
	}
	fresh := empty(t, dialect)
	migrate(t, name, fresh)
	if d := compare(describe(t, fresh), describe(t, db)); len(d.gone)+len(d.added) > 0 {
		t.Errorf("surface stored-data: %s: today's migrations do not give this database the tables of a new one: %q are missing, %q are there. %s", file, d.gone, d.added, mode(t))
	}
	map[string]func(*testing.T, string, database){"mirror": continueMirror, "store": continueStore}[name](t, file, db)
	return lines
}

// mode says what may be done about migrations that have changed.
func mode(t *testing.T) string {
	if log := readChangelog(t); log.released != "" {
		return log.released + " is released, and databases have run its migrations: leave them, and write a new one"
	}
	return "Nothing is released yet, so migrations may change: go test -C internal/proof/compatibility -update"
}

func migrate(t *testing.T, name string, db database) {
	t.Helper()
	err := sqlstore.Migrate(t.Context(), db.DB, db.dialect)
	if name == "mirror" {
		var client *terminal49.Client
		if client, err = terminal49.New("none"); err == nil {
			var m *mirror.Mirror
			if m, err = mirror.New(client, db.DB); err == nil {
				err = m.Migrate(t.Context())
			}
		}
	}
	if err != nil {
		t.Fatalf("surface stored-data: %s cannot be migrated: %v. %s", name, err, mode(t))
	}
}

// fillMirror runs the mirror with a webhook and two pushes; one parks what its receiver
// refuses.
func fillMirror(t *testing.T, db database) {
	l := newLive(t, "T49_MIRROR_DB="+db.name)
	l.notify()
	refusing := newReceiver(t, http.StatusOK)
	refusing.refuse = `"kind":"party"`
	parking := l.start("terminal49-mirror", "push", "--name", "parking", "--attempts", "1", "--from", "begin", refusing.URL)
	parking.wait("parked delivery", func() bool {
		return strings.Contains(l.must("terminal49-mirror", "push", "parked", "--name", "parking"), "party")
	})
	for _, r := range []*running{parking, l.push, l.mirror} {
		if status := r.stop(syscall.SIGTERM); status != 0 {
			t.Fatalf("%v: exit status %d\n%s", r.cmd.Args, status, r.printed())
		}
	}
}

// continueMirror goes on with a database: its readers from their positions, and the mirror with the
// same account.
func continueMirror(t *testing.T, file string, db database) {
	a, demo := newAccount(t)
	grow(a.srv, demo)
	c := copied{account: a.with("T49_MIRROR_DB=" + db.name), demo: demo}
	positions := c.positions()
	rest := c.must("terminal49-mirror", "tail", "--after", positions[len(positions)/2])
	if n := strings.Count(rest, "\n"); n == 0 || n != len(positions)-len(positions)/2-1 {
		t.Errorf("surface stored-data: %s: %d changes follow the position in the middle of %d", file, n, len(positions))
	}
	if out := c.must("terminal49-mirror", "push", "parked", "--name", "parking"); !strings.Contains(out, "party") {
		t.Errorf("surface stored-data: %s: what was parked is %q", file, out)
	}
	c.requireWorklist(file, db)
	c.slip(file, positions[len(positions)-1])
	for _, command := range []string{"status", "rebuild", "reconcile"} {
		c.must("terminal49-mirror", command) // status: 1, too old
	}
	if status, out, log := c.run("terminal49-mirror", "verify"); status != 0 {
		t.Errorf("surface stored-data: %s: verify: exit status %d\n%s%s", file, status, out, log)
	}
	c.requirePruned(file, db, positions)
}

// requireWorklist asks the copy at the time of its last walk. Today its readings are old, and the
// same question has another answer.
func (c copied) requireWorklist(file string, db database) {
	c.t.Helper()
	walks := "walks"
	if db.dialect == sqlstore.Postgres {
		walks = "t49.walks"
	}
	at, err := time.Parse(time.RFC3339Nano, db.texts(c.t, "select max(page_at) from "+walks)[0][0])
	if err != nil {
		c.t.Fatal(err)
	}
	list, err := mirror.NewReader(db.DB).Worklist(c.t.Context(), mirror.Work(terminal49.SituationPayFirst), at, mirror.WorklistOptions{})
	if err != nil {
		c.t.Fatal(err)
	}
	if len(list.Items) != 1 || list.Items[0].Container.Number != "CMAU4716554" {
		c.t.Errorf("surface stored-data: %s: the worklist of %v is %v", file, at, list.Items)
	}
}

const notification = "9e8f0c8a-8a43-54e4-b1f6-cdebdc1aaade"

// fillStore takes slots of a rate limit, and handles a notification.
func fillStore(t *testing.T, db database) {
	limiter, err := sqlstore.NewLimiter(db.DB, db.dialect, "token-1")
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := limiter.Acquire(t.Context(), terminal49.BucketDefault); err != nil {
			t.Fatal(err)
		}
	}
	dedupe, err := sqlstore.NewDedupe(db.DB, db.dialect, "receiver")
	if err == nil {
		_, err = dedupe.Claim(t.Context(), notification, "owner", time.Minute)
	}
	if err == nil {
		err = dedupe.Complete(t.Context(), notification, "owner", 100*365*24*time.Hour)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// continueStore takes another slot, and finds the notification handled.
func continueStore(t *testing.T, file string, db database) {
	limiter, err := sqlstore.NewLimiter(db.DB, db.dialect, "token-1")
	if err != nil {
		t.Fatal(err)
	}
	if release, err := limiter.Acquire(t.Context(), terminal49.BucketDefault); err != nil {
		t.Errorf("surface stored-data: %s: a slot: %v", file, err)
	} else {
		release()
	}
	dedupe, err := sqlstore.NewDedupe(db.DB, db.dialect, "receiver")
	if err != nil {
		t.Fatal(err)
	}
	if state, err := dedupe.Claim(t.Context(), notification, "another", time.Minute); err != nil || state != webhook.DedupeDone {
		t.Errorf("surface stored-data: %s: the notification that was handled is %v, %v", file, state, err)
	}
}
