package terminal49

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// deliveries are a sample of each event, and what is nearly one.
func deliveries(t testing.TB) (bodies [][]byte) {
	for _, event := range WebhookEvents() {
		bodies = append(bodies, sampleDelivery(t, event))
	}
	for _, body := range []string{
		`{"data":{"id":"a","type":"webhook_notification","attributes":{"event":"x.y"}}}`,
		`{"data":[{}],"included":[{"type":"transport_event","id":"a","relationships":{"container":{"data":{}}}}]}`,
		`{"data":{"id":7,"type":"webhook_notification","attributes":{"event":"document.extracted","event":"x"},"relationships":{"webhook":{"id":"w"}}}}`,
		`{"data":[{"id":"a","type":"webhook_notification","attributes":{"event":"x","created_at":"2026-03-02"}},null]}`, `{"data":null}`, `[]`, ``,
		`{"data":{"id":"a","type":"webhook"}}`, `{"data":{"id":"a","type":"webhook_notification","attributes":{"EVENT":"x"}}}`,
	} {
		bodies = append(bodies, []byte(body))
	}
	return bodies
}

// naiveNotification is what encoding/json sees of a delivery.
type naiveNotification struct {
	id, event, webhook string
	created            json.RawMessage
	plainWebhook       bool
}

// readNotification reads a delivery; plain is false if some member of it came twice.
func readNotification(body []byte) (n naiveNotification, ok, plain bool) {
	if !json.Valid(body) {
		return n, false, true
	}
	if readObject(body) == nil {
		return n, false, true
	}
	doc, plain := readDocument(body)
	if !plain {
		return n, false, false
	}
	if len(doc.primary) != 1 || doc.primary[0].typ != "webhook_notification" {
		return n, false, true
	}
	from := doc.primary[0]
	if from.attributes.repeats("event", "created_at") || from.relationships.repeats("webhook") {
		return n, false, false
	}
	n.id, n.event = from.id, from.attributes.text("event")
	n.created, _ = from.attributes.once("created_at")
	link, _ := from.relationships.once("webhook")
	refs, _, plainWebhook := readLinkage(link, false)
	if n.plainWebhook = plainWebhook; len(refs) > 0 {
		n.webhook = refs[0].id
	}
	return n, n.id != "" && n.event != "", true
}

// FuzzParseNotification: a body is a notification if and only if encoding/json sees one in it, with the same id, event,
// time and webhook.
func FuzzParseNotification(f *testing.F) {
	for _, body := range deliveries(f) {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		kept := slices.Clone(body)
		n, err := ParseNotification(body)
		require.Equal(t, kept, body)
		want, ok, plain := readNotification(body)
		nested := bytes.Count(body, []byte("{"))+bytes.Count(body, []byte("[")) >= 200
		if plain && !nested && ok != (err == nil) {
			t.Fatalf("it is a notification: %v, but: %v", ok, err)
		}
		if err != nil {
			require.ErrorIs(t, err, ErrNotNotification)
			return
		}
		require.True(t, json.Valid(body), "what is not JSON must not pass")
		require.NotEmpty(t, n.ID)
		require.NotEmpty(t, n.Event)
		require.NotNil(t, n.Payload)
		require.Equal(t, kept, []byte(n.Raw()))
		if container, ok := n.Container.Value(); ok {
			require.NotNil(t, container)
		}
		if !plain {
			return
		}
		require.Equal(t, want.id, n.ID)
		require.Equal(t, EventName(want.event), n.Event)
		if want.plainWebhook {
			require.Equal(t, want.webhook, n.WebhookID)
		}
		if at, day, v := readMoment(want.created); v == mustBeThis {
			require.True(t, n.CreatedAt.utc().Equal(at) && n.CreatedAt.DateOnly() == day, "%s became %v", want.created, n.CreatedAt)
		} else if v == mustBeEmpty {
			require.True(t, n.CreatedAt.IsZero(), "%s became %v", want.created, n.CreatedAt)
		}
	})
}

// FuzzWebhookHandler: whatever is sent, only what the service signed reaches a callback, once, and the answer follows from
// the method, the signature and the length alone. Each line of signatures is a header of its own; signed puts the right
// one in their place.
func FuzzWebhookHandler(f *testing.F) {
	for i, body := range deliveries(f) {
		f.Add("POST", "", true, body)
		f.Add("POST", strings.Repeat("0", 64), false, body)
		f.Add([]string{"GET", "post", "POST", "PUT", ""}[i%5], []string{"", strings.Repeat("0", 64), "sha256=" + strings.Repeat("ab", 32), "a\nb"}[i%4], i%2 == 0, body)
	}
	good := terminal49test.SignWebhook(webhookSecret, []byte("x"))
	f.Add("POST", good+"\n"+good, false, []byte("x"))
	f.Add("POST", strings.ToUpper(good), false, []byte("x"))
	f.Add("POST", good, false, bytes.Repeat([]byte("x"), 9000))
	f.Fuzz(func(t *testing.T, method, signatures string, signed bool, body []byte) {
		mac := hmac.New(sha256.New, []byte(webhookSecret))
		mac.Write(body)
		due := mac.Sum(nil)
		headers := strings.Split(signatures, "\n")
		if signed {
			headers = []string{hex.EncodeToString(due)}
		}
		const limit = 8 << 10
		handled, buried := 0, 0
		h := newHandler(t, WithWebhookBodyLimit(limit),
			OnAny(func(context.Context, *Notification) error { handled++; return nil }),
			OnDeadLetter(func(_ context.Context, letter DeadLetter) error {
				buried++
				require.Equal(t, body, letter.Body)
				return nil
			}))
		for range 2 { // the service may deliver again
			r := httptest.NewRequest(http.MethodPost, "https://example.com/t49", bytes.NewReader(body))
			r.Method = method
			r.Header[WebhookSignatureHeader] = headers
			status := serve(h, r).Code
			sent, hexErr := hex.DecodeString(headers[0])
			want := http.StatusOK
			switch {
			case method != http.MethodPost:
				want = http.StatusMethodNotAllowed
			case len(headers) != 1 || hexErr != nil || len(sent) != sha256.Size:
				want = http.StatusUnauthorized
			case len(body) > limit:
				want = http.StatusRequestEntityTooLarge
			case !bytes.Equal(sent, due):
				want = http.StatusUnauthorized
			}
			if status != want {
				t.Fatalf("%q with %q: %d, want %d", method, headers, status, want)
			}
			_, err := ParseNotification(body)
			wantHandled, wantBuried := 0, 0
			if want == http.StatusOK && err == nil {
				wantHandled = 1
			} else if want == http.StatusOK {
				wantBuried = 1
			}
			if handled != wantHandled || buried != wantBuried {
				t.Fatalf("handled %d times, want %d; buried %d times, want %d", handled, wantHandled, buried, wantBuried)
			}
		}
	})
}
