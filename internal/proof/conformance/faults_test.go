package conformance_test

import (
	"net/http"
	"slices"
	"time"

	"github.com/go-freight/terminal49/internal/transport"
	"github.com/go-freight/terminal49/terminal49test"
)

// This file is the table of outcomes: the result of a call, and the number of requests, under each
// fault. Change it only if the documented behaviour changes.

// outcome is the outcome of a call with the default retry policy (4 attempts of at most 30 s).
type outcome struct {
	sent     int           // requests that the client sends
	result   verdict       // the caller's result
	unknown  bool          // IsOutcomeUnknown
	stall    time.Duration // the duration of each attempt
	ask      time.Duration // the wait before each retry that the service requested
	backoffs int           // retries after a random wait of at most 0.5, 1 and 2 s
}

// trait is a property that changes an operation's outcome under a fault.
type trait uint8

const (
	hasActed       trait = 1 << iota // the service acts and its status is lost: a repeated deletion finds nothing
	unreadSucceeds                   // a response that is not read, such as that of a relink, is the success that its status reports
	bareSucceeds                     // a response without a body, such as that of a deletion, cannot have a broken one
	triesRoutes                      // updating a container has a second route, which is tried once
	endsWalks                        // a call that reads all pages of a list stops with ErrPagination
)

// faultRow is a fault and the outcome for each retry class.
type faultRow struct {
	name  string
	fault terminal49test.Fault

	read, update, create outcome
	traits               trait
	// once is set for redirects: the outcome of a GET if the fault occurs once.
	once *outcome
	// alter changes the response of the fault or, if that has no status, the normal one.
	alter func(*http.Response)
	only  func(testedOperation) bool // the operations that the row is about; nil for all
}

func (r faultRow) of(class transport.Class) outcome {
	switch class {
	case transport.Read:
		return r.read
	case transport.Idempotent:
		return r.update
	}
	return r.create
}

// The shapes that rows share.

// denied: the service rejected the request, and a retry would not help.
func denied(v verdict) faultRow { return same(outcome{sent: 1, result: v}) }

// same returns a row with the same outcome for every class.
func same(o outcome) faultRow { return faultRow{read: o, update: o, create: o} }

// lost: the service may have acted. Reads and repeatable writes are retried; creations are not.
func lost(v verdict) faultRow { return lostAfter(v, 0) }

func lostAfter(v verdict, stall time.Duration) faultRow {
	return faultRow{
		read:   outcome{sent: 4, result: v, stall: stall, backoffs: 3},
		update: outcome{sent: 4, result: v, stall: stall, backoffs: 3, unknown: true},
		create: outcome{sent: 1, result: v, stall: stall, unknown: true},
	}
}

// spoilt: the service may have acted; its response is unusable and a retry would not help.
func spoilt(v verdict) faultRow {
	return faultRow{
		read:   outcome{sent: 1, result: v},
		update: outcome{sent: 1, result: v, unknown: true},
		create: outcome{sent: 1, result: v, unknown: true},
	}
}

// harmless: nothing can have happened, so even a creation is repeated.
func harmless(v verdict) faultRow { return same(outcome{sent: 4, result: v, backoffs: 3}) }

// asked: the service did not act and asked for a wait.
func asked(v verdict, wait time.Duration) faultRow {
	return same(outcome{sent: 4, result: v, ask: wait})
}

