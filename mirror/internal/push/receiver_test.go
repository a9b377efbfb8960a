package push

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
)

// SECURITY: a receiver that repeats the secret or a part of the address in any form has it hidden
// (RFC 3986 section 2.1, RFC 4648 sections 4 and 5, RFC 8259 section 7, HTML 13.1.4).
func TestReceiver_HidesEveryForm(t *testing.T) {
	t.Parallel()
	const secret = "wh-s3cr3t/key"
	r := newReceiver(Options{
		Client: NewClient(), Secret: terminal49.NewSecret(secret),
		URL: terminal49.NewSecret("https://us3rname:pa55word@example.com/hooks/T0K3N%2FPATH?key=qu3ry%2Bk3y"),
	})
	for _, text := range []string{secret, "us3rname", "pa55word", "T0K3N/PATH", "qu3ry+k3y", "/hooks/T0K3N%2FPATH?key=qu3ry%2Bk3y"} {
		percent, html, json := "", "", ""
		for _, c := range []byte(text) {
			percent, html, json = percent+fmt.Sprintf("%%%02x", c), html+fmt.Sprintf("&#%d;", c), json+fmt.Sprintf(`\u%04X`, c)
		}
		for _, form := range []string{
			text, strings.ToUpper(text), strings.ToLower(text), url.QueryEscape(text), url.QueryEscape(url.QueryEscape(text)), percent, html, json,
			base64.StdEncoding.EncodeToString([]byte("x " + text)), base64.URLEncoding.EncodeToString([]byte(text)),
			text[:4] + "\xff" + text[4:], text[:4] + "\u200b" + text[4:], text[:4] + "\x00" + text[4:],
		} {
			require.Contains(t, r.short("refused: "+form+" is unknown"), "[secret]", form)
		}
		for cut := range len(text) {
			require.Equal(t, "refused", r.short("refused"+strings.Repeat(" ", readText-7-cut)+text[:cut]))
		}
	}
	basic := base64.StdEncoding.EncodeToString([]byte("us3rname:pa55word"))
	require.Regexp(t, `^no Basic \[secret\].?=$`, r.short("no Basic "+basic))
	require.Equal(t, "no MSCU7861324 at example.com", r.short("no MSCU7861324\n\tat example.com "))
}
