package mirror_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"sync"
	"time"

	_ "modernc.org/sqlite"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/terminal49test"
)

// simulation replaces the service, so that the examples run without an account.
func simulation() (*terminal49test.Server, *terminal49.Client) {
	service := terminal49test.NewServer(terminal49test.WithoutSocket())
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

// Mirror several accounts into one Postgres database, a schema each.
func ExampleNew_accounts() {
	db, err := sql.Open("pgx", os.Getenv("DATABASE_URL")) // import _ "github.com/jackc/pgx/v5/stdlib"
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	var running sync.WaitGroup
	for schema, token := range map[string]string{"acct_east": os.Getenv("EAST_TOKEN"), "acct_west": os.Getenv("WEST_TOKEN")} {
		client, err := terminal49.New(token)
		if err != nil {
			log.Fatal(err)
		}
		m, err := mirror.New(client, db, mirror.WithSchema(schema))
		if err != nil {
			log.Fatal(err)
		}
		running.Go(func() {
			if err := m.Run(context.Background()); err != nil { // in production: until an interrupt
				log.Print(err)
			}
		})
	}
	running.Wait()
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
