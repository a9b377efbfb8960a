package terminal49

import (
	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// Fee is one charge on a container as its terminal reports it.
type Fee struct {
	Type FeeType
	// Amount is exact, in the currency's own unit. Zero, like a null on the wire, means that the fee applies and its
	// amount is not posted yet.
	Amount decimal.Decimal
	// CurrencyCode is the ISO 4217 code, typically USD; "" if the terminal did not say. It is never guessed.
	CurrencyCode string
}

// FeeType is the kind of a fee.
type FeeType string

const (
	FeeDemurrage         FeeType = "demurrage"           // daily charge after free time, owed to the carrier
	FeeExtendedDwellTime FeeType = "extended_dwell_time" // owed to the terminal for a long stay
	FeeExam              FeeType = "exam"                // cost of an inspection
	FeeTotal             FeeType = "total"               // combined total: may overlap the other fees, see SumFees
	FeeOther             FeeType = "other"               // not mapped by the service
)

var feeTypes = []FeeType{FeeDemurrage, FeeExtendedDwellTime, FeeExam, FeeTotal, FeeOther}

// Known reports whether t is one of the constants of this version. Unknown values are kept as they came.
func (t FeeType) Known() bool { return known(t, feeTypes) }

var feeMembers = jsonapi.NewMembers(
	text("type", func(f *Fee) *FeeType { return &f.Type }),
	amount("amount", func(f *Fee) *decimal.Decimal { return &f.Amount }),
	text("currency_code", func(f *Fee) *string { return &f.CurrencyCode }),
)
