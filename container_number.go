package terminal49

import (
	"fmt"
	"strings"
	"unicode"
)

// ContainerNumber is a container number by ISO 6346, such as MSCU1234566. It names a box, not a journey and not a
// carrier: lines carry boxes of other owners, so never take the shipping line from the owner code.
type ContainerNumber struct {
	Owner      string            // three letters of whoever registered the box, such as "MSC"
	Category   ContainerCategory // fourth letter
	Serial     string            // six digits
	CheckDigit int               // as written, 0 to 9; see ExpectedCheckDigit
}

// ContainerCategory is the fourth letter of a container number.
type ContainerCategory string

const (
	CategoryFreight    ContainerCategory = "U" // freight container
	CategoryDetachable ContainerCategory = "J" // detachable equipment of a freight container
	CategoryTrailer    ContainerCategory = "Z" // trailer or chassis
)

// ContainerNumberError says what is wrong with a container number.
type ContainerNumberError struct {
	Number  string // as normalised
	Problem string // what is wrong, such as "position 4 is \"X\": want U, J or Z"
	// CheckDigitOnly reports that the form is right and only the check digit is not. Some boxes that are not
	// registered carry such numbers, so a person may decide to go on; otherwise it is a typing error.
	CheckDigitOnly bool
}

// Error names the number and what is wrong with it.
func (e *ContainerNumberError) Error() string {
	return fmt.Sprintf("terminal49: container number %q: %s", e.Number, e.Problem)
}

// NormalizeContainerNumber writes a number as the service does: upper case without spaces and dashes, of which it also
// takes the invisible ones that come with pasted text. It checks nothing.
func NormalizeContainerNumber(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		case unicode.IsSpace(r) || unicode.In(r, unicode.Pd, unicode.Z, unicode.Cf) || r == minusSign:
			return -1
		}
		return r
	}, s)
}

const minusSign = '\u2212' // a dash to people, a symbol to Unicode

const (
	prefixLength = 4                // owner and category
	serialEnd    = prefixLength + 6 // where the check digit stands
	numberLength = serialEnd + 1
)

// ParseContainerNumber normalises and reads a container number and verifies its check digit. The error is a
// *[ContainerNumberError]; if only the check digit is wrong, the number is returned all the same.
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
			Problem: fmt.Sprintf("the check digit is %d and should be %d: look for a mistyped or swapped character", n.CheckDigit, want),
		}
	}
	return n, nil
}

// ExpectedCheckDigit returns the check digit that goes with the rest of the number; false if the rest is not well
// formed. A remainder of 10 counts as 0, as ISO 6346 has it.
func (n ContainerNumber) ExpectedCheckDigit() (int, bool) {
	rest := n.Owner + string(n.Category) + n.Serial
	if len(n.Owner) != 3 || len(n.Category) != 1 || containerNumberProblem(rest+"0") != "" {
		return 0, false
	}
	return checkDigit(rest), true
}

// String returns the number in one piece, such as "MSCU1234566".
func (n ContainerNumber) String() string {
	return fmt.Sprintf("%s%s%s%d", n.Owner, n.Category, n.Serial, n.CheckDigit)
}

// containerNumberProblem checks the form of a normalised number, all but the value of its check digit.
func containerNumberProblem(text string) string {
	if text == "" {
		return "is empty: want four letters and seven digits"
	}
	position := 0
	for _, r := range text {
		position++
		switch {
		case position <= 3 && !isLetter(r):
			return fmt.Sprintf("position %d is %q: want a letter of the owner code%s", position, string(r), lookalike(r))
		case position == prefixLength && r != 'U' && r != 'J' && r != 'Z':
			return fmt.Sprintf("position 4 is %q: want U, J or Z%s", string(r), lookalike(r))
		case position > prefixLength && position <= numberLength && !isDigit(r):
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

// lookalike hints at the characters that people confuse.
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

func isLetter(r rune) bool { return 'A' <= r && r <= 'Z' }

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// checkDigit computes the check digit of four letters and six digits. Each character has a value, doubled with every
// position; letters count from 10 on and leave out the multiples of 11, which the remainder could not see.
func checkDigit(text string) int {
	sum := 0
	for i := range serialEnd {
		value := int(text[i]) - '0'
		if isLetter(rune(text[i])) {
			letter := int(text[i]) - 'A'
			value = 10 + letter + (letter+9)/10
		}
		sum += value << i
	}
	return sum % 11 % 10
}
