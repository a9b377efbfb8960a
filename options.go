package terminal49

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/go-freight/terminal49/internal/transport"
)

// Option configures a [Client].
type Option interface{ applyClient(*config) error }

type clientOption func(*config) error

func (o clientOption) applyClient(c *config) error { return o(c) }

// config collects the options of New. The zero value of a field never means "off": turning
// something off has a field of its own.
type config struct {
	base       *url.URL
	plainHTTP  bool
	http       *http.Client
	userAgent  string
	accountID  string
	retry      RetryPolicy
	limits     RateLimits
	limiter    Limiter
	unlimited  bool
	middleware []func(http.RoundTripper) http.RoundTripper
	logger     *slog.Logger
	hooks      Hooks
	perCall    callConfig

	storage http.RoundTripper // nil for http's
}

func defaults() config {
	base, _ := url.Parse(DefaultBaseURL) // a constant
	return config{
		base: base, http: &http.Client{}, userAgent: userAgent(""), perCall: callConfig{},
		retry: RetryPolicy{
			MaxAttempts: 4, MinBackoff: 500 * time.Millisecond, MaxBackoff: 8 * time.Second,
			MaxRetryAfter: 2 * time.Minute, AttemptTimeout: 30 * time.Second,
		},
		limits: DefaultRateLimits(),
	}
}

// WithBaseURL sets another address, such as that of a simulator or a proxy. The path is kept, so
// include the service's "/v2". Plain http is accepted for the local machine only, because the token
// would be sent unencrypted; see [WithPlainHTTP].
func WithBaseURL(base string) Option {
	return clientOption(func(c *config) error {
		u, err := url.Parse(base)
		switch {
		case err != nil || u.Hostname() == "" || hasDots(u.EscapedPath()) || u.Scheme != "https" && u.Scheme != "http",
			u.Host[0] == '[' && !strings.Contains(u.Hostname(), ":"): // Go before 1.25.2 accepts [127.0.0.1]
			return optionError("WithBaseURL", "must be an absolute URL such as "+DefaultBaseURL)
		case u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
			return optionError("WithBaseURL", "must not hold a user, query or fragment")
		}
		c.base = u
		return nil
	})
}

// WithPlainHTTP accepts a base URL with http on another machine, such as a simulator on a private
// test network. The token is then sent unencrypted.
func WithPlainHTTP() Option {
	return clientOption(func(c *config) error {
		c.plainHTTP = true
		return nil
	})
}

// validate checks the options in combination.
func (cfg config) validate() error {
	if cfg.base.Scheme == "http" && !cfg.plainHTTP && !isLocal(cfg.base.Hostname()) {
		return optionError("WithBaseURL", "must be https, because http would send the token unencrypted; plain http is allowed for this machine, or with WithPlainHTTP")
	}
	return nil
}

func isLocal(host string) bool {
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

// WithHTTPClient sets the transport and the cookie jar to those of h, and the timeout of an attempt
// to its Timeout. h is not changed, and its idle connections are never closed. Its CheckRedirect is
// ignored: redirects are followed on the configured host only.
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

// WithUserAgent adds the name of your program, such as "dispatcher/2.1", before the package's own
// User-Agent.
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

// WithAccountID selects the account of a user-scoped access token, one with the prefix "Bearer", in
// the header X-Account-Id. The service documents it as required. According to a later document, of
// October 2026, [Client.Me] works without it: it uses the user's primary account, and its User has
// the Accounts that can be selected. API keys do not need it.
func WithAccountID(id string) Option {
	return clientOption(func(c *config) error {
		if strings.TrimSpace(id) == "" || !isHeaderText(id) {
			return optionError("WithAccountID", "must be an account id")
		}
		c.accountID = id
		return nil
	})
}

// isHeaderText reports whether s may be the value of a header: printable ASCII, no line breaks.
func isHeaderText(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

// headerName matches the name of a header: a token of RFC 9110.
var headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")

// RetryPolicy configures retries. A zero field keeps its default.
//
// Reads and updates are retried after connection errors, timeouts and the statuses 429, 500, 502,
// 503 and 504. A creation is retried only after a 429, or when nothing was sent. The Retry-After
// header of a 429 or 503 is obeyed.
type RetryPolicy struct {
	MaxAttempts    int           // requests per call, including the first; default 4
	MinBackoff     time.Duration // the first wait is random between zero and this; default 500 ms
	MaxBackoff     time.Duration // the waits double up to this; default 8 s
	MaxRetryAfter  time.Duration // a longer Retry-After is returned as an error at once; default 2 min
	AttemptTimeout time.Duration // one request, from sending to the last byte of the response; default 30 s
}

// WithRetryPolicy sets the retry policy.
func WithRetryPolicy(p RetryPolicy) Option {
	return clientOption(func(c *config) error {
		if p.MaxAttempts < 0 || p.MinBackoff < 0 || p.MaxBackoff < 0 || p.MaxRetryAfter < 0 || p.AttemptTimeout < 0 {
			return optionError("WithRetryPolicy", "must not have negative values; zero keeps a default, WithMaxAttempts(1) turns retries off")
		}
		setNonZero(&c.retry.MaxAttempts, p.MaxAttempts)
		setNonZero(&c.retry.MinBackoff, p.MinBackoff)
		setNonZero(&c.retry.MaxBackoff, p.MaxBackoff)
		setNonZero(&c.retry.MaxRetryAfter, p.MaxRetryAfter)
		setNonZero(&c.retry.AttemptTimeout, p.AttemptTimeout)
		if c.retry.MinBackoff > c.retry.MaxBackoff {
			return optionError("WithRetryPolicy", fmt.Sprintf("MinBackoff %v must not be above MaxBackoff %v", c.retry.MinBackoff, c.retry.MaxBackoff))
		}
		return nil
	})
}

// WithStorageHTTPClient sets the client whose transport uploads and downloads files. The default is
// the transport of WithHTTPClient. Set it if that transport adds credentials, which the storage
// must not receive. Only the transport of h is used.
//
// If the base URL is public, an *http.Transport without a proxy sends nothing to a loopback or
// private address, even if a name resolves to one. Any other transport must check that itself.
func WithStorageHTTPClient(h *http.Client) Option {
	return clientOption(func(c *config) error {
		if h == nil {
			return optionError("WithStorageHTTPClient", "must not be nil; leave the option out for the default")
		}
		c.storage = h.Transport
		if c.storage == nil {
			c.storage = http.DefaultTransport
		}
		return nil
	})
}

// WithMiddleware wraps every attempt, as otelhttp does; the first one is the outermost. Middleware
// sees the request before the token is added, so it cannot leak the token. [CallFromContext]
// returns the operation that the request belongs to.
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

// WithLogger logs every attempt at debug level, every wait of more than a second for the rate limit
// at info level, and every retry and every value that could not be decoded at warn level. The
// logged fields are a fixed list without URLs, headers, tokens or values. Nothing is prepared for a
// level that the logger does not enable. Without this option nothing is logged.
func WithLogger(l *slog.Logger) Option {
	return clientOption(func(c *config) error {
		if l == nil {
			return optionError("WithLogger", "must not be nil; leave the option out for no logging")
		}
		c.logger = l
		return nil
	})
}

// WithHooks sets the functions that are called during calls; see [Hooks].
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

// setNonZero sets *to unless v is the zero value.
func setNonZero[V comparable](to *V, v V) {
	var zero V
	if v != zero {
		*to = v
	}
}
