package terminal49test

import "github.com/go-freight/terminal49/terminal49test/internal/service"

// requireRouting returns the 403 of an account without the Routing Data feature, or nil.
func (x *exchange) requireRouting() *service.Reply {
	if x.s.config.routing {
		return nil
	}
	r := service.Refusal(service.Problem{
		Status: 403, Title: "Forbidden", Detail: "Routing data feature is not enabled for this account",
	})
	return &r
}

// requireWebhooks answers 403 unless the account has the webhooks feature.
func requireWebhooks(handle func(*exchange) service.Reply) func(*exchange) service.Reply {
	return func(x *exchange) service.Reply {
		if x.s.config.noWebhooks {
			return notEnabled()
		}
		return handle(x)
	}
}

// requireDocuments answers 403 unless the account has the documents feature.
func requireDocuments(handle func(*exchange) service.Reply) func(*exchange) service.Reply {
	return func(x *exchange) service.Reply {
		if x.s.config.withoutDocuments {
			return notEnabled()
		}
		return handle(x)
	}
}

func notEnabled() service.Reply {
	return service.Refusal(service.Problem{
		Status: 403, Title: "API access not enabled",
		Detail: "This API endpoint is not enabled for your account. Please contact support to enable it.",
	})
}
