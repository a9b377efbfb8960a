package terminal49_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/assert"
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
	for range testkit.Scale(4_000, 100_000) {
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

// An empty array means no fees, and 0 means that the amount is not posted yet
// (docs/service-containers.md#fees). Null and missing are not an empty array.
func TestFees_Settled(t *testing.T) {
	for list, want := range map[string]bool{
		`"fees_at_pod_terminal":[]`:   true,
		`"fees_at_pod_terminal":null`: false,
		``:                            false,
		`"fees_at_pod_terminal":[{"type":"demurrage","amount":0,"currency_code":"USD"}]`:                                                false,
		`"fees_at_pod_terminal":[{"type":"demurrage","amount":null}]`:                                                                   false,
		`"fees_at_pod_terminal":[{"type":"total","amount":0,"currency_code":"USD"}]`:                                                    false,
		`"fees_at_pod_terminal":[{"type":"total","amount":5,"currency_code":"USD"}]`:                                                    false,
		`"fees_at_pod_terminal":[{"type":"exam","amount":5,"currency_code":"USD"},{"type":"total","amount":9,"currency_code":"USD"}]`:   false,
		`"fees_at_pod_terminal":[{"type":"exam","amount":5,"currency_code":"USD"},{"type":"other","amount":-5,"currency_code":"USD"}]`:  false,
		`"fees_at_pod_terminal":[{"type":"total","amount":5,"currency_code":"USD"},{"type":"total","amount":-5,"currency_code":"USD"}]`: false,
		`"fees_at_pod_terminal":[{"type":"new one","amount":5}]`:                                                                        false,
	} {
		summary := terminal49.SumFees(readContainers(t, "{"+list+"}")[0].Fees)
		assert.Equal(t, want, summary.Settled(), list)
		data, err := json.Marshal(summary)
		require.NoError(t, err)
		assert.Contains(t, string(data), fmt.Sprintf(`"settled":%v`, want), list)
	}
	assert.False(t, terminal49.FeeSummary{}.Settled(), "of no list at all")
}

// A total is left out when other fees are there, and counts when it is alone; sums are by currency
// (docs/service-containers.md#fees). That holds for each container, so the sum of containers is
// that of their sums.
func TestFees_AddKeepsTheRuleOfEachContainer(t *testing.T) {
	random := rand.New(rand.NewPCG(49, 3))
	for range testkit.Scale(1_000, 50_000) {
		var all, backwards terminal49.FeeSummary
		var parts []terminal49.FeeSummary
		owed, reported, currencies := map[string]decimal.Decimal{}, true, map[string]bool{}
		known := true
		for range 1 + random.IntN(4) {
			part := terminal49.SumFees(anyFees(random))
			parts, all, reported = append(parts, part), all.Add(part), reported && part.Reported
			_, code, ok := part.Owed()
			known = known && (ok || len(part.Currencies()) > 1)
			if code != "" {
				currencies[code] = true
			}
			for _, c := range part.Currencies() {
				owed[c.CurrencyCode] = owed[c.CurrencyCode].Add(c.Owed)
			}
		}
		for _, part := range slices.Backward(parts) {
			backwards = part.Add(backwards)
		}
		require.Equal(t, reported, all.Reported)
		require.Len(t, all.Currencies(), len(owed))
		byType := map[string]decimal.Decimal{}
		for _, sum := range all.ByType() {
			byType[sum.CurrencyCode] = byType[sum.CurrencyCode].Add(sum.Amount)
		}
		for code, amount := range owed {
			require.True(t, all.In(code).Owed.Equal(amount), "%s: %v", code, parts)
			require.True(t, byType[code].Equal(amount), "%s by type: %v", code, parts)
		}
		if amount, code, ok := all.Owed(); ok {
			require.True(t, reported && known && len(currencies) <= 1 && amount.Equal(owed[code]), "%v", parts)
		}
		settled := !slices.ContainsFunc(parts, func(s terminal49.FeeSummary) bool { return !s.Settled() })
		require.Equal(t, settled, all.Settled(), "%v", parts)
		require.Equal(t, fmt.Sprint(backwards, backwards.ByType()), fmt.Sprint(all, all.ByType()))
		requireSummaryShown(t, all)
	}
}

// anyFees returns up to three fees, or nil.
func anyFees(random *rand.Rand) []terminal49.Fee {
	if random.IntN(10) == 0 {
		return nil
	}
	fees := []terminal49.Fee{}
	for range random.IntN(4) {
		fees = append(fees, terminal49.Fee{
			Type:         []terminal49.FeeType{"demurrage", "exam", "total", "chassis"}[random.IntN(4)],
			CurrencyCode: []string{"USD", "USD", "USD", "CAD", ""}[random.IntN(5)],
			Amount:       decimal.RequireFromString([]string{"0", "100", "250.50", "0.10"}[random.IntN(4)]),
		})
	}
	return fees
}

// Made-up amounts under the rules of terminal_fee: a total next to line items is excluded where it
// is, and counts where it is alone.
func TestFees_SumOfContainers(t *testing.T) {
	usd := func(kind terminal49.FeeType, amount string) terminal49.Fee {
		return terminal49.Fee{Type: kind, Amount: decimal.RequireFromString(amount), CurrencyCode: "USD"}
	}
	lined := terminal49.SumFees([]terminal49.Fee{usd("demurrage", "1000"), usd("exam", "300"), usd("total", "1400")})
	total := terminal49.SumFees([]terminal49.Fee{usd("total", "500")})
	sum := terminal49.FeeSummary{}.Add(lined).Add(total).Add(terminal49.SumFees([]terminal49.Fee{}))
	amount, code, ok := sum.Owed()
	assert.True(t, ok)
	assert.Equal(t, "1800 USD", amount.String()+" "+code)
	_, ok = sum.Difference()
	assert.False(t, ok, "the totals are not those of the lines")
	var types []string
	for _, sum := range sum.ByType() {
		types = append(types, string(sum.Type)+" "+sum.Amount.String())
	}
	assert.Equal(t, []string{"demurrage 1000", "exam 300", "total 500"}, types)

	sum = sum.Add(terminal49.SumFees(nil))
	_, _, ok = sum.Owed()
	assert.False(t, ok)
	assert.Equal(t, "USD 1,800.00 (not all reported)", sum.String())
	sum = lined.Add(terminal49.SumFees([]terminal49.Fee{usd("demurrage", "0")}))
	assert.Equal(t, "USD 1,300.00 (not all amounts known)", sum.String())
	assert.Equal(t, 1, sum.ByType()[0].NotPostedCount)
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
		require.True(t, got.Owed != nil || c.TotalConflict)
		require.True(t, got.Owed == nil || !c.TotalConflict || c.LineCount > 0)
	}
}

