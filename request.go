package terminal49

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"regexp"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/route"
	"github.com/go-freight/terminal49/internal/transport"
)

// endpoint says what a call is, without doing it: a service method builds one and hands it to one, page, all or plain.
// The first thing wrong with it is kept and returned before anything is sent.
type endpoint struct {
	transport.Call
	method   string
	args     []string
	query    url.Values
	body     []byte
	envelope jsonapi.Request
	single   bool // a list that comes whole, whatever its links say
	paged    bool // takes page[number] and page[size]
	err      error
}

func get(op, path string, args ...argument) endpoint {
	return newEndpoint(http.MethodGet, transport.Read, op, path, args)
}

func patch(op, path string, args ...argument) endpoint {
	return newEndpoint(http.MethodPatch, transport.Idempotent, op, path, args)
}

func post(op, path string, args ...argument) endpoint {
	return newEndpoint(http.MethodPost, transport.Write, op, path, args)
}

func del(op, path string, args ...argument) endpoint {
	return newEndpoint(http.MethodDelete, transport.Idempotent, op, path, args)
}

func newEndpoint(method string, class transport.Class, op, path string, args []argument) endpoint {
	e := endpoint{method: method, Call: transport.Call{Op: op, Route: path, Class: class, Bucket: string(BucketDefault)}}
	for _, arg := range args {
		e = e.check(arg)
		e.args = append(e.args, arg.value)
	}
	return e
}

// in moves the call to another rate bucket.
func (e endpoint) in(bucket Bucket) endpoint {
	e.Bucket = string(bucket)
	return e
}

// read marks a POST that changes nothing, so that it may be repeated.
func (e endpoint) read() endpoint {
	e.Class = transport.Read
	return e
}

// unpaged marks a list that comes whole. Some of these advertise a second page that would repeat the first.
func (e endpoint) unpaged() endpoint {
	e.single = true
	return e
}

// reject stops the call before it is sent, if err is not nil.
func (e endpoint) reject(err error) endpoint {
	if e.err == nil && err != nil {
		e.err = named(err, e.Op)
	}
	return e
}

// check rejects an argument that the service would not understand.
func (e endpoint) check(arg argument) endpoint {
	if arg.problem == "" {
		return e
	}
	return e.reject(&ArgumentError{Field: arg.name, Problem: arg.problem})
}

// with adds the query of params, a pointer that may be nil.
func (e endpoint) with(params interface{ query(*query) }) endpoint {
	if reflect.ValueOf(params).IsNil() {
		// Even then the list is paged: let the zero params say so.
		params = reflect.New(reflect.TypeOf(params).Elem()).Interface().(interface{ query(*query) })
	}
	q := query{values: url.Values{}}
	params.query(&q)
	e.query, e.paged = q.values, q.paged
	return e.reject(q.err)
}

// resource makes the body a JSON:API envelope around attributes, which must mention something. Attributes that can be
// wrong in themselves have a validate method.
func (e endpoint) resource(typ, id string, attributes any) endpoint {
	if v, ok := attributes.(interface{ validate() error }); ok {
		e = e.reject(v.validate())
	}
	raw, err := json.Marshal(attributes)
	if err != nil {
		return e.reject(&ArgumentError{Field: typ, Problem: "cannot be written as JSON: " + err.Error()})
	}
	if string(raw) == "{}" {
		return e.reject(&ArgumentError{Field: typ, Problem: "changes nothing; set at least one field"})
	}
	e.envelope = jsonapi.Request{Type: typ, ID: id, Attributes: raw}
	return e.encode()
}

// related adds relationships to the envelope that resource made.
func (e endpoint) related(to map[string]jsonapi.Related) endpoint {
	e.envelope.Relationships = to
	return e.encode()
}

func (e endpoint) encode() endpoint {
	body, err := e.envelope.Encode()
	return e.reject(err).carry(e.envelope.Type, body)
}

// plainBody makes the body a plain JSON object: some operations take no envelope.
func (e endpoint) plainBody(v any) endpoint {
	body, err := json.Marshal(v)
	if err != nil {
		return e.reject(&ArgumentError{Field: "Body", Problem: "cannot be written as JSON: " + err.Error()})
	}
	return e.carry("Body", body)
}

// noUTF8 finds how encoding/json writes a byte that is no UTF-8, rather than fail. The character itself it leaves as it is.
var noUTF8 = regexp.MustCompile(`(?:^|[^\\])(?:\\\\)*\\ufffd`)

func (e endpoint) carry(field string, body []byte) endpoint {
	e.body = body
	if noUTF8.Match(body) {
		return e.reject(&ArgumentError{Field: field, Problem: "holds text that is not UTF-8; convert it first"})
	}
	return e
}

// send does the call and returns a success; everything else is an error of this package.
func (e endpoint) send(ctx context.Context, c *Client, call callConfig) (*transport.Result, error) {
	if e.err != nil {
		return nil, e.err
	}
	path, err := route.Build(e.Route, e.args...)
	if err != nil {
		var bad *route.Error
		errors.As(err, &bad)
		return nil, &ArgumentError{Op: e.Op, Field: bad.Param, Problem: bad.Reason}
	}
	return e.sendTo(ctx, c, path, call)
}

