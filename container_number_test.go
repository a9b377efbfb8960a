package terminal49

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestContainerNumber_Parse(t *testing.T) {
	for _, number := range []string{"CSQU3054383", "MSCU1234566", "csqu 305438-3", "CSQU\u00a0305438\u20113",
		"\ufeffCSQU 305438 \u2212 3\r\n"} {
		n, err := ParseContainerNumber(number)
		require.NoError(t, err, number)
		assert.Equal(t, NormalizeContainerNumber(number), n.String())
	}
	n, err := ParseContainerNumber("CSQU3054383")
	require.NoError(t, err)
	assert.Equal(t, ContainerNumber{Owner: "CSQ", Category: CategoryFreight, Serial: "305438", CheckDigit: 3}, n)
}

func TestContainerNumber_CheckDigitTenBecomesZero(t *testing.T) {
	n, err := ParseContainerNumber(numberWithRemainderTen(t))
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
		"CSQU3054384":   "the check digit is 4 and should be 3: look for a mistyped or swapped character",
		"CSQU 3054383.": "has 12 characters: want 11, four letters and seven digits",
	} {
		n, err := ParseContainerNumber(input)
		var bad *ContainerNumberError
		require.True(t, errors.As(err, &bad), input)
		assert.Equal(t, want, bad.Problem, input)
		assert.Equal(t, strings.Contains(want, "should be"), bad.CheckDigitOnly)
		assert.Equal(t, bad.CheckDigitOnly, n != ContainerNumber{}, "the parts are there only if the form is right")
		assert.Contains(t, err.Error(), `container number "`+NormalizeContainerNumber(input)+`": `)
	}
}

func TestContainerNumber_ExpectedCheckDigit(t *testing.T) {
	n, err := ParseContainerNumber("CSQU3054380")
	require.Error(t, err)
	want, ok := n.ExpectedCheckDigit()
	require.True(t, ok)
	assert.Equal(t, 3, want)
	for _, bad := range []ContainerNumber{{}, {Owner: "CSQU", Serial: "305438"},
		{Owner: "CSQ", Category: "U", Serial: "30543"}, {Owner: "cs ", Category: "U", Serial: "305438"}} {
		_, ok := bad.ExpectedCheckDigit()
		assert.False(t, ok, "%+v", bad)
	}
}

func TestContainerNumber_CheckDigitOfEveryLetter(t *testing.T) {
	for letter := 'A'; letter <= 'Z'; letter++ {
		for _, text := range []string{string(letter) + "BCU123456", "AB" + string(letter) + "Z987654"} {
			n, err := ParseContainerNumber(text + string(rune('0'+textbookRemainder(text)%10)))
			assert.NoError(t, err)
			assert.Equal(t, text, n.String()[:serialEnd])
		}
	}
}

// Every single typing error in a serial number is detected if the remainder is not 10.
func TestContainerNumber_CheckDigitFindsTypingErrors(t *testing.T) {
	const right = "CSQU3054383"
	for i := prefixLength; i < numberLength; i++ {
		for digit := byte('0'); digit <= '9'; digit++ {
			wrong := []byte(right)
			wrong[i] = digit
			if string(wrong) == right || textbookRemainder(string(wrong[:serialEnd])) == 10 {
				continue
			}
			_, err := ParseContainerNumber(string(wrong))
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
		normal := NormalizeContainerNumber(s)
		if NormalizeContainerNumber(normal) != normal {
			t.Fatalf("normalising %q twice differs", s)
		}
		if plain := strings.NewReplacer(" ", "", "-", "").Replace(strings.ToUpper(s)); isASCII(s) &&
			!strings.ContainsAny(s, "\t\n\v\f\r") && normal != plain {
			t.Fatalf("%q was normalised to %q, want %q", s, normal, plain)
		}
		n, err := ParseContainerNumber(s)
		var bad *ContainerNumberError
		if err != nil && (!errors.As(err, &bad) || bad.Problem == "") {
			t.Fatalf("%q: %v says nothing", s, err)
		}
		wellFormed := iso6346.MatchString(normal)
		if wellFormed != (err == nil || bad.CheckDigitOnly) {
			t.Fatalf("%q is well formed: %v, but: %v", s, wellFormed, err)
		}
		if !wellFormed {
			if n != (ContainerNumber{}) {
				t.Fatalf("%q became %v along with an error", s, n)
			}
			return
		}
		if n.String() != normal {
			t.Fatalf("%q became %q", s, n)
		}
		want := textbookRemainder(normal[:serialEnd]) % 10
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
