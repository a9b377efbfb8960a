package model

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"
)

// ScrubResource returns a resource without secrets.
func ScrubResource(r *Resource) (*Resource, error) {
	raw := Scrub(r.Raw)
	if len(raw) == len(r.Raw) && &raw[0] == &r.Raw[0] {
		return r, nil
	}
	return Parse(raw)
}

// Scrub returns the JSON of a resource, or of a document, without secrets: members that hold one
// are null, and in texts "[secret]" replaces presigned addresses, signed ids and tokens. It also
// replaces what jsonb of Postgres refuses. JSON without any of these is returned unchanged. If data
// is not JSON, Scrub returns the text without secrets.
func Scrub(data json.RawMessage) json.RawMessage {
	if len(data) == 0 || !suspicious(data) {
		return data
	}
	if !json.Valid(data) {
		return []byte(hideSecrets(StorableText(string(data))))
	}
	return Encode(clean(decode(data), false))
}

// secretMembers hold secrets in any resource.
var secretMembers = []string{
	"secret", "token", "access_token", "refresh_token", "api_key", "api_token", "client_secret", "password", "authorization",
	"signed_id", "attached_document", "direct_upload", "download_url", "file_url",
}

var isSecretMember = func() map[string]bool {
	names := map[string]bool{}
	for _, name := range secretMembers {
		names[name] = true
	}
	return names
}()

// suspicious reports whether JSON may have something to remove. It is fast, because almost no JSON
// has anything to remove.
func suspicious(data []byte) bool {
	if !utf8.Valid(data) || hasOddParts(data) {
		return true
	}
	for _, part := range suspiciousTexts {
		if bytes.Contains(data, part) {
			return true
		}
	}
	return false
}

// suspiciousTexts are parts of secret texts.
var suspiciousTexts = [][]byte{[]byte("oken"), []byte("OKEN"), []byte("earer"), []byte("EARER"), []byte("eyJ"), []byte("%3"), []byte("&#61")}

// hasOddParts reports whether JSON has the name of a secret member, a =, which presigned addresses
// have, an escape, which may hide anything, or a number that a database may refuse.
func hasOddParts(data []byte) bool {
	for i, odd := 0, false; i < len(data); {
		switch c := data[i]; {
		case c == '"':
			i, odd = skipText(data, i+1)
		case isNumberPart(c):
			i, odd = skipNumber(data, i)
		default:
			i, odd = i+1, c == '=' || c == '\\' // in JSON they are in texts only
		}
		if odd {
			return true
		}
	}
	return false
}

// skipText returns the end of a text, and whether it is the name of a secret member or contains a =
// or a \u escape.
func skipText(data []byte, from int) (end int, odd bool) {
	for i := from; i < len(data); i++ {
		switch data[i] {
		case '\\':
			if i++; i < len(data) && data[i] == 'u' {
				return i, true
			}
		case '=':
			return i, true
		case '"':
			return i + 1, isSecretName(data[from:i])
		}
	}
	return len(data), false
}

func isNumberPart(c byte) bool {
	return c >= '0' && c <= '9' || c == 'e' || c == 'E' || c == '+' || c == '-' || c == '.'
}

// skipNumber returns the end of a number, and whether a database may refuse it.
func skipNumber(data []byte, from int) (end int, odd bool) {
	i := from
	for ; i < len(data) && isNumberPart(data[i]); i++ {
		if (data[i] == 'e' || data[i] == 'E') && longExponent(data[i+1:]) {
			return i, true
		}
	}
	return i, i-from > longestNumber
}

// isSecretName reports whether a member of this name is or contains a secret.
func isSecretName(name []byte) bool {
	var lower [longestName]byte
	if len(name) > longestName {
		return false
	}
	for i, c := range name {
		if lower[i] = c; c >= 'A' && c <= 'Z' {
			lower[i] += 'a' - 'A'
		}
	}
	return isSecretMember[string(lower[:len(name)])] || string(lower[:len(name)]) == "headers"
}

const longestName = 20

const longestNumber = 300

// longExponent reports whether an exponent has more than three digits.
func longExponent(data []byte) bool {
	if len(data) > 0 && (data[0] == '+' || data[0] == '-') {
		data = data[1:]
	}
	n := 0
	for n < len(data) && data[n] >= '0' && data[n] <= '9' {
		n++
	}
	return n > 3
}

// clean returns decoded JSON without secrets and without what cannot be stored. The values of a
// webhook's headers are secrets too.
func clean(v any, header bool) any {
	switch v := v.(type) {
	case string:
		return cleanText(v)
	case json.Number:
		if len(v) > longestNumber || hasOddParts([]byte(v)) {
			return string(v) // a database may not have room for it
		}
	case []any:
		for i := range v {
			v[i] = clean(v[i], header)
		}
	case map[string]any:
		return cleanMembers(v, header)
	}
	return v
}

func cleanMembers(members map[string]any, header bool) map[string]any {
	out := make(map[string]any, len(members))
	for name, value := range members {
		lower := strings.ToLower(name)
		if isSecretMember[lower] || header && lower != "name" {
			value = nil
		}
		out[hideSecrets(StorableText(name))] = clean(value, lower == "headers")
	}
	return out
}

// cleanText returns a text without secrets, or nil if the whole text is a secret.
func cleanText(s string) any {
	hidden := hideSecrets(StorableText(s))
	if hidden == secretMark {
		return nil
	}
	return hidden
}

const secretMark = "[secret]"

// secretTexts match secrets in texts: presigned addresses, signed ids of Rails and JSON web tokens.
var secretTexts = []*regexp.Regexp{
	regexp.MustCompile(`(?i)[^\s"'<>]*(?:signature|credential|security-token|access_token|(?:^|[^a-z]|%[0-9a-f]{2})sig)(?:=|%(?:25)*3D|\\*u003d|&#61;)[^\s"'<>]+`),
	regexp.MustCompile(`eyJ[\w=+/%-]{6,}(?:--[0-9a-fA-F]{16,}|\.[\w=-]+\.[\w=-]+)`),
}

// credential matches a token with its scheme.
var credential = regexp.MustCompile(`(?i)\b(?:token|bearer)[\s:=]+["']?[\w.~+/=-]{12,}`)

func hideSecrets(s string) string {
	for _, secret := range secretTexts {
		s = secret.ReplaceAllLiteralString(s, secretMark)
	}
	return credential.ReplaceAllStringFunc(s, func(found string) string {
		if strings.ContainsAny(found, "0123456789") { // not words, such as "bearer documentation"
			return secretMark
		}
		return found
	})
}

// StorableText returns text with U+FFFD in place of what Postgres refuses: NUL, and what is not
// UTF-8.
func StorableText(s string) string {
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "\uFFFD")
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
