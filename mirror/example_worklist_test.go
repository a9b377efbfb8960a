package mirror_test

import (
	"context"
	"fmt"
	"log"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

// What to do this morning: the most urgent containers of three kinds, and how many there are.
func ExampleReader_Worklist() {
	ctx := context.Background()
	service, db, _ := mirrored(ctx)
	defer service.Close()
	defer db.Close()

	reader := mirror.NewReader(db)
	for _, what := range []mirror.Work{mirror.WorkImminent, "pay_first", "held"} {
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
		Filter: mirror.Filter{Work: []mirror.Work{mirror.WorkAtRisk}, Terminals: []string{"wbct"}},
		Order:  mirror.OrderLastFreeDay, Limit: 1,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(list.Items), "of", list.Total, list.Items[0].Verdict.Place)

	counts, err := overview.Count(ctx, service.Now(), mirror.CountOptions{By: []mirror.CountBy{mirror.CountByPortOfDischarge, mirror.CountByHold}})
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

// Where containers are by what is recorded, whether or not they can be picked up.
func ExampleOverview_List_stages() {
	ctx := context.Background()
	service, db, _ := mirrored(ctx)
	defer service.Close()
	defer db.Close()

	list, err := mirror.NewReader(db).Overview().List(ctx, service.Now(), mirror.ListOptions{
		Filter: mirror.Filter{Stages: []terminal49.Stage{terminal49.StageAtPort, terminal49.StageOnRail}, ShippingLines: []string{"maersk"}},
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

// How many containers are in each situation, at each terminal.
func ExampleReader_Counts() {
	ctx := context.Background()
	service, db, _ := mirrored(ctx)
	defer service.Close()
	defer db.Close()

	counts, err := mirror.NewReader(db).Counts(ctx, mirror.CountByTerminal, service.Now(), terminal49.VerdictOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, group := range counts.Groups {
		if group.Key != "" {
			fmt.Println(group.Label, group.Containers, group.Situations)
		}
	}
	// Output:
	// WBCT (USLAX) 2 map[ready:2]
	// GCT (USSAV) 1 map[not_released:1]
	// LBCT (USLGB) 1 map[held:1]
	// APMT LA (USLAX) 1 map[pay_first:1]
}
