package terminal49_test

import (
	"encoding/json"
	"errors"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// The codes are those of ISO 6346: lengths and heights of its Annex D, groups of its Annex E. Each
// expected code, but the one of 10 feet, is also in the public list
// github.com/datasets/ISO-Container-Codes. Types, lengths and heights are in the service's words.
func TestContainer_SizeTypeGroup(t *testing.T) {
	for _, row := range []struct {
		length       int
		height, kind string
		want         string
	}{
		{20, "standard", "dry", "22GP"},
		{40, "standard", "dry", "42GP"},
		{40, "high_cube", "dry", "45GP"},
		{45, "high_cube", "dry", "L5GP"},
		{45, "standard", "dry", "L2GP"},
		{20, "high_cube", "dry", "25GP"},
		{10, "high_cube", "dry", "15GP"},
		{20, "standard", "reefer", "22RT"},
		{40, "high_cube", "reefer", "45RT"},
		{45, "high_cube", "reefer", "L5RT"},
		{40, "standard", "open top", "42UT"},
		{20, "standard", "bulk", "22BU"},

		{10, "standard", "dry", ""},       // 8 feet (1D) in ISO 668, and 8 feet 6 inches in the trade
		{50, "high_cube", "dry", ""},      // no code in Annex D
		{40, "standard", "flat rack", ""}, // PF if the ends are fixed, PC if they fold
		{20, "standard", "tank", ""},      // TN, TD or TG
		{40, "standard", "hard top", ""},  // not in Annex E of 1995; UT or UP in the trade
		{0, "standard", "dry", ""},
		{40, "", "dry", ""},
		{40, "standard", "", ""},
		{40, "double", "dry", ""},
		{40, "standard", "DRY", ""},
		{40, "standard", "folding", ""},
	} {
		c := &terminal49.Container{EquipmentType: terminal49.EquipmentType(row.kind), EquipmentLength: terminal49.Some(row.length), EquipmentHeight: terminal49.EquipmentHeight(row.height)}
		assert.Equal(t, row.want, c.SizeTypeGroup(), "%v", row)
	}
	unknown := &terminal49.Container{EquipmentType: terminal49.EquipmentDry, EquipmentHeight: terminal49.HeightStandard}
	assert.Empty(t, unknown.SizeTypeGroup())
}

// The values for 20, 40 and 45 feet are in the Glossary for Transport Statistics (Eurostat, ITF,
// UNECE). 10 feet are half of 20.
func TestContainer_TEU(t *testing.T) {
	for length, want := range map[int]float64{10: 0.5, 20: 1, 40: 2, 45: 2.25} {
		got, ok := (&terminal49.Container{EquipmentLength: terminal49.Some(length)}).TEU()
		assert.True(t, ok)
		assert.Equal(t, want, got)
	}
	for _, unknown := range []terminal49.Opt[int]{{}, terminal49.Null[int](), terminal49.Some(0), terminal49.Some(-20)} {
		_, ok := (&terminal49.Container{EquipmentLength: unknown}).TEU()
		assert.False(t, ok, "%#v", unknown)
	}
}

// A pound is exactly 0.45359237 kg (NIST Special Publication 811, Appendix B.8). The sum is made
// with exact rationals.
func TestContainer_WeightKilograms(t *testing.T) {
	for _, pounds := range []float64{1, 44_090.5, 67_200, 0.1} {
		got, ok := (&terminal49.Container{WeightPounds: terminal49.Some(pounds)}).WeightKilograms()
		exact := new(big.Rat).Mul(new(big.Rat).SetFloat64(pounds), big.NewRat(45_359_237, 100_000_000))
		want, _ := exact.Float64()
		assert.True(t, ok)
		assert.InEpsilon(t, want, got, 1e-15)
	}
	for _, unknown := range []terminal49.Opt[float64]{{}, terminal49.Null[float64](), terminal49.Some(0.0), terminal49.Some(-1.0)} {
		_, ok := (&terminal49.Container{WeightPounds: unknown}).WeightKilograms()
		assert.False(t, ok, "%#v", unknown)
	}
}

// The service sends a weight of 0, and some shipping lines a length of 0, for unknown.
func TestContainer_ZeroMeasuresAreMissing(t *testing.T) {
	for sent, want := range map[string]struct {
		length terminal49.Opt[int]
		weight terminal49.Opt[float64]
		stored string
	}{
		`{"equipment_length":0,"weight_in_lbs":0}`:        {terminal49.Opt[int]{}, terminal49.Opt[float64]{}, `{}`},
		`{"equipment_length":"0","weight_in_lbs":0.00}`:   {terminal49.Opt[int]{}, terminal49.Opt[float64]{}, `{}`},
		`{"equipment_length":null,"weight_in_lbs":null}`:  {terminal49.Null[int](), terminal49.Null[float64](), `{"equipment_length":null,"weight_in_lbs":null}`},
		`{"equipment_length":40,"weight_in_lbs":44090.5}`: {terminal49.Some(40), terminal49.Some(44_090.5), `{"equipment_length":40,"weight_in_lbs":44090.5}`},
		`{"equipment_length":"x","weight_in_lbs":[]}`:     {terminal49.Opt[int]{}, terminal49.Opt[float64]{}, `{}`},
	} {
		document, err := json.Marshal(map[string]any{"data": map[string]any{"id": "c", "type": "container", "attributes": json.RawMessage(sent)}})
		require.NoError(t, err)
		client := testkit.NewClient(t, testkit.Answer(200, string(document)))
		c, err := client.Containers.Get(t.Context(), testkit.ContainerID, nil)
		require.NoError(t, err)
		assert.Equal(t, want.length, c.EquipmentLength, sent)
		assert.Equal(t, want.weight, c.WeightPounds, sent)
		text, err := json.Marshal(c)
		require.NoError(t, err)
		var form struct{ Attributes json.RawMessage }
		require.NoError(t, json.Unmarshal(text, &form))
		assert.JSONEq(t, want.stored, string(form.Attributes), sent)
		var read terminal49.Container
		require.NoError(t, json.Unmarshal(text, &read))
		assert.Equal(t, *c, read, sent)
	}
}

func TestContainerNumber_Parse(t *testing.T) {
	for _, number := range []string{"CSQU3054383", "MSCU1234566", "csqu 305438-3", "CSQU\u00a0305438\u20113",
		"\ufeffCSQU 305438 \u2212 3\r\n", "ＭＳＣＵ１２３４５６６", "ｃｓｑｕ　３０５４３８－３"} {
		n, err := terminal49.ParseContainerNumber(number)
		require.NoError(t, err, number)
		assert.Equal(t, terminal49.NormalizeContainerNumber(number), n.String())
	}
	n, err := terminal49.ParseContainerNumber("CSQU3054383")
	require.NoError(t, err)
	assert.Equal(t, terminal49.ContainerNumber{Owner: "CSQ", Category: "U", Serial: "305438", CheckDigit: 3}, n)
}

// Unicode, chapter 23.5: each full-width form is one character of ASCII, in the same order.
func TestContainerNumber_FullWidth(t *testing.T) {
	const wide, ascii = "０１２３４５６７８９ＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ",
		"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQRSTUVWXYZ"
	assert.Equal(t, ascii, terminal49.NormalizeContainerNumber(wide))
	assert.Equal(t, "：＠［｀｛／", terminal49.NormalizeContainerNumber("：＠［｀｛／"), "what is next to them")
}

func TestContainerNumber_CheckDigitTenBecomesZero(t *testing.T) {
	n, err := terminal49.ParseContainerNumber(numberWithRemainderTen(t))
	require.NoError(t, err)
	assert.Zero(t, n.CheckDigit)
}

// numberWithRemainderTen finds one with the textbook table of letter values.
func numberWithRemainderTen(t *testing.T) string {
	for serial := range 1000 {
		text := "TRIU" + strings.Repeat("0", 3) +
			string([]byte{byte('0' + serial/100), byte('0' + serial/10%10), byte('0' + serial%10)})
		if textbookRemainder(text) == 10 {
			return text + "0"
		}
	}
	t.Fatal("no number has a remainder of 10")
	return ""
}

func textbookRemainder(text string) int {
	values := map[rune]int{
		'A': 10, 'B': 12, 'C': 13, 'D': 14, 'E': 15, 'F': 16, 'G': 17, 'H': 18, 'I': 19, 'J': 20, 'K': 21, 'L': 23, 'M': 24,
		'N': 25, 'O': 26, 'P': 27, 'Q': 28, 'R': 29, 'S': 30, 'T': 31, 'U': 32, 'V': 34, 'W': 35, 'X': 36, 'Y': 37, 'Z': 38,
	}
	sum, weight := 0, 1
	for _, r := range text {
		value, isLetter := values[r]
		if !isLetter {
			value = int(r - '0')
		}
		sum += value * weight
		weight *= 2
	}
	return sum % 11
}

func TestContainerNumber_ErrorsNameTheProblem(t *testing.T) {
	for input, want := range map[string]string{
		"":              "is empty: want four letters and seven digits",
		" - ":           "is empty: want four letters and seven digits",
		"CSQU305438":    "the check digit is missing: it would be 3",
		"CSQU30543":     "has 9 characters: want 11, four letters and seven digits",
		"CSQU30543833":  "has 12 characters: want 11, four letters and seven digits",
		"CSQX3054383":   `position 4 is "X": want U, J or Z`,
		"CS0U3054383":   `position 3 is "0": want a letter of the owner code (zero for letter O?)`,
		"1SQU3054383":   `position 1 is "1": want a letter of the owner code (one for letter I?)`,
		"CSQUO054383":   `position 5 is "O": want a digit (letter O for zero?)`,
		"CSQU305438I":   `position 11 is "I": want a digit (letter for one?)`,
		"CSQU30543é3":   `position 10 is "é": want a digit`,
		"CSQÜ3054383":   `position 4 is "Ü": want U, J or Z`,
		"CSQU305438٣":   `position 11 is "٣": want a digit`,
		"ＣＳＱＵ３０５４３８４":   "the check digit is 4 and should be 3: look for a mistyped or swapped character",
		"СSQU3054383":   `position 1 is "С": want a letter of the owner code`, // Cyrillic
		"CSQU305438③":   `position 11 is "③": want a digit`,
		"𝐂SQU3054383":   `position 1 is "𝐂": want a letter of the owner code`,
		"CSQU30543８！":   `position 11 is "！": want a digit`,
		"CSQU3054384":   "the check digit is 4 and should be 3: look for a mistyped or swapped character",
		"CSQU 3054383.": "has 12 characters: want 11, four letters and seven digits",
	} {
		n, err := terminal49.ParseContainerNumber(input)
		var bad *terminal49.ContainerNumberError
		require.True(t, errors.As(err, &bad), input)
		assert.Equal(t, want, bad.Problem, input)
		assert.Equal(t, strings.Contains(want, "should be"), bad.CheckDigitOnly)
		assert.Equal(t, bad.CheckDigitOnly, n != terminal49.ContainerNumber{}, "the parts are there only if the form is right")
		assert.Contains(t, err.Error(), `container number "`+terminal49.NormalizeContainerNumber(input)+`": `)
	}
}

func TestContainerNumber_ExpectedCheckDigit(t *testing.T) {
	n, err := terminal49.ParseContainerNumber("CSQU3054380")
	require.Error(t, err)
	want, ok := n.ExpectedCheckDigit()
	require.True(t, ok)
	assert.Equal(t, 3, want)
	for _, bad := range []terminal49.ContainerNumber{{}, {Owner: "CSQU", Serial: "305438"},
		{Owner: "CSQ", Category: "U", Serial: "30543"}, {Owner: "cs ", Category: "U", Serial: "305438"}} {
		_, ok := bad.ExpectedCheckDigit()
		assert.False(t, ok, "%+v", bad)
	}
}

func TestContainerNumber_CheckDigitOfEveryLetter(t *testing.T) {
	for letter := 'A'; letter <= 'Z'; letter++ {
		for _, text := range []string{string(letter) + "BCU123456", "AB" + string(letter) + "Z987654"} {
			n, err := terminal49.ParseContainerNumber(text + string(rune('0'+textbookRemainder(text)%10)))
			assert.NoError(t, err)
			assert.Equal(t, text, n.String()[:10])
		}
	}
}

// Every single typing error in a serial number is detected if the remainder is not 10.
func TestContainerNumber_CheckDigitFindsTypingErrors(t *testing.T) {
	const right = "CSQU3054383"
	for i := 4; i < 11; i++ {
		for digit := byte('0'); digit <= '9'; digit++ {
			wrong := []byte(right)
			wrong[i] = digit
			if string(wrong) == right || textbookRemainder(string(wrong[:10])) == 10 {
				continue
			}
			_, err := terminal49.ParseContainerNumber(string(wrong))
			assert.Error(t, err, string(wrong))
		}
	}
}

var iso6346 = regexp.MustCompile(`^[A-Z]{3}[UJZ][0-9]{7}$`)

// FuzzParseContainerNumber compares the parser with the standard, written as a pattern and a table.
func FuzzParseContainerNumber(f *testing.F) {
	for _, seed := range []string{
		"CSQU3054383", "mscu 123456-6", "CSQU305438", "", "ÀÀÀU0000000", "TRIU0000000", "\xff\xfe", "CSQU3054384",
		"MSCJ1234566", "MSCZ123456\u20116",
		"MSCX1234566", "MSCU12345678", "MSCU\u200b1234566", "ＭＳＣＵ１２３４５６６", "0SCU1234566", "MSCUI234566",
		"\ufeffMSCU1234566\u00a0",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		normal := terminal49.NormalizeContainerNumber(s)
		if terminal49.NormalizeContainerNumber(normal) != normal {
			t.Fatalf("normalising %q twice differs", s)
		}
		if plain := strings.NewReplacer(" ", "", "-", "").Replace(strings.ToUpper(s)); isASCII(s) &&
			!strings.ContainsAny(s, "\t\n\v\f\r") && normal != plain {
			t.Fatalf("%q was normalised to %q, want %q", s, normal, plain)
		}
		n, err := terminal49.ParseContainerNumber(s)
		var bad *terminal49.ContainerNumberError
		if err != nil && (!errors.As(err, &bad) || bad.Problem == "") {
			t.Fatalf("%q: %v says nothing", s, err)
		}
		wellFormed := iso6346.MatchString(normal)
		if wellFormed != (err == nil || bad.CheckDigitOnly) {
			t.Fatalf("%q is well formed: %v, but: %v", s, wellFormed, err)
		}
		if !wellFormed {
			if n != (terminal49.ContainerNumber{}) {
				t.Fatalf("%q became %v along with an error", s, n)
			}
			return
		}
		if n.String() != normal {
			t.Fatalf("%q became %q", s, n)
		}
		want := textbookRemainder(normal[:10]) % 10
		if (want == n.CheckDigit) != (err == nil) {
			t.Fatalf("%q: %v, but the textbook says %d", s, err, want)
		}
		if digit, ok := n.ExpectedCheckDigit(); !ok || digit != want {
			t.Fatalf("%q should end in %d, not %d", s, want, digit)
		}
	})
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > '~' })
}
