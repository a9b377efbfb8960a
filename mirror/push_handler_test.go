package mirror

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// HandleChanges verifies the signature, and answers so that the sender repeats what failed.
func TestHandleChanges(t *testing.T) {
	t.Parallel()
	var got []Change
	fails := false
	secret := terminal49.NewSecret(sinkSecret)
	h := HandleChanges(func(_ context.Context, c Change) error {
		if fails {
			return fmt.Errorf("s3cr3t")
		}
		got = append(got, c)
		return nil
	}, secret)
	m, s := newTestMirror(t, sqliteFile(t)), newSink(t, nil)
	at := m.add("a")
	p := m.push(s.to())
	soon(t, func() bool { return len(s.accepted()) == 1 })
	p.stop(t)
	post := func(h http.Handler, body, signature string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		r.Header.Set(webhook.SignatureHeader, signature)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	body, signature := s.bodies[0], s.header.Get(webhook.SignatureHeader)
	require.Equal(t, http.StatusNoContent, post(h, body, signature).Code)
	var want []Change
	for c, err := range m.Changes(t.Context(), "") {
		require.NoError(t, err)
		want = append(want, c)
	}
	require.Equal(t, Position(at[0]), got[0].Position)
	got[0].Old, want[0].Old = nil, nil // null, and none
	require.Equal(t, want, got)
	require.Equal(t, http.StatusUnauthorized, post(h, body+" ", signature).Code)
	require.Equal(t, http.StatusUnauthorized, post(h, body, "").Code)
	for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodHead} { // the push sends a POST
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, "/", strings.NewReader(body)))
		require.Equal(t, http.StatusMethodNotAllowed, w.Code)
		require.Equal(t, http.MethodPost, w.Header().Get("Allow")) // RFC 9110, section 15.5.6
	}
	twice := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	twice.Header[webhook.SignatureHeader] = []string{signature, signature}
	two := httptest.NewRecorder()
	h.ServeHTTP(two, twice)
	require.Equal(t, http.StatusUnauthorized, two.Code)
	// CloudEvents 1.0 requires specversion, id and type; docs/mirror-push.md: the id is the position.
	for _, other := range []string{
		`{"data":{}}`, `{}`, `null`, `[]`, `x`, strings.Replace(body, `"specversion":"1.0"`, `"specversion":"0.3"`, 1),
		strings.Replace(body, "com.github.go-freight.", "com.example.", 1), strings.Replace(body, `"position"`, `"p"`, 1),
		strings.Replace(body, `"kind"`, `"k"`, 1), strings.Replace(body, `"id":"`+at[0]+`"`, `"id":"`+at[0]+`0"`, 1), strings.Replace(body, `"type"`, `"t"`, 1),
	} {
		require.NotEqual(t, body, other)
		require.Equal(t, http.StatusBadRequest, post(h, other, terminal49test.SignWebhook(sinkSecret, []byte(other))).Code, other)
	}
	require.Len(t, got, 1)
	require.Equal(t, http.StatusInternalServerError, post(HandleChanges(nil), body, signature).Code)
	fails = true
	refused := post(h, body, signature)
	require.Equal(t, http.StatusInternalServerError, refused.Code)
	require.NotContains(t, refused.Body.String(), "s3cr3t")
}
