package terminal49

import (
	"net/http"
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
	idInPath bool
	prefetch int
	response *Response
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

// WithIDInPath sends an update to the resource's own path, such as PATCH /containers/{id}, where the
// documented path has no id. Only [ContainersService.Update] has such a path: the service's guides
// use the other form. Use it if the service answers the documented form with ErrNotFound.
func WithIDInPath() CallOption {
	return callOption(func(c *callConfig) error {
		c.idInPath = true
		return nil
	})
}

// Response describes how a call ended; see [WithResponse].
type Response struct {
	Status    int           // HTTP status; 0 if there was no response
	Header    http.Header   // without the client's credentials and signatures of presigned addresses
	Attempts  int           // requests sent
	RequestID string        // the service's X-Request-Id, for its support
	Duration  time.Duration // of the whole call, waits included
}
