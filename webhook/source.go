package webhook

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-freight/terminal49"
)

// SourceParams configures [OnlyFrom]. The zero value, like nil, fails closed and trusts no proxy.
type SourceParams struct {
	// TrustedProxies are the networks of your own proxies, such as 10.0.0.0/8 (or the same in IPv6,
	// ::ffff:10.0.0.0/104). The source of a request from one of them is the last address in
	// X-Forwarded-For that is not a trusted proxy, because anyone can write the addresses before it.
	// The source of other requests is the peer's address. A peer on a Unix socket has none and counts
	// as 127.0.0.1: trust that for a proxy on a socket that only it can open.
	TrustedProxies []netip.Prefix
	// FailOpen admits every request while no list of addresses is available; [Handler] still
	// verifies their signatures. Without FailOpen these requests are answered 503, and the service
	// delivers again.
	FailOpen bool

	RefreshAfter time.Duration // age at which the list is fetched again, in the background; default 1 hour
	// MaxStale is how long a cached list may be used when refreshing fails; the default is 7 days. It
	// must be at least 1 minute, the shortest time between two attempts to fetch the list.
	MaxStale time.Duration

	// OnRefresh is called after every attempt to fetch the list, on a goroutine of its own; err is nil
	// if it succeeded, and a [*CallbackPanicError] if a hook or transport of the client panicked.
	// Deliveries from the entries in ips.Unreadable are answered 403. A panic of OnRefresh is
	// discarded, and no request waits for it.
	OnRefresh func(ips terminal49.WebhookIPs, err error)
}

const (
	refreshTimeout = 10 * time.Second
	refusedTimeout = time.Second // for the rest of a refused request
	minRefreshWait = time.Minute // between attempts, however many requests are refused
)

var (
	errNoAddresses = errors.New("terminal49: webhooks.ips: the list is empty")
	errFetchExit   = errors.New("terminal49: webhooks.ips: a hook or transport of the client ended the goroutine")
)

// OnlyFrom returns a middleware that admits requests from the addresses that the service delivers
// from. It answers others 403 and closes their HTTP/1 connections. Use it around a [Handler]; it
// does not replace the signature. The list is fetched with the first request and cached. A request
// from an unknown address fetches it again, at most once a minute, so that a new address of the
// service is admitted at its next attempt.
//
// API: GET /webhooks/ips. Errors: *terminal49.ArgumentError, if an argument is invalid.
func OnlyFrom(
	service *terminal49.WebhooksService, params *SourceParams, opts ...terminal49.CallOption,
) (func(http.Handler) http.Handler, error) {
	const op = "webhook.OnlyFrom"
	if params == nil {
		params = &SourceParams{}
	}
	gate := &sourceGate{SourceParams: *params, fetch: func(ctx context.Context) (terminal49.WebhookIPs, error) {
		return service.IPs(ctx, opts...)
	}}
	gate.TrustedProxies = nil
	for _, proxy := range params.TrustedProxies {
		gate.TrustedProxies = append(gate.TrustedProxies, unmapped(proxy))
	}
	if gate.RefreshAfter == 0 {
		gate.RefreshAfter = time.Hour
	}
	if gate.MaxStale == 0 {
		gate.MaxStale = 7 * 24 * time.Hour
	}
	switch {
	case service == nil:
		return nil, invalid(op, "service", "must not be nil; use client.Webhooks")
	case gate.RefreshAfter < 0 || gate.MaxStale < max(gate.RefreshAfter, minRefreshWait):
		return nil, invalid(op, "MaxStale", "must be at least 1 minute and at least RefreshAfter, which must not be negative")
	case slices.ContainsFunc(gate.TrustedProxies, isUnusable):
		return nil, invalid(op, "TrustedProxies", "must contain valid prefixes; make them with netip.MustParsePrefix")
	}
	return gate.wrap, nil
}

// sourceGate caches the list. Its only goroutine is a fetch, which has a timeout.
type sourceGate struct {
	SourceParams
	fetch func(context.Context) (terminal49.WebhookIPs, error)

	mu       sync.Mutex
	ips      terminal49.WebhookIPs
	fetched  time.Time     // when ips was fetched; zero if it never was
	tried    time.Time     // when the last attempt began
	fetching chan struct{} // closed when the current attempt ends; nil if there is none
}

