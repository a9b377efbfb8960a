package terminal49test

import (
	"net/http"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// exchange is one request, the world as it sees it, and the server. The server's lock is held
// throughout.
type exchange struct {
	service.Call
	view
	s    *Server
	does *operation // nil for an unknown path
}

// handle passes a request through the service: it is recorded, matched against the faults, counted,
// authorized, checked and executed.
func (s *Server) handle(in service.Incoming) service.Outgoing {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isStorage(in.URL.Host, in.URL.Path) {
		return s.handleStorage(in)
	}
	x := s.newExchange(in)
	op := x.Op()
	if in.Method != http.MethodGet {
		s.world.preserve(x.Now, x.Now)
	}
	x.w = s.worldFor(in.Method, x.Now)
	recorded, kept := s.record(in, op, x.isAuthorized())
	x.Violation = s.recorder(kept, in, op)
	fault := s.takeFault(op)
	var r service.Reply
	switch {
	case fault == nil || fault.actsFirst():
		r = x.run()
	case x.Route != nil && !fault.isUnsent():
		s.counter.Admit(x.Route.Bucket, time.Now()) // a faulted request counts too
	}
	if in.Method != http.MethodGet {
		s.world.changedAnything()
		s.world.remember(x.Now)
	}
	out := fault.apply(r, in.URL)
	recorded.Status = out.Status
	return out
}

func (s *Server) newExchange(in service.Incoming) *exchange {
	x := &exchange{s: s, view: view{w: s.world}, Call: service.NewCall(in, s.catchUp(), s.redact)}
	if path, ok := s.operationPath(in.URL.EscapedPath()); ok {
		if x.does, x.Args = s.match(in.Method, path); x.does != nil {
			x.Route = &x.does.Route
		}
	}
	return x
}

func (x *exchange) run() service.Reply {
	x.CheckHeader()
	if x.Route == nil {
		x.Violate("the method and path are not an operation of the service")
		return service.HTMLReply(http.StatusNotFound)
	}
	if wait, ok := x.s.counter.Admit(x.Route.Bucket, time.Now()); !ok {
		return service.RateLimited(x.Route.Bucket, wait)
	}
	if !x.isAuthorized() {
		return service.Unauthorized()
	}
	x.ReadQuery(x.s.config.ignored)
	if r := x.ReadBody(); r != nil {
		return *r
	}
	return x.does.handle(x)
}

func (x *exchange) isAuthorized() bool {
	_, token, _ := strings.Cut(x.In.Header.Get("Authorization"), " ")
	return token == x.s.Token && x.HasScheme()
}

// one returns a response with a single resource.
func (x *exchange) one(status int, r wire.Ref) service.Reply {
	paths, failure := x.includes()
	if failure != nil {
		return *failure
	}
	res, ok := x.render(r)
	if !ok {
		return service.NotFound()
	}
	doc := wire.Object{{"data", res}}
	if len(paths) > 0 {
		doc = append(doc, wire.Member{"included", x.included([]wire.Resource{res}, paths)})
	}
	return service.JSONReply(status, append(doc, wire.Member{"links", wire.Object{{"self", x.Self()}}}))
}
