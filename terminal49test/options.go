package terminal49test

import (
	"cmp"
	"maps"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
)

// Option configures a server; see [NewServer].
type Option func(*config)

type config struct {
	token          string
	seed           int64
	start          time.Time
	speed          float64
	socket         bool
	limits         map[string]int // nil: no limits
	trackingDelay  time.Duration
	refresh        bool
	routing        bool
	listener       net.Listener // nil: a loopback listener
	storageURL     string       // "": a host of its own
	referenceData  bool
	noWebhooks     bool
	noEvents       []string          // webhook events that the account does not have
	deliveries     http.RoundTripper // nil: webhooks are not delivered
	noise          WebhookNoise
	lateBodies     bool
	lose           func(WebhookNotification) bool // nil: none
	mergedKept     bool
	history        bool
	reportHistory  func(State)
	keptRequests   int // and violations
	keptDeliveries int
	synthetic      int
	replicaShare   float64
	replicaLag     time.Duration
	autumn2026     bool // the service has what its documents of September and October 2026 describe

	ignored            []service.Ignored
	duplicates         DuplicatePolicy
	withoutDocuments   bool
	uploadUnderVersion bool
	bareInferences     bool
	customFields       customFieldConfig
}

func defaults() config {
	return config{
		token: "t49-simulated-token", seed: 1, speed: 1, socket: true, trackingDelay: 5 * time.Second,
		refresh: true, routing: true, referenceData: true, autumn2026: true,
		keptRequests: 50_000, keptDeliveries: 10_000,
		limits: map[string]int{"default": 100, "create": 100, "infer": 200, "refresh": 10},
	}
}

// WithToken sets the API token that the server accepts.
func WithToken(token string) Option { return func(c *config) { c.token = token } }

// WithSeed sets the seed of generated ids: two servers with the same seed, filled in the same
// order, have the same ids. The default is 1.
func WithSeed(seed int64) Option { return func(c *config) { c.seed = seed } }

// WithStart sets the simulated time at which the server starts. The default is time.Now. NewServer
// panics if it is before 1970, from which sailings are counted.
func WithStart(t time.Time) Option { return func(c *config) { c.start = t } }

// WithSpeed runs the simulated clock n times as fast as the process clock: 86400 makes a second a
// day, and 0 stops it, so that only Advance moves it. The default is 1, the maximum 1,000,000.
func WithSpeed(n float64) Option {
	return func(c *config) { c.speed = state.ClampSpeed(n) }
}

// WithoutSocket starts no listener: the server is reached only through Transport and HTTPClient. It
// is required inside a testing/synctest bubble, where a listener would stop the bubble's clock.
func WithoutSocket() Option { return func(c *config) { c.socket = false } }

// WithLog sets how many requests, violations and webhook deliveries the server keeps for
// [Server.Requests], [Server.Violations] and [Server.WebhookDeliveries], so that it can run for
// days. It keeps the newest requests and deliveries, but the first violations. The default is
// 50,000 requests and violations and 10,000 deliveries. A number below 0 means 0.
func WithLog(n int) Option {
	return func(c *config) { c.keptRequests, c.keptDeliveries = max(n, 0), max(n, 0) }
}

// WithRateLimits sets how many requests each bucket accepts in any 60 seconds of the process clock:
// "default", "create" (creating tracking requests), "infer" and "refresh". Buckets that are not
// named keep their documented limits of 100, 100, 200 and 10.
func WithRateLimits(perMinute map[string]int) Option {
	return func(c *config) {
		if c.limits == nil {
			c.limits = defaults().limits
		}
		maps.Copy(c.limits, perMinute)
	}
}

// WithoutRateLimits accepts every request.
func WithoutRateLimits() Option { return func(c *config) { c.limits = nil } }

// WithTrackingDelay sets how long, in simulated time, a tracking request is pending before the
// first attempt at the carrier. The default is 5 seconds. A number's Journey can override it.
func WithTrackingDelay(d time.Duration) Option {
	return func(c *config) { c.trackingDelay = max(d, 0) }
}

// WithoutRefresh removes the account's right to refresh containers: the operation answers 403.
func WithoutRefresh() Option { return func(c *config) { c.refresh = false } }

// WithoutRouting removes the account's Routing Data feature: maps and a vessel's past and future
// positions answer 403. The latest position remains, as at the real service.
func WithoutRouting() Option { return func(c *config) { c.routing = false } }

// WithoutReferenceData starts with only the test carrier: no other shipping lines, ports, terminals
// or vessels.
func WithoutReferenceData() Option { return func(c *config) { c.referenceData = false } }

// WithoutAutumn2026 simulates the service as its published OpenAPI document describes it, without
// what its documents of September and October 2026 add: party roles and GET /me are answered with
// the HTML 404 of an unknown path, GET /containers/summary with the 404 of a container, webhooks
// cannot subscribe to the document events under their newer names, the include value party_roles is
// rejected like any unknown one, newer filters and other query parameters are ignored, a page of
// containers has up to 100 of them, not 50, and tracking requests include the account. None of it
// is a violation, because a client cannot know which service it calls.
func WithoutAutumn2026() Option { return func(c *config) { c.autumn2026 = false } }

// WithMergedShipmentsKept keeps merged shipments: they are still returned and listed, without
// containers. By default they are removed. The service documents neither behavior.
func WithMergedShipmentsKept() Option { return func(c *config) { c.mergedKept = true } }

// WithListener serves on l instead of a loopback socket, at an address that is known beforehand or
// reachable from other machines. The server closes l.
func WithListener(l net.Listener) Option { return func(c *config) { c.listener = l } }

