package transport

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRedact(t *testing.T) {
	const token = "k3y-s3cr3t"
	inner := &url.Error{Op: "Get", URL: "https://h.test/x?q=" + token, Err: context.Canceled}
	tests := []struct {
		name string
		err  error
		text string
		is   error
	}{
		{"harmless is returned as it is", errDropped, errDropped.Error(), errDropped},
		{"url.Error", inner, "context canceled", context.Canceled},
		{"url.Error in url.Error", &url.Error{Op: "Get", URL: "u", Err: inner}, "context canceled", context.Canceled},
		{"wrapped url.Error", fmt.Errorf("mw: %w", inner), "context canceled", context.Canceled},
		{"URL in text", fmt.Errorf("at https://h.test/x?q=%s: %w", token, errDropped), "at [URL] connection reset by peer", errDropped},
		{"proxy in text", fmt.Errorf(`invalid proxy address "9me:a\" %s@p:80": parse "9me:a\" %s@p:80": no colon`, token, token),
			"invalid proxy address [URL]: parse [URL]: no colon", nil},
		{"harmless quotes", errors.New(`lookup "h" on "x": no @`), `lookup "h" on "x": no @`, nil},
		{"token in text", fmt.Errorf("bad value Token %s: %w", token, errDropped), "bad value [secret]: connection reset by peer", errDropped},
		{"bare token", fmt.Errorf("bad value %s", token), "bad value [secret]", nil},
		{"token in a field", fieldError{Header: "Token " + token}, "a field", nil},
		{"token in a field below", fmt.Errorf("sent: %w", errors.Join(errDropped, &fieldError{Header: token})), "sent: connection reset by peer\na field", errDropped},
		{"token as the error itself", textError("bad " + token), "bad [secret]", nil},
		{"query without a host", errors.New(`cannot parse Location "/f%zz?X-Amz-Signature=` + token + `": bad`), `cannot parse Location "[URL]": bad`, nil},
		{"quote in a URL", errors.New("at https://h.test/o'neil.pdf?sig=1 now"), "at [URL] now", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := redact(tt.err, "Token "+token, token)
			assert.Equal(t, tt.text, got.Error())
			if tt.is != nil {
				assert.ErrorIs(t, got, tt.is)
			}
			for _, verb := range []string{"%v", "%+v", "%#v", "%q", "%d", "%t"} {
				assert.NotContains(t, fmt.Sprintf(verb, got), token)
			}
			for e := got; e != nil; e = errors.Unwrap(e) {
				assert.NotContains(t, e.Error(), token, "an error of the chain")
			}
			var u *url.Error
			assert.False(t, errors.As(got, &u))
		})
	}
	var op *net.OpError
	assert.ErrorAs(t, redact(fmt.Errorf("https://h.test: %w", errRefused)), &op)
}

// fieldError and textError are errors of a transport that hold more than their text shows.
type (
	fieldError struct{ Header string }
	textError  string
)

func (fieldError) Error() string  { return "a field" }
func (e textError) Error() string { return string(e) }

// Source: SECURITY.md. The well-known errors are found by errors.As, unless a name in them is a
// secret.
func TestRedact_ErrorsThatQuoteASecret(t *testing.T) {
	for name, found := range map[string]bool{"api.example.test": true, "k3y-s3cr3t.example.test": false, "%6b3y-s3cr3t": false} {
		lost := &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: name}}
		err := redact(fmt.Errorf("for k3y-s3cr3t: %w", lost), "k3y-s3cr3t")
		var dns *net.DNSError
		var op *net.OpError
		assert.Equal(t, found, errors.As(err, &dns), name)
		assert.Equal(t, found, errors.As(err, &op), name)
		assert.Equal(t, found, dns != nil && op != nil, "nothing is set otherwise")
		assert.NotContains(t, err.Error(), "s3cr3t")
	}
}
