package terminal49

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
)

// WebhookSignatureHeader is the header that a delivery is signed in: the HMAC-SHA256 of the raw body in hex, keyed with
// the webhook's Secret.
const WebhookSignatureHeader = "X-T49-Webhook-Signature"

// What can be wrong with the signature of a delivery, for errors.Is.
var (
	ErrSignatureMissing   = errors.New("terminal49: webhook: the delivery is not signed")
	ErrSignatureMalformed = errors.New("terminal49: webhook: the signature is not one HMAC-SHA256 in hex")
	ErrSignatureMismatch  = errors.New("terminal49: webhook: the signature does not belong to the body and any of the secrets")
)

// VerifyWebhook checks that body is as the service sent it: that signature, the value of [WebhookSignatureHeader], is
// its HMAC under one of the secrets. Give the bytes as they came: JSON that was decoded and written anew has another
// signature. While a secret is being replaced, give the old and the new one.
//
// All secrets are tried, in constant time. The error is nil, [ErrSignatureMissing], [ErrSignatureMalformed],
// [ErrSignatureMismatch], or an [*ArgumentError] if there is no secret or an empty one, under which anybody could sign.
//
// A signature holds no time: whoever recorded a delivery can send it again. [WebhookHandler] handles each notification
// once, however often it comes.
func VerifyWebhook(body []byte, signature string, secrets ...Secret) error {
	if err := checkSecrets(secrets); err != nil {
		return withOp(err, "VerifyWebhook")
	}
	sent, err := readSignature(signature)
	if err != nil {
		return err
	}
	return verify(body, sent, secrets)
}

// checkSecrets refuses what would let anybody in.
func checkSecrets(secrets []Secret) error {
	if len(secrets) == 0 {
		return &ArgumentError{Field: "secrets", Problem: "must hold at least one; Webhook.Secret has it"}
	}
	for i, secret := range secrets {
		if secret.IsZero() {
			return &ArgumentError{Field: fmt.Sprintf("secrets[%d]", i), Problem: "must not be empty; Webhook.Secret has it"}
		}
	}
	return nil
}

func readSignature(signature string) (sent [sha256.Size]byte, err error) {
	switch {
	case signature == "":
		return sent, ErrSignatureMissing
	case len(signature) != 2*len(sent):
		return sent, ErrSignatureMalformed
	}
	if _, err := hex.Decode(sent[:], []byte(signature)); err != nil {
		return sent, ErrSignatureMalformed // the error of hex would quote it
	}
	return sent, nil
}

// signatureOf reads the one signature of a request. Of two, somebody else may have added one.
func signatureOf(header http.Header) ([sha256.Size]byte, error) {
	values := header.Values(WebhookSignatureHeader)
	if len(values) > 1 {
		return [sha256.Size]byte{}, ErrSignatureMalformed
	}
	return readSignature(header.Get(WebhookSignatureHeader))
}

// verify takes as long for the first secret as for the last, and for none.
func verify(body []byte, sent [sha256.Size]byte, secrets []Secret) error {
	match := 0
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret.Reveal()))
		mac.Write(body)
		var due [sha256.Size]byte
		match |= subtle.ConstantTimeCompare(mac.Sum(due[:0]), sent[:])
	}
	if match == 0 {
		return ErrSignatureMismatch
	}
	return nil
}
