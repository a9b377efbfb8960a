package terminal49_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

func ExamplePartiesService_List() {
	_, _, client := simulation()
	page, err := client.Parties.List(context.Background(), &terminal49.PartyListParams{Query: "harbor"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.Items[0].CompanyName)
	// Output: Harbor Street Imports
}

// The company name is unique within the account.
func ExamplePartiesService_Create() {
	_, _, client := simulation()
	ctx := context.Background()
	party, err := client.Parties.Create(ctx, terminal49.PartyFields{CompanyName: "Bay Bridge Coffee"})
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Parties.Create(ctx, terminal49.PartyFields{CompanyName: "Bay Bridge Coffee"})
	fmt.Println(party.CompanyName, errors.Is(err, terminal49.ErrDuplicate))
	// Output: Bay Bridge Coffee true
}

func ExamplePartiesService_Get() {
	service, _, client := simulation()
	id := service.AddParty(terminal49test.Party{CompanyName: "Bay Drayage"})
	party, err := client.Parties.Get(context.Background(), id)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(party.CompanyName)
	// Output: Bay Drayage
}

func ExamplePartiesService_Update() {
	service, _, client := simulation()
	id := service.AddParty(terminal49test.Party{CompanyName: "Bay Drayage"})
	rename := terminal49.PartyFields{CompanyName: "Bay Drayage Inc."}
	party, err := client.Parties.Update(context.Background(), id, rename)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(party.CompanyName)
	// Output: Bay Drayage Inc.
}

func ExampleShipmentsService_PartyRoles() {
	service, demo, client := simulation()
	broker := service.AddParty(terminal49test.Party{CompanyName: "Quayside Customs"})
	ctx, shipment := context.Background(), demo.Shipments[0]
	if _, err := client.Shipments.AddPartyRole(ctx, shipment, terminal49.PartyRoleCustomsBroker, broker); err != nil {
		log.Fatal(err)
	}
	roles, err := client.Shipments.PartyRoles(ctx, shipment)
	if err != nil {
		log.Fatal(err)
	}
	for _, role := range roles {
		party, _ := role.Party.Value()
		fmt.Println(role.Role, party.CompanyName)
	}
	// Output: customs_broker Quayside Customs
}

// RemovePartyRole takes the id of the role, not that of the party.
func ExampleShipmentsService_RemovePartyRole() {
	service, demo, client := simulation()
	broker := service.AddParty(terminal49test.Party{CompanyName: "Quayside Customs"})
	ctx, shipment := context.Background(), demo.Shipments[0]
	role, err := client.Shipments.AddPartyRole(ctx, shipment, terminal49.PartyRoleCustomsBroker, broker)
	if err != nil {
		log.Fatal(err)
	}
	if err := client.Shipments.RemovePartyRole(ctx, shipment, role.ID); err != nil {
		log.Fatal(err)
	}
	roles, err := client.Shipments.PartyRoles(ctx, shipment)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(roles), "roles")
	// Output: 0 roles
}

func ExampleContainersService_PartyRoles() {
	service, demo, client := simulation()
	trucker := service.AddParty(terminal49test.Party{CompanyName: "Bay Drayage"})
	ctx, container := context.Background(), containerOf(service, demo.Shipments[0])
	if _, err := client.Containers.AddPartyRole(ctx, container, terminal49.PartyRolePickupDrayCarrier, trucker); err != nil {
		log.Fatal(err)
	}
	roles, err := client.Containers.PartyRoles(ctx, container)
	if err != nil {
		log.Fatal(err)
	}
	for _, role := range roles {
		party, _ := role.Party.Value()
		fmt.Println(role.Role, party.CompanyName)
	}
	// Output: pickup_dray_carrier Bay Drayage
}

func ExampleContainersService_RemovePartyRole() {
	service, demo, client := simulation()
	trucker := service.AddParty(terminal49test.Party{CompanyName: "Bay Drayage"})
	ctx, container := context.Background(), containerOf(service, demo.Shipments[0])
	role, err := client.Containers.AddPartyRole(ctx, container, terminal49.PartyRolePickupDrayCarrier, trucker)
	if err != nil {
		log.Fatal(err)
	}
	if err := client.Containers.RemovePartyRole(ctx, container, role.ID); err != nil {
		log.Fatal(err)
	}
	roles, err := client.Containers.PartyRoles(ctx, container)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(roles), "roles")
	// Output: 0 roles
}
