package terminal49_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/catalogue"
	"github.com/go-freight/terminal49/internal/testkit"
)

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
		require.NotEqual(t, terminal49.FamilyUnknown, event.Family(), name)
		if event.Planned() {
			known, planned = append(known, event), planned+1
		}
	}
	require.Equal(t, 1, planned)
	known = append(known, terminal49.EventDocumentRepresentationCreated, terminal49.EventDocumentRepresentationFailed)
	require.ElementsMatch(t, listed, testkit.EventTexts(known))
}

func TestEventName_Family(t *testing.T) {
	count := map[terminal49.EventFamily]int{}
	for _, event := range terminal49.WebhookEvents() {
		count[event.Family()]++
	}
	require.Equal(t, map[terminal49.EventFamily]int{
		terminal49.FamilyTrackingRequest: 4, terminal49.FamilyMilestone: 25, terminal49.FamilyEstimate: 4,
		terminal49.FamilyContainerCreated: 1, terminal49.FamilyContainerUpdated: 1,
		terminal49.FamilyTerminalChanged: 1, terminal49.FamilyLastFreeDay: 4, terminal49.FamilyAppointment: 1,
		terminal49.FamilyDocument: 2, terminal49.FamilyLink: 1,
	}, count)
	require.Equal(t, terminal49.FamilyMilestone, terminal49.EventFullOut.Family())
	require.Equal(t, terminal49.FamilyEstimate, terminal49.EventEstimatedVesselArrived.Family())
	require.Equal(t, terminal49.FamilyLink, terminal49.EventLinkCreated.Family())
	require.Equal(t, terminal49.FamilyDocument, terminal49.EventDocumentRepresentationCreated.Family())
	require.Equal(t, terminal49.FamilyDocument, terminal49.EventDocumentRepresentationFailed.Family())
	require.Equal(t, terminal49.FamilyEmailSubmission, terminal49.EventEmailSubmissionCreated.Family())
	for _, unheard := range []terminal49.EventName{"", "container.melted", "container.transport.teleported"} {
		require.Equal(t, terminal49.FamilyUnknown, unheard.Family())
		require.False(t, unheard.Known())
	}
}

func TestWebhookEvents_ReturnsACopy(t *testing.T) {
	terminal49.WebhookEvents()[0] = "changed"
	require.NotContains(t, terminal49.WebhookEvents(), terminal49.EventName("changed"))
}
