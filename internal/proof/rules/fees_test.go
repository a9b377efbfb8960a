package rules_test

import (
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// Owed against the service's rules of terminal_fee, written down a second time with rationals: 0 is
// an amount that is not posted yet, so nothing that includes it is the amount owed; a total counts
// only if it is alone; amounts of several currencies are not added.
func TestFees_OwedIsTheWholeAmountOrUnknown(t *testing.T) {
	random := rand.New(rand.NewPCG(49, 2))
	amounts := []string{"0", "0.00", "0.1", "0.2", "185", "1000.005", "-130"}
	types := []terminal49.FeeType{"demurrage", "extended_dwell_time", "exam", "total", "other", "chassis"}
	known := 0
	for range testkit.Scale(20_000, 100_000) {
		fees := []terminal49.Fee{}
		sum, lines, posted, currencies := new(big.Rat), 0, true, map[string]bool{}
		var totals []string
		for range random.IntN(4) {
			fee := terminal49.Fee{Type: types[random.IntN(len(types))], CurrencyCode: []string{"USD", "USD", "USD", "CAD", ""}[random.IntN(5)],
				Amount: decimal.RequireFromString(amounts[random.IntN(len(amounts))])}
			fees = append(fees, fee)
			posted = posted && !fee.Amount.IsZero()
			if fee.Type == "total" {
				totals = append(totals, fee.CurrencyCode+fee.Amount.String())
			} else {
				lines++
				currencies[fee.CurrencyCode] = true
				sum.Add(sum, fee.Amount.Rat())
			}
		}
		if lines == 0 && len(totals) > 0 {
			currencies[fees[0].CurrencyCode] = len(slices.Compact(slices.Sorted(slices.Values(totals)))) == 1
			sum = fees[0].Amount.Rat()
		}
		wantCode, want := "", posted && len(currencies) <= 1 && !currencies[""]
		for code, agreed := range currencies {
			wantCode, want = code, want && agreed && code != ""
		}
		s := terminal49.SumFees(fees)
		amount, code, ok := s.Owed()
		require.Equal(t, want, ok, fees)
		if ok {
			known++
			require.Zero(t, amount.Rat().Cmp(sum), fees)
			require.Equal(t, wantCode, code, fees)
		}
		requireSummaryShown(t, s)
	}
	require.NotZero(t, known)
}

// requireSummaryShown requires that JSON shows what the methods return, with exact amounts.
func requireSummaryShown(t *testing.T, s terminal49.FeeSummary) {
	t.Helper()
	var shown struct {
		Owed       *string
		Currency   *string `json:"currency_code"`
		Text       string
		Currencies []struct {
			Code        string `json:"currency_code"`
			Lines       string
			Total, Owed *string
			NotPosted   int `json:"not_posted_count"`
		}
		NotPosted []terminal49.FeeType `json:"not_posted"`
	}
	data, err := json.Marshal(s)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &shown))
	amount, code, ok := s.Owed()
	require.Equal(t, ok, shown.Owed != nil && shown.Currency != nil)
	if ok {
		require.Equal(t, amount.String()+code, *shown.Owed+*shown.Currency)
	}
	require.Equal(t, s.String(), shown.Text)
	require.ElementsMatch(t, s.NotPosted, shown.NotPosted)
	require.Len(t, shown.Currencies, len(s.Currencies()))
	for i, c := range s.Currencies() {
		got := shown.Currencies[i]
		require.Equal(t, c.CurrencyCode+c.Lines.String(), got.Code+got.Lines)
		require.Equal(t, c.NotPostedCount, got.NotPosted)
		total, reported := c.Total.Get()
		require.Equal(t, reported, got.Total != nil)
		require.True(t, !reported || *got.Total == total.String())
		require.Equal(t, c.TotalConflict && c.LineCount == 0, got.Owed == nil)
	}
}
