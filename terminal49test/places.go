package terminal49test

// The self link of the answers for places echoes what was asked, be it an id or a UN/LOCODE.

func (x *exchange) getPort() reply {
	p := x.w.port(x.args["id"])
	if p == nil {
		return notFound()
	}
	return x.one(200, ref{"port", p.ID})
}

func (x *exchange) getMetroArea() reply {
	m := x.w.metroArea(x.args["id"])
	if m == nil {
		return notFound()
	}
	return x.one(200, ref{"metro_area", m.ID})
}

// getTerminal goes by the id alone: the service knows no nicknames.
func (x *exchange) getTerminal() reply { return x.one(200, ref{"terminal", x.args["id"]}) }

// routingGate is the answer to an account without the Routing Data feature; nil if it has it.
func (x *exchange) routingGate() *reply {
	if x.s.config.routing {
		return nil
	}
	r := fail(ShapeFull, problem{
		status: 403, title: "Forbidden", detail: "Routing data feature is not enabled for this account",
	})
	return &r
}