func conformanceFaults() []faultRow {
	const elsewhere = "https://elsewhere.example/v2/shipments"
	const wait, timeout, tooLong = 47 * time.Second, 30 * time.Second, time.Hour
	status := func(code int) terminal49test.Fault { return terminal49test.Fault{Status: code} }
	kind := func(k terminal49test.FaultKind) terminal49test.Fault { return terminal49test.Fault{Kind: k} }
	acted := func(f terminal49test.Fault) terminal49test.Fault { f.Acted = true; return f }
	shaped := func(code int, s terminal49test.ErrorShape) terminal49test.Fault {
		return terminal49test.Fault{Status: code, Shape: s}
	}
	after := func(code int, header terminal49test.RetryAfter) terminal49test.Fault {
		return terminal49test.Fault{Status: code, RetryAfter: header}
	}
	slow := func(d time.Duration) terminal49test.Fault {
		return terminal49test.Fault{Kind: terminal49test.FaultSlow, Delay: d}
	}
	redirect := func(code int, to string) terminal49test.Fault {
		return terminal49test.Fault{Kind: terminal49test.FaultRedirect, Status: code, Location: to}
	}
	asSeconds, asDate, raw := terminal49test.RetryAfterSeconds, terminal49test.RetryAfterDate, terminal49test.RetryAfterRaw

	var rows []faultRow
	add := func(name string, fault terminal49test.Fault, r faultRow, traits ...trait) {
		r.name, r.fault = name, fault
		for _, t := range traits {
			r.traits |= t
		}
		rows = append(rows, r)
	}

	// The connection.
	add("connection refused", kind(terminal49test.FaultRefuse), harmless(verdictLost))
	add("server certificate expired", kind(terminal49test.FaultCertificate), denied(verdictLost))
	add("reset before the service acted", kind(terminal49test.FaultDrop), lost(verdictLost))
	add("reset after the service acted", acted(kind(terminal49test.FaultDrop)), lost(verdictLost), hasActed)
	add("reset in the middle of the response", kind(terminal49test.FaultReset), lost(verdictLost), bareSucceeds)
	add("response cut short, length announced", kind(terminal49test.FaultTruncate), lost(verdictLost), bareSucceeds)
	add("response cut short, no length announced", terminal49test.Fault{Kind: terminal49test.FaultTruncate, NoLength: true},
		spoilt(verdictUnread), unreadSucceeds)
	add("no header for an hour", kind(terminal49test.FaultStallHeaders), lostAfter(verdictTimeout, timeout))
	add("no header for an hour, acted", acted(kind(terminal49test.FaultStallHeaders)),
		lostAfter(verdictTimeout, timeout), hasActed)
	add("body stalls for an hour", kind(terminal49test.FaultStallBody), lostAfter(verdictTimeout, timeout), bareSucceeds)
	add("body stalls a second, then reset", terminal49test.Fault{Kind: terminal49test.FaultStallBody, Delay: time.Second},
		lostAfter(verdictLost, time.Second), bareSucceeds)
	add("response after 29 s", slow(29*time.Second), same(outcome{sent: 1, stall: 29 * time.Second}))
	add("response after 31 s", slow(31*time.Second), lostAfter(verdictTimeout, timeout), hasActed)

	// 429: the service did not act.
	add("429, Retry-After in seconds", after(429, asSeconds(wait)), asked(verdictLimited, wait))
	add("429, Retry-After as an RFC 1123 date", after(429, asDate(wait, http.TimeFormat)), asked(verdictLimited, wait))
	add("429, Retry-After as an RFC 850 date", after(429, asDate(wait, time.RFC850)), asked(verdictLimited, wait))
	add("429, Retry-After as an asctime date", after(429, asDate(wait, time.ANSIC)), asked(verdictLimited, wait))
	add("429, Retry-After at the longest wait", after(429, asSeconds(2*time.Minute)), asked(verdictLimited, 2*time.Minute))
	add("429, Retry-After: 3600", after(429, asSeconds(tooLong)), denied(verdictLimited))
	add("429, Retry-After: 0", after(429, raw("0")), asked(verdictLimited, 0))
	add("429, Retry-After in the past", after(429, asDate(-time.Hour, http.TimeFormat)), asked(verdictLimited, 0))
	add("429, no Retry-After", status(429), harmless(verdictLimited))
	add("429, Retry-After: -5", after(429, raw("-5")), harmless(verdictLimited))
	add("429, Retry-After: 1.5", after(429, raw("1.5")), harmless(verdictLimited))
	add("429, Retry-After: soon", after(429, raw("soon")), harmless(verdictLimited))
	add("429, Retry-After beyond 64 bits", after(429, raw("99999999999999999999")), harmless(verdictLimited))
	add("429 as a web page", shaped(429, terminal49test.ShapeHTML), harmless(verdictLimited))

	// 5xx: a gateway may have lost the response of a service that acted.
	add("500", status(500), lost(verdictServer))
	add("501", status(501), spoilt(verdictServer))
	add("502 as a web page", shaped(502, terminal49test.ShapeHTML), lost(verdictServer))
	add("503", status(503), lost(verdictServer))
	add("503, Retry-After in seconds", after(503, asSeconds(wait)), faultRow{
		read:   outcome{sent: 4, result: verdictServer, ask: wait},
		update: outcome{sent: 4, result: verdictServer, ask: wait, unknown: true},
		create: outcome{sent: 1, result: verdictServer, unknown: true},
	})
	add("503, Retry-After: 3600", after(503, asSeconds(tooLong)), spoilt(verdictServer))
	add("504", status(504), lost(verdictServer))
	add("504 after the service acted", acted(status(504)), lost(verdictServer), hasActed)

	// The service rejected the request.
	add("400", status(400), denied(verdictInvalid))
	add("401", status(401), denied(verdictUnauthorized))
	add("403, not allowed", status(403), denied(verdictForbidden))
	add("403, feature not enabled",
		terminal49test.Fault{Status: 403, Title: "Forbidden", Detail: "Routing is not enabled for this account"},
		denied(verdictFeature))
	add("404", shaped(404, terminal49test.ShapeTitleOnly), denied(verdictNotFound), triesRoutes)
	add("404 as a web page", shaped(404, terminal49test.ShapeHTML), denied(verdictNotFound), triesRoutes)
	add("404 without a body", shaped(404, terminal49test.ShapeEmpty), denied(verdictNotFound), triesRoutes)
	add("408", status(408), spoilt(verdictStatus)) // a proxy may have waited for a service that acted
	add("409", status(409), denied(verdictConflict))
	add("418", status(418), denied(verdictStatus))
	add("422", status(422), denied(verdictInvalid))
	add("422, JSON that breaks off", shaped(422, terminal49test.ShapeMalformedJSON), denied(verdictInvalid))

	// Unusual successes, usable or not.
	add("200 with JSON that breaks off", kind(terminal49test.FaultMalformedJSON), spoilt(verdictUnread), unreadSucceeds)
	add("200 with a web page", shaped(200, terminal49test.ShapeHTML), spoilt(verdictUnread))
	add("200 without a body", terminal49test.Fault{Kind: terminal49test.FaultEmpty, Status: 200},
		spoilt(verdictUnread), unreadSucceeds)
	add("204", terminal49test.Fault{Kind: terminal49test.FaultEmpty, Status: 204}, spoilt(verdictUnread), unreadSucceeds)
	add("body beyond the limit", terminal49test.Fault{Kind: terminal49test.FaultHuge, Bytes: 1 << 20}, spoilt(verdictLost))
	add("JSON nested 100,000 deep", kind(terminal49test.FaultDeep), spoilt(verdictUnread), unreadSucceeds)
	add("gzip", kind(terminal49test.FaultGzip), same(outcome{sent: 1}))
	add("broken gzip", kind(terminal49test.FaultBrokenGzip), lost(verdictLost), bareSucceeds)
	add("200 with a next link that names no page", terminal49test.Fault{Kind: terminal49test.FaultMembers,
		Members: map[string]any{"links": map[string]any{"next": "?"}}}, same(outcome{sent: 1}), endsWalks)
	add("another content type", kind(terminal49test.FaultContentType), same(outcome{sent: 1}))

	// Redirects: only reads follow them, and only to the same host.
	home := faultRow{
		read: outcome{sent: 6, result: verdictStatus}, once: &outcome{sent: 2},
		update: outcome{sent: 1, result: verdictStatus, unknown: true},
		create: outcome{sent: 1, result: verdictStatus, unknown: true},
	}
	add("302 to the same host", redirect(302, ""), home)
	add("307 to the same host", redirect(307, ""), home)
	add("302 to another host", redirect(302, elsewhere), spoilt(verdictStatus))
	add("303 to the same host", redirect(303, ""), home)
	add("303 to another host", redirect(303, elsewhere), spoilt(verdictStatus))
	add("308 to plain http", redirect(308, "http://api.terminal49.example/v2/shipments"), spoilt(verdictStatus))
	return slices.Concat(rows, oddStatuses(), wrongClocks(), headerBombs(), otherAnswers())
}

