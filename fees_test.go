package terminal49

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-freight/terminal49/internal/decimals"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func fee(kind FeeType, amount, code string) Fee {
	return Fee{Type: kind, Amount: decimal.RequireFromString(amount), CurrencyCode: code}
}

func TestSumFees_Totals(t *testing.T) {
	for _, row := range []struct {
		name   string
		fees   []Fee
		owed   map[string]string // by currency
		text   string
		totals bool
	}{
		{"not reported", nil, map[string]string{}, "fees not reported", false},
		{"none", []Fee{}, map[string]string{}, "no fees", false},
		{"one", []Fee{fee(FeeDemurrage, "150.5", "USD")}, map[string]string{"USD": "150.5"}, "USD 150.50", false},
		{"two of one kind", []Fee{fee(FeeDemurrage, "0.1", "USD"), fee(FeeDemurrage, "0.2", "USD")},
			map[string]string{"USD": "0.3"}, "USD 0.30", false},
		{"total with its lines", []Fee{fee(FeeTotal, "1300", "USD"), fee(FeeDemurrage, "1000", "USD"),
			fee(FeeExam, "300", "USD")},
			map[string]string{"USD": "1300"}, "USD 1,300.00", true},
		{"total that disagrees", []Fee{fee(FeeDemurrage, "1000", "USD"), fee(FeeTotal, "1500", "USD")},
			map[string]string{"USD": "1000"}, "USD 1,000.00", true},
		{"total alone", []Fee{fee(FeeTotal, "420", "USD")}, map[string]string{"USD": "420"}, "USD 420.00", false},
		{"total next to a line that is not posted", []Fee{fee(FeeTotal, "420", "USD"), fee(FeeDemurrage, "0", "USD")},
			map[string]string{"USD": "0"}, "USD 0.00 (not all amounts known)", true},
		{"total in another currency than its lines", []Fee{fee(FeeDemurrage, "100", "CAD"), fee(FeeTotal, "73", "USD")},
			map[string]string{"CAD": "100", "USD": "0"}, "CAD 100.00", true},
		{"totals in two currencies", []Fee{fee(FeeTotal, "73", "USD"), fee(FeeTotal, "5", "CAD")},
			map[string]string{"CAD": "5", "USD": "73"}, "CAD 5.00 + USD 73.00", false},
		{"totals that differ", []Fee{fee(FeeTotal, "100", "USD"), fee(FeeTotal, "150", "USD"), fee(FeeTotal, "100", "USD")},
			map[string]string{"USD": "0"}, "USD (totals differ)", false},
		{"totals that differ, no currency", []Fee{fee(FeeTotal, "100", ""), fee(FeeTotal, "150", "")}, map[string]string{"": "0"}, "(currency not reported) (totals differ)", false},
		{"totals that differ next to a line", []Fee{fee(FeeTotal, "100", "USD"), fee(FeeTotal, "150", "USD"), fee(FeeExam, "7", "USD")},
			map[string]string{"USD": "7"}, "USD 7.00", true},
		{"the same total twice", []Fee{fee(FeeTotal, "100", "USD"), fee(FeeTotal, "100.00", "USD")},
			map[string]string{"USD": "100"}, "USD 100.00", false},
		{"total that is not posted and one that is",
			[]Fee{fee(FeeTotal, "0", "USD"), fee(FeeTotal, "150", "USD"), fee(FeeTotal, "0", "USD")},
			map[string]string{"USD": "150"}, "USD 150.00 (not all amounts known)", false},
		{"two currencies", []Fee{fee(FeeExam, "7", "USD"), fee(FeeDemurrage, "40", "CAD"), fee(FeeOther, "1", "USD")},
			map[string]string{"CAD": "40", "USD": "8"}, "CAD 40.00 + USD 8.00", false},
		{"no currency", []Fee{fee(FeeExam, "7", ""), fee(FeeDemurrage, "40", "USD")},
			map[string]string{"": "7", "USD": "40"}, "7 (currency not reported) + USD 40.00", false},
		{"unknown type is a line", []Fee{fee("chassis", "60", "USD"), fee(FeeTotal, "60", "USD")},
			map[string]string{"USD": "60"}, "USD 60.00", true},
		{"credit", []Fee{fee(FeeDemurrage, "100", "USD"), fee(FeeOther, "-130", "USD")},
			map[string]string{"USD": "-30"}, "USD -30.00", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := SumFees(row.fees)
			got := map[string]string{}
			for _, c := range s.Currencies() {
				got[c.CurrencyCode] = c.Owed.String()
				assert.Equal(t, c, s.In(c.CurrencyCode))
			}
			assert.Equal(t, row.owed, got)
			assert.Equal(t, row.text, s.String())
			assert.Equal(t, row.totals, s.TotalExcluded)
			assert.Equal(t, row.fees != nil, s.Reported)
		})
	}
}

