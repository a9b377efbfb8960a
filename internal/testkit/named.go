package testkit

import "github.com/go-freight/terminal49/terminal49test"

// AddNamedFields adds what the calls of EveryFieldCall ask for by id or slug. The server must have
// the shipment, the container and the tracking request.
func AddNamedFields(srv *terminal49test.Server) {
	for _, entity := range []string{"Shipment", "Container"} {
		for slug, kind := range map[string]string{"customer_reference_number": "short_text", "duty": "number",
			"a?b c": "short_text"} {
			srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{EntityType: entity, APISlug: slug,
				DataType: kind})
		}
	}
	srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{
		ID: DefinitionID, APISlug: "incoterm", DataType: "enum",
		Options: []terminal49test.CustomFieldOption{{ID: OptionID, Label: "On board", Value: "on_board"}},
	})
	values := []terminal49test.CustomField{{ID: CustomFieldID, Entity: ShipmentID,
		APISlug: "customer_reference_number", Value: "1"}}
	for _, entity := range []string{ShipmentID, ContainerID, RequestID} {
		values = append(values, terminal49test.CustomField{Entity: entity, APISlug: "duty", Value: 1},
			terminal49test.CustomField{Entity: entity, APISlug: "a?b c", Value: "1"})
	}
	for _, f := range values {
		if _, err := srv.AddCustomField(f); err != nil {
			panic(err)
		}
	}
}

// AddNamedPlaces adds what PartyCalls, PlaceCalls and VesselCalls ask for by id. The ports are
// close to each other, because a route has a position for each minute.
func AddNamedPlaces(srv *terminal49test.Server) {
	srv.AddPort(terminal49test.Port{ID: PortID, LOCODE: "USOAK", Name: "Oakland", CountryCode: "US", Latitude: "37.8",
		Longitude: "-122.3"})
	srv.AddPort(terminal49test.Port{ID: OtherPortID, LOCODE: "USRCH", Name: "Richmond", CountryCode: "US",
		Latitude: "37.9", Longitude: "-122.4"})
	srv.AddMetroArea(terminal49test.MetroArea{ID: MetroID, LOCODE: "USMEM", Name: "Memphis", CountryCode: "US"})
	srv.AddTerminal(terminal49test.Terminal{ID: TerminalID, Name: "Pier One", Nickname: "P1", Port: "USOAK"})
	srv.AddVessel(terminal49test.Vessel{ID: VesselID, Name: "ANY SHIP", IMO: VesselIMO})
}

// AddNamedResources adds what the calls of EveryCall ask for by id.
func AddNamedResources(srv *terminal49test.Server) {
	srv.AddParty(terminal49test.Party{ID: PartyID, CompanyName: "Ümlaut & Sons"})
	srv.AddShippingLine(terminal49test.ShippingLine{ID: LineID, SCAC: "ABCD", Name: "A Line",
		BillOfLadingTrackingSupport: true})
	srv.AddShipment(terminal49test.Shipment{ID: ShipmentID, BillOfLadingNumber: "MAEU123", ShippingLine: "MAEU",
		PortOfDischarge: "USLAX"})
	srv.AddContainer(terminal49test.Container{ID: ContainerID, Number: "MSCU1234566", Shipment: ShipmentID})
	srv.AddTrackingRequest(terminal49test.TrackingRequest{ID: RequestID, RequestNumber: "MAEU123", SCAC: "MAEU",
		Status: "created", Shipment: ShipmentID})
	srv.AddPartyRole(terminal49test.PartyRole{ID: PartyRoleID, Role: "consignee", Party: PartyID,
		Shipment: ShipmentID})
	srv.AddPartyRole(terminal49test.PartyRole{ID: ContainerPartyRoleID, Role: "pickup_dray_carrier",
		Party: srv.AccountID, Container: ContainerID})
	srv.AddDocument(terminal49test.Document{ID: DocumentID, FileName: "scan.png", FileContentType: "image/png",
		Content: []byte("png")})
	srv.AddEmailSubmission(terminal49test.EmailSubmission{ID: EmailID, Subject: "Papers"})
	AddNamedPlaces(srv)
	AddNamedFields(srv)
	AddNamedWebhooks(srv)
}

// AddNamedWebhooks adds what the calls of WebhookCalls and NotificationCalls ask for by id.
func AddNamedWebhooks(srv *terminal49test.Server) {
	srv.AddWebhook(terminal49test.Webhook{ID: WebhookID, URL: EndpointURL, Events: []string{"container.created"}})
	srv.AddWebhookNotification(terminal49test.WebhookNotification{ID: NotificationID, Event: "container.created",
		Webhook: WebhookID})
}