func (g *sourceGate) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if status := g.check(r); status != http.StatusOK {
			// Not before, because the timeouts of an admitted request are those of next.
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(refusedTimeout))
			refuse(w, r, status)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// check returns the status for a request: 200 if it is admitted.
func (g *sourceGate) check(r *http.Request) int {
	ips, ok := g.list(r.Context())
	if !ok {
		if g.FailOpen {
			return http.StatusOK
		}
		return http.StatusServiceUnavailable
	}
	if addr, ok := g.source(r); ok && ips.Contains(addr) {
		return http.StatusOK
	}
	g.mu.Lock()
	g.refresh(r.Context())
	g.mu.Unlock()
	return http.StatusForbidden
}

// list returns the addresses and reports whether they are usable. It waits for a fetch only if they
// are not.
func (g *sourceGate) list(ctx context.Context) (terminal49.WebhookIPs, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if time.Since(g.fetched) >= g.RefreshAfter {
		g.refresh(ctx)
	}
	if fetching := g.fetching; fetching != nil && !g.usable() {
		g.mu.Unlock()
		select {
		case <-fetching:
		case <-ctx.Done():
		}
		g.mu.Lock()
	}
	return g.ips, g.usable()
}

func (g *sourceGate) usable() bool {
	return !g.fetched.IsZero() && time.Since(g.fetched) < g.MaxStale
}

// refresh starts to fetch the list unless an attempt was started recently. The caller must hold the
// lock.
func (g *sourceGate) refresh(ctx context.Context) {
	if g.fetching != nil || time.Since(g.tried) < minRefreshWait {
		return
	}
	done := make(chan struct{})
	g.tried, g.fetching = time.Now(), done
	go g.attempt(context.WithoutCancel(ctx), done)
}

// attempt fetches the list and closes done. OnRefresh is called afterwards, so no request waits for
// it.
func (g *sourceGate) attempt(ctx context.Context, done chan<- struct{}) {
	ips, err := terminal49.WebhookIPs{}, errFetchExit // if a transport ends the goroutine
	defer func() {
		if v := recover(); v != nil {
			err = &CallbackPanicError{v, debug.Stack()}
		}
		g.note(ips, err)
		close(done)
		g.report(ips, err)
	}()
	ctx, cancel := context.WithTimeout(ctx, refreshTimeout)
	defer cancel()
	ips, err = g.fetch(ctx)
	if err == nil && len(ips.Addresses)+len(ips.Prefixes) == 0 {
		err = errNoAddresses
	}
}

// note ends an attempt to fetch the list.
func (g *sourceGate) note(ips terminal49.WebhookIPs, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err == nil {
		g.ips, g.fetched = ips, time.Now()
	}
	g.fetching = nil
}

// report calls OnRefresh. Its panic must not end the process.
func (g *sourceGate) report(ips terminal49.WebhookIPs, err error) {
	if g.OnRefresh == nil {
		return
	}
	defer func() { _ = recover() }()
	g.OnRefresh(ips, err)
}

// source returns the trusted source address of a request.
func (g *sourceGate) source(r *http.Request) (netip.Addr, bool) {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	switch {
	case r.RemoteAddr == "" || r.RemoteAddr[0] == '@' || r.RemoteAddr[0] == '/': // a Unix socket
		peer = netip.MustParseAddrPort("127.0.0.1:0")
	case err != nil:
		return netip.Addr{}, false
	}
	addr := peer.Addr().Unmap().WithZone("")
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && g.trusts(addr); i-- {
		hop := strings.TrimSpace(hops[i])
		if addrPort, err := netip.ParseAddrPort(hop); err == nil {
			hop = addrPort.Addr().String() // some proxies add the port
		}
		if addr, err = netip.ParseAddr(hop); err != nil {
			return netip.Addr{}, false // not written by a trusted proxy
		}
		addr = addr.Unmap().WithZone("")
	}
	return addr, true
}

// unmapped returns the IPv4 network for one that is written as IPv6, such as ::ffff:10.1.0.0/112.
func unmapped(p netip.Prefix) netip.Prefix {
	if p.Addr().Is4In6() && p.Bits() >= 96 {
		return netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
	}
	return p
}

// isUnusable includes the IPv6 networks of more than all IPv4 addresses.
func isUnusable(p netip.Prefix) bool { return !p.IsValid() || p.Addr().Is4In6() }

func (g *sourceGate) trusts(addr netip.Addr) bool {
	return slices.ContainsFunc(g.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(addr) })
}
