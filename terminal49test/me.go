package terminal49test

import "strings"

// getMe returns the credential of the request, with its account and, for an access token, its user.
func (x *exchange) getMe() reply {
	kind, id, name, user := "api_key", x.w.credential, any("Simulated key"), ref{}
	if strings.HasPrefix(x.in.header.Get("Authorization"), "Bearer ") {
		kind, id, name, user = "user", x.w.user, nil, ref{"user", x.w.user}
	}
	credential := resource{
		ref: ref{"credential", id},
		attributes: object{
			{"kind", kind}, {"channel", "api"}, {"name", name}, {"features", x.features(kind)},
		},
		relations: []relation{toOne("account", "account", x.w.account), {name: "user", one: user}},
	}
	included := []resource{{ref: ref{"account", x.w.account}, attributes: object{
		{"company_name", "Simulated Account"}, {"company_type", "freight_forwarder"}, {"scac", nil}, {"abbr_name", nil},
		{"city", "Oakland"}, {"state_abbr", "CA"}, {"country", "US"}, {"plan", "customer"}, {"tracking_slots", nil},
	}}}
	if user.id != "" {
		included = append(included, resource{
			ref: user,
			attributes: object{
				{"email", "dispatcher@example.com"}, {"name", "Simulated User"}, {"role", "member"},
				{"job_role", "dispatcher"}, {"job_title", nil},
			},
			relations: []relation{toMany("accounts", "account", []string{x.w.account})},
		})
	}
	r := jsonReply(200, object{{"data", credential}, {"included", included}})
	r.header.Set("Cache-Control", "no-store")
	return r
}

// features returns the features of the account, as its options say.
func (x *exchange) features(kind string) object {
	status := func(available bool, otherwise string) object {
		if available {
			otherwise = "available"
		}
		return object{{"status", otherwise}}
	}
	return object{
		{"data_out_api", status(!x.s.config.noWebhooks, "requires_paid_plan")},
		{"custom_fields", status(true, "")},
		{"routing_data", status(x.s.config.routing, "not_enabled")},
		{"rail_data", status(true, "")},
		{"stop_tracking", status(true, "")},
		{"trade_intel", status(kind == "user", "requires_user_credential")},
	}
}
