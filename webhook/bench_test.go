package webhook_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/internal/testkit/naive"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// benchDelivery returns a container.updated delivery of about 10 KB: with the shipment, terminal,
// port and fees of the container, and the ids of its events.
func benchDelivery(tb testing.TB) []byte {
	tb.Helper()
	var body []byte
	keep := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		require.NoError(tb, err)
		if len(b) > len(body) && len(b) < 10<<10+512 {
			body = b
		}
	})
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0), terminal49test.WithWebhookHandler(keep),
		terminal49test.WithStart(time.Date(2024, 7, 1, 12, 0, 0, 0, time.UTC)))
	defer srv.Close()
	srv.AddWebhook(terminal49test.Webhook{URL: testkit.EndpointURL, Events: []string{string(terminal49.EventContainerUpdated)}})
	shipment := srv.AddShipment(terminal49test.Shipment{
		BillOfLadingNumber: "MEDUSH4081712", ShippingLine: "MSCU", PortOfLading: "CNSHA", PortOfDischarge: "USLAX", PODTerminal: "WBCT", PODVessel: "9708851",
	})
	box := srv.AddContainer(terminal49test.Container{Shipment: shipment, Number: "MSCU1234566"})
	for i := range 30 {
		srv.AddTransportEvent(terminal49test.TransportEvent{Event: "container.transport.vessel_arrived", Container: box, Location: "USLAX"})
		srv.AddRawEvent(terminal49test.RawEvent{Event: "vessel_arrived", Container: box})
		srv.UpdateContainer(box, func(c *terminal49test.Container) {
			c.AvailableForPickup = terminal49test.Bool(i%2 == 0)
			c.Holds = []terminal49test.Hold{{Name: "customs", Description: "CUST EXAM"}, {Name: "freight", Description: "FREIGHT RELEASE REQUIRED"}}
			c.Fees = []terminal49test.Fee{{Type: "demurrage", Amount: 185 * float64(i)}}
		})
		srv.Advance(time.Minute)
	}
	require.InDelta(tb, 10<<10, len(body), 600)
	return body
}

// alwaysClaims is a store that forgets, so that one delivery can be handled repeatedly.
type alwaysClaims struct{}

func (alwaysClaims) Claim(context.Context, string, string, time.Duration) (webhook.DedupeState, error) {
	return webhook.DedupeClaimed, nil
}

func (alwaysClaims) Complete(context.Context, string, string, time.Duration) error { return nil }

func (alwaysClaims) Release(context.Context, string, string) error { return nil }

// found is what both benchmarks must find, so that neither can skip the work.
type found struct{ number, bill, nickname, attributes string }

var errNotFound = errors.New("not found")

func benchHandler(tb testing.TB, got *found) *webhook.Handler {
	return testkit.NewHandler(tb, webhook.WithDedupe(alwaysClaims{}, time.Hour), webhook.OnContainerUpdated(func(_ context.Context, n *webhook.Notification, p *webhook.ContainerUpdatedPayload) error {
		container, haveBox := n.Container.Value()
		shipment, haveBill := n.Shipment.Value()
		terminal, haveTerminal := n.Terminal.Value()
		if !haveBox || !haveBill || !haveTerminal {
			return errNotFound
		}
		*got = found{container.Number, shipment.BillOfLadingNumber, terminal.Nickname, p.Changeset.Attributes()[0]}
		return nil
	}))
}

// discard is a ResponseWriter that allocates nothing.
type discard struct {
	header http.Header
	status int
}

func (d *discard) Header() http.Header { return d.header }

func (d *discard) Write(b []byte) (int, error) { return len(b), nil }

func (d *discard) WriteHeader(status int) { d.status = status }

// BenchmarkHandler receives a delivery: verified, parsed, deduplicated and dispatched.
func BenchmarkHandler(b *testing.B) {
	body := benchDelivery(b)
	var got found
	h := benchHandler(b, &got)
	r, reader := testkit.SignedRequest(body), bytes.NewReader(body)
	r.Body = io.NopCloser(reader)
	w := &discard{header: http.Header{}}
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		reader.Reset(body)
		if h.ServeHTTP(w, r); w.status != http.StatusOK {
			b.Fatal(w.status)
		}
	}
	require.Equal(b, "MSCU1234566", got.number)
}