func (e endpoint) sendTo(ctx context.Context, c *Client, path string, call callConfig) (*transport.Result, error) {
	if ctx == nil {
		return nil, &ArgumentError{Op: e.Op, Field: "ctx", Problem: "must not be nil; pass context.Background() for none"}
	}
	to := c.base + path
	if len(e.query) > 0 {
		to += "?" + e.query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, e.method, to, nil)
	if err != nil {
		return nil, &ArgumentError{Op: e.Op, Field: "request", Problem: "cannot be built: " + err.Error()}
	}
	req.Header.Set("Accept", "application/vnd.api+json, application/json")
	req.Header.Set("User-Agent", c.userAgent)
	if e.body != nil {
		req.Header.Set("Content-Type", "application/json")
		req.ContentLength = int64(len(e.body))
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(e.body)), nil }
		req.Body, _ = req.GetBody()
	}
	e.Policy = call.policy
	answer, err := c.chain.Do(req, e.Call)
	if err != nil {
		lost := transportError(e.Call, err, c.redact)
		call.capture(nil, lost.Attempts, c.redact)
		return nil, lost
	}
	call.capture(answer, answer.Attempts, c.redact)
	if answer.Status < 200 || answer.Status > 299 {
		return nil, apiError(e.Call, answer, c.redact)
	}
	return answer, nil
}

// one does a call whose answer is a single resource.
func one[T any, P resourceType[T]](ctx context.Context, c *Client, e endpoint, opts []CallOption) (*T, error) {
	doc, err := decode[T, P](ctx, c, e, opts)
	if err != nil {
		return nil, err
	}
	if n := len(doc.items); n != 1 {
		return nil, e.unreadable(doc.status, fmt.Errorf("it holds %d resources; one was due", n))
	}
	if P(doc.items[0]).resource().ID == "" {
		return nil, e.unreadable(doc.status, errors.New("it holds a resource without an id"))
	}
	return doc.items[0], nil
}

// document is an answer with resources of type T.
type document[T any] struct {
	*jsonapi.Document
	items  []*T
	status int
}

// decode does a call whose answer is a document.
func decode[T any, P resourceType[T]](ctx context.Context, c *Client, e endpoint, opts []CallOption) (document[T], error) {
	call, err := c.call(e.Op, opts)
	if err != nil {
		return document[T]{}, err
	}
	result, err := e.send(ctx, c, call)
	if err != nil {
		return document[T]{}, err
	}
	report := c.warnings(ctx, e.Op, call)
	items, doc, err := jsonapi.Decode(result.Body, P(nil).table(), jsonapi.Options{
		Types: c.types, KeepRaw: call.rawJSON, Strict: call.strict, Report: report.add,
	})
	if err == nil {
		err = report.err()
	}
	if err != nil {
		return document[T]{}, e.unreadable(result.Status, what(err, result), report.kept...)
	}
	return document[T]{doc, items, result.Status}, nil
}

// maxPlain bounds a plain answer unless the caller set a bound: they are short, and encoding/json may make a hundred times
// their length of them.
const maxPlain = 1 << 20

// plain does a call whose answer is a plain JSON object.
func plain[V any](ctx context.Context, c *Client, e endpoint, opts []CallOption) (v V, err error) {
	call, err := c.call(e.Op, opts)
	if err != nil {
		return v, err
	}
	call.policy.MaxBody = cmp.Or(call.policy.MaxBody, maxPlain)
	result, err := e.send(ctx, c, call)
	if err != nil {
		return v, err
	}
	if err := json.Unmarshal(result.Body, &v); err != nil {
		return v, e.unreadable(result.Status, what(unquoted(err), result))
	}
	return v, nil
}

// none does a call whose answer holds nothing: the service answers deletions with 200 or 204, with or without a body.
func none(ctx context.Context, c *Client, e endpoint, opts []CallOption) error {
	call, err := c.call(e.Op, opts)
	if err != nil {
		return err
	}
	result, err := e.send(ctx, c, call)
	if err != nil {
		return err
	}
	if body := bytes.TrimSpace(result.Body); len(body) > 0 && body[0] == '<' { // from something else than the service
		return e.unreadable(result.Status, what(nil, result))
	}
	return nil
}

// unreadable is the error of a success that cannot be read. For a write that leaves open what was done.
func (e endpoint) unreadable(status int, err error, warnings ...DecodeWarning) *DecodeError {
	return &DecodeError{Op: e.Op, Status: status, Err: err, Warnings: warnings, outcomeUnknown: e.Class != transport.Read}
}

// what says plainly what a success that cannot be read turned out to be, without quoting it.
func what(err error, r *transport.Result) error {
	switch body := bytes.TrimSpace(r.Body); {
	case len(body) == 0:
		return errors.New("it is empty")
	case body[0] == '<':
		return errors.New("it is a web page rather than JSON; check the base URL")
	default:
		return err
	}
}

// warnings passes on what could not be understood; in strict reading it makes an error of it.
type warnings struct {
	op     string
	ctx    context.Context
	hook   func(context.Context, DecodeWarning)
	redact redactor
	strict bool
	kept   []DecodeWarning
	count  int // of all, in strict reading
}

func (c *Client) warnings(ctx context.Context, op string, call callConfig) *warnings {
	return &warnings{op: op, ctx: ctx, hook: c.hooks.OnDecodeWarning, redact: c.redact, strict: call.strict}
}

func (w *warnings) add(from jsonapi.Warning) {
	if w.hook == nil && !w.strict { // nobody listens
		return
	}
	warning := DecodeWarning{w.op, w.redact(from.ResourceType), w.redact(from.ResourceID), w.redact(from.Field), w.redact(from.Problem)}
	if w.hook != nil {
		w.hook(w.ctx, warning)
	}
	if !w.strict {
		return
	}
	if w.count++; len(w.kept) < keptWarnings {
		w.kept = append(w.kept, warning)
	}
}

func (w *warnings) err() error {
	switch w.count {
	case 0:
		return nil
	case len(w.kept):
		return errors.New("parts were not understood")
	default:
		return fmt.Errorf("%d parts were not understood", w.count)
	}
}
