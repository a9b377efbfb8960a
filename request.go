package terminal49

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
	"github.com/go-freight/terminal49/internal/transport"
	"github.com/google/uuid"
)

// endpoint describes a request; building one sends nothing. A service method builds it and passes
// it to fetchOne, fetchPage, allOf or a similar function. The first error in it is kept and
// returned before anything is sent.
type endpoint struct {
	operation.Operation
	base     string // replaces the client's base URL; "" keeps it
	path     string // already built and escaped; "" to build it from Path and args
	args     []string
	query    url.Values
	body     []byte
	envelope jsonapi.Request
	number   string   // that a creation tracks
	secrets  []Secret // of this call alone: an error must not repeat them
	whole    bool     // the service sends the whole list at once, whatever its links are
	repeats  bool     // a list whose next page may repeat the items of any page before
	paged    bool     // takes page[number] and page[size]
	ignored  func(items any) (key, id string)
	err      error
}

func newEndpoint(o operation.Operation, args ...argument) endpoint {
	e := endpoint{Operation: o}
	for _, arg := range args {
		e = e.check(arg)
		e.args = append(e.args, arg.value)
	}
	return e
}

// unpaged marks a list that the service sends at once. Some of these lists link a second page that
// repeats the first.
func (e endpoint) unpaged() endpoint {
	e.whole = true
	return e
}

// unrepeated marks a list that may link a next page with the same items: each item counts once, and
// the first page without a new item is the last.
func (e endpoint) unrepeated() endpoint {
	e.repeats = true
	return e
}

// concealing keeps a secret out of the errors of this call, in case a response repeats it.
func (e endpoint) concealing(secret Secret) endpoint {
	e.secrets = append(e.secrets[:len(e.secrets):len(e.secrets)], secret)
	return e
}

