package dispute_test

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/mirror/dispute"
	"github.com/go-freight/terminal49/terminal49test"
)

// mirrored returns a mirror's database of a simulated account.
func mirrored(ctx context.Context) *sql.DB {
	service := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithStart(time.Date(2024, time.July, 1, 20, 0, 0, 0, time.UTC)))
	defer service.Close()
	service.SeedDemo()
	client, err := terminal49.New(service.Token, terminal49.WithBaseURL(service.URL), terminal49.WithHTTPClient(service.HTTPClient()))
	if err != nil {
		log.Fatal(err)
	}
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	m, err := mirror.New(client, db, mirror.WithSettle(time.Millisecond))
	if err != nil {
		log.Fatal(err)
	}
	if err := m.Reconcile(ctx); err != nil {
		log.Fatal(err)
	}
	return db
}

// What is known of the holds of a container, and of the last of them.
func ExampleNew() {
	ctx := context.Background()
	db := mirrored(ctx)
	defer db.Close()

	reader := mirror.NewReader(db)
	containers, err := reader.ContainersByNumber(ctx, "MEDU3309188")
	if err != nil || len(containers) == 0 {
		log.Fatal("no such container ", err)
	}
	page, err := dispute.New(ctx, reader, containers[0].ID, dispute.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, section := range page.Sections {
		for _, fact := range section.Facts {
			if section.Title == "Holds" || section.Title == "Last free days" {
				fmt.Println(section.Title+":", fact.What, "-", fact.Source)
			}
		}
	}
	fmt.Println(len(page.Checklist), "items that an invoice must state")
	// Output:
	// Holds: customs hold, hold: CBP INTENSIVE EXAM - the terminal, read by a walk
	// Last free days: last free day of the terminal: 2024-07-05 - the terminal, read by a walk
	// 20 items that an invoice must state
}
