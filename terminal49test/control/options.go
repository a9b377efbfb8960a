package control

import (
	"net/http"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/internal/forms"
)

// worldOptions are the options of package terminal49test that are data.
type worldOptions struct {
	Token                    string                         `json:"token,omitzero"` // "" generates one
	Seed                     *int64                         `json:"seed,omitzero"`
	Start                    time.Time                      `json:"start,omitzero"`
	Speed                    *float64                       `json:"speed,omitzero"`
	Log                      *int                           `json:"log,omitzero"`
	History                  bool                           `json:"history,omitzero"`
	RateLimits               map[string]int                 `json:"rate_limits,omitzero"`
	Unlimited                bool                           `json:"unlimited,omitzero"`
	TrackingDelay            *time.Duration                 `json:"tracking_delay,omitzero"`
	SyntheticContainers      int                            `json:"synthetic_containers,omitzero"`
	ReplicaLag               replicaLag                     `json:"replica_lag,omitzero"`
	Webhooks                 webhookMode                    `json:"webhooks,omitzero"`
	WebhookNoise             *terminal49test.WebhookNoise   `json:"webhook_noise,omitzero"`
	WebhookBodiesAtDelivery  bool                           `json:"webhook_bodies_at_delivery,omitzero"`
	WithoutWebhookEvents     []string                       `json:"without_webhook_events,omitzero"`
	WithoutWebhooks          bool                           `json:"without_webhooks,omitzero"`
	WithoutRefresh           bool                           `json:"without_refresh,omitzero"`
	WithoutRouting           bool                           `json:"without_routing,omitzero"`
	WithoutDocuments         bool                           `json:"without_documents,omitzero"`
	WithoutReferenceData     bool                           `json:"without_reference_data,omitzero"`
	WithoutInferenceIDs      bool                           `json:"without_inference_ids,omitzero"`
	WithoutAutumn2026        bool                           `json:"without_autumn_2026,omitzero"`
	MergedShipmentsKept      bool                           `json:"merged_shipments_kept,omitzero"`
	DuplicateDocuments       terminal49test.DuplicatePolicy `json:"duplicate_documents,omitzero"`
	DirectUploadUnderVersion bool                           `json:"direct_upload_under_version,omitzero"`
	CustomFieldLimit         *int                           `json:"custom_field_limit,omitzero"`
	BrokenCustomFieldList    bool                           `json:"broken_custom_field_list,omitzero"`
	Ignored                  []ignored                      `json:"ignored,omitzero"`
}

type replicaLag struct {
	Share float64       `json:"share"`
	Lag   time.Duration `json:"lag"`
}

type ignored struct {
	Operation  string   `json:"operation,omitzero"`
	Parameters []string `json:"parameters"`
}

// webhookMode is where deliveries go.
type webhookMode string

const (
	webhooksRecorded  webhookMode = "record"  // also for "": each is answered 200 by the simulator
	webhooksDelivered webhookMode = "deliver" // to the URL of the webhook
	webhooksNotSent   webhookMode = "none"    // every notification counts as delivered
)

// UnmarshalText reads a mode and refuses any other text.
func (m *webhookMode) UnmarshalText(text []byte) error {
	return forms.ChooseFrom(m, text)
}

