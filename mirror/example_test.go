package mirror_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net/http"
	"os"
	"time"

	_ "modernc.org/sqlite"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/terminal49test"
)

// simulation replaces the service, so that the examples run without an account, and always on the
// same day.
func simulation() (*terminal49test.Server, *terminal49.Client) {
	service := terminal49test.NewServer(terminal49test.WithoutSocket(),
		terminal49test.WithStart(time.Date(2024, time.July, 1, 20, 0, 0, 0, time.UTC)))
	service.SeedDemo()
	client, err := terminal49.New(service.Token,
		terminal49.WithBaseURL(service.URL), terminal49.WithHTTPClient(service.HTTPClient()))
	if err != nil {
		log.Fatal(err)
	}
	return service, client
}

func memory() *sql.DB {
	db, err := sql.Open("sqlite", ":memory:") // in production: file:terminal49.db, or Postgres
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(1) // each connection would have a database of its own
	return db
}

// mirrored returns the demonstration account of the simulator, and its mirror in a database in
// memory. In production another process may mirror.
func mirrored(ctx context.Context) (service *terminal49test.Server, db *sql.DB, m *mirror.Mirror) {
	service, client := simulation()
	db = memory()
	m, err := mirror.New(client, db, mirror.WithSettle(time.Millisecond))
	if err != nil {
		log.Fatal(err)
	}
	if err := m.Reconcile(ctx); err != nil {
		log.Fatal(err)
	}
	return service, db, m
}

// keep mirrors an account until ctx ends, with webhooks that arrive on mux.
func keep(ctx context.Context, client *terminal49.Client, db *sql.DB, mux *http.ServeMux) error {
	m, err := mirror.New(client, db, mirror.WithWebhook("https://mirror.example.com/webhook"))
	if err != nil {
		return err
	}
	mux.Handle("POST /webhook", m.Receiver())
	return m.Run(ctx)
}

// handOn passes changes on until there are none.
func handOn(ctx context.Context, m *mirror.Mirror, last mirror.Position, publish func(context.Context, mirror.Change) error) (mirror.Position, error) {
	for change, err := range m.Changes(ctx, last) {
		if errors.Is(err, mirror.ErrPositionLost) {
			return startAgain(ctx, m) // m.Position, then read the tables, then m.Changes from there
		}
		if err != nil {
			return last, err
		}
		if err := publish(ctx, change); err != nil { // Kafka, NATS, a queue in the same database
			return last, err
		}
		last = change.Position // store it with your own work
	}
	return last, nil
}

// startAgain returns the position from which to go on after the tables were read again.
func startAgain(ctx context.Context, m *mirror.Mirror) (mirror.Position, error) {
	end, err := m.Position(ctx)
	// In production: read the tables here, after the position.
	return end, err
}

// Keep a copy up to date for a while, and query it.
func ExampleMirror_Run() {
	service, client := simulation()
	defer service.Close()
	db := memory()
	defer db.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond) // in production: until an interrupt
	defer cancel()
	if err := keep(ctx, client, db, http.NewServeMux()); err != nil {
		log.Fatal(err)
	}
	fmt.Println("ended")
	// Output: ended
}

// Read everything once, prove that it is right, and hand the changes on.
func ExampleMirror_Reconcile() {
	service, client := simulation()
	defer service.Close()
	db := memory()
	defer db.Close()
	m, err := mirror.New(client, db)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	if err := m.Reconcile(ctx); err != nil {
		log.Fatal(err)
	}
	for difference, err := range m.Verify(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("differs:", difference)
	}
	var containers int
	if err := db.QueryRow("select count(*) from live_containers").Scan(&containers); err != nil {
		log.Fatal(err)
	}
	appeared := 0
	_, err = handOn(ctx, m, "", func(_ context.Context, c mirror.Change) error {
		if c.Kind == "container" && c.Attribute == "id" {
			appeared++
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(containers, "containers,", appeared, "of them new")
	// Output: 8 containers, 8 of them new
}

// Read the notices among the changes: a line of "terminal49-mirror tail", or what Mirror.Changes
// returns.
func ExampleChange_Notice() {
	const line = `{"seq":9,"position":"9-9f3c2a7be01d44aa","kind":"situation","id":"c1","attribute":"last_free_day",
		"old":{"situation":"not_released","days_left":3},
		"new":{"number":"CAIU1234567","sentence":"last free day in 2 days: Aug 3, at WBCT","days":2,"situation":"ready",
			"last_free_day":"2026-08-03","last_free_day_at":"2026-08-03T07:00:00Z[America/Los_Angeles]","days_left":2}}`
	var change mirror.Change
	if err := json.Unmarshal([]byte(line), &change); err != nil {
		log.Fatal(err)
	}
	notice, ok, err := change.Notice()
	if err != nil {
		log.Fatal(err)
	}
	if ok && notice.Name == mirror.NoticeLastFreeDay {
		fmt.Println(notice.Number, notice.Sentence)
		fmt.Println("was", notice.Before.Situation, "and is", notice.After.Situation, notice.After.LastFreeDayAt)
	}
	// Output:
	// CAIU1234567 last free day in 2 days: Aug 3, at WBCT
	// was not_released and is ready 2026-08-03 00:00 -07:00
}

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
