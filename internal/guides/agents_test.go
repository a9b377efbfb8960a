package guides_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// verdicts answers "where is it, and what now?" for each journey that a container number has had.
func verdicts(ctx context.Context, client *terminal49.Client, number string, now time.Time) ([]terminal49.Verdict, error) {
	found, err := client.Containers.FindByNumber(ctx, number, &terminal49.ContainerGetParams{
		Include: terminal49.AssessIncludes(),
	})
	if err != nil {
		return nil, err
	}
	var answers []terminal49.Verdict
	for _, container := range found { // none if nobody tracks the number: no error
		answers = append(answers, terminal49.Assess(container, now, terminal49.VerdictOptions{}))
	}
	return answers, nil
}

func TestVerdicts_WaitForTheTerminal(t *testing.T) {
	service := terminal49test.NewServer(terminal49test.WithoutSocket()) // no port, no goroutine; Close is not needed
	shipment := service.AddShipment(terminal49test.Shipment{ShippingLine: "MAEU", PortOfDischarge: "USLAX", PODTerminal: "WBCT"})
	service.AddContainer(terminal49test.Container{
		Number: "MSKU7182047", Shipment: shipment, PODDischargedAt: service.Now().Add(-24 * time.Hour),
		TerminalCheckedAt: service.Now(), // AvailableForPickup is null, because nothing sets it
	})
	client, err := terminal49.New(service.Token, terminal49.WithBaseURL(service.URL), terminal49.WithHTTPClient(service.HTTPClient()))
	if err != nil {
		t.Fatal(err)
	}
	answers, err := verdicts(t.Context(), client, "MSKU7182047", service.Now())
	if err != nil || len(answers) != 1 || answers[0].Situation != terminal49.SituationUnknown {
		t.Errorf("%v, %v", answers, err)
	}
	service.CheckViolations(t) // nothing undocumented was sent
}

func Example_values() {
	service, demo, client := simulation()
	now := service.Now()
	container, err := client.Containers.Get(context.Background(), containerOf(service, demo.Shipments[0]), nil)
	if err != nil {
		panic(err)
	}
	available, known := container.Availability()        // not known: not reported, which is not "no"
	day, ok := container.PickupLFD.Date()               // the day at the place; ok also if its zone is null
	days, counted := container.PickupLFD.DaysLeft(now)  // calendar days at the place, negative if overdue; not if its zone is null
	at, exact := container.PODDischargedAt.Instant()    // a time.Time, if the zone is known
	terminal, included := container.PODTerminal.Value() // false if it was not included, or there is none
	fmt.Println(available, known, day, ok, days, counted, at.IsZero(), exact, terminal == nil, included)
	// Output: true true 2024-07-04 true 3 true false true true false
}
