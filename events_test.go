package terminal49_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/catalogue"
	"github.com/go-freight/terminal49/internal/testkit"
)

// Source: the service's changelog of 2026-05-11 says that link.created is live;
// email_submission.created is announced only.
func TestEventName_LinkCreatedIsLive(t *testing.T) {
	require.False(t, terminal49.EventLinkCreated.Planned())
	require.True(t, terminal49.EventLinkCreated.Known())
	require.Contains(t, terminal49.WebhookEvents(), terminal49.EventLinkCreated)
	require.True(t, terminal49.EventEmailSubmissionCreated.Planned())
	require.NotContains(t, terminal49.WebhookEvents(), terminal49.EventEmailSubmissionCreated)
}

// WebhookEvents has the 43 names of the service's OpenAPI document and link.created. With both
// names of a document event, a webhook would receive each document twice.
func TestWebhookEvents_HasOneNameOfEachDocumentEvent(t *testing.T) {
	require.Len(t, terminal49.WebhookEvents(), 44)
	require.NotContains(t, terminal49.WebhookEvents(), terminal49.EventDocumentRepresentationCreated)
	require.NotContains(t, terminal49.WebhookEvents(), terminal49.EventDocumentRepresentationFailed)
}

// The names agree with the catalogue, which the drift check compares with the service's own list.
func TestWebhookEvents_AgreeWithTheCatalogue(t *testing.T) {
	var listed []string
	for _, enum := range catalogue.Enums() {
		if enum.Name == "webhook_notification.event" {
			listed = enum.Values
		}
	}
	require.Len(t, listed, 47)
	known, planned := terminal49.WebhookEvents(), 0
	require.Len(t, known, 44)
	for _, name := range listed {
		event := terminal49.EventName(name)
		require.True(t, event.Known(), name)
		if event.Planned() {
			known, planned = append(known, event), planned+1
		}
	}
	require.Equal(t, 1, planned)
	known = append(known, terminal49.EventDocumentRepresentationCreated, terminal49.EventDocumentRepresentationFailed)
	require.ElementsMatch(t, listed, testkit.EventTexts(known))
}

func TestWebhookEvents_ReturnsACopy(t *testing.T) {
	terminal49.WebhookEvents()[0] = "changed"
	require.NotContains(t, terminal49.WebhookEvents(), terminal49.EventName("changed"))
}
