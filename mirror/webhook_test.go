package mirror

import (
	"bytes"
	"log/slog"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// hooked is a service that delivers to the receiver of the first of two mirrors into one database.
type hooked struct {
	*subscribed
	other *Mirror
	log   bytes.Buffer
}

func hook(t *testing.T, f func(*testing.T, *hooked), opts ...terminal49test.Option) {
	synctest.Test(t, func(t *testing.T) {
		h := &hooked{subscribed: &subscribed{}}
		deliveries := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.receive.ServeHTTP(w, r) })
		h.srv = terminal49test.NewServer(append(opts, terminal49test.WithoutSocket(), terminal49test.WithWebhookHandler(deliveries))...)
		defer h.srv.Close()
		db := sqliteMemory(t)
		m, l := stored(t, db, h.srv)
		m.opts.URL, m.opts.Log = hookURL, slog.New(slog.NewTextHandler(&h.log, nil))
		h.leading = lead(m, l)
		h.receive = h.Receiver()
		var err error
		h.other, err = New(h.client, db, WithWebhook(hookURL))
		require.NoError(t, err)
		f(t, h)
		h.srv.CheckViolations(t)
	})
}

// delivers reports whether a change reaches the inbox.
func (h *hooked) delivers(t *testing.T) bool {
	before := len(h.strings(t, inboxIDs))
	h.srv.AddContainer(terminal49test.Container{
		Number: "MSCU1234566", Shipment: h.srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MEDUSH4081712", ShippingLine: "MSCU"}),
	})
	h.srv.Advance(2 * time.Second)
	return len(h.strings(t, inboxIDs)) > before
}

// Interface of Ensure: the webhook has all events that the account can subscribe to. Every process
// learns its secret.
func TestWebhook_IsMadeForEveryProcess(t *testing.T) {
	t.Parallel()
	hook(t, func(t *testing.T, h *hooked) {
		require.False(t, h.delivers(t))
		require.NoError(t, h.ensureWebhook(t.Context()))
		require.NoError(t, h.other.ensureWebhook(t.Context()))
		require.Equal(t, h.receiver.Own(), h.other.receiver.Own())
		made, ok := h.srv.Webhook(h.receiver.Own())
		require.True(t, ok)
		require.Equal(t, hookURL, made.URL)
		require.NotContains(t, made.Events, "document.extracted")
		require.Contains(t, made.Events, "container.updated")
		require.Len(t, made.Events, len(terminal49.WebhookEvents())-2)
		require.True(t, h.delivers(t))
		h.receive = h.other.Receiver()
		require.True(t, h.delivers(t))
	}, terminal49test.WithoutWebhookEvents("document.extracted", "document.extraction_failed"))
}

// The service may deactivate a webhook, and a user may delete it.
func TestWebhook_IsRepaired(t *testing.T) {
	t.Parallel()
	hook(t, func(t *testing.T, h *hooked) {
		require.NoError(t, h.ensureWebhook(t.Context()))
		first := h.receiver.Own()
		time.Sleep(time.Hour)
		sent := len(h.srv.Requests())
		require.NoError(t, h.ensureWebhook(t.Context()))
		require.Len(t, h.srv.Requests(), sent+1, "a look costs one request")

		h.srv.UpdateWebhook(first, func(w *terminal49test.Webhook) { w.Inactive = true })
		require.False(t, h.delivers(t))
		require.NoError(t, h.ensureWebhook(t.Context()))
		require.Contains(t, h.log.String(), "switched off")
		require.True(t, h.delivers(t))

		require.NoError(t, h.client.Webhooks.Delete(t.Context(), first))
		require.False(t, h.delivers(t))
		require.NoError(t, h.ensureWebhook(t.Context()))
		require.Contains(t, h.log.String(), "deleted")
		require.NotEqual(t, first, h.receiver.Own())
		require.True(t, h.delivers(t))
		h.applyAll(t)
		require.Equal(t, []string{"active"}, h.strings(t, "select value from t49.cursors where name = 'webhook'"))
	})
}

// Webhooks are a feature of the account.
func TestWebhook_NoFeature(t *testing.T) {
	t.Parallel()
	hook(t, func(t *testing.T, h *hooked) {
		require.ErrorIs(t, h.ensureWebhook(t.Context()), terminal49.ErrForbidden)
		require.NoError(t, h.work.Audits.Audit(t.Context(), false))
		h.applyAll(t)
		require.Len(t, h.strings(t, "select value from t49.cursors where name = 'webhook' and value <> 'active'"), 1)
		require.Contains(t, h.log.String(), "no audit")
	}, terminal49test.WithoutWebhooks())
}
