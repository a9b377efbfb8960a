package terminal49

import (
	"context"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// Credential is what a client authenticates with, an API key or a user's access token, and what it
// may do. ID is that of the key or of the user.
//
// It is in one copy of the service's documents, later than the published OpenAPI file and dated
// October 2026, so a service may not have it yet.
type Credential struct {
	Resource

	Kind     CredentialKind  // kind
	Channel  string          // channel: "api", "dashboard", "mcp" or "askt49"
	Name     string          // name: of the key; "" for a user
	Features []FeatureAccess // features: those that the service reports, in its order; a missing one is unknown

	Account ToOne[*Account] // account: included; the only one whose TrackingSlots are reported
	User    ToOne[*User]    // user: null for an API key
}

// CredentialKind is the kind of a credential.
type CredentialKind string

// The values of CredentialKind.
const (
	CredentialAPIKey CredentialKind = "api_key"
	CredentialUser   CredentialKind = "user"
)

var credentialKinds = []CredentialKind{CredentialAPIKey, CredentialUser}

// Known reports whether k is one of the constants of this version. Unknown values are kept
// unchanged.
func (k CredentialKind) Known() bool { return isKnown(k, credentialKinds) }

// Feature is a feature of the service that an account may have. The service may add some.
type Feature string

// The features that the service documents.
const (
	FeatureDataOutAPI   Feature = "data_out_api"
	FeatureCustomFields Feature = "custom_fields"
	FeatureRoutingData  Feature = "routing_data"
	FeatureRailData     Feature = "rail_data"
	FeatureStopTracking Feature = "stop_tracking"
	FeatureTradeIntel   Feature = "trade_intel"
)

var features = []Feature{
	FeatureDataOutAPI, FeatureCustomFields, FeatureRoutingData, FeatureRailData, FeatureStopTracking, FeatureTradeIntel,
}

// Known reports whether f is one of the constants of this version. Unknown values are kept
// unchanged.
func (f Feature) Known() bool { return isKnown(f, features) }

// FeatureAccess is what a credential may do with a feature.
type FeatureAccess struct {
	Feature Feature       // as sent, even if it is unknown to this version
	Status  FeatureStatus // status: "" if not reported
}

// Status returns the status of a feature, or "" if the service did not report it.
func (c *Credential) Status(feature Feature) FeatureStatus {
	for _, access := range c.Features {
		if access.Feature == feature {
			return access.Status
		}
	}
	return ""
}

// FeatureStatus reports whether a feature is available, or what it requires.
type FeatureStatus string

// The values of FeatureStatus.
const (
	FeatureAvailable              FeatureStatus = "available"
	FeatureRequiresPaidPlan       FeatureStatus = "requires_paid_plan"
	FeatureRequiresUserCredential FeatureStatus = "requires_user_credential" // not available to an API key
	FeatureNotEnabled             FeatureStatus = "not_enabled"
)

var featureStatuses = []FeatureStatus{
	FeatureAvailable, FeatureRequiresPaidPlan, FeatureRequiresUserCredential, FeatureNotEnabled,
}

// Known reports whether s is one of the constants of this version. Unknown values are kept
// unchanged.
func (s FeatureStatus) Known() bool { return isKnown(s, featureStatuses) }

// Me returns the credential that the client authenticates with, its account and its features. It
// changes nothing, so it also checks a key. ErrNotFound means that the service does not have the
// operation yet; see [Credential]. A user's access token reports the account of [WithAccountID] or,
// without it, the user's primary account.
//
// API: GET /me. Errors: ErrUnauthorized, ErrNotFound.
func (c *Client) Me(ctx context.Context, opts ...CallOption) (*Credential, error) {
	e := newEndpoint(operation.MeGet)
	e.types = newMeTypes()
	return fetchOne[Credential](ctx, c, e, opts)
}

// TrackingSlots count what an account may track at the same time. The zero value means that the
// service did not report them.
type TrackingSlots struct {
	Unlimited bool     // the service sent null
	Limit     Opt[int] // limit
	Used      Opt[int] // used
	Remaining Opt[int] // remaining
}

// AccountPlan is the plan that an account pays for.
type AccountPlan string

// The values of AccountPlan.
const (
	PlanFree     AccountPlan = "free_plan"
	PlanTrial    AccountPlan = "in_trial"
	PlanCustomer AccountPlan = "customer"
	PlanLocked   AccountPlan = "locked"
	PlanChurned  AccountPlan = "churned"
)

var accountPlans = []AccountPlan{PlanFree, PlanTrial, PlanCustomer, PlanLocked, PlanChurned}

// Known reports whether p is one of the constants of this version. Unknown values are kept
// unchanged.
func (p AccountPlan) Known() bool { return isKnown(p, accountPlans) }

// The tables of a response to Me are made when it is called, so that they cost other programs
// nothing.

func (*Credential) table() *jsonapi.Type[*Credential] { return newCredentialTable() }

func newCredentialTable() *jsonapi.Type[*Credential] {
	access := jsonapi.NewMembers(textField("status", func(a *FeatureAccess) *FeatureStatus { return &a.Status }))
	return jsonapi.NewType(jsonapi.Spec[*Credential]{
		Identify: func(c *Credential, id jsonapi.Identity) { c.identify(id) },
		Attributes: []jsonapi.Field[*Credential]{
			textField("kind", func(c *Credential) *CredentialKind { return &c.Kind }),
			textField("channel", func(c *Credential) *string { return &c.Channel }),
			textField("name", func(c *Credential) *string { return &c.Name }),
			jsonapi.NewField("features", func(d *jsonapi.Decoder, c *Credential) { c.Features = readFeatures(d, access) }),
		},
		Relationships: []jsonapi.Field[*Credential]{
			relationshipField("account", func(c *Credential) *ToOne[*Account] { return &c.Account }),
			relationshipField("user", func(c *Credential) *ToOne[*User] { return &c.User }),
		},
	})
}

// readFeatures keeps features that are unknown to this version.
func readFeatures(d *jsonapi.Decoder, members *jsonapi.Members[*FeatureAccess]) (list []FeatureAccess) {
	if d.Null() {
		return nil
	}
	d.Object(func(key []byte) {
		access := FeatureAccess{Feature: Feature(key)}
		if !d.Null() {
			jsonapi.ReadObject(d, members, &access)
		}
		list = append(list, access)
	})
	return list
}

// newMeTypes returns the types that a response to Me may include.
func newMeTypes() *jsonapi.Registry {
	r := jsonapi.NewRegistry(newUnknownResource)
	jsonapi.Register(r, newAccountTable(), "account")
	jsonapi.Register(r, newUserTable(), "user")
	return r
}

func newAccountTable() *jsonapi.Type[*Account] {
	slots := newSlotMembers()
	return jsonapi.NewType(jsonapi.Spec[*Account]{
		Identify: func(a *Account, id jsonapi.Identity) { a.identify(id) },
		Attributes: []jsonapi.Field[*Account]{
			textField("company_name", func(a *Account) *string { return &a.CompanyName }),
			textField("company_type", func(a *Account) *string { return &a.CompanyType }),
			textField("scac", func(a *Account) *string { return &a.SCAC }),
			textField("abbr_name", func(a *Account) *string { return &a.AbbrName }),
			textField("city", func(a *Account) *string { return &a.City }),
			textField("state_abbr", func(a *Account) *string { return &a.StateAbbr }),
			textField("country", func(a *Account) *string { return &a.Country }),
			textField("plan", func(a *Account) *AccountPlan { return &a.Plan }),
			jsonapi.NewField("tracking_slots", func(d *jsonapi.Decoder, a *Account) {
				if a.TrackingSlots.Unlimited = d.Null(); !a.TrackingSlots.Unlimited {
					jsonapi.ReadObject(d, slots, &a.TrackingSlots)
				}
			}),
		},
	})
}

func newSlotMembers() *jsonapi.Members[*TrackingSlots] {
	return jsonapi.NewMembers(
		optIntField("limit", func(s *TrackingSlots) *Opt[int] { return &s.Limit }),
		optIntField("used", func(s *TrackingSlots) *Opt[int] { return &s.Used }),
		optIntField("remaining", func(s *TrackingSlots) *Opt[int] { return &s.Remaining }),
	)
}

func newUserTable() *jsonapi.Type[*User] {
	return jsonapi.NewType(jsonapi.Spec[*User]{
		Identify: func(u *User, id jsonapi.Identity) { u.identify(id) },
		Attributes: []jsonapi.Field[*User]{
			textField("email", func(u *User) *string { return &u.Email }),
			textField("name", func(u *User) *string { return &u.Name }),
			textField("role", func(u *User) *string { return &u.Role }),
			textField("job_role", func(u *User) *string { return &u.JobRole }),
			textField("job_title", func(u *User) *string { return &u.JobTitle }),
			optBoolField("admin", func(u *User) *Opt[bool] { return &u.Admin }),
		},
		Relationships: []jsonapi.Field[*User]{
			relationshipField("accounts", func(u *User) *ToMany[*Account] { return &u.Accounts }),
		},
	})
}
