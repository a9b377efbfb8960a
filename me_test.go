package terminal49_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

func TestMe_Requests(t *testing.T) { testkit.TestCalls(t, testkit.MeCalls()) }

// An API key has no user; a user's access token may leave out the account, and lists those that it
// may use; tracking_slots are null if unlimited (docs/service.md#credential).
func TestMe_KeyAndUser(t *testing.T) {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithoutRouting())
	defer srv.Close()
	me, err := testkit.SimulatedClient(t, srv).Me(t.Context())
	require.NoError(t, err)
	require.Equal(t, "api_key", me.Kind)
	require.Equal(t, terminal49.RelationshipNull, me.User.State())
	require.Equal(t, terminal49.FeatureStatusNotEnabled, me.Status(terminal49.FeatureRoutingData))
	require.Equal(t, terminal49.FeatureStatusAvailable, me.Status(terminal49.FeatureCustomFields))
	require.Empty(t, me.Status("new_feature"), "not reported")
	account, ok := me.Account.Value()
	require.True(t, ok)
	require.True(t, account.TrackingSlots.Unlimited)

	user, err := terminal49.New("Bearer "+srv.Token, terminal49.WithBaseURL(srv.URL),
		terminal49.WithHTTPClient(srv.HTTPClient()), terminal49.WithStrictDecoding())
	require.NoError(t, err)
	me, err = user.Me(t.Context())
	require.NoError(t, err)
	require.Equal(t, "user", me.Kind)
	person, ok := me.User.Value()
	require.True(t, ok)
	require.Equal(t, me.ID, person.ID)
	accounts, complete := person.Accounts.Values()
	require.True(t, complete)
	require.Len(t, accounts, 1)
	accounts[0].AsOf = account.AsOf // another request
	require.Equal(t, account, accounts[0])
	srv.CheckViolations(t)
}

// Both texts of a key that is not accepted (docs/service.md#error-bodies).
func TestMe_Errors(t *testing.T) {
	for _, detail := range []string{"Invalid or missing API token.", "Terminal49 API key could not be verified"} {
		_, err := testkit.NewClient(t, testkit.Answer(401, `{"errors":[{"detail":"`+detail+`"}]}`)).Me(t.Context())
		require.ErrorIs(t, err, terminal49.ErrUnauthorized)
		require.NotContains(t, err.Error(), "may not have")
	}
	for _, body := range []string{"", "<html>", `{"errors":[{"title":"Not Found"}]}`} {
		_, err := testkit.NewClient(t, testkit.Answer(404, body)).Me(t.Context())
		require.ErrorIs(t, err, terminal49.ErrNotFound)
		require.ErrorContains(t, err, "the service may not have this operation yet")
	}
}
