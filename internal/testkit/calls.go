package testkit

import (
	"context"
	_ "embed" // the calls as they are sent
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/operation"
)

// Call is one call of a service method, with what it sends.
type Call struct {
	Op, Method, Path, Query, Body string
	Reply                         string
	Do                            func(context.Context, *terminal49.Client) error
}

// on is the client of a call and its context.
type on struct {
	*terminal49.Client
	ctx context.Context
}

// groups are the calls of each service. Together they have at least one of every operation, and one
// that sets every argument.
var groups = []struct {
	name  string
	calls func() []func(on) error
}{
	{"shipments", shipmentCalls}, {"containers", containerCalls}, {"map", mapCalls}, {"tracking_requests", trackingRequestCalls},
	{"shipping_lines", shippingLineCalls}, {"parties", partyCalls}, {"party_roles", partyRoleCalls}, {"me", meCalls}, {"places", placeCalls},
	{"filters", filterCalls}, {"vessels", vesselCalls}, {"search", searchCalls}, {"custom_fields", everyFieldCall}, {"documents", documentCalls},
	{"webhooks", webhookCalls}, {"notifications", notificationCalls},
}

// recorded has a line for each call: group, operation, method, path, query and body, with a tab
// between two. TestCalls_AreAsRecorded writes it.
//
//go:embed testdata/calls.txt
var recorded string

// EveryCall returns at least one call of every operation.
func EveryCall() (list []Call) {
	for _, g := range groups {
		list = append(list, CallsOf(g.name)...)
	}
	return list
}

// CallsOf returns the calls of a group, such as "shipments".
func CallsOf(group string) (list []Call) {
	var sent [][]string
	for line := range strings.Lines(recorded) {
		if columns := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); columns[0] == group {
			sent = append(sent, columns)
		}
	}
	for i, do := range callsIn(group) {
		if i >= len(sent) {
			panic("testdata/calls.txt is not up to date: go test ./internal/testkit -run TestCalls_AreAsRecorded -update")
		}
		s := sent[i]
		list = append(list, Call{Op: s[1], Method: s[2], Path: s[3], Query: s[4], Body: s[5], Reply: replyTo(s[1]), Do: doing(do)})
	}
	return list
}

func callsIn(group string) []func(on) error {
	for _, g := range groups {
		if g.name == group {
			return g.calls()
		}
	}
	panic("testkit: no calls have the group " + group)
}

func doing(do func(on) error) func(context.Context, *terminal49.Client) error {
	return func(ctx context.Context, c *terminal49.Client) error { return do(on{c, ctx}) }
}

// replies are the responses that are not resources, by operation.
var replies = map[string]string{
	"containers.map_geojson": NoRoute, "containers.refresh": `{"message":"ok"}`,
	"containers.summary":          `{"data":[],"meta":{"total":0,"group_by":"pod_terminal","truncated":false}}`,
	"containers.transport_events": `{"data":[]}`, "containers.raw_events": `{"data":[]}`,
	"documents.types": `{"document_types":[]}`, "documents.list": `{"data":[]}`, "email_submissions.list": `{"data":[]}`,
	"documents.type":         `{"data":{"id":"arrival_notice","type":"document_type","attributes":{"code":"arrival_notice"}}}`,
	"documents.download_url": `{"download_url":"https://files.example/f"}`,
	"documents.reextract":    accepted, "documents.reclassify": accepted, "documents.relink": accepted, "documents.rotate": accepted,
	"parties.create": OneParty, "parties.get": OneParty, "parties.update": OneParty,
	"tracking_requests.infer": `{"data":{"attributes":{"number_type":"container"}}}`,
	"search.query":            `{"data":[]}`, "webhooks.events": `{"data":[]}`, "webhooks.ips": `{}`, "webhooks.trigger": `{}`,
}

const accepted = `{"status":"accepted"}`

// named are the ids of the resources that calls name, by wire type.
var named = map[string]string{
	"shipment": ShipmentID, "container": ContainerID, "tracking_request": RequestID, "shipping_line": LineID, "party": PartyID,
	"party_role": PartyRoleID, "port": PortID, "metro_area": MetroID, "terminal": TerminalID, "vessel": VesselID,
	"custom_field_definition": DefinitionID, "custom_field_option": OptionID, "custom_field": CustomFieldID, "document": DocumentID,
	"email_submission": EmailID, "document_schema": SchemaID, "webhook": WebhookID, "webhook_notification": NotificationID,
	"credential": PartyID,
}

// replyTo returns a response to an operation: the named resource, or a list of it.
func replyTo(op string) string {
	if reply, ok := replies[op]; ok {
		return reply
	}
	i := slices.IndexFunc(operation.All(), func(o operation.Operation) bool { return o.Name == op })
	o := operation.All()[i]
	switch resource := fmt.Sprintf(`{"id":%q,"type":%q}`, named[o.Resource], o.Resource); {
	case o.Method == http.MethodDelete:
		return ""
	case strings.HasSuffix(op, ".list"):
		return `{"data":[` + resource + `]}`
	default:
		return `{"data":` + resource + `}`
	}
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
