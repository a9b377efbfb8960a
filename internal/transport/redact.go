package transport

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"syscall"

	"github.com/go-freight/terminal49/internal/conceal"
	"github.com/go-freight/terminal49/internal/text"
)

// urlText matches a URL, or text with a query like one, up to the next space or quote. It also
// matches quoted text with an @: net/http quotes an invalid proxy address with its password.
var urlText = regexp.MustCompile(`"(?:[^"\\]|\\.)*@(?:[^"\\]|\\.)*"|[A-Za-z][A-Za-z0-9+.-]*://[^\s"]+|[^\s"]*\?[^\s"]*=[^\s"]*`)

// maxErrorText limits the text of an error: net/http quotes megabytes of a response that is not
// HTTP, and in hostile text urlText searches for the end of a quotation from each opening quote.
const maxErrorText = 4 << 10

// redact removes URLs and the given secrets from the text of err. errors.Is and errors.As still
// find what the error is.
func redact(err error, secrets ...string) error {
	for u := (*url.Error)(nil); errors.As(err, &u) && u.Err != nil; {
		err = u.Err
	}
	hide := text.Hide(secrets...)
	full := err.Error()
	safe := full
	if len(full) > maxErrorText {
		safe = strings.ToValidUTF8(full[:maxErrorText], "")
	}
	safe = hide(urlText.ReplaceAllString(safe, "[URL]"))
	if safe == full && (len(secrets) == 0 || !showsSecret(err, hide)) {
		return err
	}
	return &redacted{text: safe, err: conceal.New(err), hide: hide}
}

// showsSecret reports whether an error of the chain shows a secret when its fields are printed,
// although its text does not.
func showsSecret(err error, hide func(string) string) bool {
	for _, verb := range []string{"%+v", "%#v", "%d"} { // %d calls no method
		if text := fmt.Sprintf(verb, err); hide(text) != text {
			return true
		}
	}
	switch err := err.(type) {
	case interface{ Unwrap() error }:
		next := err.Unwrap()
		return next != nil && showsSecret(next, hide)
	case interface{ Unwrap() []error }:
		for _, next := range err.Unwrap() {
			if next != nil && showsSecret(next, hide) {
				return true
			}
		}
	}
	return false
}

// redacted represents err without showing it. It deliberately has no Unwrap: error reporters print
// every error of a chain.
type redacted struct {
	text string
	err  conceal.Value[error]
	hide func(string) string
}

func (r *redacted) Error() string        { return r.text }
func (r *redacted) GoString() string     { return fmt.Sprintf("%q", r.text) }
func (r *redacted) Is(target error) bool { return errors.Is(r.err.Get(), target) }

// As finds the well-known errors of the network, unless one quotes a secret as a name. Any other
// error of the chain could hold what was removed from the text.
func (r *redacted) As(target any) bool {
	switch target.(type) {
	case **net.OpError, **net.DNSError, *syscall.Errno, **tls.CertificateVerificationError, *tls.RecordHeaderError,
		*x509.UnknownAuthorityError, *x509.HostnameError, *x509.CertificateInvalidError:
	default:
		return false
	}
	found := reflect.New(reflect.TypeOf(target).Elem())
	if !errors.As(r.err.Get(), found.Interface()) || showsSecret(found.Elem().Interface().(error), r.hide) {
		return false
	}
	reflect.ValueOf(target).Elem().Set(found.Elem())
	return true
}

// credentials returns the values of a header, with and without the scheme that precedes them.
func credentials(h http.Header) (list []string) {
	for _, values := range h {
		for _, value := range values {
			_, bare, _ := strings.Cut(value, " ")
			list = append(list, value, bare)
		}
	}
	return list
}

// addressSecrets returns the parts of a presigned address that grant access to its file.
func addressSecrets(address *url.URL) []string {
	list := []string{address.String(), address.RawQuery}
	for _, values := range address.Query() {
		list = append(list, values...)
	}
	return list
}
