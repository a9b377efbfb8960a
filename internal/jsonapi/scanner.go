package jsonapi

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"unicode/utf8"
)

// scanner is the tokenizer: it reads JSON bytes and checks their grammar. After the first error it
// is at the end and every read is empty, so its callers need not check each step.
//
// It exists because no tested library is fast enough: decoding a page mostly consists of member
// names and short strings, which take one call each here. Tolerance belongs in Decoder.
type scanner struct {
	data  []byte
	pos   int
	depth int
	err   error
}

// maxDepth limits nesting, so that hostile bytes cannot exhaust the stack. The service nests seven
// levels.
const maxDepth = 200

// kind is the kind of a value, by its first byte.
type kind uint8

const (
	kindEnd kind = iota // nothing, or no value
	kindObject
	kindArray
	kindString
	kindNumber
	kindBool
	kindNull
)

func (k kind) String() string {
	return [...]string{"nothing", "an object", "an array", "a string", "a number", "a boolean", "null"}[k]
}

var kinds = [256]kind{
	'{': kindObject, '[': kindArray, '"': kindString, 't': kindBool, 'f': kindBool, 'n': kindNull, '-': kindNumber,
	'0': kindNumber, '1': kindNumber, '2': kindNumber, '3': kindNumber, '4': kindNumber, '5': kindNumber,
	'6': kindNumber, '7': kindNumber, '8': kindNumber, '9': kindNumber,
}

func (s *scanner) fail(want string) {
	s.abort(&SyntaxError{want, s.pos})
}

// SyntaxError means that bytes are not JSON, or are nested too deeply. It quotes none of them.
type SyntaxError struct {
	want string
	at   int
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("not JSON: want %s at byte %d", e.want, e.at)
}

// abort ends the scan with the first error.
func (s *scanner) abort(err error) {
	if s.err == nil {
		s.err = err
	}
	s.pos = len(s.data)
}

// peek skips white space and returns the next byte, or 0 at the end.
func (s *scanner) peek() byte {
	if s.pos < len(s.data) && s.data[s.pos] > ' ' {
		return s.data[s.pos]
	}
	return s.peekPastSpace()
}

