package jsonapi

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// The slow path of strings: escapes and bytes that are not UTF-8. The service sends few of either.

// escaped reads the rest of a string that began at start, from its first backslash, into a copy.
func (s *scanner) escaped(start int) []byte {
	text := append([]byte(nil), s.data[start:s.pos]...)
	for s.pos < len(s.data) {
		c := s.data[s.pos]
		switch {
		case c == '"':
			s.pos++
			return toValid(text)
		case c < ' ':
			s.fail("no control character in a string")
			return nil
		case c != '\\':
			text = append(text, c)
			s.pos++
		default:
			text = s.escape(text)
		}
	}
	s.fail("the end of a string")
	return nil
}

var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape appends the character of the escape at pos.
func (s *scanner) escape(text []byte) []byte {
	s.pos++
	c := s.at()
	if plain := escapes[c]; plain != 0 {
		s.pos++
		return append(text, plain)
	}
	if c != 'u' {
		s.fail("an escape")
		return text
	}
	r, ok := s.hex()
	if !ok {
		s.fail("four hex digits")
		return text
	}
	if utf16.IsSurrogate(r) && s.at() == '\\' && s.pos+1 < len(s.data) && s.data[s.pos+1] == 'u' {
		mark := s.pos
		s.pos++
		low, ok := s.hex()
		if pair := utf16.DecodeRune(r, low); ok && pair != utf8.RuneError {
			return utf8.AppendRune(text, pair)
		}
		s.pos = mark // a lone surrogate; the next escape is another character
	}
	return utf8.AppendRune(text, r) // a surrogate becomes U+FFFD
}

// hex reads the u and four hex digits at pos.
func (s *scanner) hex() (rune, bool) {
	if s.pos+5 > len(s.data) {
		return 0, false
	}
	var r rune
	for _, c := range s.data[s.pos+1 : s.pos+5] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	s.pos += 5
	return r, true
}

// toValid replaces each byte that is not UTF-8 with U+FFFD, as encoding/json does.
func toValid(text []byte) []byte { return bytes.Map(func(r rune) rune { return r }, text) }
