package terminal49

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestVerifyWebhook(t *testing.T) {
	body := []byte(`{"data":{}}`)
	signature := terminal49test.SignWebhook(webhookSecret, body)
	secret, old := NewSecret(webhookSecret), NewSecret("the-one-before")
	require.NoError(t, VerifyWebhook(body, signature, secret))
	require.NoError(t, VerifyWebhook(body, signature, old, secret), "rotation")
	require.NoError(t, VerifyWebhook(body, signature, secret, old), "rotation")
	require.NoError(t, VerifyWebhook(body, strings.ToUpper(signature), secret), "hex is hex")
	require.NoError(t, VerifyWebhook(nil, terminal49test.SignWebhook(webhookSecret, nil), secret))

	for _, c := range []struct {
		name, signature string
		body            []byte
		want            error
	}{
		{"none", "", body, ErrSignatureMissing},
		{"half", signature[:32], body, ErrSignatureMalformed},
		{"one digit short", signature[:63], body, ErrSignatureMalformed},
		{"one digit more", signature + "0", body, ErrSignatureMalformed},
		{"twice", signature + signature, body, ErrSignatureMalformed},
		{"prefixed", "sha256=" + signature, body, ErrSignatureMalformed},
		{"not hex", "g" + signature[1:], body, ErrSignatureMalformed},
		{"not ASCII", "é" + signature[2:], body, ErrSignatureMalformed},
		{"another digit", flipDigit(signature), body, ErrSignatureMismatch},
		{"all zero", strings.Repeat("0", 64), body, ErrSignatureMismatch},
		{"of another secret", terminal49test.SignWebhook("other", body), body, ErrSignatureMismatch},
		{"of the empty secret", terminal49test.SignWebhook("", body), body, ErrSignatureMismatch},
		{"of another body", signature, []byte(`{"data":[]}`), ErrSignatureMismatch},
		{"of the body with a line end", signature, []byte("{\"data\":{}}\n"), ErrSignatureMismatch},
		{"of the body with a space", signature, []byte(`{"data": {}}`), ErrSignatureMismatch},
		{"of no body", signature, nil, ErrSignatureMismatch},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := VerifyWebhook(c.body, c.signature, old, secret)
			require.ErrorIs(t, err, c.want)
			requireNoSecret(t, err)
		})
	}
}

func flipDigit(signature string) string {
	if signature[0] == '0' {
		return "1" + signature[1:]
	}
	return "0" + signature[1:]
}

// An empty key would let anybody sign.
func TestVerifyWebhookNeedsSecrets(t *testing.T) {
	body := []byte(`{}`)
	for _, secrets := range [][]Secret{nil, {{}}, {NewSecret("")}, {NewSecret(webhookSecret), {}}} {
		err := VerifyWebhook(body, terminal49test.SignWebhook("", body), secrets...)
		var argument *ArgumentError
		require.ErrorAs(t, err, &argument)
		require.Equal(t, "VerifyWebhook", argument.Op)
	}
}

// requireNoSecret looks for the secret in every way an error is printed.
func requireNoSecret(t *testing.T, values ...any) {
	t.Helper()
	for _, v := range values {
		for _, text := range []string{fmt.Sprintf("%v", v), fmt.Sprintf("%+v", v), fmt.Sprintf("%#v", v)} {
			require.NotContains(t, text, webhookSecret)
		}
	}
}

// A signature is good if and only if it is the hex of the HMAC of these bytes under one of the secrets, whatever all of
// them look like.
func FuzzVerifyWebhook(f *testing.F) {
	f.Add([]byte(`{"data":{}}`), "", []byte(`{"data":{}}`), webhookSecret, "")
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
		secrets, due := []Secret{NewSecret(key)}, [][]byte{hmacOf(key, body)}
		if second != "" {
			secrets, due = append(secrets, NewSecret(second)), append(due, hmacOf(second, body))
		}
		err := VerifyWebhook(body, signature, secrets...)
		if key == "" {
			var argument *ArgumentError
			require.ErrorAs(t, err, &argument)
			return
		}
		sent, hexErr := hex.DecodeString(signature)
		var want error
		switch {
		case signature == "":
			want = ErrSignatureMissing
		case hexErr != nil || len(sent) != sha256.Size:
			want = ErrSignatureMalformed
		case !slices.ContainsFunc(due, func(mac []byte) bool { return bytes.Equal(mac, sent) }):
			want = ErrSignatureMismatch
		}
		if !errors.Is(err, want) || (want == nil) != (err == nil) {
			t.Fatalf("%q for %q: %v, want %v", signature, body, err, want)
		}
		good := terminal49test.SignWebhook(key, body)
		require.NoError(t, VerifyWebhook(body, good, secrets...))
		if err := VerifyWebhook(other, good, secrets...); bytes.Equal(body, other) != (err == nil) {
			t.Fatalf("the signature of %q and the body %q: %v", body, other, err)
		}
	})
}