// WithStorageURL sets the URL below which the server serves the files of documents, such as
// "http://localhost:8051/files", or a path such as "/files" for the host that a request has:
// presigned URLs begin with it, and [Server.ServeHTTP] takes requests below its path for the
// storage. By default the storage is another host or port, as at the service.
func WithStorageURL(base string) Option {
	return func(c *config) { c.storageURL = strings.TrimRight(base, "/") }
}

// DuplicatePolicy is how the account treats a file that it already has.
type DuplicatePolicy string

// The policies of an account.
const (
	DuplicatesRejected DuplicatePolicy = ""        // 409
	DuplicatesReplace  DuplicatePolicy = "replace" // the existing document is deleted
	DuplicatesAccepted DuplicatePolicy = "accept"  // both documents remain
)

// WithDuplicateDocuments sets how the account treats a file that it already has. The default is
// DuplicatesRejected.
func WithDuplicateDocuments(p DuplicatePolicy) Option { return func(c *config) { c.duplicates = p } }

// WithoutDocuments removes the account's documents feature: its operations answer 403.
func WithoutDocuments() Option { return func(c *config) { c.withoutDocuments = true } }

// WithDirectUploadUnderVersion serves the direct upload at /v2/rails/... instead of /rails/... The
// service documents neither.
func WithDirectUploadUnderVersion() Option { return func(c *config) { c.uploadUnderVersion = true } }

// customFieldConfig holds the options of custom fields.
type customFieldConfig struct {
	limited   bool
	limit     int
	listFails bool
}

// WithCustomFieldLimit sets how many custom field values the account may have: creating another is
// refused. The default is no limit.
func WithCustomFieldLimit(n int) Option {
	return func(c *config) { c.customFields.limited, c.customFields.limit = true, n }
}

// WithBrokenCustomFieldList makes GET /custom_fields answer 500, as was observed at the live
// service.
func WithBrokenCustomFieldList() Option {
	return func(c *config) { c.customFields.listFails = true }
}

// WithoutWebhooks removes the account's webhooks feature: its operations answer 403.
func WithoutWebhooks() Option { return func(c *config) { c.noWebhooks = true } }

// WithoutWebhookEvents removes events from the account, as if it lacked the feature behind them:
// they are not offered and no webhook can subscribe to them, under either name of a document event.
// The default is every live event.
func WithoutWebhookEvents(names ...string) Option {
	return func(c *config) { c.noEvents = append(c.noEvents, names...) }
}

// WithWebhookTransport sets the transport of webhook deliveries. Without it and WithWebhookHandler
// nothing is delivered, and POST /webhooks/trigger reports a connection error.
func WithWebhookTransport(rt http.RoundTripper) Option { return func(c *config) { c.deliveries = rt } }

// WithWebhookHandler delivers webhooks to h in the process, with any URL.
func WithWebhookHandler(h http.Handler) Option { return WithWebhookTransport(handlerTransport{h}) }

// WithWebhookBodiesAtDelivery writes the body of a notification at the first delivery, from the
// data of that time. By default it is written when the event happens, so that a late delivery
// carries old data.
func WithWebhookBodiesAtDelivery() Option { return func(c *config) { c.lateBodies = true } }

// WebhookNoise makes deliveries arrive twice, late or never.
type WebhookNoise struct {
	// DuplicateEvery delivers every n-th notification twice; 0 means none.
	DuplicateEvery int `json:"duplicate_every,omitzero"`
	// DelayEvery delivers every n-th notification late, so that later ones overtake it; 0 means
	// none.
	DelayEvery int           `json:"delay_every,omitzero"`
	Delay      time.Duration `json:"delay,omitzero"` // how late; 0 means a minute
	// Lost is the share of notifications, from 0 to 1, that are never delivered: the service's log
	// has them, and Redeliver works. The seed decides which they are.
	Lost float64 `json:"lost,omitzero"`
	// LostStatus is the delivery status of such a notification, which the service does not
	// document: "pending" (also for ""), "succeeded" or "failed".
	LostStatus string `json:"lost_status,omitzero"`
}

// WithWebhookNoise delivers some notifications twice, some late and some never.
func WithWebhookNoise(n WebhookNoise) Option {
	return func(c *config) { c.noise = n.withDefaults() }
}

func (n WebhookNoise) withDefaults() WebhookNoise {
	n.Delay = cmp.Or(n.Delay, time.Minute)
	return n
}

// SetWebhookNoise is [WithWebhookNoise] from now on; the zero value ends the noise.
func (s *Server) SetWebhookNoise(n WebhookNoise) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	s.world.noise = n.withDefaults()
}

// WithLostWebhooks never delivers the notifications that lose accepts, in addition to those of
// WebhookNoise.Lost. It runs under the server's lock and must not call the server, which panics.
func WithLostWebhooks(lose func(WebhookNotification) bool) Option {
	return func(c *config) { c.lose = lose }
}

// WithIgnored makes an operation, such as "shipments.list", ignore query parameters without an
// error, like a service that does not have them. A parameter is a name, such as
// "filter[tracking_stopped]", or one value of include, such as
// "include=containers.transport_events". With "page[size]" the pages have the default size. The
// links still name the parameters. The option can be repeated; "" means every operation.
func WithIgnored(operation string, parameters ...string) Option {
	return func(c *config) {
		for _, p := range parameters {
			c.ignored = append(c.ignored, service.Ignored{Operation: operation, Parameter: p})
		}
	}
}
