package terminal49

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-freight/terminal49/internal/transport"
)

// Option configures a [Client].
type Option interface{ applyClient(*config) error }

type clientOption func(*config) error

func (o clientOption) applyClient(c *config) error { return o(c) }

// config is what New gathers. The zero value of a field never means "off"; options that turn things off say so.
type config struct {
	base       *url.URL
	plainHTTP  bool
	http       *http.Client
	userAgent  string
	accountID  string
	retry      RetryPolicy
	limits     Limits
	limiter    Limiter
	unlimited  bool
	middleware []func(http.RoundTripper) http.RoundTripper
	logger     *slog.Logger
	hooks      Hooks
	perCall    callConfig

	uploadMount string            // "" for the usual ones
	storage     http.RoundTripper // nil for http's
}

func defaults() config {
	base, _ := url.Parse(DefaultBaseURL) // a constant
	return config{
		base: base, http: &http.Client{}, userAgent: userAgent(""), perCall: callConfig{},
		retry: RetryPolicy{
			MaxAttempts: 4, MinBackoff: 500 * time.Millisecond, MaxBackoff: 8 * time.Second,
			MaxRetryAfter: 2 * time.Minute, AttemptTimeout: 30 * time.Second,
		},
		limits: DefaultLimits(),
	}
}

// WithBaseURL points the client at another address, such as a simulator or a proxy. The path is kept, so give the
// service's "/v2" too. Plain http is accepted for the local machine only, because the token would travel in the clear;
// see [WithPlainHTTP].
func WithBaseURL(base string) Option {
	return clientOption(func(c *config) error {
		u, err := url.Parse(base)
		switch {
		case err != nil || u.Hostname() == "" || hasDots(u.EscapedPath()) || u.Scheme != "https" && u.Scheme != "http":
			return optionError("WithBaseURL", "must be an absolute URL such as "+DefaultBaseURL)
		case u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
			return optionError("WithBaseURL", "must not hold a user, query or fragment")
		}
		c.base = u
		return nil
	})
}

// WithPlainHTTP lets the base URL be http on another machine, such as a simulator on a private test network. The token
// then travels in the clear.
func WithPlainHTTP() Option {
	return clientOption(func(c *config) error {
		c.plainHTTP = true
		return nil
	})
}

// validate checks what options come to together.
func (cfg config) validate() error {
	if cfg.base.Scheme == "http" && !cfg.plainHTTP && !isLocal(cfg.base.Hostname()) {
		return optionError("WithBaseURL", "must be https, because the token would travel in the clear; http is for this machine only, unless WithPlainHTTP allows it")
	}
	return nil
}