// containerAt returns a container as a document has it, with the provided_data of the terminals
// that the document includes. "" is a terminal that is only linked.
func containerAt(t *testing.T, attributes, port, pickup string) *terminal49.Container {
	t.Helper()
	var included []string
	for id, provided := range map[string]string{"port": port, "pickup": pickup} {
		if provided != "" {
			included = append(included, `{"id":"`+id+`","type":"terminal","attributes":{`+provided+`}}`)
		}
	}
	var c terminal49.Container
	require.NoError(t, json.Unmarshal([]byte(`{"data":{"id":"c","type":"container","attributes":{`+attributes+`},"relationships":{
		"pod_terminal":{"data":{"id":"port","type":"terminal"}},"pickup_facility":{"data":{"id":"pickup","type":"terminal"}}}},
		"included":[`+strings.Join(included, ",")+`]}`), &c))
	return &c
}

// The flags of provided_data declare what a terminal reports. Without a flag that is false, an
// empty list means no fees (the service's rule for fees_at_pod_terminal).
func TestSumContainerFees_EmptyListOfTerminal(t *testing.T) {
	const (
		none      = `"fees_at_pod_terminal":[]`
		reports   = `"provided_data":{"fees_at_pod_terminal":true}`
		withholds = `"provided_data":{"fees_at_pod_terminal":false,"fees_at_pod_terminal_notes":"on their website"}`
		byRail    = none + `,"pod_rail_departed_at":"2026-03-02T08:00:00Z"`
	)
	for _, row := range []struct {
		name, attributes, port, pickup string
		reported                       bool
	}{
		{"no terminal included", none, "", "", true},
		{"terminal reports fees", none, reports, "", true},
		{"terminal does not", none, withholds, "", false},
		{"pickup facility does not", none, "", withholds, false},
		{"neither does", none, withholds, withholds, false},
		{"flag is missing", none, `"provided_data":{"pickup_lfd":false}`, "", true},
		{"only remarks", none, `"provided_data":{"fees_at_pod_terminal_notes":"no"}`, "", true},
		{"flag is null", none, `"provided_data":{"fees_at_pod_terminal":null}`, "", true},
		{"flag is not one", none, `"provided_data":{"fees_at_pod_terminal_notes":"","pickup_lfd":null}`, "", true},
		{"provided_data is null", none, `"provided_data":null`, `"provided_data":null`, true},
		{"provided_data is empty", none, `"provided_data":{}`, `"provided_data":{}`, true},
		{"no provided_data", none, `"name":"A"`, `"name":"B"`, true},
		{"at the port, which reports, before a ramp that does not", none, reports, withholds, true},
		{"at the port, which does not, before a ramp that does", none, withholds, reports, false},
		{"at the ramp, which reports", byRail, withholds, reports, true},
		{"at the ramp, which does not", byRail, reports, withholds, false},
		{"at the ramp, of which nothing is known", byRail, withholds, "", false},
		{"not a list", `"fees_at_pod_terminal":null`, reports, "", false},
	} {
		s := terminal49.SumContainerFees(containerAt(t, row.attributes, row.port, row.pickup))
		assert.Equal(t, row.reported, s.Reported, row.name)
		assert.Equal(t, row.reported, s.Settled(), row.name)
		_, _, owed := s.Owed()
		assert.Equal(t, row.reported, owed, row.name)
		assert.Equal(t, map[bool]string{true: "no fees", false: "fees not reported"}[row.reported], s.String(), row.name)
	}
	assert.Equal(t, terminal49.SumFees(nil), terminal49.SumContainerFees(nil))
}

