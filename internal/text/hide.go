// Package text makes text fit to be shown: without secrets, and without what a terminal interprets.
package text

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Mask is shown instead of a secret.
const Mask = "[secret]"

const (
	// shortestSecret is how long a secret must be to be replaced within words too. A shorter one,
	// such as "on", may be part of any word.
	shortestSecret = 6
	// shortestPrefix is how much of a secret is replaced at the end of a text, which may have been
	// cut there.
	shortestPrefix = 8
)

// signature matches the parameters that sign a presigned address.
var signature = regexp.MustCompile(`(?i)((?:signature|credential|security-token|(?:^|[^a-z]|%[0-9a-f]{2})sig)(?:=|%3D))[^\s&"'<>\\]+`)

// longestPattern limits the secrets that are replaced in mixed forms: the pattern takes a hundred
// times their length.
const longestPattern = 4096

// Hide returns a function that replaces the secrets in a text with [Mask], also when any of their
// characters are escaped as in JSON, HTML or URLs. It replaces every signature of a presigned
// address too.
func Hide(secrets ...string) func(string) string {
	secrets = slices.Clone(secrets)
	slices.SortFunc(secrets, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	var hide []func(string) string
	for _, secret := range slices.Compact(secrets) {
		switch {
		case len(secret) >= shortestSecret:
			hide = append(hide, replaceAnywhere(secret))
		case secret != "":
			hide = append(hide, func(text string) string { return replaceWord(text, secret) })
		}
	}
	return func(text string) string {
		for _, h := range hide {
			text = h(text)
		}
		if strings.ContainsAny(text, "=%") {
			text = signature.ReplaceAllString(text, "${1}"+Mask)
		}
		return text
	}
}

// HideVerbatim replaces the secrets where nothing in them is escaped. It leaves those that are so
// short that words contain them.
func HideVerbatim(text string, secrets []string) string {
	for _, secret := range secrets {
		if len(secret) >= shortestSecret {
			text = strings.ReplaceAll(text, secret, Mask)
		}
	}
	return text
}

// mayBeEscaped reports whether a text may hold the secret in an escaped form: each contains a
// backslash, a percent sign or an entity, or a + for a space.
func mayBeEscaped(text, secret string) bool {
	if strings.ContainsAny(text, `\%`) || strings.Contains(secret, " ") && strings.Contains(text, "+") {
		return true
	}
	for _, entity := range []string{"&#", "&amp;", "&lt;", "&gt;", "&quot;", "&apos;"} {
		if strings.Contains(text, entity) {
			return true
		}
	}
	return false
}

// replaceAnywhere returns a function that replaces a secret, within words too. Most texts have
// nothing escaped, so the pattern, which takes hundreds of KiB, is compiled for the first that has.
func replaceAnywhere(secret string) func(string) string {
	pattern := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(anyForm(secret)) })
	return func(text string) string {
		text = strings.ReplaceAll(text, secret, Mask)
		if len(secret) <= longestPattern && mayBeEscaped(text, secret) {
			text = pattern().ReplaceAllLiteralString(text, Mask)
		}
		return replacePrefixAtEnd(text, secret)
	}
}

// anyForm returns a pattern that matches a text in all its forms.
func anyForm(text string) string {
	var b strings.Builder
	for _, r := range text {
		var asJSON, asURL string
		for _, unit := range utf16.Encode([]rune{r}) {
			asJSON += fmt.Sprintf(`\\+u%04x`, unit) // more backslashes if it was escaped twice
		}
		for _, c := range []byte(string(r)) {
			asURL += fmt.Sprintf("%%%02x", c)
		}
		fmt.Fprintf(&b, `(?:\\*%s|(?i:%s|%s|&#x0*%x;?|&#0*%[4]d;?)%s)`, regexp.QuoteMeta(string(r)), asJSON, asURL, r, namedEntities[r])
	}
	return b.String()
}

// namedEntities are the characters that have a form without their number.
var namedEntities = map[rune]string{
	'&': "|&amp;", '<': "|&lt;", '>': "|&gt;", '"': "|&quot;", '\'': "|&apos;", ' ': `|\+`,
}

// replaceWord replaces a secret where it is not part of a longer word.
func replaceWord(text, secret string) string {
	var b strings.Builder
	for from := 0; ; {
		i := strings.Index(text[from:], secret)
		if i < 0 {
			b.WriteString(text[from:])
			return b.String()
		}
		before, _ := utf8.DecodeLastRuneInString(text[:from+i])
		after, _ := utf8.DecodeRuneInString(text[from+i+len(secret):])
		b.WriteString(text[from : from+i])
		if isWord(before) || isWord(after) {
			b.WriteString(secret)
		} else {
			b.WriteString(Mask)
		}
		from += i + len(secret)
	}
}

func isWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

// replacePrefixAtEnd replaces the beginning of a secret at the end of a text.
func replacePrefixAtEnd(text, secret string) string {
	for n := min(len(secret)-1, len(text)); n >= shortestPrefix; n-- {
		if strings.HasSuffix(text, secret[:n]) {
			return text[:len(text)-n] + Mask
		}
	}
	return text
}
