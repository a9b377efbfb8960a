package recipes_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// TestNotify_PrintsWhatIsTrueNow fails for a receiver that believes the notification, handles its
// second delivery too, reads the body before it verifies it, or acknowledges what it could not do.
func TestNotify_PrintsWhatIsTrueNow(t *testing.T) {
	t.Parallel()
	const secret = "the webhook's secret"
	var receiver receiverAt
	service := serve(t, time.Now(), terminal49test.WithWebhookTransport(&receiver),
		terminal49test.WithWebhookNoise(terminal49test.WebhookNoise{DuplicateEvery: 1}))
	demo := service.SeedDemo()
	held := service.ContainerIDs(demo.Shipments[1])[0] // MEDU3309188, held by customs
	service.AddWebhook(terminal49test.Webhook{URL: "https://receiver.example/", Events: []string{"container.updated"}, Secret: secret})
	address, stop := build(t, "notify", service, "WEBHOOK_SECRET="+secret).start()
	receiver.address = address
	hold := func(yes bool) {
		service.UpdateContainer(held, func(c *terminal49test.Container) {
			c.Holds, c.Fees, c.AvailableForPickup, c.CurrentStatus = []terminal49test.Hold{}, []terminal49test.Fee{}, terminal49test.Bool(!yes), "available"
			if yes {
				c.Holds, c.CurrentStatus = []terminal49test.Hold{{Name: "customs"}}, "not_available"
			}
		})
	}
	hold(false)
	hold(true)
	service.Advance(time.Minute) // two notifications, the first with what is over
	service.AddFault(terminal49test.Fault{Operation: "containers.get", Status: 403, Times: 2})
	hold(false)
	service.Advance(10 * time.Minute) // the deliveries fail until the service can be read

	body := `{"data":{"id":"3c1a5a44-7f0e-4c3f-9d57-0a7f0b1c2d3e","type":"webhook_notification","attributes":{"event":"port.closed"}},"included":[]}`
	require.Equal(t, 200, deliver(t, address, body, terminal49test.SignWebhook(secret, []byte(body))), "another event")
	require.Equal(t, 401, deliver(t, address, body, terminal49test.SignWebhook("another secret", []byte(body))))
	require.Equal(t, 401, deliver(t, address, body, ""))
	require.Equal(t, strings.Repeat("MEDU3309188 held\n", 2)+"MEDU3309188 ready\n", stop())
}

func deliver(t *testing.T, address, body, signature string) int {
	t.Helper()
	defer http.DefaultClient.CloseIdleConnections()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+"/any/path", strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	if signature != "" {
		request.Header.Set("X-T49-Webhook-Signature", signature)
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}

// receiverAt delivers to a local address, as a proxy in front of the receiver does.
type receiverAt struct{ address string }

func (to *receiverAt) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = "http", to.address
	transport := &http.Transport{DisableKeepAlives: true}
	return transport.RoundTrip(r)
}