// hasTwoRoutes is the operation that triesRoutes is about.
const hasTwoRoutes = "containers.update"

func (r faultRow) has(t trait) bool { return r.traits&t != 0 }

// covers reports whether the row is about an operation. Two steps have tests of their own: Upload
// tries another address after a 404, and Download follows a redirect to any storage.
func (r faultRow) covers(op testedOperation) bool {
	switch {
	case op.Name == "documents.direct_upload" && r.has(triesRoutes), op.Name == "storage.get" && r.fault.Location != "":
		return false
	}
	return r.only == nil || r.only(op)
}

// expect returns the outcome of one case.
func (r faultRow) expect(op testedOperation, times int) outcome {
	if op.step != nil && op.step.expect != nil {
		return op.step.expect(r, times)
	}
	return r.expectAs(op, times)
}

// expectAs returns the outcome by the operation's retry class and method.
func (r faultRow) expectAs(op testedOperation, times int) outcome {
	deletion := op.Method == http.MethodDelete
	if r.has(unreadSucceeds) && op.unread || r.has(bareSucceeds) && deletion {
		return outcome{sent: 1}
	}
	o := r.of(op.Retry)
	if r.has(endsWalks) && readsAllPages(op) {
		return outcome{sent: 1, result: verdictPages}
	}
	if r.has(triesRoutes) && op.Name == hasTwoRoutes {
		if o.sent = 2; times == 1 {
			o.result = verdictSuccess
		}
		return o
	}
	if r.once != nil && op.Method != http.MethodGet {
		o = r.create                                        // a read by POST follows no redirect
		o.unknown = o.unknown && op.Retry != transport.Read // and leaves nothing open
	}
	switch {
	case o.sent == 1:
		return o
	case r.once != nil && times == 1:
		return *r.once
	}
	again := outcome{sent: 2, stall: o.stall, ask: o.ask, backoffs: min(o.backoffs, 1)}
	if deletion && r.has(hasActed) && times == 1 {
		// The first attempt deleted it, and the second receives a 404.
		again.result, again.unknown = verdictNotFound, true
		return again
	}
	if times == 1 {
		return again // a retry succeeds
	}
	return o
}
