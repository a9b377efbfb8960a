package terminal49test

// routingGate is the answer to an account without the Routing Data feature; nil if it has it.
func (x *exchange) requireRouting() *reply {
	if x.s.config.routing {
		return nil
	}
	r := errorReply(ShapeFull, problem{
		status: 403, title: "Forbidden", detail: "Routing data feature is not enabled for this account",
	})
	return &r
}

// dataOut lets only accounts pass that have the feature behind all webhook operations.
func requireWebhooks(answer func(*exchange) reply) func(*exchange) reply {
	return func(x *exchange) reply {
		if !x.s.config.noWebhooks {
			return answer(x)
		}
		return errorReply(ShapeFull, problem{
			status: 403, title: "API access not enabled",
			detail: "This API endpoint is not enabled for your account. Please contact support to enable it.",
		})
	}
}

func requireDocuments(answer func(*exchange) reply) func(*exchange) reply {
	return func(x *exchange) reply {
		defer func() { x.w.docs.emailView = false }()
		if !x.s.config.withoutDocuments {
			return answer(x)
		}
		return errorReply(ShapeFull, problem{
			status: 403, title: "API access not enabled",
			detail: "This API endpoint is not enabled for your account. Please contact support to enable it.",
		})
	}
}