func TestSumFees_ReportsTotalLinesAndDifference(t *testing.T) {
	s := SumFees([]Fee{fee(FeeTotal, "1500", "USD"), fee(FeeDemurrage, "1000.25", "USD"), fee(FeeExam, "0", "USD"),
		fee(FeeExam, "0", "USD")})
	usd := s.In("USD")
	total, ok := usd.Total.Get()
	require.True(t, ok)
	assert.Equal(t, "1500", total.String())
	assert.Equal(t, "1000.25", usd.Lines.String())
	assert.Equal(t, 3, usd.LineCount)
	difference, ok := s.Difference()
	require.True(t, ok)
	assert.Equal(t, "499.75", difference.String())
	assert.Equal(t, []FeeType{FeeExam}, s.NotPosted)
	assert.Equal(t, 2, usd.NotPostedCount)
	assert.Equal(t, "1000.25", usd.Owed.String(), "the partial sum")

	for name, fees := range map[string][]Fee{
		"two currencies": {fee(FeeTotal, "1", "USD"), fee(FeeExam, "1", "CAD")},
		"no currency":    {fee(FeeTotal, "1", ""), fee(FeeExam, "1", "")},
		"no line":        {fee(FeeTotal, "1", "USD")},
		"no total":       {fee(FeeExam, "1", "USD")},
		"totals differ":  {fee(FeeExam, "1", "USD"), fee(FeeTotal, "1", "USD"), fee(FeeTotal, "2", "USD")},
		"unposted total": {fee(FeeExam, "1", "USD"), fee(FeeTotal, "0", "USD")},
	} {
		_, ok := SumFees(fees).Difference()
		assert.False(t, ok, name)
	}
}

func TestSumFees_CountsWhatIsNotPostedByCurrency(t *testing.T) {
	s := SumFees([]Fee{fee(FeeExam, "7", "USD"), fee(FeeDemurrage, "0", "CAD"), fee(FeeTotal, "0", "CAD"),
		fee(FeeDemurrage, "0", "EUR"), fee(FeeDemurrage, "3", "EUR")})
	assert.Equal(t, []FeeType{FeeDemurrage, FeeTotal}, s.NotPosted)
	assert.Zero(t, s.In("USD").NotPostedCount, "complete")
	assert.Equal(t, 2, s.In("CAD").NotPostedCount)
	assert.Equal(t, 1, s.In("EUR").NotPostedCount)
	assert.Equal(t, "CAD 0.00 + EUR 3.00 + USD 7.00 (not all amounts known)", s.String())

	both := s.Add(SumFees([]Fee{fee(FeeDemurrage, "0", "EUR")}))
	assert.Equal(t, 2, both.In("EUR").NotPostedCount, "one of each container")
	assert.Equal(t, 2, both.In("CAD").NotPostedCount)
	assert.Equal(t, 1, s.In("EUR").NotPostedCount, "a summand does not change")
}

