package decimals_test

import (
	"go.uber.org/goleak"

	"github.com/go-freight/terminal49"

	"encoding/json"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"github.com/go-freight/terminal49/internal/decimals"
)

// plainNumber is a number of JSON without an exponent.
var plainNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)([.][0-9]+)?$`)

// FuzzDecimal checks that a text is read as an exact amount or rejected, that every number of
// reasonable size is read, and that a written amount can be read again.
func FuzzDecimal(f *testing.F) {
	for _, s := range []string{
		"0", "150.10", "-7e20", "1e-9", "1e30", "1e31", "0.000000000000000000000000000001", "1e999999999",
		"-1e-999999999", "", " 12.50 ", "+1", "1_000",
		"0x10", "1,300.50", "NaN", "Inf", ".5", "5.", "1e", "--1", "٣", strings.Repeat("9", 60),
		strings.Repeat("9", 61), "1300.0e+2", "1E2",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > decimals.MaxLength {
			return // the callers' bound
		}
		n, err := decimals.Parse(s)
		trimmed := strings.TrimSpace(s)
		if err != nil {
			digits := strings.NewReplacer("-", "", ".", "").Replace(trimmed)
			if plainNumber.MatchString(trimmed) && len(digits) <= decimals.MaxExponent {
				t.Fatalf("%q is a number: %v", s, err)
			}
			return
		}
		// The library accepts more than JSON, such as ".5"; so does big.Rat.
		exact, ok := new(big.Rat).SetString(trimmed)
		if !ok || exact.Cmp(n.Rat()) != 0 {
			t.Fatalf("%q became %v", s, n)
		}
		if len(n.String()) > 2*decimals.MaxDigits {
			t.Fatalf("%q takes %d characters to write", s, len(n.String()))
		}
		fee := terminal49.Fee{Type: terminal49.FeeDemurrage, Amount: n, CurrencyCode: "USD"}
		var again terminal49.Fee
		written, err := json.Marshal(fee)
		if err != nil || json.Unmarshal(written, &again) != nil || !again.Amount.Equal(n) {
			t.Fatalf("%q was written as %s and read as %v: %v", s, written, again.Amount, err)
		}
	})
}

// Nothing that the tests start may outlive them.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
