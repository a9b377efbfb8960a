package terminal49test_test

import (
	"testing"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestInference_ByNumber(t *testing.T) {
	srv := newServer(t)
	srv.Script("SCRIPT-1", terminal49test.Journey{Inference: &terminal49test.Inference{SCAC: "CMDU", Confidence: 0.8, NumberType: "booking",
		OtherCandidates: []terminal49test.CarrierCandidate{{SCAC: "MAEU", Confidence: 0.9}}}})
	for number, members := range map[string]map[string]any{
		"MSKU7182047": {"number_type": "container", "validation/is_valid": true, "validation/check_digit_passed": true, "validation/type": "container",
			"validation/reason": nil, "shipping_line/decision": "auto_select", "shipping_line/selected/scac": "MAEU"},
		"msku 718204-8": {"number_type": "container", "validation/is_valid": false, "validation/check_digit_passed": false,
			// invalid, but predicted
			"validation/parsed_number": "MSKU7182048", "shipping_line/decision": "auto_select"},
		"TGHU6104790":   {"number_type": "container", "shipping_line/decision": "no_prediction", "shipping_line/selected": nil},
		"HLCUSHA240611": {"number_type": "bill_of_lading", "validation/is_valid": true, "validation/type": "shipment", "shipping_line/selected/name": "Hapag-Lloyd"},
		"MEDUFR030802":  {"number_type": "bill_of_lading", "validation/is_valid": nil, "shipping_line/decision": "needs_confirmation", "shipping_line/selected/scac": "MSCU"},
		"2613098841":    {"number_type": "booking", "validation/is_valid": nil, "shipping_line/decision": "no_prediction"},
		"SCRIPT-1":      {"number_type": "booking", "shipping_line/decision": "needs_confirmation", "shipping_line/selected/scac": "MAEU", "shipping_line/candidates/1/scac": "CMDU"},
	} {
		a := callAPI(t, srv, "POST", "/tracking_requests/infer_number", `{"number":"`+number+`"}`)
		full := map[string]any{}
		for k, v := range members {
			full["data/attributes/"+k] = v
		}
		checkReply(t, a, 200, full)
	}
	for _, garbage := range []string{"", "???", "AB1", "hello world"} {
		a := callAPI(t, srv, "POST", "/tracking_requests/infer_number", `{"number":"`+garbage+`"}`)
		checkReply(t, a, 422, map[string]any{"errors/0/status": "422", "errors/0/detail": "This reference number is not valid."})
		if a.has("errors/0/title") {
			t.Error("the infer operation's errors have no title")
		}
	}
	srv.CheckViolations(t)
}

// The guide has {data: {attributes: {...}}}, the OpenAPI document an id and a type too
// (docs/service-tracking.md#inference).
func TestInference_Forms(t *testing.T) {
	const body = `{"number":"MSKU7182047"}`
	sent := callAPI(t, newServer(t), "POST", "/tracking_requests/infer_number", body)
	checkReply(t, sent, 200, map[string]any{"data/type": "infer_number_results"})
	sent = callAPI(t, newServer(t, terminal49test.WithoutInferenceIDs()), "POST", "/tracking_requests/infer_number", body)
	checkReply(t, sent, 200, map[string]any{"data/attributes/number_type": "container"})
	if sent.has("data/id") || sent.has("data/type") {
		t.Error("the inference has an id or a type")
	}
}

func TestContainerNumber_CheckDigit(t *testing.T) {
	// The first number is the example of ISO 6346.
	for want, got := range map[string]string{
		"CSQU3054383":      terminal49test.ContainerNumber("CSQU", 305438),
		"MSKU0000000"[:10]: terminal49test.ContainerNumber("msku", 0)[:10],
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
