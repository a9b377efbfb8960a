package text

import (
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// forms are the ways in which a text may hold a secret.
type forms struct {
	secret string     // without backslashes: they are skipped, because each escape may add some
	base64 []string   // what each base64 that contains the secret contains
	starts *[256]bool // the bytes that the secret may begin with in some form
}

func formsOf(secret string) forms {
	f := forms{strings.ReplaceAll(secret, `\`, ""), inBase64(secret), new([256]bool)}
	for c := range f.starts {
		f.starts[c] = strings.IndexByte(escapes, byte(c)) >= 0 || f.secret != "" && lower(byte(c)) == lower(f.secret[0])
	}
	return f
}

// inBase64 returns what base64 of any text with the secret contains. It depends on how many bytes
// are before the secret, modulo 3. The first and the last characters also depend on those bytes.
func inBase64(secret string) (list []string) {
	if len(secret) < shortestPrefix {
		return nil
	}
	for shift := range 3 {
		all := base64.RawStdEncoding.EncodeToString([]byte("\x00\x00\x00"[:shift] + secret))
		part := all[(shift*8+5)/6 : (shift+len(secret))*8/6]
		list = append(list, part)
		if strings.ContainsAny(part, "+/") {
			list = append(list, strings.ReplaceAll(strings.ReplaceAll(part, "+", "-"), "/", "_"))
		}
	}
	return list
}

// replace replaces the secret in all its forms. Most texts have none, and cost no memory.
func (f forms) replace(text string) string {
	if f.secret == "" || len(text) < len(f.secret) {
		return text
	}
	for _, encoded := range f.base64 {
		text = strings.ReplaceAll(text, encoded, Mask)
	}
	done := 0
	var clean []byte
	for at := 0; at < len(text); {
		if !f.starts[text[at]] {
			at++
			continue
		}
		n := f.matched(text[at:], f.secret)
		if n == 0 {
			at += max(1, backslashes(text[at:]))
			continue
		}
		clean = append(append(clean, text[done:at]...), Mask...)
		at += n
		done = at
	}
	if done == 0 {
		return text
	}
	return string(append(clean, text[done:]...))
}

// escapes are the characters that an escape may begin with.
const escapes = `\%&+`

// matched returns how many bytes at the beginning of text are the end of the secret in some form,
// or 0. It calls itself at most once for each byte of the secret, however long the text is.
func (f forms) matched(text, secret string) int {
	if len(secret) < len(f.secret) {
		if n := escapedBackslashes(text); n > 0 {
			if all := f.begins(text[n:], secret); all > 0 {
				return n + all
			}
		}
	}
	return f.begins(text, secret) // with a backslash's escape that is part of the secret
}

// begins is matched for a text that begins with a character of the secret.
func (f forms) begins(text, secret string) int {
	if text == "" {
		return 0
	}
	skipped := backslashes(text)
	decoded, n := unescaped(text, skipped)
	if all := f.decoded(text, secret, decoded, n); all > 0 {
		return all
	}
	for _, once := range []string{"%25", "&amp;"} { // the secret itself may contain what looks escaped
		if n > len(once) && strings.HasPrefix(text, once) {
			if all := f.decoded(text, secret, once[:1], len(once)); all > 0 {
				return all
			}
		}
	}
	// The character stands for itself, even if it could begin an escape.
	for n := skipped; n < len(text); n++ {
		rest, ok := cutFold(secret, text[n:n+1])
		if !ok {
			return 0
		}
		if secret = rest; rest == "" || n+1 < len(text) && strings.IndexByte(escapes, text[n+1]) >= 0 {
			return f.more(text, rest, n+1)
		}
	}
	return 0
}

// decoded returns what matched returns if the first n bytes of text are a character's escape.
func (f forms) decoded(text, secret, character string, n int) int {
	rest, ok := cutFold(secret, character)
	if !ok || n == 0 {
		return 0
	}
	return f.more(text, rest, n)
}

// more returns n if nothing is left of the secret, and otherwise adds what the rest takes.
func (f forms) more(text, rest string, n int) int {
	if rest == "" {
		return n
	}
	if n == len(text) {
		return 0
	}
	m := f.matched(text[n:], rest)
	if m == 0 {
		return 0
	}
	return n + m
}

func backslashes(text string) int { return len(text) - len(strings.TrimLeft(text, `\`)) }

// escapedBackslashes returns the length of the escapes of backslashes at the beginning of text.
func escapedBackslashes(text string) (length int) {
	for {
		decoded, n := unescaped(text[length:], backslashes(text[length:]))
		if decoded != `\` || n == 0 {
			return length
		}
		length += n
	}
}

// cutFold removes a beginning, with ASCII letters of any case.
func cutFold(secret, start string) (rest string, ok bool) {
	if len(start) > len(secret) {
		return "", false
	}
	for i := range len(start) {
		if lower(start[i]) != lower(secret[i]) {
			return "", false
		}
	}
	return secret[len(start):], true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// unescaped returns the character of the escape at the beginning of text, and the length of the
// escape; 0 if it begins with none. Backslashes have been counted.
func unescaped(text string, skipped int) (decoded string, n int) {
	if decoded, n := unescapedJSON(text, skipped); n > 0 || skipped == len(text) {
		return decoded, n
	}
	if skipped > 0 {
		decoded, n = unescaped(text[skipped:], 0)
		return decoded, n + min(n, 1)*skipped
	}
	switch text[0] {
	case '+':
		return " ", 1
	case '%':
		return unescapedURL(text)
	case '&':
		return unescapedHTML(text)
	}
	return "", 0
}

// unescapedURL reads %6b, also as %256b, where the percent sign was escaped again.
func unescapedURL(text string) (string, int) {
	n := 1
	for strings.HasPrefix(text[n:], "25") {
		n += 2
	}
	if c, ok := fromHex(text[n:], 2); ok {
		return string([]byte{byte(c)}), n + 2
	}
	return "%", n // as %25
}

// unescapedJSON reads \u006b, and two of them if they are a pair of surrogates.
func unescapedJSON(text string, skipped int) (string, int) {
	unit, n := utf16Unit(text, skipped)
	if n == 0 {
		return "", 0
	}
	if !utf16.IsSurrogate(unit) {
		return string(unit), n
	}
	second, m := utf16Unit(text[n:], backslashes(text[n:]))
	return string(utf16.DecodeRune(unit, second)), n + m
}

func utf16Unit(text string, skipped int) (rune, int) {
	if skipped == 0 || skipped == len(text) || lower(text[skipped]) != 'u' {
		return 0, 0
	}
	if unit, ok := fromHex(text[skipped+1:], 4); ok {
		return unit, skipped + len("u006b")
	}
	return 0, 0
}

// fromHex reads digits at the beginning of text. It is used for each byte of what may be megabytes,
// so it makes no error.
func fromHex(text string, digits int) (n rune, ok bool) {
	if len(text) < digits {
		return 0, false
	}
	for _, c := range []byte(text[:digits]) {
		digit := strings.IndexByte("0123456789abcdef", lower(c))
		if digit < 0 {
			return 0, false
		}
		n = n<<4 | rune(digit)
	}
	return n, true
}

// unescapedHTML reads &#107; and &#x6b; and &lt; also where the ampersand was escaped again.
func unescapedHTML(text string) (string, int) {
	n := 1
	for strings.HasPrefix(text[n:], "amp;") {
		n += len("amp;")
	}
	if !strings.HasPrefix(text[n:], "#") {
		const entities = `&lt;<&gt;>&quot;"&apos;'` // the characters that have a form without their number
		end := n + 1 + strings.IndexByte(text[n:min(len(text), n+len("quot;"))], ';')
		if at := strings.Index(entities, "&"+text[n:end]); at >= 0 && end > n+len("t;") {
			at += 1 + end - n
			return entities[at : at+1], end
		}
		if n > 1 {
			return "&", n // as &amp;
		}
		return "", 0
	}
	base, from := 10, n+1
	if from < len(text) && lower(text[from]) == 'x' {
		base, from = 16, from+1
	}
	end := from
	for end < len(text) && strings.IndexByte("0123456789abcdef"[:base], lower(text[end])) >= 0 {
		end++
	}
	c, err := strconv.ParseUint(text[from:end], base, 32)
	if err != nil || c > utf8.MaxRune {
		return "", 0
	}
	if end < len(text) && text[end] == ';' {
		end++
	}
	return string(rune(c)), end
}
