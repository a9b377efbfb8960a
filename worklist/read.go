package worklist

import (
	"errors"
	"fmt"
	"unique"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/jsonapi"
)

// factsReader reads the JSON form of Facts, several times as fast as encoding/json: an account has
// hundreds of thousands.
type factsReader struct {
	*jsonapi.Decoder
	facts   *Facts
	problem string // the last value in an unknown form
}

// read reads facts that were stored. Owed has what their fees sum up to.
func (f *Facts) read(data []byte) error {
	r := &factsReader{facts: f}
	r.Decoder = jsonapi.NewDecoder(data, "facts", func(w jsonapi.Warning) { r.problem = w.Field + " " + w.Problem })
	r.Object(r.member)
	switch err := r.End(); {
	case err != nil:
		return fmt.Errorf("worklist: reading facts: %w", err)
	case r.problem != "":
		return errors.New("worklist: reading facts: " + r.problem)
	}
	f.sumFees()
	f.Fees = nil
	return nil
}

func (r *factsReader) member(key []byte) {
	switch f := r.facts; string(key) {
	case "line":
		r.name(&f.Line)
	case "port_of_discharge":
		r.name(&f.PortOfDischarge)
	case "destination":
		r.name(&f.Destination)
	case "vessel":
		r.name(&f.Vessel)
	case "voyage":
		r.word(&f.Voyage)
	case "customer":
		r.word(&f.Customer)
	case "bill_of_lading":
		f.BillOfLading = r.text()
	case "references":
		r.Array(func() { f.References = append(f.References, r.text()) })
	case "stage":
		r.word((*string)(&f.Stage))
	case "equipment":
		r.word(&f.Equipment)
	case "original_eta":
		r.day(&f.OriginalETA)
	default:
		r.rest(key)
	}
}

// rest reads what a terminal reports.
func (r *factsReader) rest(key []byte) {
	switch f := r.facts; string(key) {
	case "tags":
		r.words(&f.Tags)
	case "holds":
		r.words(&f.Holds)
	case "other_holds":
		r.words(&f.OtherHolds)
	case "fees":
		r.Array(r.fee)
	case "appointment":
		r.day(&f.Appointment)
	case "stopped":
		f.Stopped, _ = r.Bool()
	case "appointed":
		f.Appointed, _ = r.Bool()
	case "lfds_differ":
		f.LFDsDiffer, _ = r.Bool()
	case "holds_reported":
		f.HoldsReported, _ = r.Bool()
	case "fees_reported":
		f.FeesReported, _ = r.Bool()
	default:
		r.Skip()
	}
}

func (r *factsReader) name(to *Name) {
	r.Object(func(key []byte) {
		switch string(key) {
		case "code":
			r.word(&to.Code)
		case "name":
			r.word(&to.Name)
		default:
			r.Skip()
		}
	})
}

// text reads a text of its own, which keeps no longer one.
func (r *factsReader) text() string {
	text, _ := r.Bytes()
	return string(text)
}

// word reads a text that many records have, and sets the one copy of it.
func (r *factsReader) word(to *string) { *to = unique.Make(r.text()).Value() }

func (r *factsReader) words(to *[]string) {
	r.Array(func() {
		var word string
		r.word(&word)
		*to = append(*to, word)
	})
}

func (r *factsReader) day(to *terminal49.Date) {
	text, _ := r.Bytes()
	if err := to.UnmarshalText(text); err != nil {
		r.Warn("want a day")
	}
}

func (r *factsReader) fee() {
	var fee terminal49.Fee
	if err := fee.UnmarshalJSON(r.Raw()); err != nil {
		r.Warn("want a fee")
	}
	r.facts.Fees = append(r.facts.Fees, fee)
}
