package control

import (
	"fmt"
	"net/http"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/internal/forms"
)

// optionValues has each option of a world as JSON, and the same in Go.
var optionValues = map[string]struct {
	json string
	same []terminal49test.Option
}{
	"token":                       {`"a-token"`, nil}, // of the world, not of its server
	"seed":                        {`7`, optionsOf(terminal49test.WithSeed(7))},
	"start":                       {`"2026-03-02T15:00:00Z"`, optionsOf(terminal49test.WithStart(time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC)))},
	"speed":                       {`2.5`, optionsOf(terminal49test.WithSpeed(2.5))},
	"log":                         {`70`, optionsOf(terminal49test.WithLog(70))},
	"history":                     {`true`, optionsOf(terminal49test.WithHistory())},
	"rate_limits":                 {`{"default":5,"create":4}`, optionsOf(terminal49test.WithRateLimits(map[string]int{"default": 5, "create": 4}))},
	"unlimited":                   {`true`, optionsOf(terminal49test.WithoutRateLimits())},
	"tracking_delay":              {`"2h"`, optionsOf(terminal49test.WithTrackingDelay(2 * time.Hour))},
	"synthetic_containers":        {`3`, optionsOf(terminal49test.WithSyntheticContainers(3))},
	"replica_lag":                 {`{"share":0.5,"lag":"1m30s"}`, optionsOf(terminal49test.WithReplicaLag(0.5, 90*time.Second))},
	"webhooks":                    {`"deliver"`, optionsOf(terminal49test.WithWebhookTransport(http.DefaultTransport))},
	"webhook_noise":               {`{"duplicate_every":3,"delay":"1m"}`, optionsOf(terminal49test.WithWebhookNoise(terminal49test.WebhookNoise{DuplicateEvery: 3, Delay: time.Minute}))},
	"webhook_bodies_at_delivery":  {`true`, optionsOf(terminal49test.WithWebhookBodiesAtDelivery())},
	"without_webhook_events":      {`["container.created"]`, optionsOf(terminal49test.WithoutWebhookEvents("container.created"))},
	"without_webhooks":            {`true`, optionsOf(terminal49test.WithoutWebhooks())},
	"without_refresh":             {`true`, optionsOf(terminal49test.WithoutRefresh())},
	"without_routing":             {`true`, optionsOf(terminal49test.WithoutRouting())},
	"without_documents":           {`true`, optionsOf(terminal49test.WithoutDocuments())},
	"without_reference_data":      {`true`, optionsOf(terminal49test.WithoutReferenceData())},
	"without_inference_ids":       {`true`, optionsOf(terminal49test.WithoutInferenceIDs())},
	"without_autumn_2026":         {`true`, optionsOf(terminal49test.WithoutAutumn2026())},
	"merged_shipments_kept":       {`true`, optionsOf(terminal49test.WithMergedShipmentsKept())},
	"duplicate_documents":         {`"replace"`, optionsOf(terminal49test.WithDuplicateDocuments(terminal49test.DuplicatesReplace))},
	"direct_upload_under_version": {`true`, optionsOf(terminal49test.WithDirectUploadUnderVersion())},
	"custom_field_limit":          {`0`, optionsOf(terminal49test.WithCustomFieldLimit(0))},
	"broken_custom_field_list":    {`true`, optionsOf(terminal49test.WithBrokenCustomFieldList())},
	"ignored":                     {`[{"operation":"shipments.list","parameters":["q","page[size]"]}]`, optionsOf(terminal49test.WithIgnored("shipments.list", "q", "page[size]"))},
}

func optionsOf(opts ...terminal49test.Option) []terminal49test.Option { return opts }

// Source: the documentation of the options of worlds: they are those of the package in snake case.
func TestWorldOptions_AreThoseOfThePackage(t *testing.T) {
	for _, name := range forms.Names(reflect.TypeFor[worldOptions]()) {
		value, known := optionValues[name]
		require.True(t, known, "%s is not tried", name)
		var options worldOptions
		require.NoError(t, forms.Decode([]byte(`{"`+name+`":`+value.json+`}`), &options), name)
		got, err := options.list()
		require.NoError(t, err, name)
		require.Equal(t, configOf(value.same), configOf(got), name)
		if name != "token" {
			require.NotEqual(t, configOf(nil), configOf(got), "%s changes nothing", name)
		}
	}
	var notSent worldOptions
	require.NoError(t, forms.Decode([]byte(`{"webhooks":"none"}`), &notSent))
	got, err := notSent.list()
	require.NoError(t, err)
	recorded := append(optionsOf(recordWebhooks), got...)
	require.Equal(t, configOf(nil), configOf(recorded), "nothing is sent")
}

// configOf returns the options of a server as a text.
func configOf(opts []terminal49test.Option) string {
	start := terminal49test.WithStart(time.Date(2024, 7, 1, 12, 0, 0, 0, time.UTC))
	server := terminal49test.NewServer(append(optionsOf(start, terminal49test.WithoutSocket()), opts...)...)
	defer server.Close()
	return fmt.Sprintf("%+v", reflect.ValueOf(server).Elem().FieldByName("config"))
}
