//go:build unix

package measure

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"
	"go.uber.org/goleak"
	_ "modernc.org/sqlite"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/sqlstore"
)

// orderVariable holds the order of a child process. Without it the binary runs the tests.
const orderVariable = "T49_MEASURE_ORDER"

// TestMain runs the tests, or in a child process its order.
func TestMain(m *testing.M) {
	text, child := os.LookupEnv(orderVariable)
	if !child {
		goleak.VerifyTestMain(m) // ends the process
	}
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		panic(err)
	}
	if err := o.run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "child:", err)
		os.Exit(1)
	}
}

// order is what a child process does: it mirrors a service into a database, or verifies the copy.
type order struct {
	Database source
	API      string // of the service
	Token    string
	Limited  bool // to the service's rate limits
	Verify   bool
}

// verified is what a child prints after it has verified the copy.
const verified = "verified\n"

// run mirrors, or verifies and then waits, until the standard input ends.
func (o order) run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	go func() {
		defer stop()
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	db, err := sql.Open(o.Database.Driver, o.Database.DSN)
	if err != nil {
		return err
	}
	settings := []terminal49.Option{terminal49.WithBaseURL(o.API)}
	if !o.Limited {
		settings = append(settings, terminal49.WithoutRateLimits())
	}
	client, err := terminal49.New(o.Token, settings...)
	if err != nil {
		return err
	}
	m, err := mirror.New(client, db)
	if err != nil {
		return err
	}
	if !o.Verify {
		return m.Run(ctx)
	}
	for difference, err := range m.Verify(ctx) {
		if err != nil {
			return err
		}
		return errors.New(difference.String())
	}
	fmt.Print(verified)
	<-ctx.Done()
	return nil
}

// source is how to open a database.
type source struct{ Driver, DSN string }

func (s source) dialect() sqlstore.Dialect {
	if s.Driver == "pgx" {
		return sqlstore.Postgres
	}
	return sqlstore.SQLite
}
