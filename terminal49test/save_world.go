package terminal49test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/forms"
	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
)

// savedVersion is the version of the lines. It changes when an older Load would misread them.
const savedVersion = 1

// savedWorld is the first line.
type savedWorld struct {
	Version int            `json:"version"`
	Now     time.Time      `json:"now"`
	Speed   float64        `json:"speed"`
	Account string         `json:"account"`
	User    string         `json:"user"`
	Key     string         `json:"api_key"` // the id of the token, not the token
	Options savedOptions   `json:"options"`
	IDs     map[string]int `json:"ids"`                    // how many were generated, by kind
	Planned int            `json:"notifications,omitzero"` // how many were to be delivered
	Held    bool           `json:"webhooks_held,omitzero"` // what is due waits

	Synthetic *savedSynthetic `json:"synthetic,omitzero"`
	Traffic   *savedTraffic   `json:"traffic,omitzero"`
}

// savedOptions are the options that describe the service. The others stay those of the server.
type savedOptions struct {
	Seed                    int64           `json:"seed"`
	Start                   time.Time       `json:"start"`
	Speed                   float64         `json:"speed"`
	RateLimits              map[string]int  `json:"rate_limits,omitzero"` // absent: no limits
	TrackingDelay           time.Duration   `json:"tracking_delay"`
	WithoutRefresh          bool            `json:"without_refresh,omitzero"`
	WithoutRouting          bool            `json:"without_routing,omitzero"`
	WithoutReferenceData    bool            `json:"without_reference_data,omitzero"`
	WithoutAutumn2026       bool            `json:"without_autumn_2026,omitzero"`
	WithoutWebhooks         bool            `json:"without_webhooks,omitzero"`
	WithoutWebhookEvents    []string        `json:"without_webhook_events,omitzero"`
	WebhookNoise            WebhookNoise    `json:"webhook_noise,omitzero"`
	WebhookBodiesAtDelivery bool            `json:"webhook_bodies_at_delivery,omitzero"`
	MergedShipmentsKept     bool            `json:"merged_shipments_kept,omitzero"`
	SyntheticContainers     int             `json:"synthetic_containers,omitzero"`
	ReplicaLag              savedLag        `json:"replica_lag,omitzero"`
	Ignored                 []savedIgnored  `json:"ignored,omitzero"`
	DuplicateDocuments      DuplicatePolicy `json:"duplicate_documents,omitzero"`
	WithoutDocuments        bool            `json:"without_documents,omitzero"`
	UploadUnderVersion      bool            `json:"direct_upload_under_version,omitzero"`
	WithoutInferenceIDs     bool            `json:"without_inference_ids,omitzero"`
	CustomFieldLimit        *int            `json:"custom_field_limit,omitzero"`
	BrokenCustomFieldList   bool            `json:"broken_custom_field_list,omitzero"`
}

type savedLag struct {
	Share float64       `json:"share"`
	Lag   time.Duration `json:"lag"`
}

type savedIgnored struct {
	Operation  string   `json:"operation,omitzero"`
	Parameters []string `json:"parameters"`
}

func (c *config) saved() savedOptions {
	o := savedOptions{
		Seed: c.seed, Start: c.start.UTC(), Speed: c.speed, RateLimits: c.limits, TrackingDelay: c.trackingDelay, WithoutRefresh: !c.refresh,
		WithoutRouting: !c.routing, WithoutReferenceData: !c.referenceData, WithoutAutumn2026: !c.autumn2026, WithoutWebhooks: c.noWebhooks,
		WithoutWebhookEvents: c.noEvents, WebhookNoise: c.noise, WebhookBodiesAtDelivery: c.lateBodies, MergedShipmentsKept: c.mergedKept,
		SyntheticContainers: c.synthetic, ReplicaLag: savedLag{c.replicaShare, c.replicaLag}, DuplicateDocuments: c.duplicates,
		WithoutDocuments: c.withoutDocuments, UploadUnderVersion: c.uploadUnderVersion, WithoutInferenceIDs: c.bareInferences,
		BrokenCustomFieldList: c.customFields.listFails,
	}
	for _, i := range c.ignored {
		o.Ignored = append(o.Ignored, savedIgnored{i.Operation, []string{i.Parameter}})
	}
	if c.customFields.limited {
		o.CustomFieldLimit = &c.customFields.limit
	}
	return o
}

// config returns the options as those of [NewServer], whose bounds apply.
func (o savedOptions) config() config {
	c := defaults()
	c.seed, c.start, c.speed, c.limits = o.Seed, o.Start, state.ClampSpeed(o.Speed), o.RateLimits
	c.trackingDelay, c.refresh, c.routing, c.referenceData = max(o.TrackingDelay, 0), !o.WithoutRefresh, !o.WithoutRouting, !o.WithoutReferenceData
	c.autumn2026, c.noWebhooks, c.noEvents = !o.WithoutAutumn2026, o.WithoutWebhooks, o.WithoutWebhookEvents
	c.noise, c.lateBodies, c.mergedKept, c.synthetic = o.WebhookNoise, o.WebhookBodiesAtDelivery, o.MergedShipmentsKept, max(o.SyntheticContainers, 0)
	c.replicaShare, c.replicaLag, c.duplicates = clampShare(o.ReplicaLag.Share), max(o.ReplicaLag.Lag, 0), o.DuplicateDocuments
	c.withoutDocuments, c.uploadUnderVersion, c.bareInferences = o.WithoutDocuments, o.UploadUnderVersion, o.WithoutInferenceIDs
	c.customFields.listFails = o.BrokenCustomFieldList
	for _, i := range o.Ignored {
		for _, p := range i.Parameters {
			c.ignored = append(c.ignored, service.Ignored{Operation: i.Operation, Parameter: p})
		}
	}
	if o.CustomFieldLimit != nil {
		c.customFields.limited, c.customFields.limit = true, *o.CustomFieldLimit
	}
	return c
}

