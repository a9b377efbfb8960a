// Package text makes text fit to be shown: without secrets, and without what a terminal interprets.
package text

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
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

// Hide returns a function that replaces the secrets in a text with [Mask], in each form that
// [HideLong] finds, and short ones where they are words of their own. It replaces the beginning of
// a secret at the end of the text, and every signature of a presigned address.
func Hide(secrets ...string) func(string) string {
	long := HideLong(secrets...)
	secrets = longestFirst(secrets)
	return func(text string) string {
		text = long(text)
		for _, secret := range secrets {
			if len(secret) >= shortestSecret {
				text = replacePrefixAtEnd(text, secret)
			} else if secret != "" {
				text = replaceWord(text, secret)
			}
		}
		if strings.ContainsAny(text, "=%") {
			text = signature.ReplaceAllString(text, "${1}"+Mask)
		}
		return text
	}
}

// HideLong returns a function that replaces with [Mask] the secrets that are not so short that
// words contain them: in letters of any case, with any of their characters escaped as in JSON, HTML
// or URLs, also repeatedly, and in base64. It leaves the rest as it is, for text that is still
// used.
func HideLong(secrets ...string) func(string) string {
	var forms []forms
	for _, secret := range longestFirst(secrets) {
		if len(secret) >= shortestSecret {
			forms = append(forms, formsOf(secret))
		}
	}
	return func(text string) string {
		for _, f := range forms {
			text = f.replace(text)
		}
		return text
	}
}

// HideWhole returns a function that replaces what [HideLong] does, and short secrets where they are
// words of their own.
func HideWhole(secrets ...string) func(string) string {
	long := HideLong(secrets...)
	secrets = longestFirst(secrets)
	return func(text string) string {
		text = long(text)
		for _, secret := range secrets {
			if secret != "" && len(secret) < shortestSecret {
				text = replaceWord(text, secret)
			}
		}
		return text
	}
}

func longestFirst(secrets []string) []string {
	secrets = slices.Clone(secrets)
	slices.SortFunc(secrets, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return slices.Compact(secrets)
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
