package terminal49test_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/catalogue"
)

// notSimulated are attributes that the simulator does not send by itself: most are in one document
// only, and null or missing in captured responses. The Attributes of a test's resource send them.
var notSimulated = map[string][]string{
	"container":               {"release_statuses", "inland_destination_eta_source_summary"},
	"tracking_request":        {"tags"},
	"vessel":                  {"positions"}, // sent on request
	"party":                   {"nickname", "role_names"},
	"custom_field_definition": {"sensitive", "reference_number"},
	"document":                {"parsed"},
	"email_submission":        {"body", "in_reply_to", "references", "content_type", "documents_count"}, // sent by its own operations
}

// Each resource has the attributes of the catalogue, which the drift check compares with the
// service's OpenAPI document.
func TestSnapshot_HasEveryAttribute(t *testing.T) {
	sent := map[string]map[string]bool{}
	for r := range busyWorld(t).Snapshot() {
		var resource struct{ Attributes map[string]json.RawMessage }
		require.NoError(t, json.Unmarshal(r.JSON, &resource))
		if sent[r.Type] == nil {
			sent[r.Type] = map[string]bool{}
		}
		for name := range resource.Attributes {
			sent[r.Type][name] = true
		}
	}
	require.Greater(t, len(sent), 15)
	for _, typ := range catalogue.Types() {
		if sent[typ.Name] == nil {
			continue
		}
		want := slices.DeleteFunc(typ.Attributes, func(name string) bool {
			return strings.Contains(name, ".") || slices.Contains(notSimulated[typ.Name], name)
		})
		require.ElementsMatch(t, want, slices.Collect(maps.Keys(sent[typ.Name])), typ.Name)
	}
}
