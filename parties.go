package terminal49

import "github.com/go-freight/terminal49/internal/jsonapi"

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

var partyTable = jsonapi.NewType(jsonapi.Spec[Party]{
	Identify: func(p *Party, id jsonapi.Identity) { p.identify(id) },
	Attributes: []jsonapi.Field[Party]{
		text("company_name", func(p *Party) *string { return &p.CompanyName }),
	},
})

var accountTable = jsonapi.NewType(jsonapi.Spec[Account]{
	Identify: func(a *Account, id jsonapi.Identity) { a.identify(id) },
	Attributes: []jsonapi.Field[Account]{
		text("company_name", func(a *Account) *string { return &a.CompanyName }),
	},
})

var userTable = jsonapi.NewType(jsonapi.Spec[User]{
	Identify: func(u *User, id jsonapi.Identity) { u.identify(id) },
})
