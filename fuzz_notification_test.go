package terminal49_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/internal/testkit/naive"
)

// naiveNotification is a delivery as encoding/json reads it.
type naiveNotification struct {
	id, event, webhook string
	created            json.RawMessage
	plainWebhook       bool
}

// readNotification reads a delivery with encoding/json; plain is false if a member occurs twice.
func readNotification(body []byte) (n naiveNotification, ok, plain bool) {
	if !json.Valid(body) {
		return n, false, true
	}
	if naive.ReadObject(body) == nil {
		return n, false, true
	}
	doc, plain := naive.ReadDocument(body)
	if !plain {
		return n, false, false
	}
	if len(doc.Primary) != 1 || doc.Primary[0].Type != "webhook_notification" {
		return n, false, true
	}
	from := doc.Primary[0]
	if from.Attributes.Repeats("event", "created_at") || from.Relationships.Repeats("webhook") {
		return n, false, false
	}
	n.id, n.event = from.ID, from.Attributes.Text("event")
	n.created, _ = from.Attributes.Once("created_at")
	link, _ := from.Relationships.Once("webhook")
	refs, _, plainWebhook := naive.ReadLinkage(link, false)
	if n.plainWebhook = plainWebhook; len(refs) > 0 {
		n.webhook = refs[0].ID
	}
	return n, n.id != "" && n.event != "", true
}

// FuzzParseNotification checks that a body is a notification if and only if encoding/json finds one
// in it, with the same id, event, time and webhook.
func FuzzParseNotification(f *testing.F) {
	for _, body := range testkit.Deliveries(f) {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		kept := slices.Clone(body)
		n, err := terminal49.ParseNotification(body)
		require.Equal(t, kept, body)
		want, ok, plain := readNotification(body)
		nested := bytes.Count(body, []byte("{"))+bytes.Count(body, []byte("[")) >= 200
		if plain && !nested && ok != (err == nil) {
			t.Fatalf("it is a notification: %v, but: %v", ok, err)
		}
		if err != nil {
			require.ErrorIs(t, err, terminal49.ErrNotNotification)
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
		require.Equal(t, terminal49.EventName(want.event), n.Event)
		if want.plainWebhook {
			require.Equal(t, want.webhook, n.WebhookID)
		}
		if at, day, v := naive.ReadMoment(want.created); v == naive.MustBeThis {
			got, gotDay := n.CreatedAt.Moment()
			require.True(t, got.Equal(at) && gotDay == day, "%s was read as %v", want.created, n.CreatedAt)
		} else if v == naive.MustBeEmpty {
			require.True(t, n.CreatedAt.IsZero(), "%s was read as %v", want.created, n.CreatedAt)
		}
	})
}
