package control

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/internal/forms"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
)

// outside has, for each method of a server and each option, what does the same from outside: the
// name of a command, a request about a world, or of all worlds, an option of a world, a request of
// the service itself; or "-" and why nothing does.
var outside = map[string]string{
	// The clock
	"Advance": "advance", "AdvanceTo": "set_clock", "SetSpeed": "speed, pause, resume", "Now": "GET /clock", "Speed": "GET /clock",

	// Resources
	"AddContainer": "add_container", "AddCustomField": "add_custom_field", "AddCustomFieldDefinition": "add_custom_field_definition",
	"AddDocument": "add_document", "AddDocumentSchema": "add_document_schema", "AddDocumentType": "add_document_type",
	"AddEmailSubmission": "add_email_submission", "AddMetroArea": "add_metro_area", "AddParty": "add_party", "AddPartyRole": "add_party_role",
	"AddPort": "add_port", "AddRawEvent": "add_raw_event", "AddShipment": "add_shipment", "AddShippingLine": "add_shipping_line",
	"AddTerminal": "add_terminal", "AddTrackingRequest": "add_tracking_request, track, begin", "AddTransportEvent": "add_transport_event",
	"AddVessel": "add_vessel", "AddWebhook": "add_webhook", "AddWebhookNotification": "add_webhook_notification",
	"UpdateContainer": "update_container", "UpdateDocument": "update_document", "UpdatePort": "update_port", "UpdateShipment": "update_shipment",
	"UpdateTrackingRequest": "update_tracking_request", "UpdateVessel": "update_vessel", "UpdateWebhook": "update_webhook",
	"UpdateWebhookNotification": "update_webhook_notification",
	"RemoveContainer":           "remove_container", "MergeShipments": "merge_shipments",
	"Snapshot": "GET /resources", "History": "GET /history",
	"Container": "/v2/containers/{id}", "ContainerIDs": "/v2/shipments/{id}", "CustomFields": "/v2/custom_fields", "Document": "/v2/documents/{id}",
	"PartyRole": "/v2/shipments/{id}/party_roles", "Shipment": "/v2/shipments/{id}", "TrackingRequest": "/v2/tracking_requests/{id}",
	"Webhook":     "/v2/webhooks/{id}",
	"ContainerID": "- commands take the number", "ShipmentID": "- commands take the number",

	// What happens
	"Script": "script, begin", "Step": "step", "ScriptDocument": "script_document", "ReceiveEmail": "receive_email",
	"SeedDemo": "seed_demo", "SeedTraffic": "seed_traffic", "TouchContainers": "touch_containers",

	// Faults, webhooks and logs
	"AddFault": "fault", "ClearFaults": "clear_faults", "Faults": "GET /faults",
	"Redeliver": "redeliver", "HoldWebhooks": "hold_webhooks, release_webhooks", "SetWebhookNoise": "webhook_noise",
	"WebhookDeliveries": "GET /deliveries", "WebhookDeliveriesAfter": "GET /deliveries", "WebhookNotifications": "GET /notifications",
	"Requests": "GET /requests", "RequestsAfter": "GET /requests", "RequestCount": "GET /requests",
	"Violations": "GET /violations", "CheckViolations": "GET /violations",

	// Whole worlds
	"Reset": "POST /reset",
	"Close": "DELETE /worlds/{world}", "Shutdown": "- the process ends with a signal",
	"ServeHTTP": "- the simulator does it", "HTTPClient": "- for clients in the process", "Transport": "- for clients in the process",
	"Format": "- prints a server in Go",

	// Options
	"WithToken": "option token", "WithSeed": "option seed", "WithStart": "option start", "WithSpeed": "option speed", "WithLog": "option log",
	"WithHistory": "option history", "WithRateLimits": "option rate_limits", "WithoutRateLimits": "option unlimited",
	"WithTrackingDelay": "option tracking_delay", "WithSyntheticContainers": "option synthetic_containers", "WithReplicaLag": "option replica_lag",
	"WithWebhookTransport": "option webhooks", "WithWebhookHandler": "option webhooks", "WithWebhookNoise": "option webhook_noise",
	"WithWebhookBodiesAtDelivery": "option webhook_bodies_at_delivery", "WithoutWebhookEvents": "option without_webhook_events",
	"WithoutWebhooks": "option without_webhooks", "WithoutRefresh": "option without_refresh", "WithoutRouting": "option without_routing",
	"WithoutDocuments": "option without_documents", "WithoutReferenceData": "option without_reference_data",
	"WithoutInferenceIDs": "option without_inference_ids", "WithoutAutumn2026": "option without_autumn_2026",
	"WithMergedShipmentsKept": "option merged_shipments_kept", "WithDuplicateDocuments": "option duplicate_documents",
	"WithDirectUploadUnderVersion": "option direct_upload_under_version", "WithCustomFieldLimit": "option custom_field_limit",
	"WithBrokenCustomFieldList": "option broken_custom_field_list", "WithIgnored": "option ignored",
	"WithListener": "- worlds share the simulator's socket", "WithoutSocket": "- worlds share the simulator's socket",
	"WithStorageURL": "- the simulator sets it", "WithHistoryFunc": "- takes a function; GET /history has the same states",
	"WithLostWebhooks": "- takes a function; webhook_noise loses a share of the webhooks",
}

// onlyOutside are what Go needs no name for.
var onlyOutside = []string{"comment", "POST /commands"}

func TestOutside_HasAllOfTheServer(t *testing.T) {
	server := reflect.TypeFor[*terminal49test.Server]()
	for i := range server.NumMethod() {
		if name := server.Method(i).Name; outside[name] == "" {
			t.Errorf("the method %s has no row", name)
		}
	}
	options := optionNames(t)
	for _, name := range options {
		if outside[name] == "" {
			t.Errorf("the option %s has no row", name)
		}
	}
	for name := range outside {
		if _, ok := server.MethodByName(name); !ok && !slices.Contains(options, name) {
			t.Errorf("%s does not exist", name)
		}
	}
}

// Each row names what exists, and everything that exists is named.
func TestOutside_NamesWhatExists(t *testing.T) {
	left := map[string]bool{}
	for name := range commands {
		left[name] = true
	}
	for route := range worldRoutes {
		left[route] = true
	}
	for _, name := range forms.Names(reflect.TypeFor[worldOptions]()) {
		left["option "+name] = true
	}
	known := state.SortedKeys(left)
	for _, does := range append(state.SortedKeys(outside), onlyOutside...) {
		row := outside[does]
		if row == "" {
			row = does
		}
		for part := range strings.SplitSeq(row, ", ") {
			switch {
			case strings.HasPrefix(row, "- "), strings.HasPrefix(part, "/v2/"), part == "DELETE /worlds/{world}":
			case !slices.Contains(known, part):
				t.Errorf("%s: %q does not exist", does, part)
			}
			delete(left, part)
		}
	}
	for name := range left {
		t.Errorf("%s is in no row", name)
	}
}

// optionNames returns the functions of package terminal49test that return an option.
func optionNames(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob("../*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "With") && f.Name.IsExported() {
				names = append(names, f.Name.Name)
			}
		}
	}
	if len(names) < 30 {
		t.Fatalf("%d options", len(names))
	}
	return names
}
