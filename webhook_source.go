package terminal49

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"
)

// WebhookSourceParams says how [WebhooksService.OnlyFromService] decides. The zero value, like nil, fails closed and
// believes no proxy.
type WebhookSourceParams struct {
	// TrustedProxies are the addresses of your own proxies, such as 10.0.0.0/8. Only a request that comes from one of
	// them is judged by X-Forwarded-For, by the last address in it that is no trusted proxy; anybody can write the rest.
	// For all others it is the address at the other end of the connection.
	TrustedProxies []netip.Prefix
	// FailOpen lets everybody pass while the list of addresses cannot be had; deliveries are still verified. Without it
	// they are answered 503, and the service delivers again.
	FailOpen bool

	RefreshAfter time.Duration // the list is fetched anew, in the background; default 1 hour
	UselessAfter time.Duration // the list is not believed any more if it could not be fetched anew; default 7 days

	// OnRefresh is told of every attempt to fetch the list; err is nil if it succeeded. Look at Unreadable: what the
	// service delivers from there is answered 403.
	OnRefresh func(ips WebhookIPs, err error)
}

const (
	refreshTimeout = 10 * time.Second
	refreshPause   = time.Minute // between attempts, however many strangers knock
)

var errNoAddresses = errors.New("terminal49: webhooks.ips: the list is empty")

// OnlyFromService returns a middleware that lets requests pass which come from an address that the service delivers
// from, and answers others 403. It is a first door, and no substitute for the signature: use it around a
// [WebhookHandler]. The list is fetched with the first request and kept. A stranger's address makes it be fetched
// anew, at most once a minute, so that a new address of the service gets in at its next try.
//
// API: GET /webhooks/ips. Rate bucket: default. Errors: *ArgumentError, if the params make no sense.
func (s *WebhooksService) OnlyFromService(params *WebhookSourceParams, opts ...CallOption) (func(http.Handler) http.Handler, error) {
	if params == nil {
		params = &WebhookSourceParams{}
	}
	gate := &sourceGate{WebhookSourceParams: *params, fetch: func(ctx context.Context) (WebhookIPs, error) {
		return s.IPs(ctx, opts...)
	}}
	gate.TrustedProxies = slices.Clone(params.TrustedProxies)
	if gate.RefreshAfter == 0 {
		gate.RefreshAfter = time.Hour
	}
	if gate.UselessAfter == 0 {
		gate.UselessAfter = 7 * 24 * time.Hour
	}
	switch {
	case gate.RefreshAfter < 0 || gate.UselessAfter < gate.RefreshAfter:
		return nil, &ArgumentError{Op: "webhooks.source", Field: "UselessAfter", Problem: "must not be less than RefreshAfter, nor either negative"}
	case slices.ContainsFunc(gate.TrustedProxies, func(p netip.Prefix) bool { return !p.IsValid() }):
		return nil, &ArgumentError{Op: "webhooks.source", Field: "TrustedProxies", Problem: "holds an invalid prefix; make them with netip.MustParsePrefix"}
	}
	return gate.around, nil
}

// sourceGate keeps the list. Nothing runs in the background but a fetch, which ends by itself.
type sourceGate struct {
	WebhookSourceParams
	fetch func(context.Context) (WebhookIPs, error)

	mu       sync.Mutex
	ips      WebhookIPs
	fetched  time.Time     // of the list; zero for none
	tried    time.Time     // the last attempt
	fetching chan struct{} // closed when the attempt under way ends; nil for none
}

func (g *sourceGate) around(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if status := g.judge(r); status != http.StatusOK {
			http.Error(w, http.StatusText(status), status)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (g *sourceGate) judge(r *http.Request) int {
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

// list returns the addresses; false if they are not known, or not any more. Only who comes first waits for them.
func (g *sourceGate) list(ctx context.Context) (WebhookIPs, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if time.Since(g.fetched) >= g.RefreshAfter {
		g.refresh(ctx)
	}
	if under := g.fetching; under != nil && !g.usable() {
		g.mu.Unlock()
		select {
		case <-under:
		case <-ctx.Done():
		}
		g.mu.Lock()
	}
	return g.ips, g.usable()
}

func (g *sourceGate) usable() bool {
	return !g.fetched.IsZero() && time.Since(g.fetched) < g.UselessAfter
}

// refresh begins to fetch the list unless that was tried just now. Callers hold the lock.
func (g *sourceGate) refresh(ctx context.Context) {
	if g.fetching != nil || time.Since(g.tried) < refreshPause {
		return
	}
	done := make(chan struct{})
	g.tried, g.fetching = time.Now(), done
	go func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), refreshTimeout)
		defer cancel()
		ips, err := g.fetch(ctx)
		if err == nil && len(ips.Addresses)+len(ips.Prefixes) == 0 {
			err = errNoAddresses
		}
		g.mu.Lock()
		if err == nil {
			g.ips, g.fetched = ips, time.Now()
		}
		g.fetching = nil
		g.mu.Unlock()
		if g.OnRefresh != nil {
			g.OnRefresh(ips, err)
		}
		close(done)
	}()
}

// source is where a request comes from, as far as can be believed.
func (g *sourceGate) source(r *http.Request) (netip.Addr, bool) {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}, false
	}
	addr := peer.Addr().Unmap().WithZone("")
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && g.trusts(addr); i-- {
		hop := strings.TrimSpace(hops[i])
		if with, err := netip.ParseAddrPort(hop); err == nil {
			hop = with.Addr().String() // some proxies tell the port too
		}
		if addr, err = netip.ParseAddr(hop); err != nil {
			return netip.Addr{}, false // none of our proxies wrote this
		}
		addr = addr.Unmap().WithZone("")
	}
	return addr, true
}

func (g *sourceGate) trusts(addr netip.Addr) bool {
	return slices.ContainsFunc(g.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(addr) })
}