// keepOwn takes the options of a server that a world does not have.
func (c *config) keepOwn(own config) {
	c.token, c.socket, c.listener, c.storageURL = own.token, own.socket, own.listener, own.storageURL
	c.deliveries, c.lose, c.history, c.reportHistory = own.deliveries, own.lose, own.history, own.reportHistory
	c.keptRequests, c.keptDeliveries = own.keptRequests, own.keptDeliveries
}

type savedSynthetic struct {
	Containers int       `json:"containers"`
	Start      time.Time `json:"start"`
	From       []string  `json:"from"`
	To         []string  `json:"to"`
	Terminals  []string  `json:"terminals"`
	Touched    int       `json:"touched,omitzero"`
}

type savedTraffic struct {
	Seed         uint64        `json:"seed"`
	Begin        time.Time     `json:"begin"`
	Every        time.Duration `json:"every"`
	Recent       int           `json:"recent"`
	RemoveMerged bool          `json:"remove_merged,omitzero"`
	Vessels      []string      `json:"vessels"`
	Customers    []string      `json:"customers"`
	Brokers      []string      `json:"brokers"`
}

func worldPart() savedPart {
	return savedPart{
		name: "world", form: reflect.TypeFor[savedWorld](),
		save: func(s *Server, out *lineWriter) { out.add("world", "", s.savedWorld()) },
		load: func(l *loading, raw []byte) error {
			members, err := forms.Members(raw)
			if err != nil {
				return err
			}
			// The version comes first: another one can have other members.
			if i := slices.IndexFunc(members, func(m forms.Member) bool { return m.Name == "version" }); i >= 0 && string(members[i].Raw) != fmt.Sprint(savedVersion) {
				return &forms.Error{Member: "version", Problem: fmt.Sprintf("must be %d: this program reads no other", savedVersion)}
			}
			var saved savedWorld
			if err := forms.Fill(members, &saved); err != nil {
				return err
			}
			return l.begin(saved)
		},
	}
}

func (s *Server) savedWorld() savedWorld {
	w, options := s.world, s.config.saved()
	options.WebhookNoise = w.noise
	saved := savedWorld{
		Version: savedVersion, Now: s.clock.Now().UTC(), Speed: s.clock.Speed, Account: w.account, User: w.user, Key: w.credential,
		Options: options, IDs: w.ids.Counts, Planned: w.planned, Held: w.held,
	}
	if y := w.synthetic; y != nil {
		saved.Synthetic = &savedSynthetic{y.containers, y.start, y.from, y.to, y.terminals, y.touched}
	}
	if t := w.traffic; t != nil {
		saved.Traffic = &savedTraffic{t.seed, t.begin, t.every, t.recent, t.removeMerged, t.vessels, t.customers, t.brokers}
	}
	return saved
}

// begin makes an empty world.
func (l *loading) begin(saved savedWorld) error {
	l.now, l.speed, l.config = saved.Now, state.ClampSpeed(saved.Speed), saved.Options.config()
	w := newWorld(saved.Options.Seed, func() time.Time { return l.now })
	w.account, w.user, w.credential, w.trackingDelay = saved.Account, saved.User, saved.Key, l.config.trackingDelay
	w.ids.Counts, w.planned, w.held, w.bodyOrder.Limit = saved.IDs, saved.Planned, saved.Held, math.MaxInt
	if w.ids.Counts == nil {
		w.ids.Counts = map[string]int{}
	}
	if y := saved.Synthetic; y != nil {
		if len(y.From) != 4 || len(y.To) != 4 || len(y.Terminals) != 4 || y.Containers < 0 {
			return &forms.Error{Member: "synthetic", Problem: "must have four of each of from, to and terminals, and no negative containers"}
		}
		w.useSynthetic(&synthetic{containers: y.Containers, start: y.Start, from: y.From, to: y.To, terminals: y.Terminals, touched: y.Touched})
	}
	if t := saved.Traffic; t != nil {
		if len(t.Vessels) != vesselsPerService*len(trafficServices()) || len(t.Customers) == 0 || len(t.Brokers) == 0 ||
			t.Every <= 0 || t.Recent < 1 || t.Begin.Year() < 1971 { // voyages are counted from 1970 on
			return &forms.Error{Member: "traffic", Problem: "must be that of a world with traffic: vessels, customers, brokers, begin, every and recent"}
		}
		w.traffic = &traffic{
			w: w, seed: t.Seed, services: trafficServices(), vessels: t.Vessels, customers: t.Customers, brokers: t.Brokers,
			begin: t.Begin, every: t.Every, recent: t.Recent, removeMerged: t.RemoveMerged,
		}
	}
	l.world = w
	return nil
}