// list returns the options but the token.
func (o worldOptions) list() ([]terminal49test.Option, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	var list []terminal49test.Option
	add := func(set bool, option func() terminal49test.Option) {
		if set {
			list = append(list, option())
		}
	}
	add(o.Seed != nil, func() terminal49test.Option { return terminal49test.WithSeed(*o.Seed) })
	add(!o.Start.IsZero(), func() terminal49test.Option { return terminal49test.WithStart(o.Start) })
	add(o.Speed != nil, func() terminal49test.Option { return terminal49test.WithSpeed(*o.Speed) })
	add(o.Log != nil, func() terminal49test.Option { return terminal49test.WithLog(*o.Log) })
	add(o.History, terminal49test.WithHistory)
	add(len(o.RateLimits) > 0, func() terminal49test.Option { return terminal49test.WithRateLimits(o.RateLimits) })
	add(o.Unlimited, terminal49test.WithoutRateLimits)
	add(o.TrackingDelay != nil, func() terminal49test.Option { return terminal49test.WithTrackingDelay(*o.TrackingDelay) })
	add(o.SyntheticContainers > 0, func() terminal49test.Option { return terminal49test.WithSyntheticContainers(o.SyntheticContainers) })
	add(o.ReplicaLag.Share > 0, func() terminal49test.Option {
		return terminal49test.WithReplicaLag(o.ReplicaLag.Share, o.ReplicaLag.Lag)
	})
	add(o.Webhooks == webhooksDelivered, func() terminal49test.Option { return terminal49test.WithWebhookTransport(http.DefaultTransport) })
	add(o.Webhooks == webhooksNotSent, func() terminal49test.Option { return terminal49test.WithWebhookTransport(nil) })
	add(o.WebhookNoise != nil, func() terminal49test.Option { return terminal49test.WithWebhookNoise(*o.WebhookNoise) })
	add(o.WebhookBodiesAtDelivery, terminal49test.WithWebhookBodiesAtDelivery)
	add(len(o.WithoutWebhookEvents) > 0, func() terminal49test.Option { return terminal49test.WithoutWebhookEvents(o.WithoutWebhookEvents...) })
	add(o.WithoutWebhooks, terminal49test.WithoutWebhooks)
	add(o.WithoutRefresh, terminal49test.WithoutRefresh)
	add(o.WithoutRouting, terminal49test.WithoutRouting)
	add(o.WithoutDocuments, terminal49test.WithoutDocuments)
	add(o.WithoutReferenceData, terminal49test.WithoutReferenceData)
	add(o.WithoutInferenceIDs, terminal49test.WithoutInferenceIDs)
	add(o.WithoutAutumn2026, terminal49test.WithoutAutumn2026)
	add(o.MergedShipmentsKept, terminal49test.WithMergedShipmentsKept)
	add(o.DuplicateDocuments != "", func() terminal49test.Option { return terminal49test.WithDuplicateDocuments(o.DuplicateDocuments) })
	add(o.DirectUploadUnderVersion, terminal49test.WithDirectUploadUnderVersion)
	add(o.CustomFieldLimit != nil, func() terminal49test.Option { return terminal49test.WithCustomFieldLimit(*o.CustomFieldLimit) })
	add(o.BrokenCustomFieldList, terminal49test.WithBrokenCustomFieldList)
	for _, i := range o.Ignored {
		list = append(list, terminal49test.WithIgnored(i.Operation, i.Parameters...))
	}
	return list, nil
}

func (o worldOptions) check() error {
	wrong := func(member, problem string) error { return &forms.Error{Member: "options." + member, Problem: problem} }
	switch {
	case strings.ContainsFunc(o.Token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return wrong("token", "must have only visible characters of ASCII: it is sent in a header")
	case !o.Start.IsZero() && o.Start.Unix() < 0:
		return wrong("start", "must be in 1970 or later")
	case o.Speed != nil && (*o.Speed < 0 || *o.Speed > 1_000_000):
		return wrong("speed", "must be 0 to 1000000")
	case o.Log != nil && (*o.Log < 0 || *o.Log > 1_000_000):
		return wrong("log", "must be 0 to 1000000")
	case o.SyntheticContainers < 0 || o.SyntheticContainers > 1_000_000:
		return wrong("synthetic_containers", "must be 0 to 1000000")
	case o.TrackingDelay != nil && *o.TrackingDelay < 0:
		return wrong("tracking_delay", "must not be negative")
	case o.ReplicaLag.Share < 0 || o.ReplicaLag.Share > 1:
		return wrong("replica_lag.share", "must be 0 to 1")
	case o.Unlimited && len(o.RateLimits) > 0:
		return wrong("rate_limits", "cannot be set for a world that is unlimited")
	}
	if o.WebhookNoise != nil {
		if err := checkNoise("options.webhook_noise.", *o.WebhookNoise); err != nil {
			return err
		}
	}
	for bucket := range o.RateLimits {
		switch bucket {
		case "default", "create", "infer", "refresh":
		default:
			return wrong("rate_limits."+bucket, "is not known: the limits are default, create, infer and refresh")
		}
	}
	return nil
}
