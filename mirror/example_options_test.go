package mirror_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/sqlstore"
)

// A mirror with webhooks that are managed elsewhere, of an account whose key other programs use
// too.
func ExampleNew() {
	service, client := simulation()
	defer service.Close()
	db := memory()
	defer db.Close()
	m, err := mirror.New(client, db,
		mirror.WithSecrets(terminal49.NewSecret("the secret of the webhook")),
		mirror.WithRateLimitShare(0.3), mirror.WithActiveInterval(time.Hour), mirror.WithWholeInterval(7*24*time.Hour),
		mirror.WithRetention(mirror.Retention{Changes: 90 * 24 * time.Hour}),
		mirror.WithLogger(slog.New(slog.NewJSONHandler(os.Stderr, nil))))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Migrate(context.Background()))
	// Output: <nil>
}

// For an administrator: the mirror may write, a report only read.
func ExampleSchema() {
	statements, err := mirror.Schema(sqlstore.Postgres, mirror.SchemaOptions{Name: "t49", Writer: "t49_mirror", Reader: "reports"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Contains(statements, "reports"))
	// Output: true
}
