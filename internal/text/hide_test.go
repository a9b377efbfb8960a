package text

import (
	"encoding/base64"
	"html"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A secret is replaced in every form, and nothing else is.
func TestHide(t *testing.T) {
	const odd = `k3y&<a>"b\c%d`
	tests := []struct{ name, secret, text, want string }{
		{"plain", "k3y-s3cr3t", "bad key k3y-s3cr3t!", "bad key *!"},
		{"often", "k3y-s3cr3t", "k3y-s3cr3tk3y-s3cr3t", "**"},
		{"within a word", "k3y-s3cr3t", "Xk3y-s3cr3tX", "X*X"},
		{"regular expression", "a.*+?[b]$1", "a.*+?[b]$1 axx+?b$1", "* axx+?b$1"},
		{"verbs", "%s%d%v%%x", "got %s%d%v%%x", "got *"},
		{"odd", odd, "got " + odd, "got *"},
		{"odd in JSON", odd, `{"got":` + strconv.Quote(odd) + `}`, `{"got":"*"}`},
		{"odd in JSON by Go", odd, `{"got":"k3y\u0026\u003ca\u003e\"b\\c%d"}`, `{"got":"*"}`},
		{"odd in HTML", odd, "<p>" + html.EscapeString(odd), "<p>*"},
		{"odd in a query", odd, "?key=" + url.QueryEscape(odd), "?key=*"},
		{"odd in a path", odd, "/" + url.PathEscape(odd), "/*"},
		{"escaped twice in a query", odd, "?key=" + url.QueryEscape(url.QueryEscape(odd)), "?key=*"},
		{"escaped twice in HTML", odd, html.EscapeString(html.EscapeString(odd)), "*"},
		{"escaped twice in JSON", odd, strconv.Quote(strconv.Quote(odd)), `"\"*\""`},
		{"JSON in HTML", odd, html.EscapeString(strconv.Quote(odd)), "&#34;*&#34;"},
		{"JSON in a query", odd, url.QueryEscape(strconv.Quote(odd)), "%22*%22"},
		{"escapes in it", "a%2Bb&amp;c+d", "a%2Bb&amp;c+d " + url.QueryEscape("a%2Bb&amp;c+d") + " " + html.EscapeString("a%2Bb&amp;c+d"), "* * *"},
		{"escapes of it", "a+b&c d", "a%2Bb&amp;c+d a%2bb&amp;c%20d", "* *"},
		{"all escaped", "k3y-s3cr3t", "%6b%33%79%2D%73%33%63%72%33%74 %256b3y-s3cr3%2574 \\u006b3y-s3cr3\\u0074", "* * *"},
		{"other case", "k3y-s3cr3t", "K3Y-S3CR3T, K3y-S3cr3t", "*, *"},
		{"base64", "k3y-s3cr3t", "k3y " + base64.StdEncoding.EncodeToString([]byte("k3y-s3cr3t")), "k3y *A=="},
		{"base64 after something", "k3y-s3cr3t", base64.URLEncoding.EncodeToString([]byte("u:k3y-s3cr3t")), "dTp*"},
		{"cut off", "k3y-s3cr3t", "bad key k3y-s3cr", "bad key *"},
		{"too short a prefix", "k3y-s3cr3t", "bad k3y-s3c", "bad k3y-s3c"},

		{"one letter", "a", "a bad key a, as always", "* bad key *, as always"},
		{"two letters", "on", "on the move: no conclusion", "* the move: no conclusion"},
		{"short in an umlaut", "on", "Hafenön on", "Hafenön *"},
		{"a common word", "error", "error: 3 errors", "*: 3 errors"},
		{"one sign", "%", "100% is %", "100% is *"},
		{"in an id", "4111-8111", "id 11111111-1111-4111-8111-111111111111", "id 11111111-1111-*-111111111111"},
		{"none", "", "all is kept", "all is kept"},

		{"presigned", "", "at https://s.test/f?X-Amz-Credential=AKIA%2Fus&X-Amz-Signature=abc123 now", "at https://s.test/f?X-Amz-Credential=*&X-Amz-Signature=* now"},
		{"presigned in HTML", "", `<a href="https://s.test/f?a=1&amp;Signature=abc%2B123">`, `<a href="https://s.test/f?a=1&amp;Signature=*">`},
		{"presigned in a query", "", "/go?to=https%3A%2F%2Fs.test%2Ff%3Fsig%3Dabc", "/go?to=https%3A%2F%2Fs.test%2Ff%3Fsig%3D*"},
		{"other queries", "", "/shipments?number=1&design=2", "/shipments?number=1&design=2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, strings.ReplaceAll(tt.want, "*", Mask), Hide(tt.secret)(tt.text))
		})
	}
	assert.Equal(t, Mask+" and "+Mask, Hide("k3y-s3cr3t", "Token k3y-s3cr3t")("Token k3y-s3cr3t and k3y-s3cr3t"), "the longest first")
}

// Any mix of escapes is found, and a secret is never used as a pattern.
func TestHide_EscapedForms(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for secret, echoed := range map[string]string{
		"ä€😀": `\u00e4\u20AC\ud83d\uDE00 %c3%a4%e2%82%ac%F0%9F%98%80 ä&#8364;&#x1F600;`, `a"b\c'<&>`: `a\"b\\c'<&> a&quot;b\c&apos;&lt;&amp;&gt;`,
		"(.*)+?[a]{2}$^|": "(.*)+?[a]{2}$^|", "\xff\xfe": "\xff\xfe", long: long + " " + long,
	} {
		require.Empty(t, strings.ReplaceAll(strings.ReplaceAll(Hide(secret)(echoed), Mask, ""), " ", ""), "%.20q", secret)
		require.Equal(t, "nothing of it", Hide(secret)("nothing of it"))
	}
}

// A long text takes neither a stack as deep as it is long nor time that grows with its square,
// which would be minutes for megabytes.
func TestHide_LongTexts(t *testing.T) {
	const secret = "k3y-s3cr3t"
	many := 1 << 16
	if os.Getenv("PROOF") == "whole" { // package testkit imports this one
		many = 1 << 18
	}
	for _, text := range []string{
		"k" + strings.Repeat("%5c", many), "k" + strings.Repeat(`%5c\`, many), "k" + strings.Repeat("&#92;", many),
		strings.Repeat("&", 8*many) + ";", strings.Repeat("&amp;", many) + ";", "&#" + strings.Repeat("1", many) + ";", "%" + strings.Repeat("25", many),
		strings.Repeat("k3y-s3cr3", many/9), strings.Repeat(`\`, many), strings.Repeat(`k\u005c`, many/8),
	} {
		require.Equal(t, text, Hide(secret)(text + " ")[:len(text)], "%.20q", text)
		require.Equal(t, text+" "+Mask, Hide(secret)(text+" "+secret))
	}
	require.Equal(t, Mask, Hide(secret)("k"+strings.Repeat("%5c", many)+secret[1:]))
}
