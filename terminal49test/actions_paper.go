package terminal49test

// DocumentReceived adds a document, like [Server.AddDocument], at the time of the step.
func DocumentReceived(d Document) Action { return Action{documentReceived{d}} }

type documentReceived struct {
	Document Document `json:"document"`
}

func (a documentReceived) run(s *ActionContext) {
	a.Document.CreatedAt = s.reportedAt
	s.world.addDocument(a.Document)
}

// PartyAssigned gives a party a role for the shipment, such as "consignee". party is an id.
func PartyAssigned(role, party string) Action { return Action{partyAssigned{role, party}} }

type partyAssigned struct {
	Role  string `json:"role"`
	Party string `json:"party"`
}

func (a partyAssigned) run(s *ActionContext) {
	s.world.addPartyRole(PartyRole{Role: a.Role, Party: a.Party, Shipment: s.Shipment.ID, CreatedAt: s.reportedAt})
}
