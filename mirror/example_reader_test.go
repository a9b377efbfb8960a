package mirror_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/terminal49test"
)

// Read containers with your own SQL, as the client would have decoded them, and without a request.
func ExampleReader_Containers() {
	ctx := context.Background()
	service, db, _ := mirrored(ctx)
	defer service.Close()
	defer db.Close()

	reader := mirror.NewReader(db)
	for c, err := range reader.Containers(ctx, "where current_status in ($1, $2) order by number limit 3",
		terminal49.StatusAvailable, terminal49.StatusNotAvailable) {
		if err != nil {
			log.Fatal(err)
		}
		shipment, _ := c.Shipment.Value()
		port, _ := shipment.PortOfDischarge.Value()
		fmt.Println(c.Number, port.Name, terminal49.Assess(c, service.Now(), terminal49.VerdictOptions{}).Situation)
	}
	// Output:
	// CMAU4716554 Los Angeles pay_first
	// MEDU3309188 Long Beach held
	// MSKU7182047 Los Angeles ready
}

// Find the journeys of a container by its number.
func ExampleReader_ContainersByNumber() {
	ctx := context.Background()
	service, db, _ := mirrored(ctx)
	defer service.Close()
	defer db.Close()

	found, err := mirror.NewReader(db).ContainersByNumber(ctx, "medu 330918-8")
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range found {
		fmt.Println(c.Number, c.CurrentStatus)
	}
	// Output: MEDU3309188 not_available
}

// Print what a container was held for, and how its last free day moved.
func ExampleReader_History() {
	ctx := context.Background()
	service, db, m := mirrored(ctx)
	defer service.Close()
	defer db.Close()
	reader := mirror.NewReader(db)
	found, err := reader.ContainersByNumber(ctx, "MEDU3309188")
	if err != nil {
		log.Fatal(err)
	}
	service.UpdateContainer(found[0].ID, func(c *terminal49test.Container) { c.Holds = nil }) // while the mirror runs
	if err := m.Reconcile(ctx); err != nil {
		log.Fatal(err)
	}

	history, err := reader.History(ctx, found[0].ID)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range history.Holds {
		fmt.Printf("%s hold: cleared %t, may be older than the copy %t\n", p.Value.Name, !p.Until.IsZero(), p.Earlier)
	}
	for _, p := range history.LastFreeDays {
		fmt.Printf("last free day of the %s: replaced %t\n", p.Value.Source, !p.Until.IsZero())
	}
	// Output:
	// customs hold: cleared true, may be older than the copy true
	// last free day of the terminal: replaced false
}

// Look up a list as a customer wrote it: numbers of containers and shipments, and references.
func ExampleReader_Find() {
	ctx := context.Background()
	service, db, _ := mirrored(ctx)
	defer service.Close()
	defer db.Close()

	found, err := mirror.NewReader(db).Find(ctx, "medu 330918-8", "CMDU240512339", "po-10244", "MSKU7182046")
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range found {
		fmt.Println(f.Text, len(f.Items), f.Nearest)
	}
	// Output:
	// medu 330918-8 1 []
	// CMDU240512339 1 []
	// po-10244 1 []
	// MSKU7182046 0 [MSKU7182047]
}

// Print what the mirror has stored in the last day, and how old the copy is.
func ExampleMirror_PositionAt() {
	ctx := context.Background()
	service, db, m := mirrored(ctx)
	defer service.Close()
	defer db.Close()

	since, err := m.PositionAt(ctx, time.Now().Add(-24*time.Hour))
	if err != nil {
		log.Fatal(err)
	}
	containers := 0
	for change, err := range m.Changes(ctx, since) {
		if err != nil {
			log.Fatal(err)
		}
		if change.Kind == "container" && change.Attribute == "id" {
			containers++
		}
	}
	ages, err := m.Ages(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(containers, "new containers;", ages.Healthy(ages.At))
	// Output: 8 new containers; <nil>
}
