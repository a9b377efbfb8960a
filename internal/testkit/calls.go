package testkit

import (
	"context"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
)

// Call is one call of a service method with every argument set.
type Call struct {
	Op, Method, Path, Query, Body string
	Reply                         string
	Do                            func(context.Context, *terminal49.Client) error
}

// EveryCall returns at least one call of every operation.
func EveryCall() []Call {
	return slices.Concat(
		ShipmentCalls(), ContainerCalls(), MapCalls(), TrackingRequestCalls(), ShippingLineCalls(), PartyCalls(),
		PartyRoleCalls(), MeCalls(), PlaceCalls(), FilterCalls(),
		VesselCalls(), SearchCalls(), EveryFieldCall(), DocumentCalls(), WebhookCalls(), NotificationCalls(),
	)
}

// TestCalls checks what each call sends, byte for byte, in a subtest each.
func TestCalls(t *testing.T, calls []Call) {
	for _, c := range calls {
		t.Run(c.Op+"?"+c.Query, func(t *testing.T) {
			api := NewFakeAPI()
			api.On(c.Method, c.Path, http.StatusOK, c.Reply)
			require.NoError(t, c.Do(t.Context(), NewClient(t, api)))

			require.Len(t, api.Requests(), 1)
			got := api.Requests()[0]
			require.Equal(t, c.Method, got.Method)
			require.Equal(t, "/proxy/v2"+c.Path, got.Path)
			require.Equal(t, c.Query, got.Query)
			require.Equal(t, c.Body, got.Body)
			require.Equal(t, c.Op, got.Info.Op)
			want := http.Header{
				"Accept":        {"application/vnd.api+json, application/json"},
				"Authorization": {"Token " + Token},
				"User-Agent":    {"go-freight-terminal49/" + terminal49.Version},
			}
			if c.Body != "" {
				want.Set("Content-Type", "application/json")
			}
			require.Equal(t, want, got.Header)
		})
	}
}

// RequireArgument fails unless err is an *ArgumentError for the field.
func RequireArgument(t *testing.T, err error, field string) {
	t.Helper()
	var argument *terminal49.ArgumentError
	require.ErrorAs(t, err, &argument)
	require.Equal(t, field, argument.Field)
	require.NotEmpty(t, argument.Op)
}
