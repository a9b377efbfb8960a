package terminal49test_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// demoAttributes returns the attributes of all resources of a type in a demo account with traffic.
func demoAttributes(t *testing.T, kind string) (all []map[string]any) {
	srv := newServer(t)
	srv.SeedDemo()
	srv.SeedTraffic(20)
	for r := range srv.Snapshot(kind) {
		var resource struct{ Attributes map[string]any }
		require.NoError(t, json.Unmarshal(r.JSON, &resource))
		all = append(all, resource.Attributes)
	}
	require.NotEmpty(t, all)
	return all
}

// Captured terminals have an address. The street of a ramp, and both codes, may be null.
func TestSeed_TerminalsHaveAnAddress(t *testing.T) {
	for _, terminal := range demoAttributes(t, "terminal") {
		for _, name := range []string{"city", "state", "state_abbr", "zip", "country"} {
			require.NotEmpty(t, terminal[name], "%s of %s", name, terminal["name"])
		}
		require.Equal(t, "United States", terminal["country"], "a full name, as in every captured value")
		require.Equal(t, terminal["facility_type"] == "rail", terminal["street"] == nil, terminal["name"])
		require.Contains(t, terminal, "smdg_code")
	}
}

// The retry_count of a request that was not retried is null, as in the examples of the service's
// OpenAPI document.
func TestSeed_RetryCountIsNullWithoutRetries(t *testing.T) {
	for _, request := range demoAttributes(t, "tracking_request") {
		require.Contains(t, request, "retry_count")
		require.Nil(t, request["retry_count"], request["status"])
	}
}

func TestSeedDemo_HasAnEmailWithADocument(t *testing.T) {
	srv := newServer(t)
	srv.SeedDemo()
	emails := getAPI(t, srv, "/email_submissions")
	require.Equal(t, 1.0, emails.at("meta/total"))
	require.Equal(t, 1.0, emails.at("data/0/attributes/documents_count"))
	require.Equal(t, "email", getAPI(t, srv, "/documents").at("data/0/attributes/source"))
}
