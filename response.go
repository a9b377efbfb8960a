package terminal49

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-freight/terminal49/internal/jsonapi"
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
	if made.idInPath && e.envelope.ID != "" && len(e.args) == 0 {
		made = made.withIDInPath()
	}
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

// capture fills the caller's Response. Callers may print or log it, so it is redacted like an
// error.
func (c *apiCall) capture(r *transport.Result, attempts int, started time.Time) {
	if c.response == nil {
		return
	}
	*c.response = Response{Duration: time.Since(started), Attempts: attempts}
	if r == nil {
		return
	}
	c.response.Status, c.response.Header = r.Status, r.Header.Clone()
	for _, values := range c.response.Header {
		for i := range values {
			values[i] = c.redact.start(values[i], longestText)
		}
	}
	c.response.RequestID = c.response.Header.Get("X-Request-Id")
}

// fetchDocument makes a call whose response is a JSON:API document with resources of type T. That
// of a single call must hold the one resource that was asked for; then the document is nil.
func fetchDocument[T any, P resourceType[T]](ctx context.Context, c *apiCall) (items []*T, doc *jsonapi.Document, err error) {
	err = c.fetch(ctx, func(body []byte, o jsonapi.Options) (err error) {
		items, doc, err = jsonapi.Decode[T](body, o)
		if err == nil && c.single {
			err = checkOne[T, P](c, items)
		}
		return err
	})
	return items, doc, err
}

// fetch makes a call and decodes its response.
func (c *apiCall) fetch(ctx context.Context, decode func([]byte, jsonapi.Options) error) (err error) {
	ctx, call := c.begin(ctx)
	defer func() { call.finish(err) }()
	c.borrow = true
	result, err := c.do(ctx)
	if err != nil {
		return err
	}
	report := c.warnings(ctx)
	err = decode(result.Body, jsonapi.Options{
		Types: registry, KeepRaw: c.rawJSON, Strict: c.strict, Unindexed: true, ItemsOnly: c.single,
		Report: report.receiver(), AsOf: result.Sent,
	})
	if err = cmp.Or(err, report.err()); err != nil {
		return c.unreadable(result, err, report.all()...)
	}
	result.Recycle() // nothing that was decoded refers to the body
	return nil
}

// fetchOne makes a call whose response is a single resource.
func fetchOne[T any, P resourceType[T]](ctx context.Context, c *Client, e endpoint, opts []CallOption) (*T, error) {
	made := c.call(e, opts)
	return readOne[T, P](ctx, &made)
}

func readOne[T any, P resourceType[T]](ctx context.Context, made *apiCall) (*T, error) {
	made.single = true
	items, _, err := fetchDocument[T, P](ctx, made)
	if err != nil {
		return nil, err
	}
	return items[0], nil
}

// checkOne returns an error unless the items are the one resource that was asked for.
func checkOne[T any, P resourceType[T]](made *apiCall, items []*T) error {
	if n := len(items); n != 1 {
		return fmt.Errorf("it holds %d resources instead of one", n)
	}
	item := P(items[0])
	err := incomplete(item)
	if err == nil && registry.IsOther(item.resource().Type, item) {
		err = fmt.Errorf("it holds a %.40q", item.resource().Type)
	}
	if err == nil {
		err = made.mismatch(item.resource().ID, item)
	}
	if err != nil {
		made.client.chain.CloseIdle() // the connection may carry the response to another request
	}
	return err
}

// mismatch returns an error if a resource is certainly not the one that was asked for: its id is
// another one, or its number is another one than that of the creation. A connection may be out of
// step, so that it carries the response to another request.
func (c *apiCall) mismatch(id string, item any) error {
	wanted := c.envelope.ID
	if wanted == "" && len(c.args) > 0 && c.Method != http.MethodPost {
		wanted = c.args[len(c.args)-1]
	}
	if !strings.EqualFold(wanted, id) && isUUID(wanted) && isUUID(id) {
		return errors.New("it holds another resource than the one asked for")
	}
	if request, ok := item.(*TrackingRequest); ok && isOtherNumber(request.RequestNumber, c.number) {
		return errors.New("it holds a tracking request for another number")
	}
	return nil
}