// BenchmarkVerifyAndParse is BenchmarkHandler without HTTP and dispatch.
func BenchmarkVerifyAndParse(b *testing.B) {
	body := benchDelivery(b)
	signature, secret := terminal49test.SignWebhook(testkit.WebhookSecret, body), terminal49.NewSecret(testkit.WebhookSecret)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if err := webhook.Verify(body, signature, secret); err != nil {
			b.Fatal(err)
		}
		if _, err := webhook.ParseNotification(body); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkVerify is the part that every receiver needs.
func BenchmarkVerify(b *testing.B) {
	body := benchDelivery(b)
	signature, secret := terminal49test.SignWebhook(testkit.WebhookSecret, body), terminal49.NewSecret(testkit.WebhookSecret)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if err := webhook.Verify(body, signature, secret); err != nil {
			b.Fatal(err)
		}
	}
}

// naiveDelivery is a hand-written envelope; each included resource is decoded by its type.
type naiveDelivery struct {
	Data struct {
		ID         string `json:"id"`
		Attributes struct {
			Event     string    `json:"event"`
			CreatedAt time.Time `json:"created_at"`
		} `json:"attributes"`
		Relationships struct {
			Reference naive.One `json:"reference_object"`
			Webhook   naive.One `json:"webhook"`
		} `json:"relationships"`
	} `json:"data"`
	Included []struct {
		ID            string          `json:"id"`
		Type          string          `json:"type"`
		Attributes    json.RawMessage `json:"attributes"`
		Relationships json.RawMessage `json:"relationships"`
	} `json:"included"`
}

type naiveUpdated struct {
	Changeset  map[string][2]json.RawMessage `json:"changeset"`
	Timestamp  time.Time                     `json:"timestamp"`
	Timezone   string                        `json:"timezone"`
	DataSource string                        `json:"data_source"`
}

func naiveReceive(body []byte, signature string) (got found, err error) {
	mac := hmac.New(sha256.New, []byte(testkit.WebhookSecret))
	mac.Write(body)
	if !hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), []byte(signature)) {
		return got, webhook.ErrSignatureMismatch
	}
	var d naiveDelivery
	if err := json.Unmarshal(body, &d); err != nil {
		return got, err
	}
	if d.Data.Attributes.Event != string(terminal49.EventContainerUpdated) {
		return got, errNotFound
	}
	for _, in := range d.Included {
		switch in.Type {
		case "container_updated_event":
			var u naiveUpdated
			if err := json.Unmarshal(in.Attributes, &u); err != nil {
				return got, err
			}
			for name := range u.Changeset {
				got.attributes = name
			}
		case "shipment":
			s := naive.ShipmentObject{ID: in.ID, Type: in.Type}
			if err := errors.Join(json.Unmarshal(in.Attributes, &s.Attributes), json.Unmarshal(in.Relationships, &s.Relationships)); err != nil {
				return got, err
			}
			got.bill = s.Attributes.BillOfLadingNumber
		default:
			r := naive.IncludedObject{ID: in.ID, Type: in.Type}
			if err := errors.Join(json.Unmarshal(in.Attributes, &r.Attributes), json.Unmarshal(in.Relationships, &r.Relationships)); err != nil {
				return got, err
			}
			if in.Type == "container" {
				got.number = r.Attributes.Number
			} else if in.Type == "terminal" {
				got.nickname = r.Attributes.Nickname
			}
		}
	}
	return got, nil
}

// BenchmarkNaive does the same with an HMAC and encoding/json, without HTTP, deduplication or
// limits.
func BenchmarkNaive(b *testing.B) {
	body := benchDelivery(b)
	signature := terminal49test.SignWebhook(testkit.WebhookSecret, body)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if got, err := naiveReceive(body, signature); err != nil || got.number == "" {
			b.Fatal(err)
		}
	}
}

// Both benchmarks find the same.
func TestBenchmarks_FindTheSame(t *testing.T) {
	body := benchDelivery(t)
	var ours found
	require.Equal(t, http.StatusOK, testkit.Serve(benchHandler(t, &ours), testkit.SignedRequest(body)).Code)
	naive, err := naiveReceive(body, terminal49test.SignWebhook(testkit.WebhookSecret, body))
	require.NoError(t, err)
	require.NotEmpty(t, naive.attributes)
	ours.attributes, naive.attributes = "", ""
	require.Equal(t, found{number: "MSCU1234566", bill: "MEDUSH4081712", nickname: "WBCT"}, ours)
	require.Equal(t, ours, naive)
}
