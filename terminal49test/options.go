package terminal49test

import (
	"cmp"
	"maps"
	"net"
	"net/http"
	"time"
)

// Option changes how NewServer builds a server.
type Option func(*config)

type config struct {
	token         string
	seed          int64
	start         time.Time
	speed         float64
	socket        bool
	limits        map[string]int // nil: no limits
	trackingDelay time.Duration
	refresh       bool
	routing       bool
	listener      net.Listener // nil: one of its own
	referenceData bool
	noWebhooks    bool
	noEvents      []string          // webhook events the account does not have
	deliveries    http.RoundTripper // nil: nothing is delivered
	noise         WebhookNoise

	duplicates         DuplicatePolicy
	withoutDocuments   bool
	uploadUnderVersion bool
	customFields       customFieldConfig
}

func defaults() config {
	return config{
		token: "t49-simulated-token", seed: 1, speed: 1, socket: true, trackingDelay: 5 * time.Second,
		refresh: true, routing: true, referenceData: true,
		limits: map[string]int{"default": 100, "create": 100, "infer": 200, "refresh": 10},
	}
}

// WithToken sets the API token the server accepts.
func WithToken(token string) Option { return func(c *config) { c.token = token } }

// WithSeed sets where ids come from: two servers with one seed, filled in the same order, give the same ids. The seed
// is 1 unless set.
func WithSeed(seed int64) Option { return func(c *config) { c.seed = seed } }

// WithStart sets what the world's clock says when the server starts. It says the program's own time unless set.
func WithStart(t time.Time) Option { return func(c *config) { c.start = t } }

// WithSpeed makes the world's clock run n times as fast as the program's: with 86400 a second is a day, with 0 the clock
// moves by Advance alone.
func WithSpeed(n float64) Option { return func(c *config) { c.speed = max(n, 0) } }

// WithoutSocket starts no listener: the server is reached through Transport and HTTPClient alone. Inside a
// testing/synctest bubble it must be given, since a listener keeps the bubble's clock from moving.
func WithoutSocket() Option { return func(c *config) { c.socket = false } }

// WithRateLimits sets how many requests each bucket takes in any 60 seconds of the program's clock: "default", "create"
// (creating tracking requests), "infer" and "refresh". A bucket not named keeps its documented limit of 100, 100, 200
// and 10.
func WithRateLimits(perMinute map[string]int) Option {
	return func(c *config) {
		if c.limits == nil {
			c.limits = defaults().limits
		}
		maps.Copy(c.limits, perMinute)
	}
}

// WithoutRateLimits lets every request through.
func WithoutRateLimits() Option { return func(c *config) { c.limits = nil } }

// WithTrackingDelay sets how long, on the world's clock, a tracking request is pending before the carrier is first
// asked. It is 5 seconds unless set here or in the number's Journey.
func WithTrackingDelay(d time.Duration) Option {
	return func(c *config) { c.trackingDelay = max(d, 0) }
}

// WithoutRefresh takes away the account's right to refresh containers on demand: the operation answers 403.
func WithoutRefresh() Option { return func(c *config) { c.refresh = false } }

// WithoutRouting takes away the account's Routing Data feature: maps, past positions of vessels and future ones answer
// 403. A vessel's latest position stays, as it does with the real service.
func WithoutRouting() Option { return func(c *config) { c.routing = false } }

// WithoutReferenceData starts with an empty world: no shipping lines, ports or terminals but those a test adds.
func WithoutReferenceData() Option { return func(c *config) { c.referenceData = false } }

// WithListener makes the server answer on a listener of the caller's instead of a loopback socket of its own, to be
// reached at an address that is known beforehand or from other machines. The server closes it.
func WithListener(l net.Listener) Option { return func(c *config) { c.listener = l } }

// DuplicatePolicy is what the account does with contents it has already.
type DuplicatePolicy string

// The policies that an account can choose.
const (
	DuplicatesRejected DuplicatePolicy = ""        // 409
	DuplicatesReplace  DuplicatePolicy = "replace" // the old document is deleted
	DuplicatesAccepted DuplicatePolicy = "accept"  // both stay
)

// WithDuplicateDocuments sets what the account does with contents it has already. They are rejected unless set.
func WithDuplicateDocuments(p DuplicatePolicy) Option { return func(c *config) { c.duplicates = p } }

// WithoutDocuments takes away the account's right to documents: all their operations answer 403.
func WithoutDocuments() Option { return func(c *config) { c.withoutDocuments = true } }

// WithDirectUploadUnderVersion puts the direct upload below the base path, as /v2/rails/..., rather than at the host's
// root. The service documents neither.
func WithDirectUploadUnderVersion() Option { return func(c *config) { c.uploadUnderVersion = true } }

// customFieldConfig is what options set.
type customFieldConfig struct {
	limited   bool
	limit     int
	listFails bool
}

// WithCustomFieldLimit sets how many custom field values the account may have: creating one more is refused. There is
// no limit unless set.
func WithCustomFieldLimit(n int) Option {
	return func(c *config) { c.customFields.limited, c.customFields.limit = true, n }
}

// WithBrokenCustomFieldList makes GET /custom_fields fail with status 500, as the live service was seen to do.
func WithBrokenCustomFieldList() Option {
	return func(c *config) { c.customFields.listFails = true }
}

// WithoutWebhooks takes webhooks away from the account: all their operations answer 403.
func WithoutWebhooks() Option { return func(c *config) { c.noWebhooks = true } }

// WithoutWebhookEvents takes events away from the account, as if it lacked the feature behind them: they are not on
// offer and no webhook can ask for them. Without it the account has every event that is live.
func WithoutWebhookEvents(names ...string) Option {
	return func(c *config) { c.noEvents = append(c.noEvents, names...) }
}

// WithWebhookTransport sets what carries a delivery to its endpoint. Unless it or WithWebhookHandler is given nothing is
// delivered, and POST /webhooks/trigger reports that it could not connect.
func WithWebhookTransport(rt http.RoundTripper) Option { return func(c *config) { c.deliveries = rt } }

// WithWebhookHandler delivers to h in the process, whatever the URL of a webhook.
func WithWebhookHandler(h http.Handler) Option { return WithWebhookTransport(handlerTransport{h}) }

// WebhookNoise makes deliveries as untidy as the service allows itself to be.
type WebhookNoise struct {
	DuplicateEvery int           // every so many-th notification is delivered once more; 0 for none
	DelayEvery     int           // every so many-th comes late, so that later ones overtake it; 0 for none
	Delay          time.Duration // how late; 0 is a minute
}

// WithWebhookNoise makes some deliveries come twice, and some late.
func WithWebhookNoise(n WebhookNoise) Option {
	return func(c *config) {
		n.Delay = cmp.Or(n.Delay, time.Minute)
		c.noise = n
	}
}
