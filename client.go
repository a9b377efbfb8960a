package terminal49

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/go-freight/terminal49/internal/operation"
	"github.com/go-freight/terminal49/internal/text"
	"github.com/go-freight/terminal49/internal/transport"
)

// DefaultBaseURL is the address of the service's API.
const DefaultBaseURL = "https://api.terminal49.com/v2"

// Client calls the service. Create one with [New] and share it: it is safe for concurrent use, and
// each client keeps the rate limits on its own.
type Client struct {
	Shipments              *ShipmentsService
	Containers             *ContainersService
	TrackingRequests       *TrackingRequestsService
	ShippingLines          *ShippingLinesService
	Documents              *DocumentsService
	DocumentSchemas        *DocumentSchemasService
	EmailSubmissions       *EmailSubmissionsService
	CustomFields           *CustomFieldsService
	CustomFieldDefinitions *CustomFieldDefinitionsService
	CustomFieldOptions     *CustomFieldOptionsService
	Parties                *PartiesService
	Ports                  *PortsService
	MetroAreas             *MetroAreasService
	Terminals              *TerminalsService
	Vessels                *VesselsService
	Search                 *SearchService
	Webhooks               *WebhooksService
	WebhookNotifications   *WebhookNotificationsService

	chain   *transport.Chain
	base    string        // no trailing slash
	request *http.Request // to the base URL; reads are copies of it that share its header
	hooks   Hooks
	log     *slog.Logger // may be nil
	perCall callConfig   // what the options of the client set for every call
	storage *storage

	updateRoute *atomic.Int32 // on which containers.update worked last
	numberLists *atomic.Bool  // the service finds containers by a list of numbers
	bearer      bool          // the token is a user's access token
	redact      redactor
	mask        redactor // takes only the credentials out of text that is still used
	hideToken   redactor
}

// service is the underlying type of every service: a view of the one client.
type service struct{ client *Client }

// New returns a client that authenticates with token, an API key from the service's developer
// portal. A prefix "Token ", as pasted from a header, is removed. A token that starts with "Bearer
// " is sent as a user-scoped access token, so the service refuses an API key with that prefix.
//
// New does no I/O. It returns an [*ArgumentError] if the token is empty or an option is invalid.
func New(token string, opts ...Option) (*Client, error) {
	scheme, token := "Token", strings.TrimSpace(token)
	for _, known := range []string{"Token", "Bearer"} {
		if prefix, rest, _ := strings.Cut(token, " "); strings.EqualFold(prefix, known) {
			scheme, token = known, strings.TrimSpace(rest)
			break
		}
	}
	if problem := tokenProblem(token); problem != "" {
		return nil, &ArgumentError{Op: "New", Field: "token", Problem: problem}
	}
	cfg := defaults()
	for _, opt := range opts {
		if opt == nil {
			continue
		}
		if err := opt.applyClient(&cfg); err != nil {
			return nil, withOp(err, "New")
		}
	}
	if err := cfg.validate(); err != nil {
		return nil, withOp(err, "New")
	}
	return cfg.client(scheme, token), nil
}

// keyPage is where the service's own tools send those who need an API key.
const keyPage = "https://app.terminal49.com/developers/api-keys"

// tokenProblem returns what is required of a token; "" if nothing is missing.
func tokenProblem(token string) string {
	switch {
	case strings.Trim(token, "\"'`") != token:
		return "must not be in quotes; docker run --env-file, for example, does not remove them"
	case token == "" || strings.Contains(token, " ") || !isHeaderText(token):
		return "must be an API key; make one at " + keyPage
	}
	return ""
}

