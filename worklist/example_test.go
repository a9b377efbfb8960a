package worklist_test

import (
	"context"
	"fmt"
	"log"
	"net/url"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/worklist"
)

// demo returns the records of the simulator's demo.
func demo() (*terminal49test.Server, *worklist.Set) {
	service := terminal49test.NewServer(terminal49test.WithStart(time.Date(2026, time.March, 2, 17, 0, 0, 0, time.UTC)))
	service.SeedDemo()
	client, err := terminal49.New(service.Token, terminal49.WithBaseURL(service.URL), terminal49.WithHTTPClient(service.HTTPClient()))
	if err != nil {
		log.Fatal(err)
	}
	set, params := worklist.NewSet(0), &terminal49.ContainerListParams{Include: terminal49.AssessIncludes()}
	for c, err := range client.Containers.All(context.Background(), params) {
		if err != nil {
			log.Fatal(err)
		}
		v := terminal49.Assess(c, service.Now(), terminal49.VerdictOptions{})
		set.Put(worklist.NewRecord(c, &v))
	}
	return service, set
}

func ExampleSet_Ask() {
	service, set := demo()
	defer service.Close()
	filter := worklist.Filter{Customers: []string{"lakeside"}, Work: []worklist.Work{worklist.WorkWaiting}}
	question, err := set.Ask(service.Now(), filter, terminal49.VerdictOptions{})
	if err != nil {
		log.Fatal(err)
	}
	list, err := question.List(worklist.ListOptions{Order: worklist.OrderLastFreeDay})
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range list.Items {
		fmt.Println(item.Verdict.Number, item.Verdict.Situation, item.Verdict.LastFreeDay.At)
	}
	fmt.Println(question.Meanings()[0].Names)
	// Output:
	// CMAU4716554 pay_first 2026-02-26 00:00 -08:00
	// ONEU5520871 not_released -
	// [{ Lakeside Home Goods 3}]
}

func ExampleQuestion_Count() {
	service, set := demo()
	defer service.Close()
	question, err := set.Ask(service.Now(), worklist.Filter{}, terminal49.VerdictOptions{})
	if err != nil {
		log.Fatal(err)
	}
	counts, err := question.Count(worklist.KeyHold)
	if err != nil {
		log.Fatal(err)
	}
	for _, group := range counts.Groups {
		fmt.Printf("%q %d\n", group.Key, group.Containers)
	}
	// Output:
	// "none" 7
	// "customs" 1
}

func ExampleCompare() {
	port := terminal49.Included("1", &terminal49.Terminal{Nickname: "LBCT"})
	container := &terminal49.Container{
		Number: "CMAU4716554", CurrentStatus: terminal49.StatusGrounded, PODTerminal: port, PODTimezone: "America/Los_Angeles",
		PODDischargedAt:    terminal49.NewTime(time.Date(2026, time.March, 1, 20, 0, 0, 0, time.UTC), "America/Los_Angeles"),
		AvailableForPickup: terminal49.Some(false), Fees: []terminal49.Fee{},
		Holds: []terminal49.Hold{{Name: terminal49.HoldCustoms, Status: terminal49.HoldStatusActive}},
	}
	read := func(now time.Time) *worklist.Item {
		container.TerminalCheckedAt = terminal49.NewTime(now, "")
		v := terminal49.Assess(container, now, terminal49.VerdictOptions{})
		return &worklist.Item{Record: worklist.NewRecord(container, &v), Verdict: &v}
	}
	before := read(time.Date(2026, time.March, 2, 17, 0, 0, 0, time.UTC))
	container.Holds, container.AvailableForPickup = []terminal49.Hold{}, terminal49.Some(true)
	after := read(time.Date(2026, time.March, 2, 18, 0, 0, 0, time.UTC))
	for _, change := range worklist.Compare(before, after) {
		fmt.Println(change.Key, "was", change.Before.Text, "and is", change.After.Text)
	}
	// Output:
	// situation was held and is ready
	// holds was customs and is none
}

func ExampleParseFilter() {
	filter, err := worklist.ParseFilter(url.Values{"line": {"MAEU", "Hapag"}, "days_left_to": {"3"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(filter.ShippingLines, filter.DaysLeftTo)
	_, err = worklist.ParseFilter(url.Values{"days_left_to": {"soon"}})
	fmt.Println(err)
	// Output:
	// [MAEU Hapag] 3
	// terminal49: worklist: days_left_to must be a whole number of days, not "soon"
}
