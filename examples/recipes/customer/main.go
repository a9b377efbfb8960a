// Customer makes sure that the account has a company, once, however often it is run.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/go-freight/terminal49"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: customer NAME")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	client, err := terminal49.NewFromEnv()
	if err != nil {
		log.Fatal(err)
	}
	party, err := ensure(ctx, client, os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(party.ID)
}

func ensure(ctx context.Context, client *terminal49.Client, name string) (*terminal49.Party, error) {
	party, err := find(ctx, client, name)
	if party != nil || err != nil {
		return party, err // a list that could not be read proves nothing
	}
	party, err = client.Parties.Create(ctx, terminal49.PartyFields{CompanyName: name})
	if err == nil || !terminal49.IsOutcomeUnknown(err) && !errors.Is(err, terminal49.ErrDuplicate) {
		return party, err
	}
	found, listErr := find(ctx, client, name) // the response was lost, or another process was faster
	if found != nil || listErr != nil {
		return found, listErr
	}
	return nil, err
}

func find(ctx context.Context, client *terminal49.Client, name string) (*terminal49.Party, error) {
	for party, err := range client.Parties.All(ctx, nil) {
		if err != nil {
			return nil, err
		}
		if party.CompanyName == name {
			return party, nil
		}
	}
	return nil, nil
}
