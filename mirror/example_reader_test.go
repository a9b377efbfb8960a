package mirror_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/worklist"
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

// What to do this morning: the most urgent containers of three kinds, and how many there are.
func ExampleReader_Worklist() {
	ctx := context.Background()
	service, db, _ := mirrored(ctx)
	defer service.Close()
	defer db.Close()

	reader := mirror.NewReader(db)
	for _, what := range []worklist.Work{worklist.WorkImminent, "pay_first", "held"} {
		list, err := reader.Worklist(ctx, what, service.Now(), mirror.WorklistOptions{Limit: 2})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(what, list.Total, "waiting", list.Waiting)
		for _, item := range list.Items {
			fmt.Println(" ", item.Container.Number, item.Verdict)
		}
	}
	// Output:
	// imminent 2 waiting 0
	//   MSKU7182411 Ready for pickup. Send a truck to WBCT (USLAX). The terminal's last free day is 2024-07-04, in 3 days.
	//   MSKU7182047 Ready for pickup. Send a truck to WBCT (USLAX). The terminal's last free day is 2024-07-04, in 3 days.
	// pay_first 1 waiting 0
	//   CMAU4716554 Ready, but USD 555.00 must be paid first. Pay, then send a truck to APMT LA (USLAX). The terminal's last free day was 2024-06-28, 3 days ago.
	// held 1 waiting 0
	//   MEDU3309188 At LBCT (USLGB), held by a customs hold (customs broker). Have it cleared before you send a truck. Also to be paid before the pickup: a fee of unknown amount (exam). The terminal's last free day is 2024-07-05, in 4 days.
}

// A program that is asked again and again, such as a chat or a dashboard, keeps an Overview.
func ExampleReader_Overview() {
	ctx := context.Background()
	service, db, _ := mirrored(ctx)
	defer service.Close()
	defer db.Close()

	overview := mirror.NewReader(db).Overview()
	list, err := overview.List(ctx, service.Now(), mirror.ListOptions{
		Filter: worklist.Filter{Work: []worklist.Work{worklist.WorkAtRisk}, Terminals: []string{"wbct"}},
		Order:  worklist.OrderLastFreeDay, Limit: 1,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(list.Items), "of", list.Total, list.Items[0].Verdict.Place)

	counts, err := overview.Count(ctx, service.Now(), mirror.CountOptions{By: []worklist.Key{worklist.KeyPort, worklist.KeyHold}})
	if err != nil {
		log.Fatal(err)
	}
	for _, group := range counts.Groups {
		fmt.Printf("%s, hold %q: %d, %s\n", group.Label, group.SecondKey, group.Containers, group.Owed.Fees)
	}
	// Output:
	// 1 of 2 WBCT (USLAX)
	// Los Angeles, hold "none": 6, USD 555.00
	// Long Beach, hold "customs": 1, USD 0.00 (not all amounts known)
	// Savannah, hold "none": 1, no fees
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

// Where containers are by what is recorded, whether or not they can be picked up.
func ExampleOverview_List_stages() {
	ctx := context.Background()
	service, db, _ := mirrored(ctx)
	defer service.Close()
	defer db.Close()

	list, err := mirror.NewReader(db).Overview().List(ctx, service.Now(), mirror.ListOptions{
		Filter: worklist.Filter{Stages: []terminal49.Stage{terminal49.StageAtPort, terminal49.StageOnRail}, ShippingLines: []string{"maersk"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range list.Items {
		fmt.Println(item.Container.Number, item.Verdict.Stage(), item.Verdict.Situation)
	}
	// Output:
	// MSKU7182411 at_port ready
	// MSKU7182047 at_port ready
}
