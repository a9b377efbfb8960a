package terminal49test

import (
	"fmt"
	"hash/fnv"
	"regexp"
	"strings"
)

// ContainerNumber returns an ISO 6346 container number with its check digit. owner is the owner
// code with the category letter, such as "MSKU"; serial has up to six digits.
func ContainerNumber(owner string, serial int) string {
	number := fmt.Sprintf("%s%06d", strings.ToUpper(owner), ((serial%1_000_000)+1_000_000)%1_000_000)
	return number + string(checkDigit(number))
}

// checkDigit computes the eleventh character of a container number from the first ten. Letters
// count from 10, without the multiples of 11; each position weighs twice the one before.
func checkDigit(number string) byte {
	sum := 0
	for i := range min(len(number), 10) {
		value := 0
		switch c := number[i]; {
		case c >= '0' && c <= '9':
			value = int(c - '0')
		case c >= 'A' && c <= 'Z':
			value = int(c-'A') + 10
			value += (value - 1) / 10 // skips 11, 22 and 33
		}
		sum += value << i
	}
	return '0' + byte(sum%11%10)
}

// numberShape is the form of a number.
type numberShape uint8

const (
	shapeInvalid   numberShape = iota
	shapeContainer             // four letters, the last a category, and seven digits
	shapeBill                  // begins with four letters, which may be a SCAC
	shapeBooking               // any other letters and digits, with at least one digit
)

// normalizeNumber returns the form in which numbers are compared.
func normalizeNumber(number string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.ToUpper(strings.TrimSpace(number)), " ", ""), "-", "")
}

// byNumber has the ids of records by their normalized number, which a test can change.
type byNumber map[string][]string

func (n byNumber) ids(number string) []string { return n[normalizeNumber(number)] }

func (n byNumber) add(id, number string) {
	if number = normalizeNumber(number); number != "" {
		n[number] = append(n[number], id)
	}
}

func (n byNumber) remove(id, number string) {
	number = normalizeNumber(number)
	if n[number] = without(n[number], id); len(n[number]) == 0 {
		delete(n, number)
	}
}

// move updates the index after a change of a record's number.
func (n byNumber) move(id, was, is string) {
	if normalizeNumber(was) != normalizeNumber(is) {
		n.remove(id, was)
		n.add(id, is)
	}
}

var (
	containerForm = regexp.MustCompile(`^[A-Z]{3}[UJZ][0-9]{7}$`)
	anyForm       = regexp.MustCompile(`^[A-Z0-9/]*[0-9][A-Z0-9/]*$`)
	billForm      = regexp.MustCompile(`^[A-Z]{4}`)
)

// shapeOf expects a normalized number.
func shapeOf(number string) numberShape {
	switch {
	case containerForm.MatchString(number):
		return shapeContainer
	case len(number) < 6 || len(number) > 30 || !anyForm.MatchString(number):
		return shapeInvalid
	case billForm.MatchString(number):
		return shapeBill
	}
	return shapeBooking
}

func checkDigitMatches(number string) bool { return number[len(number)-1] == checkDigit(number) }

// numberHash derives a constant integer from a number.
func numberHash(number string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(number)) // a hash never fails
	return int(h.Sum32() & 0x7fffffff)
}
