package terminal49test

import (
	"strings"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// Party is a company in the account, such as a customer.
type Party struct {
	ID          string         `json:"id,omitzero"` // "" generates one
	CompanyName string         `json:"company_name,omitzero"`
	Attributes  map[string]any `json:"attributes,omitzero"`
}

// AddParty adds a party and returns its id.
func (s *Server) AddParty(p Party) string {
	return withWorld(s, func(w *world) string {
		p.ID = w.identify(p.ID, "party")
		w.parties.Put(p.ID, &p)
		return p.ID
	})
}

func (x *exchange) listParties() service.Reply {
	var rows []wire.Ref
	text := ""
	if x.s.config.autumn2026 {
		text = strings.ToLower(x.Query.Get("query"))
	}
	for _, p := range x.w.parties.All() {
		if strings.Contains(strings.ToLower(p.CompanyName), text) {
			rows = append(rows, wire.Ref{Kind: "party", ID: p.ID})
		}
	}
	return x.page(rows, 25, metaPagination)
}

func (x *exchange) getParty() service.Reply {
	p := x.w.parties.Get(x.Args["id"])
	if p == nil {
		return service.NotFound()
	}
	return x.partyReply(200, p)
}

func (x *exchange) createParty() service.Reply {
	p := &Party{}
	if r := x.readPartyName(p); r != nil {
		return *r
	}
	p.ID = x.w.ids.Next("party")
	x.w.parties.Put(p.ID, p)
	return x.partyReply(201, p)
}

func (x *exchange) updateParty() service.Reply {
	p := x.w.parties.Get(x.Args["id"])
	if p == nil {
		return service.NotFound()
	}
	if r := x.readPartyName(p); r != nil {
		return *r
	}
	return x.partyReply(200, p)
}

// readPartyName reads the name from the body. It must not be blank or belong to another party.
func (x *exchange) readPartyName(p *Party) *service.Reply {
	name := p.CompanyName
	if raw, there := x.Data.Attributes["company_name"]; there && string(raw) == "null" {
		name = ""
	}
	x.Attribute("company_name", &name)
	if strings.TrimSpace(name) == "" {
		return service.Unprocessable("/data/attributes/company_name", "Company name can't be blank")
	}
	same := x.w.parties.Find(func(other *Party) bool { return other != p && strings.EqualFold(other.CompanyName, name) })
	if same != nil {
		return service.Unprocessable("/data/attributes/customer", "'"+name+"' already exists in Account")
	}
	p.CompanyName = name
	return nil
}

// partyReply responds with a party. Its self link is the party's path, also after a creation.
func (x *exchange) partyReply(status int, p *Party) service.Reply {
	self := basePath + "/parties/" + p.ID
	return service.JSONReply(status, wire.Object{{"data", x.w.renderParty(p)}, {"links", wire.Object{{"self", self}}}})
}

func (w *world) renderParty(p *Party) wire.Resource {
	return wire.Resource{Ref: wire.Ref{Kind: "party", ID: p.ID}, Attributes: wire.Object{{"company_name", p.CompanyName}}.With(p.Attributes)}
}