// A fee was reported, although the terminal declares that it reports none.
func TestSumContainerFees_Fees(t *testing.T) {
	c := containerAt(t, `"fees_at_pod_terminal":[{"type":"demurrage","amount":150,"currency_code":"USD"}]`,
		`"provided_data":{"fees_at_pod_terminal":false}`, "")
	s := terminal49.SumContainerFees(c)
	assert.Equal(t, terminal49.SumFees(c.Fees), s)
	assert.True(t, s.Reported)
	assert.Equal(t, "USD 150.00", s.String())
	empty := containerAt(t, `"fees_at_pod_terminal":[]`, `"provided_data":{"fees_at_pod_terminal":false}`, "")
	assert.Equal(t, "USD 150.00 (not all reported)", s.Add(terminal49.SumContainerFees(empty)).String())
}

// The three states of a flag remain in JSON, as on the wire.
func TestProvidedData_JSON(t *testing.T) {
	const sent = `{"a":true,"a_notes":"n","b":false,"c":null,"d_notes":"only remarks"}`
	var p terminal49.ProvidedData
	require.NoError(t, json.Unmarshal([]byte(sent), &p))
	assert.Equal(t, terminal49.ProvidedData{
		"a": {Reported: terminal49.Some(true), Notes: "n"}, "b": {Reported: terminal49.Some(false)},
		"c": {Reported: terminal49.Null[bool]()}, "d": {Notes: "only remarks"},
	}, p)
	text, err := json.Marshal(p)
	require.NoError(t, err)
	assert.JSONEq(t, sent, string(text))
	_, listed := p["e"]
	assert.False(t, listed)
}