func TestFeeSummary_JSONShowsWhatItsMethodsReturn(t *testing.T) {
	for _, row := range []struct {
		fees []Fee
		json string
	}{
		{nil, `{"reported":false,"owed":null,"currency_code":null,"text":"fees not reported","currencies":[],"types":[],"settled":false,"not_posted":[],
			"unknown_types":[],"total_excluded":false,"difference":null}`},
		{[]Fee{}, `{"reported":true,"owed":"0","currency_code":"","text":"no fees","currencies":[],"types":[],"settled":true,"not_posted":[],
			"unknown_types":[],"total_excluded":false,"difference":null}`},
		{[]Fee{fee(FeeTotal, "1300.10", "USD"), fee(FeeDemurrage, "1000.05", "USD"), fee("chassis", "300", "USD")},
			`{"reported":true,"owed":"1300.05","currency_code":"USD","text":"USD 1,300.05","currencies":[{"currency_code":"USD",
			"owed":"1300.05","lines":"1300.05","line_count":2,"not_posted_count":0,"total":"1300.1","total_conflict":false}],
			"types":[{"type":"chassis","currency_code":"USD","amount":"300","not_posted_count":0},
			{"type":"demurrage","currency_code":"USD","amount":"1000.05","not_posted_count":0}],"settled":false,
			"not_posted":[],"unknown_types":["chassis"],"total_excluded":true,"difference":"0.05"}`},
		{[]Fee{fee(FeeTotal, "100", "USD"), fee(FeeTotal, "150", "USD"), fee(FeeTotal, "0", "")},
			`{"reported":true,"owed":null,"currency_code":null,"text":"0 (currency not reported) + USD (totals differ) (not all amounts known)",
			"currencies":[{"currency_code":"","owed":"0","lines":"0","line_count":0,"not_posted_count":1,"total":"0","total_conflict":false},
			{"currency_code":"USD","owed":null,"lines":"0","line_count":0,"not_posted_count":0,"total":null,"total_conflict":true}],
			"types":[],"settled":false,"not_posted":["total"],"unknown_types":[],"total_excluded":false,"difference":null}`},
	} {
		s := SumFees(row.fees)
		data, err := json.Marshal(s)
		require.NoError(t, err)
		assert.JSONEq(t, row.json, string(data))
		requireLoggedAsJSON(t, s)
		requireNotReadBack(t, json.Unmarshal(data, &s), "FeeSummary", "SumFees")
	}
	text := loggedText(SumFees([]Fee{fee(FeeDemurrage, "1300", "USD"), fee(FeeExam, "0.10", "USD")}))
	assert.Contains(t, text, `value.owed=1300.1 value.currency_code=USD value.text="USD 1,300.10"`)
}

func TestSumFees_NamesUnknownTypesOnce(t *testing.T) {
	s := SumFees([]Fee{fee("chassis", "1", "USD"), fee("chassis", "1", "USD"), fee("DEMURRAGE", "1", "USD"),
		fee(FeeOther, "1", "USD")})
	assert.Equal(t, []FeeType{"chassis", "DEMURRAGE"}, s.UnknownTypes)
	assert.Equal(t, "USD", s.In("USD").CurrencyCode)
	assert.Equal(t, FeeCurrencySum{CurrencyCode: "EUR"}, s.In("EUR"))
}

func TestSumFees_AllocatesNothingOnTheCommonPath(t *testing.T) {
	for name, fees := range map[string][]Fee{
		"none":            {},
		"one":             {fee(FeeDemurrage, "150", "USD")},
		"one and a total": {fee(FeeDemurrage, "150", "USD"), fee(FeeTotal, "150", "USD")},
	} {
		reported := true
		assert.Zero(t, testing.AllocsPerRun(100, func() { reported = reported && SumFees(fees).Reported }), name)
		assert.True(t, reported)
	}
}

// manyFees returns n fees, each of a different type and in a different currency.
func manyFees(n int) []Fee {
	fees := make([]Fee, n)
	for i := range fees {
		fees[i] = Fee{Type: FeeType("type " + strconv.Itoa(i)), CurrencyCode: strconv.Itoa(i),
			Amount: decimal.NewFromInt(int64(i))}
	}
	return fees
}

func TestSumFees_ManyCurrencies(t *testing.T) {
	fees := manyFees(50)
	s := SumFees(append(fees, fees...))
	assert.Len(t, s.Currencies(), 50)
	assert.Len(t, s.UnknownTypes, 50)
	assert.Equal(t, FeeType("type 49"), s.UnknownTypes[49])
	for i := range 50 {
		c := s.In(strconv.Itoa(i))
		assert.Equal(t, 2, c.LineCount)
		assert.True(t, c.Owed.Equal(decimal.NewFromInt(int64(2*i))), i)
	}
	backwards := slices.Clone(fees)
	slices.Reverse(backwards)
	assert.Empty(t, DiffFees(fees, backwards))
	assert.Len(t, DiffFees(fees, manyFees(51)), 1)
}

// Twice as many fees must take about twice as long, not four times, for any names. Comparing
// every pair, the largest lists here would take minutes.
func BenchmarkSumFees_ManyCurrencies(b *testing.B) {
	for _, n := range []int{1000, 100_000} {
		fees := manyFees(n)
		backwards := slices.Clone(fees)
		slices.Reverse(backwards)
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				if _, _, ok := SumFees(fees).Owed(); ok || len(DiffFees(fees, backwards)) > 0 {
					b.Fatal("wrong")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/fee")
		})
	}
}