func isLocal(host string) bool {
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

// WithHTTPClient makes the client use the transport and cookie jar of h, and its Timeout as the timeout of an attempt.
// h itself is not changed, and its idle connections are never closed. Its CheckRedirect is not used: redirects are
// followed on the configured host only.
func WithHTTPClient(h *http.Client) Option {
	return clientOption(func(c *config) error {
		if h == nil {
			return optionError("WithHTTPClient", "must not be nil; leave the option out for the default")
		}
		c.http = &http.Client{Transport: h.Transport, Jar: h.Jar}
		if h.Timeout > 0 {
			c.retry.AttemptTimeout = h.Timeout
		}
		return nil
	})
}

// WithUserAgent puts the name of your program, such as "dispatcher/2.1", in front of the package's own User-Agent.
func WithUserAgent(product string) Option {
	return clientOption(func(c *config) error {
		if strings.TrimSpace(product) == "" || !isHeaderText(product) {
			return optionError("WithUserAgent", `must be printable text such as "dispatcher/2.1"`)
		}
		c.userAgent = userAgent(product + " ")
		return nil
	})
}

func userAgent(product string) string { return product + "go-freight-terminal49/" + Version }

// WithAccountID sends the account header that user-scoped tokens need. API keys do not need it.
func WithAccountID(id string) Option {
	return clientOption(func(c *config) error {
		if strings.TrimSpace(id) == "" || !isHeaderText(id) {
			return optionError("WithAccountID", "must be an account id")
		}
		c.accountID = id
		return nil
	})
}

// isHeaderText keeps line breaks and the like out of headers.
func isHeaderText(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

// RetryPolicy says how failures are met. A zero field keeps its default.
//
// Reads and repeatable writes are sent again after connection errors, timeouts and the answers 429, 500, 502, 503 and
// 504. Creating something is sent again only after a 429 or when nothing was sent. A Retry-After header is obeyed.
type RetryPolicy struct {
	MaxAttempts    int           // requests for one call, the first included; default 4
	MinBackoff     time.Duration // the first wait is random between nothing and this; default 500 ms
	MaxBackoff     time.Duration // the waits double up to this; default 8 s
	MaxRetryAfter  time.Duration // a longer Retry-After is returned as an error at once; default 2 min
	AttemptTimeout time.Duration // one request, from sending to the last byte of the answer; default 30 s
}

// WithRetry changes how failures are met.
func WithRetry(p RetryPolicy) Option {
	return clientOption(func(c *config) error {
		if p.MaxAttempts < 0 || p.MinBackoff < 0 || p.MaxBackoff < 0 || p.MaxRetryAfter < 0 || p.AttemptTimeout < 0 {
			return optionError("WithRetry", "must not hold negative values; zero keeps a default, WithoutRetries turns retries off")
		}
		set(&c.retry.MaxAttempts, p.MaxAttempts)
		set(&c.retry.MinBackoff, p.MinBackoff)
		set(&c.retry.MaxBackoff, p.MaxBackoff)
		set(&c.retry.MaxRetryAfter, p.MaxRetryAfter)
		set(&c.retry.AttemptTimeout, p.AttemptTimeout)
		if c.retry.MinBackoff > c.retry.MaxBackoff {
			return optionError("WithRetry", fmt.Sprintf("has MinBackoff %v above MaxBackoff %v", c.retry.MinBackoff, c.retry.MaxBackoff))
		}
		return nil
	})
}

// WithoutRetries sends every request once. (Go's own net/http may still repeat a GET whose kept-alive connection turned
// out dead and, over HTTP/2, a read or repeatable write that the server reset; that repeat pays the rate limit too.)
func WithoutRetries() Option {
	return clientOption(func(c *config) error {
		c.retry.MaxAttempts = 1
		return nil
	})
}

// WithMiddleware wraps every attempt, as otelhttp and the like do; the first is the outermost. Middleware sees the
// request before the token is added, so it cannot leak it. [CallFromContext] on the request's context tells which
// operation it belongs to.
func WithMiddleware(wrap ...func(http.RoundTripper) http.RoundTripper) Option {
	return clientOption(func(c *config) error {
		for _, w := range wrap {
			if w == nil {
				return optionError("WithMiddleware", "must not be nil")
			}
		}
		c.middleware = append(c.middleware, wrap...)
		return nil
	})
}

// WithLogger logs every attempt and retry: what is logged is a fixed list of harmless fields, at debug level, and at
// warn level for retries and values that could not be understood. Without it nothing is logged.
func WithLogger(l *slog.Logger) Option {
	return clientOption(func(c *config) error {
		if l == nil {
			return optionError("WithLogger", "must not be nil; leave the option out for no logging")
		}
		c.logger = l
		return nil
	})
}

// WithHooks calls h as calls go. See [Hooks].
func WithHooks(h Hooks) Option {
	return clientOption(func(c *config) error {
		c.hooks = h
		return nil
	})
}

func (cfg config) policy() transport.Policy {
	return transport.Policy{
		MaxAttempts: cfg.retry.MaxAttempts, MinBackoff: cfg.retry.MinBackoff, MaxBackoff: cfg.retry.MaxBackoff,
		MaxRetryAfter: cfg.retry.MaxRetryAfter, AttemptTimeout: cfg.retry.AttemptTimeout, MaxBody: defaultMaxResponse,
	}
}

func optionError(option, problem string) error {
	return &ArgumentError{Field: option, Problem: problem}
}

// set changes *to unless v is the zero value.
func set[V comparable](to *V, v V) {
	var zero V
	if v != zero {
		*to = v
	}
}
