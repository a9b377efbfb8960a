package terminal49test

import (
	"cmp"
	"net/http"
	"net/url"
	"syscall"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
)

// faultActs is whether the service executes a request that fails.
type faultActs uint8

const (
	actsFirst   faultActs = iota
	actsIfAsked           // if Fault.Acted is set
	isUnsent              // the request does not leave the client: it does not count towards rate limits
)

// faultRule is what a kind of fault does. Its function reply receives the normal reply, which is
// empty if the request was not executed, and returns what is sent instead.
type faultRule struct {
	acts  faultActs
	reply func(f *Fault, r service.Reply, requested *url.URL) service.Outgoing
}

// faultRules has a rule for each kind.
var faultRules = map[FaultKind]faultRule{
	FaultStatus: {actsIfAsked, func(f *Fault, _ service.Reply, _ *url.URL) service.Outgoing {
		problem := service.Problem{Status: cmp.Or(f.Status, 500), Title: f.Title, Detail: f.Detail}
		return service.CompleteReply(service.ErrorReply(service.Shape(f.Shape), problem))
	}},
	FaultRefuse: {isUnsent, func(*Fault, service.Reply, *url.URL) service.Outgoing {
		return service.Outgoing{DialError: service.ConnectionError("dial", "connect", syscall.ECONNREFUSED), Drop: true}
	}},
	FaultCertificate: {isUnsent, func(*Fault, service.Reply, *url.URL) service.Outgoing {
		return service.Outgoing{DialError: service.ExpiredCertificate(time.Now()), Drop: true}
	}},
	FaultDrop: {actsIfAsked, func(*Fault, service.Reply, *url.URL) service.Outgoing {
		return service.Outgoing{Drop: true}
	}},
	FaultStallHeaders: {actsIfAsked, func(f *Fault, _ service.Reply, _ *url.URL) service.Outgoing {
		return service.Outgoing{Wait: f.stall(), Drop: true}
	}},
	FaultStallBody: {actsFirst, changed(func(f *Fault, out *service.Outgoing) {
		out.Body, out.Stall, out.Ending = half(out.Body), f.stall(), service.EndWithReset
	})},
	FaultReset: {actsFirst, changed(func(_ *Fault, out *service.Outgoing) {
		out.Body, out.Ending = half(out.Body), service.EndWithReset
	})},
	FaultTruncate: {actsFirst, changed(func(f *Fault, out *service.Outgoing) {
		if out.Body, out.Ending = half(out.Body), service.EndEarly; f.NoLength {
			out.Length = -1
		}
	})},
	FaultMalformedJSON: {actsFirst, func(_ *Fault, r service.Reply, _ *url.URL) service.Outgoing {
		return service.CompleteReply(service.Reply{Status: r.Status, Header: r.Header, Body: half(r.Body)})
	}},
	FaultEmpty: {actsFirst, func(f *Fault, r service.Reply, _ *url.URL) service.Outgoing {
		return service.CompleteReply(service.EmptyReply(cmp.Or(f.Status, r.Status)))
	}},
	FaultContentType: {actsFirst, changed(func(f *Fault, out *service.Outgoing) {
		out.Header.Set("Content-Type", cmp.Or(f.ContentType, "text/plain; charset=utf-8"))
	})},
	FaultSlow: {actsFirst, changed(func(f *Fault, out *service.Outgoing) { out.Wait = f.Delay })},
	FaultGzip: {actsFirst, func(_ *Fault, r service.Reply, _ *url.URL) service.Outgoing {
		r.Header.Set("Content-Encoding", "gzip")
		return service.CompleteReply(service.Reply{Status: r.Status, Header: r.Header, Body: service.Gzipped(r.Body)})
	}},
	FaultBrokenGzip: {actsFirst, changed(func(_ *Fault, out *service.Outgoing) { out.Header.Set("Content-Encoding", "gzip") })},
	FaultHuge: {actsIfAsked, func(f *Fault, _ service.Reply, _ *url.URL) service.Outgoing {
		return service.HugeReply(f.Bytes)
	}},
	FaultDeep: {actsIfAsked, func(f *Fault, _ service.Reply, _ *url.URL) service.Outgoing {
		return service.CompleteReply(service.DeepReply(cmp.Or(f.Depth, 100_000)))
	}},
	FaultMembers: {actsFirst, func(f *Fault, r service.Reply, _ *url.URL) service.Outgoing {
		return service.CompleteReply(service.Reply{Status: r.Status, Header: r.Header, Body: service.WithMembers(r.Body, f.Members)})
	}},
	FaultRedirect: {actsIfAsked, func(f *Fault, _ service.Reply, requested *url.URL) service.Outgoing {
		r := service.EmptyReply(cmp.Or(f.Status, http.StatusFound))
		r.Header.Set("Location", cmp.Or(f.Location, requested.String()))
		return service.CompleteReply(r)
	}},
}

// changed is the normal reply with a change.
func changed(change func(*Fault, *service.Outgoing)) func(*Fault, service.Reply, *url.URL) service.Outgoing {
	return func(f *Fault, r service.Reply, _ *url.URL) service.Outgoing {
		out := service.CompleteReply(r)
		change(f, &out)
		return out
	}
}

func half(body []byte) []byte { return body[:len(body)/2] }

func (f *Fault) stall() time.Duration { return cmp.Or(f.Delay, time.Hour) }

// actsFirst reports whether the service executes the request before it fails.
func (f *Fault) actsFirst() bool {
	acts := faultRules[f.Kind].acts
	return acts == actsFirst || acts == actsIfAsked && f.Acted
}

// isUnsent reports whether the fault keeps the request from leaving the client.
func (f *Fault) isUnsent() bool { return faultRules[f.Kind].acts == isUnsent }

// apply returns the reply of the fault, given the normal one. Nothing changes for a nil fault or an
// unknown kind.
func (f *Fault) apply(r service.Reply, requested *url.URL) service.Outgoing {
	if f == nil || faultRules[f.Kind].reply == nil {
		return service.CompleteReply(r)
	}
	out := faultRules[f.Kind].reply(f, r, requested)
	if f.RetryAfter != (RetryAfter{}) && out.Header != nil {
		out.Header.Set("Retry-After", f.RetryAfter.Value(time.Now()))
	}
	return out
}