func (s *scanner) peekPastSpace() byte {
	for ; s.pos < len(s.data); s.pos++ {
		switch c := s.data[s.pos]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

func (s *scanner) kind() kind { return kinds[s.peek()] }

// open enters an object or array. It skips an empty one and returns false.
func (s *scanner) open(closing byte) bool {
	s.pos++
	if s.depth++; s.depth > maxDepth {
		s.fail(fmt.Sprintf("at most %d levels", maxDepth))
		return false
	}
	if s.peek() == closing {
		s.pos++
		s.depth--
		return false
	}
	return true
}

// more skips a comma, or the closing byte, which ends the object or array.
func (s *scanner) more(closing byte) bool {
	switch s.peek() {
	case ',':
		s.pos++
		return s.err == nil
	case closing:
		s.pos++
		s.depth--
		return false
	default:
		s.fail("a comma or " + string(rune(closing)))
		return false
	}
}

// key reads a member name and its colon.
func (s *scanner) key() []byte {
	if s.peek() != '"' {
		s.fail("a member name")
		return nil
	}
	name := s.str()
	if s.peek() != ':' {
		s.fail("a colon")
		return nil
	}
	s.pos++
	return name
}

// skipText skips text if it comes next, and reports whether it did. Comparing with the usual text
// is faster than reading tokens.
func (s *scanner) skipText(text string) bool {
	end := s.pos + len(text)
	if end > len(s.data) || string(s.data[s.pos:end]) != text {
		return false
	}
	s.pos = end
	return true
}

// beforeString is skipText for text that must be followed by a string.
//
//go:noinline
func (s *scanner) beforeString(text string) bool {
	end := s.pos + len(text)
	if end >= len(s.data) || s.data[end] != '"' || string(s.data[s.pos:end]) != text {
		return false
	}
	s.pos = end
	return true
}

const (
	everyByte = 0x0101010101010101
	highBits  = everyByte * 0x80
)

// special marks the bytes of eight that are a quote, a backslash or a control character. A byte
// above the first marked one may be marked wrongly, but only the first is used.
func special(eight uint64) uint64 {
	quote := eight ^ everyByte*'"'
	slash := eight ^ everyByte*'\\'
	return ((quote - everyByte) | (slash - everyByte) | (eight - everyByte*' ')) &^ eight & highBits
}

// isPlain reports whether b is ASCII that a string holds without escapes. It is false for fewer
// than eight bytes.
func isPlain(b []byte) bool {
	if len(b) < 8 {
		return false
	}
	last := binary.LittleEndian.Uint64(b[len(b)-8:])
	found := special(last) | last
	for ; len(b) >= 8; b = b[8:] {
		eight := binary.LittleEndian.Uint64(b)
		found |= special(eight) | eight
	}
	return found&highBits == 0
}

// str reads a string from its opening quote. The result is valid UTF-8, and part of the data if
// possible.
func (s *scanner) str() []byte {
	start, high := s.pos+1, uint64(0)
	i := start
	for i+8 <= len(s.data) {
		eight := binary.LittleEndian.Uint64(s.data[i:])
		if found := special(eight); found != 0 {
			n := bits.TrailingZeros64(found) / 8
			high |= eight & (1<<(8*n) - 1)
			i += n
			break
		}
		high |= eight
		i += 8
	}
	for ; i < len(s.data); i++ {
		switch c := s.data[i]; {
		case c == '"':
			text := s.data[start:i]
			s.pos = i + 1
			if high&highBits != 0 && !utf8.Valid(text) {
				return toValid(text)
			}
			return text
		case c == '\\':
			s.pos = i
			return s.escaped(start)
		case c < ' ':
			s.pos = i
			s.fail("no control character in a string")
			return nil
		default:
			high |= uint64(c)
		}
	}
	s.pos = i
	s.fail("the end of a string")
	return nil
}

// number reads a number and checks its grammar.
func (s *scanner) number() []byte {
	start := s.pos
	if s.at() == '-' {
		s.pos++
	}
	switch {
	case s.at() == '0':
		s.pos++
	case !s.digits():
		return nil
	}
	if s.at() == '.' {
		s.pos++
		if !s.digits() {
			return nil
		}
	}
	if c := s.at(); c == 'e' || c == 'E' {
		s.pos++
		if c := s.at(); c == '+' || c == '-' {
			s.pos++
		}
		if !s.digits() {
			return nil
		}
	}
	return s.data[start:s.pos]
}

// at is peek without white space.
func (s *scanner) at() byte {
	if s.pos < len(s.data) {
		return s.data[s.pos]
	}
	return 0
}

func (s *scanner) digits() bool {
	start := s.pos
	for s.pos < len(s.data) && s.data[s.pos]-'0' <= 9 {
		s.pos++
	}
	if s.pos == start {
		s.fail("a digit")
		return false
	}
	return true
}

// literal skips true, false or null.
func (s *scanner) literal(word string) bool {
	if len(s.data)-s.pos < len(word) || string(s.data[s.pos:s.pos+len(word)]) != word {
		s.fail(word)
		return false
	}
	s.pos += len(word)
	return true
}

// skip skips a value of any kind.
func (s *scanner) skip() {
	switch s.kind() {
	case kindObject:
		for more := s.open('}'); more; more = s.more('}') {
			s.key()
			s.skip()
		}
	case kindArray:
		for more := s.open(']'); more; more = s.more(']') {
			s.skip()
		}
	case kindString:
		s.str()
	case kindNumber:
		s.number()
	case kindNull:
		s.literal("null")
	case kindBool:
		s.boolean()
	default:
		s.fail("a value")
	}
}

func (s *scanner) boolean() bool {
	if s.data[s.pos] == 't' {
		return s.literal("true")
	}
	s.literal("false")
	return false
}

// raw skips a value and returns its bytes.
func (s *scanner) raw() []byte {
	s.peek()
	start := s.pos
	s.skip()
	return s.data[start:s.pos]
}
