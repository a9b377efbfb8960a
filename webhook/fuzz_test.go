package webhook_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// FuzzHandler checks that only signed deliveries reach a callback, once each, and that the status
// depends on the method, the signature and the length alone. Each line of signatures is one header;
// signed replaces them by the correct one.
func FuzzHandler(f *testing.F) {
	for i, body := range testkit.Deliveries(f) {
		f.Add("POST", "", true, body)
		f.Add("POST", strings.Repeat("0", 64), false, body)
		f.Add([]string{"GET", "post", "POST", "PUT", ""}[i%5], []string{"", strings.Repeat("0", 64), "sha256=" + strings.Repeat("ab", 32), "a\nb"}[i%4], i%2 == 0, body)
	}
	good := terminal49test.SignWebhook(testkit.WebhookSecret, []byte("x"))
	f.Add("POST", good+"\n"+good, false, []byte("x"))
	f.Add("POST", strings.ToUpper(good), false, []byte("x"))
	f.Add("POST", good, false, bytes.Repeat([]byte("x"), 9000))
	f.Fuzz(func(t *testing.T, method, signatures string, signed bool, body []byte) {
		mac := hmac.New(sha256.New, []byte(testkit.WebhookSecret))
		mac.Write(body)
		expected := mac.Sum(nil)
		headers := strings.Split(signatures, "\n")
		if signed {
			headers = []string{hex.EncodeToString(expected)}
		}
		const limit = 8 << 10
		handled, dead := 0, 0
		h := testkit.NewHandler(t, webhook.WithBodyLimit(limit),
			webhook.OnAny(func(context.Context, *webhook.Notification) error { handled++; return nil }),
			webhook.OnDeadLetter(func(_ context.Context, letter webhook.DeadLetter) error {
				dead++
				require.Equal(t, body, letter.Body)
				return nil
			}))
		for range 2 { // the service may deliver again
			r := httptest.NewRequest(http.MethodPost, "https://example.com/t49", bytes.NewReader(body))
			r.Method = method
			r.Header[webhook.SignatureHeader] = headers
			status := testkit.Serve(h, r).Code
			sent, hexErr := hex.DecodeString(headers[0])
			want := http.StatusOK
			switch {
			case method != http.MethodPost:
				want = http.StatusMethodNotAllowed
			case len(headers) != 1 || hexErr != nil || len(sent) != sha256.Size:
				want = http.StatusUnauthorized
			case len(body) > limit:
				want = http.StatusRequestEntityTooLarge
			case !bytes.Equal(sent, expected):
				want = http.StatusUnauthorized
			}
			if status != want {
				t.Fatalf("%q with %q: %d, want %d", method, headers, status, want)
			}
			_, err := webhook.ParseNotification(body)
			wantHandled, wantDead := 0, 0
			if want == http.StatusOK && err == nil {
				wantHandled = 1
			} else if want == http.StatusOK {
				wantDead = 1
			}
			if handled != wantHandled || dead != wantDead {
				t.Fatalf("handled %d times, want %d; dead letter %d times, want %d", handled, wantHandled, dead, wantDead)
			}
		}
	})
}
