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
	"strconv"
	"strings"
	"time"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/text"
	"github.com/go-freight/terminal49/internal/transport"
)

// Response describes how a call ended; see [WithResponse].
type Response struct {
	StatusCode int           // HTTP status; 0 if there was no response
	Header     http.Header   // without the client's credentials and signatures of presigned addresses
	Attempts   int           // requests sent
	RequestID  string        // the service's X-Request-Id, for its support
	Duration   time.Duration // of the whole call, waits included

	// ListChanged reports, in a loop over All or Pages, that the list changed while it was read; see
	// [Page]. Read it after the loop.
	ListChanged bool
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
	c.response.StatusCode, c.response.Header = r.Status, r.Header.Clone()
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
		Report: report.receiver(), AsOf: result.Sent, Context: ctx,
	})
	if err = cmp.Or(err, report.end()); err != nil {
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
	if err == nil && isOther(item) {
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
	if c.examples {
		return nil
	}
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

// maxPlain bounds a plain response unless the caller set a bound. Plain responses are short, and
// decoding one may allocate a hundred times its length.
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
		if err := jsonapi.UnknownMembers(ctx, r.Body, reflect.TypeOf(v), report.add); err != nil {
			return c.unreadable(r, err)
		}
	}
	if doubtful, ok := v.(interface{ doubts(func(jsonapi.Warning)) }); ok && report != nil {
		doubtful.doubts(report.add)
	}
	if err := report.end(); err != nil {
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

// ParseResources parses a JSON:API document with resources of type T, such as a response that was
// stored, as the client reads a response: relationships have the included resources, times have
// the zones that those report, and a member in an unknown form is ignored. T is a resource type,
// such as [Container]. If a resource has the member meta that json.Marshal writes, its AsOf is
// meta.as_of; otherwise AsOf is zero.
func ParseResources[T any, P resourceType[T]](document []byte) ([]*T, error) {
	items, _, err := jsonapi.Decode[T](document, jsonapi.Options{Types: registry, ItemsOnly: true, OwnAsOf: true})
	if err == nil {
		err = checkParsed[T, P](items)
	}
	if err != nil {
		return nil, fmt.Errorf("terminal49.ParseResources: %w", err)
	}
	return items, nil
}

// checkParsed returns an error for a resource without an id, and for one of another type.
func checkParsed[T any, P resourceType[T]](items []*T) error {
	for _, item := range items {
		if err := incomplete(P(item)); err != nil {
			return err
		}
		if isOther(P(item)) {
			return fmt.Errorf("it holds a %.40q", P(item).resource().Type)
		}
	}
	return nil
}

// namedWarnings limits the warnings in the text of an error. A response can have a million.
const namedWarnings = 20

// mostWarnings limits the warnings of a response that reach a hook, the log or an error, and those
// of a notification. One more has the number of the others.
const mostWarnings = 1000

// DecodeWarning describes one value of a response that could not be decoded and was left empty. The
// rest of the response is complete. A warning never contains the value. After 1,000 of one response
// the last one has only Op, and in Problem the number of the others.
type DecodeWarning struct {
	Op           string
	ResourceType string // wire type, such as "container"
	ResourceID   string
	Field        string // wire name, such as "pickup_lfd"
	Problem      string
}

// String returns the warning as a sentence.
func (w DecodeWarning) String() string {
	about := strings.TrimSpace(w.ResourceType+" "+w.ResourceID) + ": "
	return printable(strings.TrimPrefix(fmt.Sprintf("%s%s: %s", about, w.Field, w.Problem), ": "))
}

// warnings passes decode warnings on to the hook. In strict decoding they become an error.
type warnings struct {
	op     string
	client *Client
	redact redactor
	strict bool
	ctx    context.Context

	kept  []DecodeWarning // in strict decoding
	count int             // of all warnings

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
	if w.count++; w.count <= mostWarnings {
		w.report(from)
	}
}

func (w *warnings) report(from jsonapi.Warning) {
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
	if w.strict && len(w.kept) < mostWarnings {
		w.kept = append(w.kept, warning)
	}
}

// moreThan returns the problem of the warning that stands for all but the first of count warnings.
func moreThan(count int) string {
	return strconv.Itoa(count-mostWarnings) + " more values could not be read"
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

// end reports how many warnings were left out. In strict decoding it returns an error if there were
// any warnings.
func (w *warnings) end() error {
	if w != nil && w.count > mostWarnings {
		w.report(jsonapi.Warning{Problem: moreThan(w.count)})
	}
	switch {
	case w == nil || w.count == 0 || !w.strict:
		return nil
	case w.count == len(w.kept):
		return errors.New("parts could not be decoded")
	default:
		return fmt.Errorf("%d parts could not be decoded", w.count)
	}
}

// fetchPage fetches one page.
func fetchPage[T any, P resourceType[T]](ctx context.Context, c *Client, e endpoint, opts []CallOption) (*Page[T], error) {
	made := c.call(e, opts)
	return readPage[T, P](ctx, &made)
}

func readPage[T any, P resourceType[T]](ctx context.Context, c *apiCall) (*Page[T], error) {
	items, doc, err := fetchDocument[T, P](ctx, c)
	if err == nil {
		err = c.verify(items)
	}
	if err != nil {
		return nil, err
	}
	return &Page[T]{Items: append([]*T{}, items...), Links: c.client.masked(Links(doc.Links)), Size: count(doc.Meta.Size),
		Total: count(doc.Meta.Total), badNext: doc.BadNext, noNext: doc.NoNext}, nil
}

// longestLink is far more than any server accepts. Redacting a link of megabytes takes seconds.
const longestLink = 64 << 10

// masked takes the credentials out of links: callers may print them, and middleware sees the query
// of the next one.
func (c *Client) masked(l Links) Links {
	for _, link := range []*string{&l.Self, &l.Current, &l.First, &l.Prev, &l.Next, &l.Last} {
		if len(*link) > longestLink {
			*link = text.Mask
		}
		*link = c.mask(*link)
	}
	return l
}

// count is not inlined: Go would compile it again for each type.
//
//go:noinline
func count(n int) Opt[int] {
	if n < 0 {
		return Opt[int]{}
	}
	return Some(n)
}
