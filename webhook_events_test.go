package terminal49

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/catalogue"
)

// The names agree with the catalogue, which the drift check compares with the service's own list.
func TestWebhookEventNames(t *testing.T) {
	var listed []string
	for _, enum := range catalogue.Enums() {
		if enum.Name == "webhook_notification.event" {
			listed = enum.Values
		}
	}
	require.Len(t, listed, 45)
	live, planned := toStrings(WebhookEvents()), []string{}
	for _, name := range listed {
		event := EventName(name)
		require.True(t, event.Known(), name)
		require.NotEqual(t, FamilyUnknown, event.Family(), name)
		if event.Planned() {
			planned = append(planned, name)
		}
	}
	require.Len(t, live, 43)
	require.ElementsMatch(t, listed, slices.Concat(live, planned))
}

func TestEventFamilies(t *testing.T) {
	count := map[EventFamily]int{}
	for _, event := range WebhookEvents() {
		count[event.Family()]++
	}
	require.Equal(t, map[EventFamily]int{
		FamilyTrackingRequest: 4, FamilyMilestone: 25, FamilyEstimate: 4, FamilyContainerCreated: 1, FamilyContainerUpdated: 1,
		FamilyTerminalChanged: 1, FamilyLastFreeDay: 4, FamilyAppointment: 1, FamilyDocument: 2,
	}, count)
	require.Equal(t, FamilyMilestone, EventFullOut.Family())
	require.Equal(t, FamilyEstimate, EventEstimatedVesselArrived.Family())
	require.Equal(t, FamilyLink, EventLinkCreated.Family())
	require.Equal(t, FamilyEmailSubmission, EventEmailSubmissionCreated.Family())
	for _, unheard := range []EventName{"", "container.melted", "container.transport.teleported"} {
		require.Equal(t, FamilyUnknown, unheard.Family())
		require.False(t, unheard.Known())
	}
}

func TestWebhookEventsAreTheCallersOwn(t *testing.T) {
	WebhookEvents()[0] = "changed"
	require.NotContains(t, WebhookEvents(), EventName("changed"))
}
