package terminal49test

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// Inference is what infer_number returns for a number.
type Inference struct {
	SCAC string `json:"scac,omitzero"` // best candidate; "" means none
	// Confidence is 0 to 1: from 0.95 the decision is auto_select, from 0.70 needs_confirmation,
	// else no_prediction.
	Confidence      float64            `json:"confidence,omitzero"`
	OtherCandidates []CarrierCandidate `json:"other_candidates,omitzero"`
	// NumberType is "container", "bill_of_lading" or "booking"; "" derives it from the number.
	NumberType    string `json:"number_type,omitzero"`
	InvalidReason string `json:"invalid_reason,omitzero"` // reason why the number is invalid; "" means valid or unknown
}

// CarrierCandidate is another carrier that may have issued a number.
type CarrierCandidate struct {
	SCAC       string  `json:"scac"`
	Confidence float64 `json:"confidence"`
}

// WithoutInferenceIDs makes infer_number return only attributes, as the service's guides show it.
// By default the resource also has an id and a type, as in its OpenAPI document.
func WithoutInferenceIDs() Option { return func(c *config) { c.bareInferences = true } }

// detectSCAC returns the carrier that automatic detection finds, "" for none.
func (w *world) detectSCAC(number string) string {
	inf := w.infer(number)
	if inf.Confidence < 0.95 {
		return ""
	}
	return inf.SCAC
}

// infer uses the script, or else the owner code of a container number or the SCAC prefix of a bill
// of lading number.
func (w *world) infer(number string) Inference {
	if j, ok := w.journeys[number]; ok && j.Inference != nil {
		return *j.Inference
	}
	if shape := shapeOf(number); shape == shapeInvalid || shape == shapeBooking {
		return Inference{}
	}
	prefix := number[:4]
	for _, l := range w.lines.All() {
		switch {
		case shapeOf(number) == shapeContainer && slices.Contains(l.ContainerPrefixes, prefix):
			return Inference{SCAC: l.SCAC, Confidence: 0.98}
		case shapeOf(number) == shapeBill && l.SCAC == prefix:
			return Inference{SCAC: l.SCAC, Confidence: 0.97}
		case shapeOf(number) == shapeBill &&
			(slices.Contains(l.ContainerPrefixes, prefix) || slices.Contains(l.AlternativeSCACs, prefix)):
			return Inference{SCAC: l.SCAC, Confidence: 0.85}
		}
	}
	return Inference{}
}

func (x *exchange) inferNumber() service.Reply {
	var text string
	x.Attribute("number", &text)
	number := normalizeNumber(text)
	_, scripted := x.w.journeys[number]
	shape := shapeOf(number)
	if shape == shapeInvalid && !scripted {
		return service.ErrorReply(service.ShapeNoTitle, service.Problem{Status: 422, Detail: "This reference number is not valid."})
	}
	inf := x.w.infer(number)
	kind := cmp.Or(inf.NumberType, map[numberShape]string{shapeContainer: "container", shapeBill: "bill_of_lading"}[shape], "booking")
	data := wire.Object{
		{"id", "req_" + x.w.ids.Next("inference")}, {"type", "infer_number_results"},
		{"attributes", wire.Object{
			{"number_type", kind}, {"validation", validation(kind, number, inf)}, {"shipping_line", x.w.prediction(inf)},
		}},
	}
	if x.s.config.bareInferences {
		data = data[2:]
	}
	return service.JSONReply(200, wire.Object{{"data", data}})
}

// validation is true or false for a container number, by its check digit. For other numbers it is
// true if they begin with the carrier's SCAC, else null.
func validation(kind, number string, inf Inference) wire.Object {
	var valid, checked any
	about, reason := "shipment", inf.InvalidReason
	switch {
	case kind == "container":
		about = "container"
		ok := shapeOf(number) == shapeContainer && checkDigitMatches(number)
		checked, valid = ok, ok && reason == ""
		if !ok {
			reason = cmp.Or(reason, "The check digit does not match.")
		}
	case reason != "":
		valid = false
	case inf.SCAC != "" && strings.HasPrefix(number, inf.SCAC):
		valid = true
	}
	return wire.Object{
		{"is_valid", valid}, {"type", about}, {"check_digit_passed", checked}, {"parsed_number", number},
		{"reason", wire.OrNull(reason)},
	}
}

func (w *world) prediction(inf Inference) wire.Object {
	ranked := slices.Clone(inf.OtherCandidates)
	if inf.SCAC != "" {
		ranked = append([]CarrierCandidate{{inf.SCAC, inf.Confidence}}, ranked...)
	}
	slices.SortStableFunc(ranked, func(a, b CarrierCandidate) int { return cmp.Compare(b.Confidence, a.Confidence) })
	candidates := []wire.Object{}
	for _, c := range ranked {
		line := cmp.Or(w.line(c.SCAC), &ShippingLine{Name: c.SCAC})
		candidates = append(candidates, wire.Object{{"scac", c.SCAC}, {"name", line.Name}, {"confidence", c.Confidence}})
	}
	decision := "no_prediction"
	var selected any
	if len(ranked) > 0 && ranked[0].Confidence >= 0.7 {
		decision, selected = "needs_confirmation", candidates[0]
		if ranked[0].Confidence >= 0.95 {
			decision = "auto_select"
		}
	}
	return wire.Object{{"decision", decision}, {"selected", selected}, {"candidates", candidates}}
}