// NewFromEnv calls [New] with the token from the environment variable T49_API_TOKEN, the base URL
// from T49_API_BASE_URL and the account from T49_ACCOUNT_ID; the last two are optional. opts
// override them.
func NewFromEnv(opts ...Option) (*Client, error) {
	token := os.Getenv("T49_API_TOKEN")
	if token == "" {
		return nil, &ArgumentError{Op: "NewFromEnv", Field: "T49_API_TOKEN", Problem: "is not set; set it to an API key from " + keyPage}
	}
	var fromEnv []Option
	if base := os.Getenv("T49_API_BASE_URL"); base != "" {
		fromEnv = append(fromEnv, WithBaseURL(base))
	}
	if account := os.Getenv("T49_ACCOUNT_ID"); account != "" {
		fromEnv = append(fromEnv, WithAccountID(account))
	}
	client, err := New(token, append(fromEnv, opts...)...)
	var argument *ArgumentError
	if errors.As(err, &argument) && os.Getenv(variables[argument.Field]) != "" {
		argument.Op, argument.Field = "NewFromEnv", variables[argument.Field]
	}
	return client, err
}

// variables are the environment variables that an invalid argument of New may come from.
var variables = map[string]string{"token": "T49_API_TOKEN", "WithBaseURL": "T49_API_BASE_URL", "WithAccountID": "T49_ACCOUNT_ID"}

// client builds the client from its configuration.
func (cfg config) client(scheme, token string) *Client {
	authorization := scheme + " " + token
	header := func(h http.Header) {
		h.Set("Authorization", authorization)
		if cfg.accountID != "" {
			h.Set("X-Account-Id", cfg.accountID)
		}
	}
	usual := http.Header{"Accept": {"application/vnd.api+json, application/json"}, "User-Agent": {cfg.userAgent}}
	c := &Client{
		base: strings.TrimRight(cfg.base.String(), "/"), hooks: cfg.hooks, log: cfg.logger,
		chain: transport.New(transport.Config{
			Base: cfg.http.Transport, Jar: cfg.http.Jar, Origin: cfg.base, Header: header, Usual: usual,
			Middleware: cfg.middleware, Limiter: cfg.transportLimiter(), Observer: observer(cfg.logger, cfg.hooks),
			Policy: cfg.policy(),
		}),
		perCall: cfg.perCall, bearer: scheme == "Bearer",
		redact: newRedactor(token, cfg.accountID), mask: text.HideLong(token, cfg.accountID), hideToken: text.HideLong(token), updateRoute: new(atomic.Int32), numberLists: new(atomic.Bool),
	}
	to := *cfg.base
	to.Host, to.Path = strings.TrimSuffix(to.Host, ":"), strings.TrimRight(to.Path, "/")
	c.request = &http.Request{
		Method: http.MethodGet, URL: &to, Host: to.Host, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: usual,
	}
	c.storage = cfg.newStorage()
	s := &service{client: c}
	c.Shipments = (*ShipmentsService)(s)
	c.Containers = (*ContainersService)(s)
	c.TrackingRequests = (*TrackingRequestsService)(s)
	c.ShippingLines = (*ShippingLinesService)(s)
	c.Documents = (*DocumentsService)(s)
	c.DocumentSchemas = (*DocumentSchemasService)(s)
	c.EmailSubmissions = (*EmailSubmissionsService)(s)
	c.CustomFields = (*CustomFieldsService)(s)
	c.CustomFieldDefinitions = (*CustomFieldDefinitionsService)(s)
	c.CustomFieldOptions = (*CustomFieldOptionsService)(s)
	c.Parties = (*PartiesService)(s)
	c.Ports = (*PortsService)(s)
	c.MetroAreas = (*MetroAreasService)(s)
	c.Terminals = (*TerminalsService)(s)
	c.Vessels = (*VesselsService)(s)
	c.Search = (*SearchService)(s)
	c.Webhooks = (*WebhooksService)(s)
	c.WebhookNotifications = (*WebhookNotificationsService)(s)
	return c
}

// Request describes a call of [Client.Do].
type Request struct {
	Method string     // such as http.MethodGet
	Path   string     // below the base URL, already escaped, such as "/parties"
	Query  url.Values // may be nil
	Body   any        // encoded as JSON; nil for none
}

