package main

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/go-freight/terminal49"
)

const notReadBack = "an example of the document, which the library does not read back as it wrote it"

// resourceTypes are the types that the library reads, by their name on the wire.
var resourceTypes = map[string]reflect.Type{
	"shipment":                reflect.TypeFor[terminal49.Shipment](),
	"container":               reflect.TypeFor[terminal49.Container](),
	"tracking_request":        reflect.TypeFor[terminal49.TrackingRequest](),
	"transport_event":         reflect.TypeFor[terminal49.TransportEvent](),
	"raw_event":               reflect.TypeFor[terminal49.RawEvent](),
	"shipping_line":           reflect.TypeFor[terminal49.ShippingLine](),
	"port":                    reflect.TypeFor[terminal49.Port](),
	"metro_area":              reflect.TypeFor[terminal49.MetroArea](),
	"terminal":                reflect.TypeFor[terminal49.Terminal](),
	"rail_terminal":           reflect.TypeFor[terminal49.Terminal](),
	"vessel":                  reflect.TypeFor[terminal49.Vessel](),
	"party":                   reflect.TypeFor[terminal49.Party](),
	"account":                 reflect.TypeFor[terminal49.Account](),
	"custom_field":            reflect.TypeFor[terminal49.CustomField](),
	"custom_field_definition": reflect.TypeFor[terminal49.CustomFieldDefinition](),
	"custom_field_option":     reflect.TypeFor[terminal49.CustomFieldOption](),
	"document":                reflect.TypeFor[terminal49.Document](),
	"document_representation": reflect.TypeFor[terminal49.Extraction](),
	"document_schema":         reflect.TypeFor[terminal49.DocumentSchema](),
	"email_submission":        reflect.TypeFor[terminal49.EmailSubmission](),
	"search_result":           reflect.TypeFor[terminal49.SearchHit](),
	"estimated_event":         reflect.TypeFor[terminal49.EstimatedEvent](),
	"container_updated_event": reflect.TypeFor[terminal49.ContainerUpdatedEvent](),
	"infer_number_results":    reflect.TypeFor[terminal49.Inference](),
	"webhook":                 reflect.TypeFor[terminal49.Webhook](),
	"webhook_notification":    reflect.TypeFor[terminal49.WebhookNotification](),
}

// checkStored reads every resource object of the document, wherever it is, writes it and reads it
// again. It returns how many there are.
func checkStored(part any) (count int, findings []finding) {
	switch v := part.(type) {
	case object:
		name, _ := v["type"].(string)
		_, hasAttributes := v["attributes"].(object)
		if of, known := resourceTypes[name]; known && hasAttributes && v["id"] != nil {
			count++
			if err := storeOne(of, v); err != nil {
				findings = append(findings, finding{fmt.Sprintf("stored %s %v", name, v["id"]), err.Error(), notReadBack})
			}
		}
		for _, key := range sortedKeys(v) {
			n, within := checkStored(v[key])
			count, findings = count+n, append(findings, within...)
		}
	case []any:
		for _, element := range v {
			n, within := checkStored(element)
			count, findings = count+n, append(findings, within...)
		}
	}
	return count, findings
}

func storeOne(of reflect.Type, example object) error {
	sent, err := json.Marshal(example)
	if err != nil {
		return err
	}
	first, second := reflect.New(of), reflect.New(of)
	if err := json.Unmarshal(sent, first.Interface()); err != nil {
		return err
	}
	written, err := json.Marshal(first.Interface())
	if err != nil {
		return err
	}
	if err := json.Unmarshal(written, second.Interface()); err != nil {
		return err
	}
	again, err := json.Marshal(second.Interface())
	if err == nil && string(again) != string(written) {
		err = fmt.Errorf("written as %s, then as %s", written, again)
	}
	return err
}
