package route

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBuild(t *testing.T) {
	tests := []struct {
		name, template string
		args           []string
		want           string
	}{
		{"no parameter", "/shipments", nil, "/shipments"},
		{"one", "/shipments/{id}", []string{"e1c7-44"}, "/shipments/e1c7-44"},
		{"two, text after", "/shipments/{id}/custom_fields/{api_slug}/x", []string{"1", "po_number"}, "/shipments/1/custom_fields/po_number/x"},
		{"reserved", "/a/{id}", []string{"a/b?c#d%e@f"}, "/a/a%2Fb%3Fc%23d%25e%40f"},
		{"space and plus", "/a/{id}", []string{"a b+c"}, "/a/a%20b%2Bc"},
		{"semicolon, colon, comma", "/a/{id}", []string{"a;b:c,d"}, "/a/a%3Bb%3Ac%2Cd"},
		{"already escaped is data", "/a/{id}", []string{"%2e%2e"}, "/a/%252e%252e"},
		{"dots inside", "/a/{id}", []string{"..."}, "/a/..."},
		{"braces in an argument", "/a/{id}", []string{"{id}"}, "/a/%7Bid%7D"},
		{"unicode", "/a/{id}", []string{"ö"}, "/a/%C3%B6"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Build(tt.template, tt.args...)
			require.NoError(t, err)
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestBuild_Refuses(t *testing.T) {
	tests := []struct {
		name, template string
		args           []string
		param, says    string
	}{
		{"empty", "/shipments/{id}", []string{""}, "id", "empty"},
		{"dot", "/shipments/{id}", []string{"."}, "id", "relative"},
		{"dot dot, second", "/a/{id}/b/{api_slug}", []string{"1", ".."}, "api_slug", "relative"},
		{"NUL", "/a/{id}", []string{"a\x00b"}, "id", "control"},
		{"newline", "/a/{id}", []string{"a\r\nb"}, "id", "control"},
		{"DEL", "/a/{id}", []string{"a\x7f"}, "id", "control"},
		{"C1", "/a/{id}", []string{"a\u0085"}, "id", "control"},
		{"bad UTF-8", "/a/{id}", []string{"a\xff"}, "id", "UTF-8"},
		{"missing argument", "/a/{id}/b/{api_slug}", []string{"1"}, "api_slug", "no argument"},
		{"one too many", "/a/{id}", []string{"1", "2"}, "", "2 arguments for 1"},
		{"argument without parameter", "/a", []string{"1"}, "", "1 arguments for 0"},
		{"open brace", "/a/{id", []string{"1"}, "", "brace"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Build(tt.template, tt.args...)
			assert.Empty(t, got)
			var re *Error
			require.ErrorAs(t, err, &re)
			assert.Equal(t, tt.param, re.Param)
			assert.Contains(t, err.Error(), tt.says)
			assert.Contains(t, err.Error(), tt.param)
		})
	}
}

// FuzzBuild checks that an argument remains one segment of the path and can be unescaped, and that
// it is refused only for the documented reasons.
func FuzzBuild(f *testing.F) {
	for _, s := range []string{"...", "%2e%2e", "a\\b", "+", "a;b=c", "\u202e", "\u0085", "", ".", "..", "a/b", "%2f", "a?b#c", "\x00", "ö", "a@2026-03-23", "{id}", " ", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, arg string) {
		path, err := Build("/v2/x/{id}/y", arg)
		refused := arg == "" || arg == "." || arg == ".." || !utf8.ValidString(arg) || regexp.MustCompile(`\p{Cc}`).MatchString(arg)
		if refused != (err != nil) {
			t.Fatalf("%q is refused: %v", arg, err)
		}
		if err != nil {
			return
		}
		if !regexp.MustCompile(`^/v2/x/([A-Za-z0-9_.~-]|%[0-9A-F]{2})+/y$`).MatchString(path) {
			t.Fatalf("%q became %q", arg, path)
		}
		u, err := url.Parse("https://api.example.test" + path + "?q=1")
		if err != nil {
			t.Fatalf("%q does not parse: %v", path, err)
		}
		parts := strings.Split(u.EscapedPath(), "/")
		if len(parts) != 5 || u.RawQuery != "q=1" || u.Fragment != "" || u.Host != "api.example.test" {
			t.Fatalf("%q changed the shape of the URL: %q", arg, u)
		}
		if back, err := url.PathUnescape(parts[3]); err != nil || back != arg {
			t.Fatalf("%q came back as %q, %v", arg, back, err)
		}
		if clean := u.JoinPath().EscapedPath(); clean != path {
			t.Fatalf("%q is not in clean form: %q", path, clean)
		}
	})
}
