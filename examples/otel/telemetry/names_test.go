package telemetry

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/go-freight/terminal49"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A label has few values, whatever the service or a sender writes.
func TestLabels_OnlyNames(t *testing.T) {
	const hostile = "container\u009b2J\u202e"
	for text, want := range map[string]string{
		"container": "container", "pickup_lfd": "pickup_lfd", "fees_at_pod_terminal.amount": "fees_at_pod_terminal.amount",
		hostile: "other", "": "other", "Container": "other", "a b": "other", "\xff": "other",
	} {
		require.Equal(t, want, name(text), "%q", text)
	}
	require.Equal(t, "container.updated", known(terminal49.EventContainerUpdated))
	require.Equal(t, "other", known(terminal49.EventName("container.updated"+hostile)))
	require.Empty(t, known(""), "the delivery was not read")
}
