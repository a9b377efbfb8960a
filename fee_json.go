package terminal49

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/shopspring/decimal"
)

// wireFee is a fee as the service writes it. The amount stays text, so that no digit is lost in a float.
type wireFee struct {
	Type         FeeType         `json:"type"`
	Amount       json.RawMessage `json:"amount"`
	CurrencyCode string          `json:"currency_code,omitempty"`
}

// maxAmountLength is more than any amount of money needs.
const maxAmountLength = 64

// MarshalJSON writes the fee as the service does, with the amount as a JSON number.
func (f Fee) MarshalJSON() ([]byte, error) {
	return json.Marshal(wireFee{f.Type, json.RawMessage(f.Amount.String()), f.CurrencyCode})
}

// UnmarshalJSON reads a fee as the service writes it. The amount may be a number or a string of one; null is 0.
func (f *Fee) UnmarshalJSON(data []byte) error {
	var wire wireFee
	if err := json.Unmarshal(data, &wire); err != nil {
		return err
	}
	amount, err := parseAmount(wire.Amount)
	if err != nil {
		return fmt.Errorf("terminal49: amount of fee %q: %w", wire.Type, err)
	}
	*f = Fee{wire.Type, amount, wire.CurrencyCode}
	return nil
}

func parseAmount(raw json.RawMessage) (decimal.Decimal, error) {
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return decimal.Decimal{}, nil
	}
	if len(raw) > maxAmountLength {
		return decimal.Decimal{}, errors.New("too many characters")
	}
	if raw[0] == '"' {
		raw = raw[1 : len(raw)-1] // an escape within would be no number anyway
	}
	return parseDecimal(string(raw))
}
