package terminal49

import (
	"context"
	"iter"
	"strings"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// Party is a company in the account, such as the customer a shipment is for.
type Party struct {
	Resource

	CompanyName string // company_name
}

// Account is an account of the service.
type Account struct {
	Resource

	CompanyName string // company_name
}

// User is a person with a login. The service documents nothing but the type; with [WithRawJSON], Raw has what it sent.
type User struct {
	Resource
}

// PartyListParams chooses a page of parties. The zero value, like nil, asks for all of them.
type PartyListParams struct {
	PageParams
}

// PartyCreate is a company to be added to the account.
type PartyCreate struct {
	CompanyName string `json:"company_name"` // must not be blank; the service refuses a name that the account has already
}

// PartyUpdate is a change to a party. What is not mentioned stays as it is.
type PartyUpdate struct {
	CompanyName Opt[string] `json:"company_name,omitzero"` // cannot be cleared
}

// PartiesService reads and changes the companies of the account. The service has no way to delete one.
type PartiesService service

// List returns one page of parties.
//
// API: GET /parties
func (s *PartiesService) List(ctx context.Context, params *PartyListParams, opts ...CallOption) (*Page[Party], error) {
	return fetchPage[Party](ctx, s.client, newEndpoint(operation.PartiesList).with(params), opts)
}

// Pages walks the pages of parties.
//
// API: GET /parties. Errors: ErrPagination.
func (s *PartiesService) Pages(ctx context.Context, params *PartyListParams, opts ...CallOption) iter.Seq2[*Page[Party], error] {
	return pagesOf[Party](ctx, s.client, newEndpoint(operation.PartiesList).with(params), opts)
}

// All walks all parties, fetching pages as they are needed.
//
// API: GET /parties. Errors: ErrPagination.
func (s *PartiesService) All(ctx context.Context, params *PartyListParams, opts ...CallOption) iter.Seq2[*Party, error] {
	return allOf[Party](ctx, s.client, newEndpoint(operation.PartiesList).with(params), opts)
}

// Create adds a company. A name that the account has already is ErrInvalid, with an error object that points to
// "/data/attributes/customer"; a blank one is refused here.
//
// API: POST /parties. Errors: ErrInvalid.
func (s *PartiesService) Create(ctx context.Context, party PartyCreate, opts ...CallOption) (*Party, error) {
	e := newEndpoint(operation.PartiesCreate).check(companyName(party.CompanyName)).resource("party", "", party)
	return fetchOne[Party](ctx, s.client, e, opts)
}

// Get returns one party.
//
// API: GET /parties/{id}. Errors: ErrNotFound.
func (s *PartiesService) Get(ctx context.Context, id string, opts ...CallOption) (*Party, error) {
	return fetchOne[Party](ctx, s.client, newEndpoint(operation.PartiesGet, uuidArg(id)), opts)
}

// Update renames a party and returns it as it is afterwards. Names are unique within the account, as for Create.
//
// API: PATCH /parties/{id}. Errors: ErrNotFound, ErrInvalid.
func (s *PartiesService) Update(ctx context.Context, id string, update PartyUpdate, opts ...CallOption) (*Party, error) {
	e := newEndpoint(operation.PartiesUpdate, uuidArg(id))
	if !update.CompanyName.IsZero() {
		e = e.check(companyName(update.CompanyName.Or("")))
	}
	return fetchOne[Party](ctx, s.client, e.resource("party", id, update), opts)
}

// companyName is an argument that the service would answer with "can't be blank".
func companyName(name string) argument {
	a := argument{name: "CompanyName", value: name}
	if strings.TrimSpace(name) == "" {
		a.problem = "must not be blank"
	}
	return a
}

func (*Party) table() *jsonapi.Type[Party] { return partyTable }

var partyTable = jsonapi.NewType(jsonapi.Spec[Party]{
	Identify: func(p *Party, id jsonapi.Identity) { p.identify(id) },
	Attributes: []jsonapi.Field[Party]{
		textField("company_name", func(p *Party) *string { return &p.CompanyName }),
	},
})

var accountTable = jsonapi.NewType(jsonapi.Spec[Account]{
	Identify: func(a *Account, id jsonapi.Identity) { a.identify(id) },
	Attributes: []jsonapi.Field[Account]{
		textField("company_name", func(a *Account) *string { return &a.CompanyName }),
	},
})

var userTable = jsonapi.NewType(jsonapi.Spec[User]{
	Identify: func(u *User, id jsonapi.Identity) { u.identify(id) },
})
