package guides_test

import (
	"context"
	"fmt"
	"log"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-freight/terminal49"
)

// connect is the beginning of every program.
func connect() (*terminal49.Client, error) {
	return terminal49.NewFromEnv(terminal49.WithUserAgent("dispatcher/1.0"))
}

var _ = connect // the simulation has its own

// asTypeScript lists what getContainer and listContainers of the TypeScript SDK include.
var asTypeScript = []terminal49.ContainerInclude{
	terminal49.ContainerIncludeShipment, terminal49.ContainerIncludePODTerminal, terminal49.ContainerIncludePickupFacility,
}

func shipmentOf(ctx context.Context, client *terminal49.Client, id string) (string, bool, error) {
	container, err := client.Containers.Get(ctx, id, &terminal49.ContainerGetParams{Include: asTypeScript}) // not nil
	if err != nil {
		return "", false, err
	}
	shipment, included := container.Shipment.Value() // with nil params, included is false
	if !included {
		return "", false, nil
	}
	return shipment.BillOfLadingNumber, true, nil
}

func Example_fromTypeScript() {
	service, demo, client := simulation()
	id := containerOf(service, demo.Shipments[0])
	bare, err := client.Containers.Get(context.Background(), id, nil)
	if err != nil {
		log.Fatal(err)
	}
	_, included := bare.Shipment.Value()
	fmt.Println("nil params:", included)
	fmt.Println(shipmentOf(context.Background(), client, id))
	// Output:
	// nil params: false
	// MAEU240711002 true <nil>
}

// flatMethods are the public methods of class Terminal49Client in sdks/typescript-sdk/src/client.ts
// of github.com/Terminal49/API, in the order of that file (the version with webhooks, vessels and
// custom fields).
const flatMethods = `deserialize search getContainer trackContainer createTrackingRequest inferTrackingNumber
	createTrackingRequestFromInfer getShipment listShipments updateShipment stopTrackingShipment resumeTrackingShipment
	getDemurrage getContainerTransportEvents getContainerRoute listShippingLines getRailMilestones listContainers
	getContainerRawEvents refreshContainer listWebhooks getWebhook createWebhook updateWebhook deleteWebhook getWebhookIps
	listWebhookNotifications getWebhookNotification getWebhookNotificationExamples getVessel getVesselByImo
	getVesselFuturePositions getVesselFuturePositionsWithCoords getPort getTerminal listParties getParty getMetroArea
	listCustomFieldDefinitions getCustomFieldDefinition createCustomFieldDefinition updateCustomFieldDefinition
	deleteCustomFieldDefinition listCustomFieldOptions getCustomFieldOption createCustomFieldOption updateCustomFieldOption
	deleteCustomFieldOption listCustomFields getCustomField createCustomField updateCustomField deleteCustomField
	listTrackingRequests listTrackRequests getTrackingRequest updateTrackingRequest`

// namespacedMethods are those of its namespaces: the same file, and src/client/managers.
const namespacedMethods = `shipments: get list iterate update stopTracking resumeTracking customFields setCustomField
	containers: get list iterate summary events route map rawEvents refresh demurrage customFields setCustomField
	trackingRequests: list iterate get update create inferNumber createFromInfer
	shippingLines: list
	webhooks: list get create update delete ips
	webhookNotifications: list get examples
	vessels: get getByImo futurePositions futurePositionsWithCoords
	ports: get
	terminals: get
	metroAreas: get
	parties: list get
	customFieldDefinitions: list get create update delete
	customFieldOptions: list get create update delete
	customFields: list get create update delete`

// TestFromTypeScript_EveryMethodHasItsEqual looks for each method of the SDK in the table, once, in
// a row that names something of this package; TestGuides_NamesExist checks those names.
func TestFromTypeScript_EveryMethodHasItsEqual(t *testing.T) {
	flat := strings.Fields(flatMethods)
	if len(flat) != 57 {
		t.Fatalf("%d methods of the SDK, of 57", len(flat))
	}
	_, table, _ := strings.Cut(read(t, "migrating.md"), "\n## Methods\n")
	table, _, _ = strings.Cut(table, "\n## ")
	var inTable [2][]string // of the client, of the namespaces
	for _, row := range methodRow.FindAllStringSubmatch(table, -1) {
		if strings.Contains(row[1]+row[2], "`") && !strings.Contains(row[3], "`") {
			t.Errorf("%s: no name of this package", row[0])
		}
		for i := range inTable {
			for _, name := range codeSpan.FindAllString(row[i+1], -1) {
				inTable[i] = append(inTable[i], strings.Trim(name, "`"))
			}
		}
	}
	compare := func(of string, got, want []string) {
		for _, name := range want {
			if n := len(slices.DeleteFunc(slices.Clone(got), func(s string) bool { return s != name })); n != 1 {
				t.Errorf("%s: %s is in %d rows", of, name, n)
			}
		}
	}
	compare("client", inTable[0], flat)
	var namespaced []string
	for line := range strings.Lines(namespacedMethods) {
		of, methods, _ := strings.Cut(strings.TrimSpace(line), ":")
		for _, method := range strings.Fields(methods) {
			namespaced = append(namespaced, of+"."+method)
		}
	}
	compare("namespaces", inTable[1], namespaced)
}

var methodRow = regexp.MustCompile(`(?m)^\|([^|]*)\|([^|]*)\|([^|]*)\|$`)
