package terminal49

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// ContainerNumber is an ISO 6346 container number, such as MSCU1234566. It identifies a box, not a
// journey or a carrier. Lines also carry boxes of other owners, so do not derive the shipping line
// from the owner code.
type ContainerNumber struct {
	Owner string // three letters of the registered owner, such as "MSC"
	// Category is the fourth letter: "U" for a freight container, "J" for detachable equipment of one,
	// "Z" for a trailer or chassis.
	Category   string
	Serial     string // six digits
	CheckDigit int    // as written, 0 to 9; see ExpectedCheckDigit
}

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

// upperASCII returns the capital of a small letter of ASCII, and other characters unchanged. The
// capital of some other letters is one of ASCII too, such as that of the dotless i.
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
		Owner: text[:3], Category: text[3:prefixLength],
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
		if position > numberLength {
			continue
		}
		if characters, what := charactersAt(position); !strings.ContainsRune(characters, r) {
			return fmt.Sprintf("position %d is %q: want %s%s", position, string(r), what, lookalike(r))
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

// isContainerForm reports whether a normalised number has four letters and seven digits. Carriers
// report numbers with another category or a wrong check digit too.
func isContainerForm(number string) bool {
	letters, _ := charactersAt(1)
	digits, _ := charactersAt(numberLength)
	return len(number) == numberLength && strings.Trim(number[:prefixLength], letters)+strings.Trim(number[prefixLength:], digits) == ""
}

// charactersAt returns the characters that a position, counted from one, may have.
func charactersAt(position int) (characters, what string) {
	switch {
	case position < prefixLength:
		return "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "a letter of the owner code"
	case position == prefixLength:
		return "UJZ", "U, J or Z"
	}
	return "0123456789", "a digit"
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

// SizeTypeGroup returns the ISO 6346 code of size and type group: "45GP" is a dry container of 40
// feet and high cube, "22RT" a standard reefer of 20 feet. It never returns a detailed code such as
// "45G1", which needs what the service does not report. It returns "" if the length, height or type
// is unknown or has no code. That includes flat racks, tanks and hard tops, because their group
// depends on details that are not reported, such as fixed or folding ends (PF, PC).
func (c *Container) SizeTypeGroup() string {
	length, _ := c.EquipmentLength.Get()
	size, group := sizeCode(length, c.EquipmentHeight), typeGroup(c.EquipmentType)
	if size == "" || group == "" {
		return ""
	}
	return size + group
}

// sizeCode returns the code of ISO 6346, Annex D, for a width of 8 feet, or "". It has none for 50
// feet. A standard height is 8 feet 6 inches, and unclear for 10 feet: 8 feet in ISO 668, more in
// the trade.
func sizeCode(feet int, height EquipmentHeight) string {
	var length string
	switch feet {
	case 10:
		length = "1"
	case 20:
		length = "2"
	case 40:
		length = "4"
	case 45:
		length = "L"
	}
	switch {
	case length != "" && height == HeightHighCube: // 9 feet 6 inches
		return length + "5"
	case length != "" && height == HeightStandard && feet != 10:
		return length + "2"
	}
	return ""
}

// typeGroup returns the group of ISO 6346, Annex E, or "" if it depends on what is not reported:
// the ends of a flat rack (PF, PC) and the content of a tank (TN, TD, TG). The standard has no
// group for hard tops; lines use UT and UP.
func typeGroup(t EquipmentType) string {
	switch t {
	case EquipmentDry:
		return "GP"
	case EquipmentReefer:
		return "RT" // those that can only cool (RE) or have a generator (RS) are in RT in the trade's lists
	case EquipmentOpenTop:
		return "UT"
	case EquipmentBulk:
		return "BU" // Amendment 3 of 2012 moved the pressurised ones (BK) to the tanks
	default:
		return ""
	}
}

// TEU returns the size in twenty-foot equivalent units: the length divided by 20 feet, for any
// height. That is 0.5 for 10 feet, 1 for 20, 2 for 40 and 2.25 for 45, as in the Glossary for
// Transport Statistics of Eurostat, ITF and UNECE; many lines and terminals count 45 feet as 2. It
// returns false if the length is unknown.
func (c *Container) TEU() (teu float64, ok bool) {
	length, _ := c.EquipmentLength.Get()
	if length <= 0 {
		return 0, false
	}
	return float64(length) / 20, true
}

// kilogramsPerPound is exact: the international pound of 1959, in NIST Special Publication 811.
const kilogramsPerPound = 0.45359237

// WeightKilograms returns WeightPounds in kilograms, with the exact factor 0.45359237 and without
// rounding. It returns false if the weight is unknown.
func (c *Container) WeightKilograms() (kilograms float64, ok bool) {
	pounds, _ := c.WeightPounds.Get()
	if pounds <= 0 {
		return 0, false
	}
	return pounds * kilogramsPerPound, true
}

// readMeasure reads a number of the equipment. 0 is not a measure: the service sends it for a
// weight that it does not know, and some shipping lines for a length. It becomes missing rather
// than null, which was not sent. JSON leaves it out, and reading that returns the same container.
func readMeasure[V int | float64](d *jsonapi.Decoder, at any) {
	readOther(d, at)
	if measure := at.(*Opt[V]); *measure == Some[V](0) {
		*measure = Opt[V]{}
	}
}
