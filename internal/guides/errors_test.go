package guides_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

func explain(err error) string {
	var response *terminal49.APIError
	var argument *terminal49.ArgumentError
	switch {
	case err == nil:
		return "done"
	case errors.As(err, &argument):
		return "fix the call: " + argument.Field
	case errors.Is(err, terminal49.ErrNotFound):
		return "there is none"
	case errors.Is(err, terminal49.ErrUnauthorized):
		return "the key is wrong or disabled"
	case errors.Is(err, terminal49.ErrFeatureNotEnabled):
		return "not in the account's plan"
	case errors.Is(err, terminal49.ErrRateLimited) && errors.As(err, &response):
		return fmt.Sprint("later, in ", response.RetryAfter.Or(time.Minute))
	case terminal49.IsOutcomeUnknown(err):
		return "it may have happened: read before you repeat it"
	default:
		return "later: " + err.Error()
	}
}

// createParty creates a party, also if the response to an earlier attempt was lost.
func createParty(ctx context.Context, client *terminal49.Client, name string) (*terminal49.Party, error) {
	party, err := client.Parties.Create(ctx, terminal49.PartyFields{CompanyName: name})
	if err == nil || !terminal49.IsOutcomeUnknown(err) && !errors.Is(err, terminal49.ErrDuplicate) {
		return party, err
	}
	for party, listErr := range client.Parties.All(ctx, nil) {
		if listErr != nil {
			return nil, listErr
		}
		if party.CompanyName == name {
			return party, nil
		}
	}
	return nil, err
}

func Example_errors() {
	service, _, client := simulation()
	ctx := context.Background()

	_, err := client.Shipments.Get(ctx, "MAEU240711002", nil)
	fmt.Println(explain(err))
	_, err = client.Shipments.Get(ctx, "5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d", nil)
	fmt.Println(explain(err))

	service.AddFault(terminal49test.Fault{Operation: "parties.create", Kind: terminal49test.FaultDrop, Acted: true})
	_, err = client.Parties.Create(ctx, terminal49.PartyFields{CompanyName: "Pier 9 Coffee"})
	fmt.Println(explain(err))

	service.AddFault(terminal49test.Fault{Operation: "parties.create", Kind: terminal49test.FaultDrop, Acted: true})
	party, err := createParty(ctx, client, "Dockside Tea")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(party.CompanyName)
	// Output:
	// fix the call: id
	// there is none
	// it may have happened: read before you repeat it
	// Dockside Tea
}
