package webhook_test

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

func TestVerify_AcceptsOnlyTheSignature(t *testing.T) {
	body := []byte(`{"data":{}}`)
	signature := terminal49test.SignWebhook(testkit.WebhookSecret, body)
	secret, old := terminal49.NewSecret(testkit.WebhookSecret), terminal49.NewSecret("the-one-before")
	require.NoError(t, webhook.Verify(body, signature, secret))
	require.NoError(t, webhook.Verify(body, signature, old, secret), "rotation")
	require.NoError(t, webhook.Verify(body, signature, secret, old), "rotation")
	require.NoError(t, webhook.Verify(body, strings.ToUpper(signature), secret), "hex is hex")
	require.NoError(t, webhook.Verify(nil, terminal49test.SignWebhook(testkit.WebhookSecret, nil), secret))

	for _, c := range []struct {
		name, signature string
		body            []byte
		want            error
	}{
		{"none", "", body, webhook.ErrSignatureMissing},
		{"half", signature[:32], body, webhook.ErrSignatureMalformed},
		{"one digit short", signature[:63], body, webhook.ErrSignatureMalformed},
		{"one digit more", signature + "0", body, webhook.ErrSignatureMalformed},
		{"twice", signature + signature, body, webhook.ErrSignatureMalformed},
		{"prefixed", "sha256=" + signature, body, webhook.ErrSignatureMalformed},
		{"not hex", "g" + signature[1:], body, webhook.ErrSignatureMalformed},
		{"not ASCII", "é" + signature[2:], body, webhook.ErrSignatureMalformed},
		{"another digit", flipDigit(signature), body, webhook.ErrSignatureMismatch},
		{"all zero", strings.Repeat("0", 64), body, webhook.ErrSignatureMismatch},
		{"of another secret", terminal49test.SignWebhook("other", body), body, webhook.ErrSignatureMismatch},
		{"of the empty secret", terminal49test.SignWebhook("", body), body, webhook.ErrSignatureMismatch},
		{"of another body", signature, []byte(`{"data":[]}`), webhook.ErrSignatureMismatch},
		{"of the body with a line end", signature, []byte("{\"data\":{}}\n"), webhook.ErrSignatureMismatch},
		{"of the body with a space", signature, []byte(`{"data": {}}`), webhook.ErrSignatureMismatch},
		{"of no body", signature, nil, webhook.ErrSignatureMismatch},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := webhook.Verify(c.body, c.signature, old, secret)
			require.ErrorIs(t, err, c.want)
			requireNoSecret(t, err)
		})
	}
}

// With an empty secret anyone could sign. With the end of a line, or quotes that docker run
// --env-file keeps, no delivery would match.
func TestVerify_RequiresSecrets(t *testing.T) {
	body := []byte(`{}`)
	rows := [][]terminal49.Secret{nil, {{}}, {terminal49.NewSecret("")}, {terminal49.NewSecret(testkit.WebhookSecret), {}}}
	for _, form := range []string{"%s\n", "%s\r\n", " %s", "\t%s", `"%s"`, "'%s'"} {
		rows = append(rows, []terminal49.Secret{terminal49.NewSecret(fmt.Sprintf(form, testkit.WebhookSecret))})
	}
	for _, secrets := range rows {
		err := webhook.Verify(body, terminal49test.SignWebhook("", body), secrets...)
		var argument *terminal49.ArgumentError
		require.ErrorAs(t, err, &argument)
		require.Equal(t, "webhook.Verify", argument.Op)
		require.NotContains(t, err.Error(), testkit.WebhookSecret)
	}
}

// FuzzVerify checks that a signature is accepted if and only if it is the hex of the HMAC of the
// body under one of the secrets.
func FuzzVerify(f *testing.F) {
	f.Add([]byte(`{"data":{}}`), "", []byte(`{"data":{}}`), testkit.WebhookSecret, "")
	f.Add([]byte{}, strings.Repeat("ab", 32), []byte("x"), "a", "b")
	f.Add([]byte{0, 0xff}, "sha256=00", []byte{}, "\x00", "\x00\x00")
	f.Add([]byte("x"), strings.ToUpper(terminal49test.SignWebhook("k", []byte("x"))), []byte("x "), "k", "other")
	f.Add([]byte("x"), terminal49test.SignWebhook("old", []byte("x")), []byte("X"), "new", "old")
	f.Add([]byte("x"), terminal49test.SignWebhook("k", []byte("x"))+" ", []byte("X"), strings.Repeat("long", 40), "k")
	f.Fuzz(func(t *testing.T, body []byte, signature string, other []byte, key, second string) {
		hmacOf := func(key string, body []byte) []byte {
			mac := hmac.New(sha256.New, []byte(key))
			mac.Write(body)
			return mac.Sum(nil)
		}
		secrets, due := []terminal49.Secret{terminal49.NewSecret(key)}, [][]byte{hmacOf(key, body)}
		if second != "" {
			secrets, due = append(secrets, terminal49.NewSecret(second)), append(due, hmacOf(second, body))
		}
		err := webhook.Verify(body, signature, secrets...)
		if slices.ContainsFunc([]string{key, cmp.Or(second, key)}, func(s string) bool { return strings.Trim(s, "\"'` \t\r\n") != s || s == "" }) {
			var argument *terminal49.ArgumentError
			require.ErrorAs(t, err, &argument)
			return
		}
		sent, hexErr := hex.DecodeString(signature)
		var want error
		switch {
		case signature == "":
			want = webhook.ErrSignatureMissing
		case hexErr != nil || len(sent) != sha256.Size:
			want = webhook.ErrSignatureMalformed
		case !slices.ContainsFunc(due, func(mac []byte) bool { return bytes.Equal(mac, sent) }):
			want = webhook.ErrSignatureMismatch
		}
		if !errors.Is(err, want) || (want == nil) != (err == nil) {
			t.Fatalf("%q for %q: %v, want %v", signature, body, err, want)
		}
		good := terminal49test.SignWebhook(key, body)
		require.NoError(t, webhook.Verify(body, good, secrets...))
		if err := webhook.Verify(other, good, secrets...); bytes.Equal(body, other) != (err == nil) {
			t.Fatalf("the signature of %q and the body %q: %v", body, other, err)
		}
	})
}

// The signature header cannot be one of a webhook's own headers: a delivery with two signatures is
// refused.
func TestSignatureHeader_IsReserved(t *testing.T) {
	client := testkit.NewClient(t, testkit.Answer(http.StatusOK, "{}"))
	_, err := client.Webhooks.Create(t.Context(), terminal49.WebhookCreate{
		URL: testkit.EndpointURL, Events: []terminal49.EventName{terminal49.EventContainerUpdated},
		Headers: []terminal49.WebhookHeader{{Name: webhook.SignatureHeader, Value: terminal49.NewSecret("0")}},
	})
	testkit.RequireArgument(t, err, "Headers")
	require.ErrorContains(t, err, "signature")
}