// reject stops the call before it is sent, if err is not nil.
func (e endpoint) reject(err error) endpoint {
	if e.err == nil && err != nil {
		e.err = withOp(err, e.Name)
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
	q := queryOf(params)
	e.query, e.paged, e.ignored = q.values, q.paged, q.ignored
	return e.reject(q.err)
}

// zeroQueries maps a type of params to the query of its zero value, which nil params have. That
// query decides whether the list is paged.
var zeroQueries sync.Map

func queryOf(params interface{ query(*query) }) *query {
	t, isNil := reflect.TypeOf(params), reflect.ValueOf(params).IsNil()
	if isNil {
		if q, ok := zeroQueries.Load(t); ok {
			return q.(*query)
		}
		params = reflect.New(t.Elem()).Interface().(interface{ query(*query) })
	}
	q := new(query)
	params.query(q)
	if isNil && len(q.values) == 0 {
		zeroQueries.Store(t, q)
	}
	return q
}

// resource sets the body to a JSON:API envelope around attributes, which must set at least one
// field. Attributes that can be invalid have a validate method.
func (e endpoint) resource(typ, id string, attributes any) endpoint {
	if v, ok := attributes.(interface{ validate() error }); ok {
		e = e.reject(v.validate())
	}
	raw, err := json.Marshal(attributes)
	if err != nil {
		return e.reject(&ArgumentError{Field: typ, Problem: "cannot be written as JSON: " + err.Error()})
	}
	e = e.isUTF8(typ, attributes, raw)
	if string(raw) == "{}" {
		return e.reject(&ArgumentError{Field: typ, Problem: "must set at least one field"})
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
	e.body = body
	return e.reject(err).isUTF8(e.envelope.Type, e.envelope, body)
}

// plainBody sets the body to a plain JSON object, for operations without an envelope.
func (e endpoint) plainBody(v any) endpoint {
	body, err := json.Marshal(v)
	if err != nil {
		return e.reject(&ArgumentError{Field: "Body", Problem: "cannot be written as JSON: " + err.Error()})
	}
	e.body = body
	return e.isUTF8("Body", v, body)
}

// isUTF8 rejects a value with a text that is not valid UTF-8, whose bytes encoding/json replaced in
// its form. Since Go 1.27 the form does not show whether the text had the replacement character.
func (e endpoint) isUTF8(field string, v any, form []byte) endpoint {
	if !bytes.Contains(form, []byte(`\ufffd`)) && !bytes.ContainsRune(form, utf8.RuneError) {
		return e
	}
	if hasInvalidUTF8(reflect.ValueOf(v), map[visit]bool{}) {
		return e.reject(&ArgumentError{Field: field, Problem: "must contain only valid UTF-8; convert the text first"})
	}
	return e
}

// visit is a value that others refer to. What refers to itself, such as a list, is visited once.
type visit struct {
	typ reflect.Type
	at  uintptr
	n   int // of a slice
}

func hasInvalidUTF8(v reflect.Value, seen map[visit]bool) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice:
		to := visit{v.Type(), v.Pointer(), 0}
		if v.Kind() == reflect.Slice {
			to.n = v.Len()
		}
		if seen[to] {
			return false
		}
		seen[to] = true
	}
	switch v.Kind() {
	case reflect.String:
		return !utf8.ValidString(v.String())
	case reflect.Pointer, reflect.Interface:
		return hasInvalidUTF8(v.Elem(), seen)
	case reflect.Struct:
		fields := v.NumField()
		if v.Type() == reflect.TypeFor[time.Time]() { // zones, which other goroutines may be loading
			fields = 0
		}
		for i := range fields {
			if hasInvalidUTF8(v.Field(i), seen) {
				return true
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if hasInvalidUTF8(v.Index(i), seen) {
				return true
			}
		}
	case reflect.Map:
		for each := v.MapRange(); each.Next(); {
			if hasInvalidUTF8(each.Key(), seen) || hasInvalidUTF8(each.Value(), seen) {
				return true
			}
		}
	}
	return false
}

// request builds the request, without the credentials and the context, and the URL that it is sent
// to. Calls without a body share the request.
func (c *apiCall) request(ctx context.Context) (*http.Request, *url.URL, error) {
	if c.err != nil {
		return nil, nil, c.err
	}
	path, err := c.route()
	if err != nil {
		return nil, nil, err
	}
	if ctx == nil {
		return nil, nil, nilContext(c.Name)
	}
	if to, ok := c.known(path); ok && c.Method == http.MethodGet && c.body == nil {
		return c.client.request, to, nil
	}
	if len(c.query) > 0 {
		path += "?" + c.query.Encode()
	}
	req, err := http.NewRequest(c.Method, cmp.Or(c.base, c.client.base)+path, nil)
	if err != nil {
		return nil, nil, &ArgumentError{Op: c.Name, Field: "request", Problem: "cannot be built: " + err.Error()}
	}
	req.Header = c.client.request.Header.Clone()
	if c.body != nil {
		setBody(req, c.body)
	}
	return req, req.URL, nil
}

// known returns the URL of a path that needs no parsing: one of a known route, without an escape,
// below the client's base URL. Nearly all paths are such.
func (c *apiCall) known(path string) (*url.URL, bool) {
	to := *c.client.request.URL
	if c.base != "" || c.path != "" || to.RawPath != "" || strings.Contains(path, "%") {
		return nil, false
	}
	to.Path, to.RawQuery = to.Path+path, c.query.Encode()
	return &to, true
}

func setBody(req *http.Request, body []byte) {
	req.Header.Set("Content-Type", "application/json")
	req.ContentLength = int64(len(body))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	req.Body, _ = req.GetBody()
}

func nilContext(op string) error {
	return &ArgumentError{Op: op, Field: "ctx", Problem: "must not be nil; pass context.Background() for none"}
}

// route returns the escaped path of the request, below the base URL.
func (c *apiCall) route() (string, error) {
	if c.path != "" {
		return c.path, nil
	}
	path, param, problem := escapedPath(c.Path, c.args...)
	if problem != "" {
		return "", &ArgumentError{Op: c.Name, Field: param, Problem: problem}
	}
	return path, nil
}

// escapedPath replaces the {parameters} of template with args, in order: "/shipments/{id}" and
// "a/b" become "/shipments/a%2Fb". Everything outside the braces is copied unchanged. It is the one
// place where the caller's text becomes part of a path, so an id can never add a segment, leave its
// resource or start a query.
//
// It returns a problem for a wrong number of arguments, and for an invalid one, with the name of
// the parameter if the problem is about one.
func escapedPath(template string, args ...string) (escaped, param, problem string) {
	var path strings.Builder
	path.Grow(len(template) + 40*len(args)) // an id has 36 characters
	rest, used := template, 0
	for {
		before, after, found := strings.Cut(rest, "{")
		path.WriteString(before)
		if !found {
			break
		}
		param, tail, closed := strings.Cut(after, "}")
		if !closed {
			return "", "", "the template has an opening brace without a closing one"
		}
		if used == len(args) {
			return "", param, "has no argument; pass one for each parameter of the route"
		}
		if problem := segmentProblem(args[used]); problem != "" {
			return "", param, problem
		}
		path.WriteString(escapeSegment(args[used]))
		rest = tail
		used++
	}
	if used != len(args) {
		return "", "", fmt.Sprintf("%d arguments for %d parameters; pass one for each", len(args), used)
	}
	return path.String(), "", ""
}

// segmentProblem returns what is wrong with an argument, "" for a valid one. It never quotes the
// argument.
func segmentProblem(arg string) string {
	switch {
	case arg == "":
		return "is empty; pass the identifier of the resource"
	case arg == "." || arg == "..":
		return "is a relative path element; pass the identifier of the resource"
	case !utf8.ValidString(arg):
		return "is not valid UTF-8; pass the identifier as the service sent it"
	case strings.ContainsFunc(arg, unicode.IsControl):
		return "has a control character; pass the identifier as the service sent it"
	}
	return ""
}

// escapeSegment encodes everything except letters, digits and "-_.~". url.PathEscape leaves "@",
// ":" and others that proxies interpret.
func escapeSegment(arg string) string {
	return strings.ReplaceAll(url.QueryEscape(arg), "+", "%20")
}

// argument is a path argument. problem describes what is wrong with it; "" if it is valid.
type argument struct{ name, value, problem string }

// uuidArg returns the argument of an id that the service documents as a UUID.
func uuidArg(id string) argument {
	a := argument{name: "id", value: id}
	if !isUUID(id) {
		a.problem = "must be a UUID such as 5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d"
	}
	return a
}

func isUUID(id string) bool {
	_, err := uuid.Parse(id)
	return err == nil && len(id) == 36 // Parse accepts other lengths too
}

// named sets the name that the parameter has in Go. Routes with several parameters need it.
func (a argument) named(name string) argument {
	a.name = name
	return a
}

// slugArg returns the argument of an identifier that is not a UUID, such as a UN/LOCODE or an IMO
// number.
func slugArg(name, value string) argument {
	a := argument{name: name, value: value}
	if strings.TrimSpace(value) == "" {
		a.problem = "must not be empty"
	}
	return a
}

// apiSlugArg returns the argument of an api_slug. A slash in it would be part of the path for a
// proxy that decodes paths.
func apiSlugArg(name, value string) argument {
	a := slugArg(name, value)
	if strings.Contains(value, "/") {
		a.problem = "must not contain a slash"
	}
	return a
}

// hint adds the remedy to the problem, if there is one.
func (a argument) hint(todo string) argument {
	if a.problem != "" {
		a.problem += "; " + todo
	}
	return a
}

// query collects query parameters. Empty ones are omitted.
type query struct {
	values  url.Values // nil if nothing is set
	paged   bool
	ignored func(items any) (key, id string) // finds a filter that an item contradicts; may be nil
	err     error
}

//go:noinline
func (q *query) setText(name, value string) {
	if value = strings.TrimSpace(value); value != "" {
		q.set(name, value)
	}
}

func (q *query) set(name string, values ...string) {
	if q.values == nil {
		q.values = url.Values{}
	}
	q.values[name] = values
}

func (q *query) setList(name string, values []string) {
	for _, v := range values {
		if v == "" || strings.Contains(v, ",") {
			q.reject(name, "must not have an empty value or one with a comma; pass each value separately")
		}
	}
	q.setText(name, strings.Join(values, ","))
}

func (q *query) setBool(name string, value Opt[bool]) {
	if v, ok := value.Get(); ok {
		q.setText(name, strconv.FormatBool(v))
	}
}

func (q *query) setTime(name string, t time.Time) {
	if !t.IsZero() {
		q.setText(name, t.UTC().Format(time.RFC3339))
	}
}

//go:noinline
func (q *query) reject(field, problem string) {
	if q.err == nil {
		q.err = &ArgumentError{Field: field, Problem: problem}
	}
}

// toStrings returns the plain strings of a typed list.
func toStrings[S ~string](list []S) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return out
}

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
		failed.ID, failed.bearer = c.named(), c.client.bearer
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
