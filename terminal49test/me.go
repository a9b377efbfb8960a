package terminal49test

import (
	"strings"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// getMe returns the credential of the request, with its account and, for an access token, its user.
func (x *exchange) getMe() service.Reply {
	kind, id, name, user := "api_key", x.w.credential, any("Simulated key"), wire.Ref{}
	if strings.HasPrefix(x.In.Header.Get("Authorization"), "Bearer ") {
		kind, id, name, user = "user", x.w.user, nil, wire.Ref{Kind: "user", ID: x.w.user}
	}
	credential := wire.Resource{
		Ref: wire.Ref{Kind: "credential", ID: id},
		Attributes: wire.Object{
			{"kind", kind}, {"channel", "api"}, {"name", name}, {"features", x.features(kind)},
		},
		Relations: []wire.Relation{wire.ToOne("account", "account", x.w.account), {Name: "user", One: user}},
	}
	included := []wire.Resource{{Ref: wire.Ref{Kind: "account", ID: x.w.account}, Attributes: wire.Object{
		{"company_name", "Simulated Account"}, {"company_type", "freight_forwarder"}, {"scac", nil}, {"abbr_name", nil},
		{"city", "Oakland"}, {"state_abbr", "CA"}, {"country", "US"}, {"plan", "customer"}, {"tracking_slots", nil},
	}}}
	if user.ID != "" {
		included = append(included, wire.Resource{
			Ref: user,
			Attributes: wire.Object{
				{"email", "dispatcher@example.com"}, {"name", "Simulated User"}, {"role", "member"},
				{"job_role", "dispatcher"}, {"job_title", nil},
			},
			Relations: []wire.Relation{wire.ToMany("accounts", "account", []string{x.w.account})},
		})
	}
	r := service.JSONReply(200, wire.Object{{"data", credential}, {"included", included}})
	r.Header.Set("Cache-Control", "no-store")
	return r
}

// features returns the features of the account by its options.
func (x *exchange) features(kind string) wire.Object {
	status := func(available bool, otherwise string) wire.Object {
		if available {
			otherwise = "available"
		}
		return wire.Object{{"status", otherwise}}
	}
	return wire.Object{
		{"data_out_api", status(!x.s.config.noWebhooks, "requires_paid_plan")},
		{"custom_fields", status(true, "")},
		{"routing_data", status(x.s.config.routing, "not_enabled")},
		{"rail_data", status(true, "")},
		{"stop_tracking", status(true, "")},
		{"trade_intel", status(kind == "user", "requires_user_credential")},
	}
}