// isOtherNumber reports whether two numbers are certainly not the same: the service may remove a
// prefix, such as that of the shipping line.
func isOtherNumber(a, b string) bool {
	a, b = NormalizeContainerNumber(a), NormalizeContainerNumber(b)
	return a != "" && b != "" && !strings.HasSuffix(a, b) && !strings.HasSuffix(b, a)
}

// The routes of an update, as far as a client knows that one has worked.
const (
	routeUnknown int32 = iota
	routeInBody
	routeInPath
)

// readEither makes an update that the service documents with the id in the body and with the id in
// the path. After a 404, which changed nothing, it tries the other route once, unless the service
// explains the 404 on the route that worked last. Each try is a call of its own to observers,
// retries and WithResponse.
func readEither[T any, P resourceType[T]](ctx context.Context, inBody apiCall, worked *atomic.Int32) (*T, error) {
	known := worked.Load()
	first, second, route, other := inBody, inBody.withIDInPath(), routeInBody, routeInPath
	if known == routeInPath {
		first, second, route, other = second, first, other, route
	}
	item, missing := readOne[T, P](ctx, &first)
	switch {
	case missing == nil:
		worked.Store(route)
		return item, nil
	case !errors.Is(missing, ErrNotFound), IsOutcomeUnknown(missing), known != routeUnknown && isExplained(missing):
		return nil, missing
	}
	item, err := readOne[T, P](ctx, &second)
	switch {
	case err == nil:
		worked.Store(other)
	case isRouteRefused(err) && (isExplained(missing) || !isExplained(err)):
		return nil, missing
	}
	return item, err
}

// isRouteRefused reports whether err may be about the route rather than about the content.
func isRouteRefused(err error) bool {
	var refused *APIError
	statuses := []int{http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed}
	return errors.As(err, &refused) && slices.Contains(statuses, refused.Status)
}

// isExplained reports whether the service described the problem, unlike the web page of a route
// that does not exist.
func isExplained(err error) bool {
	var explained *APIError
	return errors.As(err, &explained) && len(explained.Errors) > 0
}

// incomplete rejects a resource without an id, or by the rule of its type.
func incomplete(item any) error {
	if partial, ok := item.(interface{ incomplete() error }); ok {
		return partial.incomplete()
	}
	if resourceOf(item).ID == "" {
		return errors.New("it holds a resource without an id")
	}
	return nil
}

// maxPlain bounds a plain response unless the caller set a bound: they are short, and encoding/json
// may allocate a hundred times their length.
const maxPlain = 1 << 20

// fetchPlain makes a call whose response is a plain JSON object.
func fetchPlain[V any](ctx context.Context, c *Client, e endpoint, opts []CallOption) (v V, err error) {
	err = readPlain(ctx, c, e, opts, &v)
	return v, err
}

// readPlain is fetchPlain into v. If *V has a method incomplete, it can reject the response; a
// method doubts can add decode warnings.
func readPlain[V any](ctx context.Context, c *Client, e endpoint, opts []CallOption, v *V) (err error) {
	made := c.call(e, opts)
	made.policy.MaxBody = cmp.Or(made.policy.MaxBody, maxPlain)
	ctx, call := made.begin(ctx)
	defer func() { call.finish(err) }()
	result, err := made.do(ctx)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(result.Body, v); err != nil {
		return made.unreadable(result, unquoted(err))
	}
	if partial, ok := any(v).(interface{ incomplete() error }); ok && partial.incomplete() != nil {
		return made.unreadable(result, partial.incomplete())
	}
	if err = made.checkPlain(ctx, result, v); err != nil {
		*v = *new(V)
	}
	return err
}

// checkPlain reports what is doubtful about a plain response v and, in strict decoding, returns an
// error for it and for unknown members.
func (c *apiCall) checkPlain(ctx context.Context, r *transport.Result, v any) error {
	report := c.warnings(ctx)
	if c.strict {
		jsonapi.UnknownMembers(r.Body, reflect.TypeOf(v), report.add)
	}
	if doubtful, ok := v.(interface{ doubts(func(jsonapi.Warning)) }); ok && report != nil {
		doubtful.doubts(report.add)
	}
	if err := report.err(); err != nil {
		return c.unreadable(r, err, report.all()...)
	}
	return nil
}