// Do makes any call, with the client's authentication, retries and limits. It decodes the JSON of
// the response into out unless out is nil or there is no body. An operation of [Operations] is
// retried and counted as by its method. For others, GET and HEAD are retried like reads, PUT, PATCH
// and DELETE like updates; any other method is retried only if the service did not act on it. A web
// page is an error. So is a response of more than 1 MiB, unless [WithMaxResponseBytes] allows it.
//
// API: any path below the base URL. Errors: *TransportError, *DecodeError.
func (c *Client) Do(ctx context.Context, r Request, out any, opts ...CallOption) (err error) {
	if !r.isComplete() {
		return &ArgumentError{Op: "do", Field: "Request", Problem: `must have a Method and a Path such as "/parties", without "..", query or host`}
	}
	e := r.endpoint()
	if r.Body != nil {
		e = e.plainBody(r.Body)
	}
	made := c.call(e, opts)
	made.policy.MaxBody = cmp.Or(made.policy.MaxBody, maxPlain)
	ctx, call := made.begin(ctx)
	defer func() { call.finish(err) }()
	result, err := made.do(ctx)
	switch {
	case err != nil:
		return err
	case out == nil || len(result.Body) == 0:
		return made.ignore(result)
	}
	if err := json.Unmarshal(result.Body, out); err != nil {
		return made.unreadable(result, unquoted(err))
	}
	if r := resourceOf(out); r != nil && r.AsOf.IsZero() {
		r.AsOf = result.Sent
	}
	return nil
}

// endpoint returns the endpoint of the operation that the request is for, or of an unknown one.
func (r Request) endpoint() endpoint {
	o, args, known := operation.Find(r.Method, r.Path)
	if !known {
		o = operation.Operation{
			Name: "do", Method: r.Method, Path: "(any)", Bucket: operation.BucketDefault, Retry: classOf(r.Method),
		}
	}
	return endpoint{Operation: o, args: args, path: r.Path, query: r.Query}
}

// isComplete reports whether the request has a method and nothing but a path.
func (r Request) isComplete() bool {
	return r.Method != "" && strings.HasPrefix(r.Path, "/") && !strings.ContainsAny(r.Path, "?#") && !hasDots(r.Path)
}

func classOf(method string) transport.Class {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return transport.Read
	case http.MethodPut, http.MethodPatch, http.MethodDelete:
		return transport.Idempotent
	default:
		return transport.Write
	}
}

func hasDots(path string) bool {
	decoded, err := url.PathUnescape(path)
	if err != nil {
		return true
	}
	for _, element := range strings.Split(decoded, "/") {
		if element == "." || element == ".." {
			return true
		}
	}
	return false
}

// Operation is an operation of the service, as [Operations] lists it.
type Operation struct {
	Name       string   // the Op of errors, such as "shipments.update"
	Method     string   // such as http.MethodPatch
	Path       string   // below the base URL, such as "/shipments/{id}"
	Query      []string // the names of its query parameters
	Body       []string // what its body may set: attributes of a resource, or members of a plain object
	BodyType   string   // the JSON:API type of the resource in its body, such as "shipment"; "" for a plain object
	Attributes []string // those of the resources in its response that this package knows, by wire name; nil if it sends none
	Bucket     Bucket   // the rate limit that counts it
	Repeatable bool     // it has the same outcome once or twice, so it is also retried if its outcome is unknown
	// Recent reports whether only documents later than the service's published OpenAPI file have it.
	// The service may not have it yet, and then responds with 404, or may change it.
	Recent bool
}

// Operations returns all operations of the service, in a new slice. Each has a method of this
// package; [Client.Do] calls them by method and path.
func Operations() []Operation {
	all := operation.All()
	list := make([]Operation, len(all))
	for i, o := range all {
		list[i] = operationOf(o)
	}
	return list
}

// FindOperation returns the operation that serves requests with a method and an escaped path below
// the base URL, such as "/ports/USLAX".
func FindOperation(method, path string) (Operation, bool) {
	o, _, known := operation.Find(method, path)
	return operationOf(o), known
}

func operationOf(o operation.Operation) Operation {
	made := Operation{
		Name: o.Name, Method: o.Method, Path: o.Path, Query: slices.Clone(o.Query), Body: slices.Clone(o.Body),
		Attributes: registry.Attributes(o.Resource), Bucket: Bucket(o.Bucket), Repeatable: o.Retry != operation.Write, Recent: o.Recent,
	}
	if len(o.Body) > 0 && !o.Plain {
		made.BodyType = o.Resource
	}
	return made
}
