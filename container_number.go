package terminal49

import (
	"fmt"
	"strings"
	"unicode"
)

// ContainerNumber is an ISO 6346 container number, such as MSCU1234566. It identifies a box, not a
// journey or a carrier. Lines also carry boxes of other owners, so do not derive the shipping line
// from the owner code.
type ContainerNumber struct {
	Owner      string            // three letters of the registered owner, such as "MSC"
	Category   ContainerCategory // the fourth letter
	Serial     string            // six digits
	CheckDigit int               // as written, 0 to 9; see ExpectedCheckDigit
}

// ContainerCategory is the fourth letter of a container number.
type ContainerCategory string

// The values of ContainerCategory.
const (
	CategoryFreight    ContainerCategory = "U" // freight container
	CategoryDetachable ContainerCategory = "J" // detachable equipment of a freight container
	CategoryTrailer    ContainerCategory = "Z" // trailer or chassis
)

// ContainerNumberError reports an invalid container number.
type ContainerNumberError struct {
	Number  string // as normalised
	Problem string // what is wrong, such as "position 4 is \"X\": want U, J or Z"
	// CheckDigitOnly reports whether only the check digit is wrong. This is usually a typing error,
	// but some unregistered boxes carry such numbers, so a user may decide to accept it.
	CheckDigitOnly bool
}

// Error returns the number and the problem.
func (e *ContainerNumberError) Error() string {
	return fmt.Sprintf("terminal49: container number %q: %s", e.Number, e.Problem)
}

// NormalizeContainerNumber returns a number in the service's form: upper case, without spaces and
// dashes. It also removes the invisible characters of pasted text. Full-width letters and digits,
// which Asian documents have, become those of ASCII, because each is a form of exactly one of them;
// no other characters are replaced. It does not validate the number.
func NormalizeContainerNumber(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.In(r, unicode.Pd, unicode.Z, unicode.Cf) || r == minusSign {
			return -1
		}
		return upperASCII(halfWidth(r))
	}, s)
}

const minusSign = '\u2212' // used as a dash, but a symbol in Unicode

// halfWidth returns the ASCII form of a full-width letter or digit, and other characters unchanged.
func halfWidth(r rune) rune {
	switch {
	case '０' <= r && r <= '９', 'Ａ' <= r && r <= 'Ｚ', 'ａ' <= r && r <= 'ｚ':
		return r - '０' + '0'
	}
	return r
}

// upperASCII returns the capital of a small letter of ASCII, and other characters unchanged. Unicode
// has small letters of other alphabets whose capital is one of ASCII, such as the dotless i.
func upperASCII(r rune) rune {
	if 'a' <= r && r <= 'z' {
		return r - 'a' + 'A'
	}
	return r
}

// The parts of a container number.
const (
	prefixLength = 4                // owner and category
	serialEnd    = prefixLength + 6 // index of the check digit
	numberLength = serialEnd + 1
)

// ParseContainerNumber normalises and parses a container number and verifies its check digit. The
// error is a *[ContainerNumberError]. If only the check digit is wrong, the number is returned
// along with the error.
func ParseContainerNumber(s string) (ContainerNumber, error) {
	text := NormalizeContainerNumber(s)
	if problem := containerNumberProblem(text); problem != "" {
		return ContainerNumber{}, &ContainerNumberError{Number: text, Problem: problem}
	}
	n := ContainerNumber{
		Owner: text[:3], Category: ContainerCategory(text[3:prefixLength]),
		Serial: text[prefixLength:serialEnd], CheckDigit: int(text[serialEnd] - '0'),
	}
	if want := checkDigit(text[:serialEnd]); want != n.CheckDigit {
		return n, &ContainerNumberError{
			Number: text, CheckDigitOnly: true,
			Problem: fmt.Sprintf("the check digit is %d and should be %d: look for a mistyped or swapped character",
				n.CheckDigit, want),
		}
	}
	return n, nil
}

// ExpectedCheckDigit returns the check digit computed from the rest of the number, or false if the
// rest is invalid. A remainder of 10 counts as 0, as in ISO 6346.
func (n ContainerNumber) ExpectedCheckDigit() (int, bool) {
	rest := n.Owner + string(n.Category) + n.Serial
	if len(n.Owner) != 3 || len(n.Category) != 1 || containerNumberProblem(rest+"0") != "" {
		return 0, false
	}
	return checkDigit(rest), true
}

// String returns the number without separators, such as "MSCU1234566".
func (n ContainerNumber) String() string {
	return fmt.Sprintf("%s%s%s%d", n.Owner, n.Category, n.Serial, n.CheckDigit)
}

// containerNumberProblem returns what is wrong with the form of a normalised number, or "". It does
// not verify the value of the check digit.
func containerNumberProblem(text string) string {
	if text == "" {
		return "is empty: want four letters and seven digits"
	}
	position := 0
	for _, r := range text {
		position++
		switch {
		case position <= 3 && (r < 'A' || r > 'Z'):
			return fmt.Sprintf("position %d is %q: want a letter of the owner code%s", position, string(r), lookalike(r))
		case position == prefixLength && r != 'U' && r != 'J' && r != 'Z':
			return fmt.Sprintf("position 4 is %q: want U, J or Z%s", string(r), lookalike(r))
		case position > prefixLength && position <= numberLength && (r < '0' || r > '9'):
			return fmt.Sprintf("position %d is %q: want a digit%s", position, string(r), lookalike(r))
		}
	}
	switch {
	case position == serialEnd:
		return fmt.Sprintf("the check digit is missing: it would be %d", checkDigit(text))
	case position != numberLength:
		return fmt.Sprintf("has %d characters: want %d, four letters and seven digits", position, numberLength)
	}
	return ""
}

// lookalike returns a hint for a character that is often confused with another.
func lookalike(r rune) string {
	switch r {
	case 'O':
		return " (letter O for zero?)"
	case 'I', 'L':
		return " (letter for one?)"
	case '0':
		return " (zero for letter O?)"
	case '1':
		return " (one for letter I?)"
	}
	return ""
}

// checkDigit returns the check digit of a number that starts with four letters and six digits. The
// value of each character is doubled once per position. Letters count from 10 and skip the
// multiples of 11, which would not change the remainder.
func checkDigit(text string) int {
	sum := 0
	for i := range serialEnd {
		value := int(text[i]) - '0'
		if text[i] >= 'A' {
			letter := int(text[i]) - 'A'
			value = 10 + letter + (letter+9)/10
		}
		sum += value << i
	}
	return sum % 11 % 10
}