// fetchNothing makes a call whose response body is ignored: the service answers deletions with 200
// or 204, with or without a body.
func fetchNothing(ctx context.Context, c *Client, e endpoint, opts []CallOption) (err error) {
	made := c.call(e, opts)
	ctx, call := made.begin(ctx)
	defer func() { call.finish(err) }()
	result, err := made.do(ctx)
	if err != nil {
		return err
	}
	return made.ignore(result)
}

// ignore returns an error for a body that is not from the service.
func (c *apiCall) ignore(r *transport.Result) error {
	if body := bytes.TrimSpace(r.Body); len(body) > 0 && body[0] == '<' {
		return c.unreadable(r, nil)
	}
	return nil
}

// unreadable returns the error of a successful response that cannot be decoded, because it is
// empty, is a web page, is encoded or, otherwise, because of err. It does not quote the body.
func (c *apiCall) unreadable(r *transport.Result, err error, warnings ...DecodeWarning) *DecodeError {
	switch body := bytes.TrimSpace(r.Body); {
	case len(body) == 0:
		err = errors.New("it is empty")
	case body[0] == '<':
		err = errors.New("it is a web page rather than JSON; check the base URL")
	case bytes.HasPrefix(body, []byte("\xef\xbb\xbf")):
		err = errors.New("it begins with a byte order mark, which JSON must not have")
	case r.Header.Get("Content-Encoding") != "":
		err = fmt.Errorf("it is encoded as %.20q, which was not asked for", r.Header.Get("Content-Encoding"))
	}
	failed := decodeError(c.transportCall(), r.Status, err, warnings...)
	failed.ID = c.named()
	return failed
}

// warnings passes decode warnings on to the hook. In strict decoding they become an error.
type warnings struct {
	op     string
	client *Client
	redact redactor
	strict bool
	ctx    context.Context

	kept  []DecodeWarning
	count int // of all warnings, in strict decoding

	about, redacted [2]string // type and id of the resource of the last warning
}

// warnings returns nil if warnings are neither errors nor reported to a hook or the log.
func (c *apiCall) warnings(ctx context.Context) *warnings {
	if !c.strict && c.client.hooks.OnDecodeWarning == nil && !isOn(ctx, c.client.log, slog.LevelWarn) {
		return nil
	}
	return &warnings{op: c.Name, client: c.client, redact: c.redact, strict: c.strict, ctx: ctx}
}

func (w *warnings) add(from jsonapi.Warning) {
	hook, logs := w.client.hooks.OnDecodeWarning, isOn(w.ctx, w.client.log, slog.LevelWarn)
	if about := [2]string{from.ResourceType, from.ResourceID}; about != w.about { // once for each resource
		w.about, w.redacted = about, [2]string{w.redact.beginning(about[0]), w.redact.beginning(about[1])}
	}
	warning := DecodeWarning{
		w.op, w.redacted[0], w.redacted[1], w.redact.beginning(from.Field), w.redact.beginning(from.Problem),
	}
	if hook != nil {
		hook(w.ctx, warning)
	}
	if logs {
		logWarning(w.ctx, w.client.log, warning)
	}
	if !w.strict {
		return
	}
	if w.count++; len(w.kept) < keptWarnings {
		w.kept = append(w.kept, warning)
	}
}

// receiver returns the function that takes warnings, or nil.
func (w *warnings) receiver() func(jsonapi.Warning) {
	if w == nil {
		return nil
	}
	return w.add
}

func (w *warnings) all() []DecodeWarning {
	if w == nil {
		return nil
	}
	return w.kept
}

func (w *warnings) err() error {
	switch {
	case w == nil || w.count == 0:
		return nil
	case w.count == len(w.kept):
		return errors.New("parts could not be decoded")
	default:
		return fmt.Errorf("%d parts could not be decoded", w.count)
	}
}
