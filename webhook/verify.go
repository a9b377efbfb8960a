package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/go-freight/terminal49"
)

// SignatureHeader is the header with the signature of a delivery: the HMAC-SHA256 of the raw body
// in hex, keyed with the webhook's Secret.
const SignatureHeader = "X-T49-Webhook-Signature"

// Errors of a delivery's signature, for errors.Is.
var (
	ErrSignatureMissing   = errors.New("terminal49: webhook: the delivery has no signature")
	ErrSignatureMalformed = errors.New("terminal49: webhook: the signature must be one HMAC-SHA256 in hex")
	ErrSignatureMismatch  = errors.New("terminal49: webhook: the signature does not match the body under any of the secrets")
)

// Verify checks that signature, the value of [SignatureHeader], is the HMAC of body under one of
// the secrets. The body must be the raw bytes; JSON that was decoded and encoded again has another
// signature. During a rotation, pass the old and the new secret; all are tried, in constant time.
//
// It returns [ErrSignatureMissing], [ErrSignatureMalformed], [ErrSignatureMismatch], or a
// [*terminal49.ArgumentError] if a secret is invalid; see [WithSecrets]. Signatures carry no
// timestamp, so a recorded delivery can be replayed; a [Handler] handles each notification once.
func Verify(body []byte, signature string, secrets ...terminal49.Secret) error {
	if err := checkSecrets("webhook.Verify", secrets); err != nil {
		return err
	}
	sent, err := parseSignature(signature)
	if err != nil {
		return err
	}
	return verify(body, sent, secrets)
}

// checkSecrets rejects an empty list and empty secrets, with which anyone could sign, and what
// surrounds a secret that was read from a file or variable, with which no delivery would match.
func checkSecrets(op string, secrets []terminal49.Secret) error {
	if len(secrets) == 0 {
		return invalid(op, "secrets", "must contain at least one; use Webhook.Secret")
	}
	for i, secret := range secrets {
		if text := secret.Reveal(); text == "" || strings.Trim(text, "\"'` \t\r\n") != text {
			problem := "must not be empty, in quotes, or begin or end with white space; use Webhook.Secret"
			return invalid(op, fmt.Sprintf("secrets[%d]", i), problem)
		}
	}
	return nil
}

func parseSignature(signature string) (sent [sha256.Size]byte, err error) {
	switch {
	case signature == "":
		return sent, ErrSignatureMissing
	case len(signature) != 2*len(sent):
		return sent, ErrSignatureMalformed
	}
	if _, err := hex.Decode(sent[:], []byte(signature)); err != nil {
		return sent, ErrSignatureMalformed // the error of hex quotes the signature
	}
	return sent, nil
}

// signatureOf returns the signature in a header. It rejects two signatures, because someone else
// may have added one.
func signatureOf(header http.Header) ([sha256.Size]byte, error) {
	values := header.Values(SignatureHeader)
	if len(values) > 1 {
		return [sha256.Size]byte{}, ErrSignatureMalformed
	}
	return parseSignature(header.Get(SignatureHeader))
}

// verify takes the same time whichever secret matches, if any.
func verify(body []byte, sent [sha256.Size]byte, secrets []terminal49.Secret) error {
	match := 0
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret.Reveal()))
		mac.Write(body)
		var want [sha256.Size]byte
		match |= subtle.ConstantTimeCompare(mac.Sum(want[:0]), sent[:])
	}
	if match == 0 {
		return ErrSignatureMismatch
	}
	return nil
}