func TestFormatMoney_ByCurrency(t *testing.T) {
	for _, row := range []struct{ amount, code, want string }{
		{"1300", "USD", "USD 1,300.00"},
		{"1234567.5", "USD", "USD 1,234,567.50"},
		{"-1234.5", "USD", "USD -1,234.50"},
		{"999", "USD", "USD 999.00"},
		{"0", "USD", "USD 0.00"},
		{"0.005", "USD", "USD 0.005"}, // never rounded
		{"10.1000", "USD", "USD 10.10"},
		{"5000", "JPY", "JPY 5,000"},
		{"5000.5", "JPY", "JPY 5,000.5"},
		{"1.5", "KWD", "KWD 1.500"},
		{"2e3", "EUR", "EUR 2,000.00"},
		{"1300.5", "PKR", "PKR 1,300.50"},
		{"1300", "CLF", "CLF 1,300.0000"},
		{"1300.5", "usd", "usd 1,300.5"}, // no currency code: as reported
		{"1300.5", "DOLLAR", "DOLLAR 1,300.5"},
		{"1e3", "points", "points 1,000"},
		{"12.50", "", "12.50 (currency not reported)"},
	} {
		assert.Equal(t, row.want, FormatMoney(decimal.RequireFromString(row.amount), row.code))
	}
	assert.Equal(t, "extended dwell time USD 40.00", fee(FeeExtendedDwellTime, "40", "USD").String())
	assert.Equal(t, "exam (amount not known)", fee(FeeExam, "0", "USD").String())
	c, warnings := decodeAs[Container](t, "container", `{"fees_at_pod_terminal":[{"type":"exam","amount":"ten"},{"type":"other","amount":0}]}`, `{}`)
	assert.Len(t, warnings, 1)
	assert.Equal(t, []string{"exam (amount not known)", "other (amount not known)"}, []string{c.Fees[0].String(), c.Fees[1].String()})
	assert.Equal(t, "0 (currency not reported) (not all amounts known)", SumFees(c.Fees).String())
}

// FuzzSumFees checks sums against exact rationals, with the rule for totals written down a second
// time.
func FuzzSumFees(f *testing.F) {
	f.Add("demurrage,USD,100.25\ntotal,USD,100.25\nexam,USD,0")
	f.Add("total,USD,1300\ntotal,CAD,40")
	f.Add("total,USD,1300\ntotal,USD,1300.0\ntotal,USD,0\ntotal,CAD,0\ntotal,CAD,4\ntotal,CAD,5")
	f.Add("demurrage,USD,0.1\nother,USD,0.2\nchassis,,1e-9\nother,EUR,-7e20")
	f.Add("total,CAD,5\nextended_dwell_time,USD,0")
	f.Add("")
	f.Fuzz(func(t *testing.T, input string) {
		fees := []Fee{}
		lines := map[string]*big.Rat{}
		totals := map[string]*big.Rat{}
		posted, conflicts := map[string][]*big.Rat{}, map[string]bool{}
		hasLine := false
		for row := range strings.Lines(input) {
			cells := strings.SplitN(strings.TrimSuffix(row, "\n"), ",", 3)
			if len(cells) < 3 || len(cells[2]) > 60 {
				continue
			}
			amount, err := decimals.Parse(cells[2])
			if err != nil {
				continue
			}
			fees = append(fees, Fee{Type: FeeType(cells[0]), CurrencyCode: cells[1], Amount: amount})
			sums := lines
			if cells[0] == "total" {
				sums = totals
			}
			hasLine = hasLine || cells[0] != "total"
			if sums[cells[1]] == nil {
				sums[cells[1]] = new(big.Rat)
			}
			if cells[0] != "total" {
				sums[cells[1]].Add(sums[cells[1]], amount.Rat())
			} else if amount.Sign() != 0 {
				posted[cells[1]] = append(posted[cells[1]], amount.Rat())
			}
		}
		for code, amounts := range posted {
			if slices.ContainsFunc(amounts, func(r *big.Rat) bool { return r.Cmp(amounts[0]) != 0 }) {
				conflicts[code] = true
			} else {
				totals[code].Set(amounts[0])
			}
		}
		want := totals
		if hasLine {
			want = lines
		}
		s := SumFees(fees)
		seen := 0
		for _, c := range s.Currencies() {
			expected := want[c.CurrencyCode]
			if expected == nil {
				expected = new(big.Rat)
			} else {
				seen++
			}
			if c.TotalConflict != conflicts[c.CurrencyCode] {
				t.Fatalf("%s: conflict of totals is %v", c.CurrencyCode, c.TotalConflict)
			}
			if c.Owed.Rat().Cmp(expected) != 0 {
				t.Fatalf("%s: owed %v, want %v", c.CurrencyCode, c.Owed, expected)
			}
			if code := FormatMoney(c.Owed, c.CurrencyCode); c.CurrencyCode == "USD" && !isMoneyFor(code, c.Owed) {
				t.Fatalf("%v was formatted as %q", c.Owed, code)
			}
		}
		if seen != len(want) {
			t.Fatalf("%d currencies are owed, want %d", seen, len(want))
		}
	})
}

