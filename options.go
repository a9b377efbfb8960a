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
// the header X-Account-Id. Without it the service uses the user's primary account. The User of
// [Client.Me] has the Accounts that can be selected. API keys do not need it.
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

// CallOption configures one call.
type CallOption interface{ applyCall(*callConfig) error }

// ClientOrCallOption configures all calls of a [Client] when passed to [New], or one call when
// passed to a method.
type ClientOrCallOption interface {
	Option
	CallOption
}

// defaultMaxResponse is far above any page of the service. Some responses have a lower bound; see
// maxPlain and maxMap.
const defaultMaxResponse = 32 << 20

// callConfig collects the options of a call.
type callConfig struct {
	policy    transport.Policy // zero fields keep the client's
	rawJSON   bool
	strict    bool
	noRivals  bool
	unchecked bool
	examples  bool
	prefetch  int
	share     float64 // 0 for 1
	response  *Response
}

type callOption func(*callConfig) error

func (o callOption) applyCall(c *callConfig) error { return o(c) }

type bothOption func(*callConfig) error

func (o bothOption) applyCall(c *callConfig) error { return o(c) }
func (o bothOption) applyClient(c *config) error   { return o(&c.perCall) }

// WithRawJSON keeps the JSON of each resource: its Raw method then returns what the service sent,
// including members unknown to this package. It costs a copy of the response.
func WithRawJSON() ClientOrCallOption {
	return bothOption(func(c *callConfig) error {
		c.rawJSON = true
		return nil
	})
}

// WithStrictDecoding returns a [*DecodeError] for everything in a response that this package does
// not understand: values of the wrong kind, and unknown members of resources, relationships, links,
// meta and responses that are not JSON:API documents. The attributes and relationships of resources
// of unknown types are not examined, because they are kept. Use it in tests only: the service adds
// members without notice.
func WithStrictDecoding() ClientOrCallOption {
	return bothOption(func(c *callConfig) error {
		c.strict = true
		return nil
	})
}

// Unstable is a behaviour for mocks, for tests, or for what the service does not document. Its
// values may change or be removed in any version; see [WithUnstable].
type Unstable uint8

// The values of Unstable.
const (
	// UnstableExamples accepts responses about other resources than the ones asked for. Use it in
	// tests only, with a mock that answers every request with the example of the OpenAPI document,
	// such as Prism, Microcks or WireMock. Without it, a response with another id, or with another
	// number than that of a tracking request that was created, is a [*DecodeError]: a connection
	// may be out of step. Only the first page of a list is read, and filters are not checked; see
	// [WithoutFilterCheck].
	UnstableExamples Unstable = iota + 1

	// UnstableNoRivalCheck makes [WebhooksService.Ensure] omit its check for other programs that
	// create the same webhook. Use it in tests, or if only one program at a time calls Ensure for a
	// URL; otherwise two webhooks may remain. Other methods ignore it.
	//
	// The check lists again 2 seconds after Ensure created a webhook or found one that may be
	// younger than a minute, and deletes its own unless that is the oldest. If the service lists a
	// new webhook more than a second late, a program may still get the secret of a deleted one. If
	// a program ends during the check, a second webhook may remain.
	UnstableNoRivalCheck
)

// WithUnstable turns on behaviours that are not part of what this package promises.
func WithUnstable(behaviours ...Unstable) ClientOrCallOption {
	return bothOption(func(c *callConfig) error {
		for _, b := range behaviours {
			switch b {
			case UnstableExamples:
				c.examples, c.unchecked = true, true
			case UnstableNoRivalCheck:
				c.noRivals = true
			default:
				return &ArgumentError{Field: "WithUnstable", Problem: "must have constants of Unstable"}
			}
		}
		return nil
	})
}

// WithMaxAttempts limits the requests of a call, including the first; it takes precedence over
// [RetryPolicy], in whatever order they are given. 1 means no retries: Go's net/http may still
// repeat a GET whose kept-alive connection was closed and, over HTTP/2, a read or update that the
// server reset; such a repetition counts against the rate limit too.
func WithMaxAttempts(n int) ClientOrCallOption {
	return bothOption(func(c *callConfig) error {
		if n < 1 {
			return &ArgumentError{Field: "WithMaxAttempts", Problem: "must be 1 or more"}
		}
		c.policy.MaxAttempts = n
		return nil
	})
}

// WithAttemptTimeout limits the duration of one request, from sending to the last byte of the
// response. To limit the whole call with its retries and waits, use a context with a deadline.
func WithAttemptTimeout(d time.Duration) ClientOrCallOption {
	return bothOption(func(c *callConfig) error {
		if d <= 0 {
			return &ArgumentError{Field: "WithAttemptTimeout", Problem: "must be more than zero"}
		}
		c.policy.AttemptTimeout = d
		return nil
	})
}

// WithMaxResponseBytes limits the body of a response, after decompression. The default is 32 MiB, 2
// MiB for the map of a container, and 1 MiB for responses that are not JSON:API documents, such as
// that of [DocumentsService.Types].
func WithMaxResponseBytes(n int64) ClientOrCallOption {
	return bothOption(func(c *callConfig) error {
		if n < 1 {
			return &ArgumentError{Field: "WithMaxResponseBytes", Problem: "must be 1 or more"}
		}
		c.policy.MaxBody = n
		return nil
	})
}

// WithRateLimitShare marks background calls, such as a walk over a list. All such calls of one
// [Limiter] together use at most this part of a bucket's budget, rounded down but at least one
// request, and waiting calls with a larger share are sent first. Calls without a share may use the
// whole budget: WithRateLimitShare(0.6) leaves 40 of 100 requests per minute to them. With several
// shares, calls of a share and of all smaller ones together stay within it. part must be above 0
// and at most 1, which is the default. A limiter of your own reads it with [CallFromContext].
func WithRateLimitShare(part float64) ClientOrCallOption {
	return bothOption(func(c *callConfig) error {
		if !(part > 0 && part <= 1) { // true for NaN too
			return &ArgumentError{Field: "WithRateLimitShare", Problem: "must be above 0 and at most 1"}
		}
		c.share = part
		return nil
	})
}

// WithPrefetch makes All and Pages fetch up to n pages ahead of the loop, side by side if the list
// reports how many it has. Leaving the loop cancels pending requests. Other calls ignore it.
//
// If pages show that the list changed between them, they are read again one after another, so an
// item is missed only where a walk without WithPrefetch can miss it. Two kinds of change are not
// detected between pages: an item that moves to the middle of the list, or is added there while
// another is removed; and more changes during one request than a page has items. The number of
// items at the end may still show them; see [Page]. Without meta.total only an item that is on two
// pages is detected.
func WithPrefetch(n int) ClientOrCallOption {
	return bothOption(func(c *callConfig) error {
		if n < 1 || n > 100 {
			return &ArgumentError{Field: "WithPrefetch", Problem: "must be 1 to 100 pages"}
		}
		c.prefetch = n
		return nil
	})
}

// WithResponse fills r when the call ends, with success or with an error. In a loop over All or
// Pages r describes the latest page, and r.ListChanged after the loop the whole of it.
func WithResponse(r *Response) CallOption {
	return callOption(func(c *callConfig) error {
		if r == nil {
			return &ArgumentError{Field: "WithResponse", Problem: "must not be nil"}
		}
		c.response = r
		return nil
	})
}
