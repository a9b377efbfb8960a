package terminal49

import (
	"time"

	"github.com/go-freight/terminal49/internal/transport"
)

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

// WithMaxAttempts limits the requests of a call, including the first. 1 means no retries: Go's
// net/http may still repeat a GET whose kept-alive connection was closed and, over HTTP/2, a read
// or update that the server reset; such a repetition counts against the rate limit too.
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
