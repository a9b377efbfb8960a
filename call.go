package terminal49

import (
	"time"

	"github.com/go-freight/terminal49/internal/transport"
)

// CallOption configures one call.
type CallOption interface{ applyCall(*callConfig) error }

// ClientOrCallOption configures a [Client] for all its calls when given to [New], or one call when given to a method.
type ClientOrCallOption interface {
	Option
	CallOption
}

// defaultMaxResponse is far above any page of the service. Some answers have less; see maxPlain and maxMap.
const defaultMaxResponse = 32 << 20

// callConfig is what the options of a call come to.
type callConfig struct {
	policy   transport.Policy // zero fields keep the client's
	rawJSON  bool
	strict   bool
	prefetch int
	response *Response
	started  time.Time
}

type callOption func(*callConfig) error

func (o callOption) applyCall(c *callConfig) error { return o(c) }

type bothOption func(*callConfig) error

func (o bothOption) applyCall(c *callConfig) error { return o(c) }
func (o bothOption) applyClient(c *config) error   { return o(&c.perCall) }

// WithRawJSON keeps the bytes of each resource, so that its Raw method returns what the service sent, with the members
// this package does not know. It costs a copy of the response.
func WithRawJSON() ClientOrCallOption {
	return bothOption(func(c *callConfig) error {
		c.rawJSON = true
		return nil
	})
}

// WithStrictDecoding makes a [*DecodeError] of everything in an answer that this package does not understand, unknown
// members too. It is for tests; the service adds members without notice.
func WithStrictDecoding() ClientOrCallOption {
	return bothOption(func(c *callConfig) error {
		c.strict = true
		return nil
	})
}

// WithMaxAttempts bounds the requests of a call, the first included. 1 means no retries.
func WithMaxAttempts(n int) ClientOrCallOption {
	return bothOption(func(c *callConfig) error {
		if n < 1 {
			return &ArgumentError{Field: "WithMaxAttempts", Problem: "must be 1 or more"}
		}
		c.policy.MaxAttempts = n
		return nil
	})
}

// WithAttemptTimeout bounds one request, from sending to the last byte of the answer. For the whole call, with its
// retries and waits, give it a context with a deadline.
func WithAttemptTimeout(d time.Duration) ClientOrCallOption {
	return bothOption(func(c *callConfig) error {
		if d <= 0 {
			return &ArgumentError{Field: "WithAttemptTimeout", Problem: "must be more than zero"}
		}
		c.policy.AttemptTimeout = d
		return nil
	})
}

// WithMaxResponseBytes bounds the body of an answer, after decompression. The default is 32 MiB, 2 MiB for the map of a
// container, and 1 MiB for answers that are no JSON:API document, such as [DocumentsService.Types].
func WithMaxResponseBytes(n int64) ClientOrCallOption {
	return bothOption(func(c *callConfig) error {
		if n < 1 {
			return &ArgumentError{Field: "WithMaxResponseBytes", Problem: "must be 1 or more"}
		}
		c.policy.MaxBody = n
		return nil
	})
}

// WithPrefetch makes All and Pages fetch up to n pages ahead while you work on the current one. It has no effect on
// other calls. Breaking out of the loop cancels what is under way.
func WithPrefetch(n int) ClientOrCallOption {
	return bothOption(func(c *callConfig) error {
		if n < 1 || n > 100 {
			return &ArgumentError{Field: "WithPrefetch", Problem: "must be 1 to 100 pages"}
		}
		c.prefetch = n
		return nil
	})
}

// WithResponse fills r once the call is answered, also by an error. In a loop over All or Pages it holds the latest
// page's; with WithPrefetch that may be a later one, and reading it is a race.
func WithResponse(r *Response) CallOption {
	return callOption(func(c *callConfig) error {
		if r == nil {
			return &ArgumentError{Field: "WithResponse", Problem: "must not be nil"}
		}
		c.response = r
		return nil
	})
}

// call returns the configuration of one call.
func (cfg config) call(op string, opts []CallOption) (callConfig, error) {
	c := cfg.perCall
	c.started = time.Now()
	for _, opt := range opts {
		if opt == nil {
			continue
		}
		if err := opt.applyCall(&c); err != nil {
			return c, named(err, op)
		}
	}
	return c, nil
}

// capture fills the caller's Response. What it holds is printed and logged, so it is redacted like an error.
func (c callConfig) capture(r *transport.Result, attempts int, redact redactor) {
	if c.response == nil {
		return
	}
	*c.response = Response{Duration: time.Since(c.started), Attempts: attempts}
	if r != nil {
		c.response.Status, c.response.Header = r.Status, r.Header.Clone()
		for _, values := range c.response.Header {
			for i := range values {
				values[i] = redact(values[i])
			}
		}
		c.response.RequestID = c.response.Header.Get("X-Request-Id")
	}
}
