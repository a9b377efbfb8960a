package terminal49test

// requireRouting returns the 403 of an account without the Routing Data feature, or nil.
func (x *exchange) requireRouting() *reply {
	if x.s.config.routing {
		return nil
	}
	r := errorReply(ShapeFull, problem{
		status: 403, title: "Forbidden", detail: "Routing data feature is not enabled for this account",
	})
	return &r
}

// requireWebhooks answers 403 unless the account has the webhooks feature.
func requireWebhooks(handle func(*exchange) reply) func(*exchange) reply {
	return func(x *exchange) reply {
		if x.s.config.noWebhooks {
			return notEnabled()
		}
		return handle(x)
	}
}

// requireDocuments answers 403 unless the account has the documents feature.
func requireDocuments(handle func(*exchange) reply) func(*exchange) reply {
	return func(x *exchange) reply {
		if x.s.config.withoutDocuments {
			return notEnabled()
		}
		return handle(x)
	}
}

func notEnabled() reply {
	return errorReply(ShapeFull, problem{
		status: 403, title: "API access not enabled",
		detail: "This API endpoint is not enabled for your account. Please contact support to enable it.",
	})
}