// isMoneyFor reads a formatted amount of dollars back.
func isMoneyFor(text string, amount decimal.Decimal) bool {
	read, err := decimal.NewFromString(strings.ReplaceAll(strings.TrimPrefix(text, "USD "), ",", ""))
	return err == nil && read.Equal(amount)
}

// Owed against the service's rules of terminal_fee, written down a second time with rationals: 0 is
// an amount that is not posted yet, so nothing that includes it is the amount owed; a total counts
// only if it is alone; amounts of several currencies are not added.
func TestFees_OwedIsTheWholeAmountOrUnknown(t *testing.T) {
	random := rand.New(rand.NewPCG(49, 2))
	known := 0
	for range scale(4_000, 100_000) {
		fees := anyFees(random)
		sum, lines, posted, currencies := new(big.Rat), 0, true, map[string]bool{}
		var totals []string
		for _, fee := range fees {
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
		wantCode, want := "", fees != nil && posted && len(currencies) <= 1 && !currencies[""]
		for code, agreed := range currencies {
			wantCode, want = code, want && agreed && code != ""
		}
		s := SumFees(fees)
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

// Totals do not count beside line items, in any currency, so it does not matter that they differ
// (docs/service-containers.md#fees).
func TestSumFees_TotalsBesideLineItems(t *testing.T) {
	total := func(euros int64) Fee {
		return Fee{Type: FeeTotal, Amount: decimal.NewFromInt(euros), CurrencyCode: "EUR"}
	}
	credit := Fee{Type: FeeOther, Amount: decimal.NewFromInt(-5), CurrencyCode: "USD"}
	differ := SumFees([]Fee{total(100), total(120)})
	require.True(t, differ.In("EUR").Unclear())
	require.True(t, differ.Owes())
	beside := SumFees([]Fee{total(100), total(120), credit})
	require.False(t, beside.In("EUR").Unclear())
	require.False(t, beside.Owes())
	require.Equal(t, "USD -5.00", beside.String())
	require.True(t, beside.Add(differ).In("EUR").Unclear(), "of another container they count")
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
		summary := SumFees(ReadContainers(t, "{"+list+"}")[0].Fees)
		assert.Equal(t, want, summary.Settled(), list)
		data, err := json.Marshal(summary)
		require.NoError(t, err)
		assert.Contains(t, string(data), fmt.Sprintf(`"settled":%v`, want), list)
	}
	assert.False(t, FeeSummary{}.Settled(), "of no list at all")
}

// A total is left out when other fees are there, and counts when it is alone; sums are by currency
// (docs/service-containers.md#fees). That holds for each container, so the sum of containers is
// that of their sums.
func TestFees_AddKeepsTheRuleOfEachContainer(t *testing.T) {
	random := rand.New(rand.NewPCG(49, 3))
	for range scale(1_000, 50_000) {
		var all, backwards FeeSummary
		var parts []FeeSummary
		owed, reported, currencies := map[string]decimal.Decimal{}, true, map[string]bool{}
		known := true
		for range 1 + random.IntN(4) {
			part := SumFees(anyFees(random))
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
		settled := !slices.ContainsFunc(parts, func(s FeeSummary) bool { return !s.Settled() })
		require.Equal(t, settled, all.Settled(), "%v", parts)
		require.Equal(t, fmt.Sprint(backwards, backwards.ByType()), fmt.Sprint(all, all.ByType()))
		requireSummaryShown(t, all)
	}
}

// An amount without a currency is shown with its own decimal places: those of the amount that has
// most, in any order.
func TestFees_OrderDoesNotMatter(t *testing.T) {
	for _, row := range []struct {
		fees []Fee
		want string
	}{
		{[]Fee{fee(FeeExam, "0.000", ""), fee(FeeDemurrage, "1.5", "")}, "1.500 (currency not reported) (not all amounts known)"},
		{[]Fee{fee(FeeTotal, "5.00", ""), fee(FeeTotal, "5", "")}, "5.00 (currency not reported)"},
		{[]Fee{fee(FeeExam, "1.20", ""), fee(FeeDemurrage, "1.5", "")}, "2.70 (currency not reported)"},
	} {
		a, b := row.fees[0], row.fees[1]
		assert.Equal(t, row.want, SumFees([]Fee{a, b}).String())
		assert.Equal(t, row.want, SumFees([]Fee{b, a}).String())
		if a.Type != FeeTotal {
			one, two := SumFees([]Fee{a}), SumFees([]Fee{b})
			assert.Equal(t, row.want, one.Add(two).String())
			assert.Equal(t, row.want, two.Add(one).String())
		}
	}
}

// anyFees returns up to three fees, or nil.
func anyFees(random *rand.Rand) []Fee {
	if random.IntN(10) == 0 {
		return nil
	}
	fees := []Fee{}
	for range random.IntN(4) {
		fees = append(fees, Fee{
			Type:         []FeeType{"demurrage", "extended_dwell_time", "exam", "total", "other", "chassis"}[random.IntN(6)],
			CurrencyCode: []string{"USD", "USD", "USD", "CAD", ""}[random.IntN(5)],
			Amount:       decimal.RequireFromString([]string{"0", "0.10", "0.2", "185", "1000.005", "-130"}[random.IntN(6)]),
		})
	}
	return fees
}

// Made-up amounts under the rules of terminal_fee: a total next to line items is excluded where it
// is, and counts where it is alone.
func TestFees_SumOfContainers(t *testing.T) {
	usd := func(kind FeeType, amount string) Fee {
		return Fee{Type: kind, Amount: decimal.RequireFromString(amount), CurrencyCode: "USD"}
	}
	lined := SumFees([]Fee{usd("demurrage", "1000"), usd("exam", "300"), usd("total", "1400")})
	total := SumFees([]Fee{usd("total", "500")})
	sum := FeeSummary{}.Add(lined).Add(total).Add(SumFees([]Fee{}))
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

	sum = sum.Add(SumFees(nil))
	_, _, ok = sum.Owed()
	assert.False(t, ok)
	assert.Equal(t, "USD 1,800.00 (not all reported)", sum.String())
	sum = lined.Add(SumFees([]Fee{usd("demurrage", "0")}))
	assert.Equal(t, "USD 1,300.00 (not all amounts known)", sum.String())
	assert.Equal(t, 1, sum.ByType()[0].NotPostedCount)
}

// requireSummaryShown requires that JSON shows what the methods return, with exact amounts.
func requireSummaryShown(t *testing.T, s FeeSummary) {
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
		NotPosted []FeeType `json:"not_posted"`
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
		require.Equal(t, c.Unclear(), got.Owed == nil)
	}
}

// containerAt returns a container as a document has it, with the provided_data of the terminals
// that the document includes. "" is a terminal that is only linked.
func containerAt(t *testing.T, attributes, port, pickup string) *Container {
	t.Helper()
	var included []string
	for id, provided := range map[string]string{"port": port, "pickup": pickup} {
		if provided != "" {
			included = append(included, `{"id":"`+id+`","type":"terminal","attributes":{`+provided+`}}`)
		}
	}
	var c Container
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
		s := SumContainerFees(containerAt(t, row.attributes, row.port, row.pickup))
		assert.Equal(t, row.reported, s.Reported, row.name)
		assert.Equal(t, row.reported, s.Settled(), row.name)
		_, _, owed := s.Owed()
		assert.Equal(t, row.reported, owed, row.name)
		assert.Equal(t, map[bool]string{true: "no fees", false: "fees not reported"}[row.reported], s.String(), row.name)
	}
	assert.Equal(t, SumFees(nil), SumContainerFees(nil))
}

// A fee was reported, although the terminal declares that it reports none.
func TestSumContainerFees_Fees(t *testing.T) {
	c := containerAt(t, `"fees_at_pod_terminal":[{"type":"demurrage","amount":150,"currency_code":"USD"}]`,
		`"provided_data":{"fees_at_pod_terminal":false}`, "")
	s := SumContainerFees(c)
	assert.Equal(t, SumFees(c.Fees), s)
	assert.True(t, s.Reported)
	assert.Equal(t, "USD 150.00", s.String())
	empty := containerAt(t, `"fees_at_pod_terminal":[]`, `"provided_data":{"fees_at_pod_terminal":false}`, "")
	assert.Equal(t, "USD 150.00 (not all reported)", s.Add(SumContainerFees(empty)).String())
}
