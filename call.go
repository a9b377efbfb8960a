package terminal49

import (
	"context"
	"net/http"
	"time"

	"github.com/go-freight/terminal49/internal/operation"
	"github.com/go-freight/terminal49/internal/transport"
)

// apiCall is one use of an endpoint, with the options of the client and of the caller applied. It
// is made once, at the edge of a service method; a walk over pages makes all its requests from one.
type apiCall struct {
	endpoint
	callConfig
	client  *Client
	redact  redactor
	sending func() // called when a request has passed the limiter; may be nil
	borrow  bool   // the body of the result is recycled once it is decoded
	single  bool   // only the items of the document are used
}

// call applies the options. The error of an invalid option replaces that of the endpoint.
func (c *Client) call(e endpoint, opts []CallOption) apiCall {
	made := apiCall{endpoint: e, callConfig: c.perCall, client: c, redact: c.redact.also(e.secrets)}
	if len(opts) > 0 {
		config := c.perCall // a copy that may be allocated, unlike made
		if err := config.apply(opts); err != nil {
			made.err = withOp(err, e.Name)
		}
		made.callConfig = config
	}
	made.whole = made.whole || made.examples
	return made
}

func (c *callConfig) apply(opts []CallOption) error {
	for _, opt := range opts {
		if opt == nil {
			continue
		}
		if err := opt.applyCall(c); err != nil {
			return err
		}
	}
	return nil
}

func (c apiCall) withIDInPath() apiCall {
	c.Path, c.args = c.Path+"/{id}", []string{c.envelope.ID}
	return c
}

// options applies the options of a method that makes several calls.
func (c *Client) options(op string, opts []CallOption) (callConfig, error) {
	made := c.call(newEndpoint(operation.Operation{Name: op}), opts)
	return made.callConfig, made.err
}

// do sends the request, with retries, and returns a successful result. Every other outcome is an
// error of this package.
func (c *apiCall) do(ctx context.Context) (*transport.Result, error) {
	req, to, err := c.request(ctx)
	if err != nil {
		return nil, err
	}
	var started time.Time
	if c.response != nil {
		started = time.Now()
	}
	sending := c.transportCall()
	result, err := c.client.chain.DoTo(ctx, req, to, sending)
	if err != nil {
		failed := transportError(sending, err, c.redact)
		if failed.ID = c.named(); failed.Last != nil {
			failed.Last.ID = failed.ID
		}
		c.capture(nil, failed.Attempts, started)
		return nil, failed
	}
	c.capture(result, result.Attempts, started)
	if result.Status < 200 || result.Status > 299 {
		failed := apiError(sending, result, c.redact)
		failed.ID = c.named()
		// A service without the operation responds with a web page, not with an error about an id.
		failed.maybeMissing = c.Recent && result.Status == http.StatusNotFound && (len(c.args) == 0 || len(failed.Errors) == 0)
		return nil, failed
	}
	return result, nil
}

// transportCall describes the call in the transport's terms.
func (c *apiCall) transportCall() transport.Call {
	return transport.Call{Op: c.Name, Route: c.Path, Bucket: c.Bucket, Class: c.Retry, Policy: c.policy, Share: c.share, Sending: c.sending, Borrow: c.borrow}
}
