package transport

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"unicode"

	"github.com/go-freight/terminal49/internal/conceal"
)

// urlText is a URL, or what has a query like one, to the next space or quote; and quoted text with a user in it: that is
// how net/http's proxy settings complain of an address that is no URL, with its password.
var urlText = regexp.MustCompile(`"(?:[^"\\]|\\.)*@(?:[^"\\]|\\.)*"|[A-Za-z][A-Za-z0-9+.-]*://[^\s"]+|[^\s"]*\?[^\s"]*=[^\s"]*`)

// maxErrorText bounds the text of an error: net/http quotes megabytes of an answer that is no HTTP, and in hostile text
// urlText looks for the end of a quotation from each of its beginnings.
const maxErrorText = 4 << 10

// redact takes URLs and the given secrets out of the text of err. What the error
// is stays visible to errors.Is and errors.As.
func redact(err error, secrets ...string) error {
	for u := (*url.Error)(nil); errors.As(err, &u) && u.Err != nil; {
		err = u.Err
	}
	hide := Hide(conceal.Mark, secrets...)
	text := err.Error()
	safe := text
	if len(text) > maxErrorText {
		safe = strings.ToValidUTF8(text[:maxErrorText], "")
	}
	safe = hide(urlText.ReplaceAllString(safe, "[URL]"))
	if safe == text && (len(secrets) == 0 || !spills(err, hide)) {
		return err
	}
	return &redacted{text: safe, err: conceal.New(err)}
}

// Printable is s on one line, without anything that a terminal or the reader of a log would take for more than text. What
// is taken out stays visible as Go would write it, such as \n.
func Printable(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return b.String()
}

// spills reports whether a link of the chain shows a secret when it is printed by
// its fields, although its text does not.
func spills(err error, hide func(string) string) bool {
	for _, verb := range []string{"%+v", "%#v", "%d"} { // %d asks no method
		if text := fmt.Sprintf(verb, err); hide(text) != text {
			return true
		}
	}
	switch err := err.(type) {
	case interface{ Unwrap() error }:
		next := err.Unwrap()
		return next != nil && spills(next, hide)
	case interface{ Unwrap() []error }:
		for _, next := range err.Unwrap() {
			if next != nil && spills(next, hide) {
				return true
			}
		}
	}
	return false
}

// redacted answers for err without showing it. It has no Unwrap on purpose:
// error reporters walk the chain and print every link.
type redacted struct {
	text string
	err  conceal.Value[error]
}

func (r *redacted) Error() string        { return r.text }
func (r *redacted) GoString() string     { return fmt.Sprintf("%q", r.text) }
func (r *redacted) Is(target error) bool { return errors.Is(r.err.Get(), target) }

// As hands out the well-known errors of the network, which quote no header. Any
// other link of the chain could hold what was taken out of the text.
func (r *redacted) As(target any) bool {
	switch target.(type) {
	case **net.OpError, **net.DNSError, *syscall.Errno, **tls.CertificateVerificationError, *tls.RecordHeaderError,
		*x509.UnknownAuthorityError, *x509.HostnameError, *x509.CertificateInvalidError:
		return errors.As(r.err.Get(), target)
	}
	return false
}

// credentials are the values of a header, with and without the scheme in front.
func credentials(h http.Header) (list []string) {
	for _, values := range h {
		for _, value := range values {
			_, bare, _ := strings.Cut(value, " ")
			list = append(list, value, bare)
		}
	}
	return list
}

// signed are the parts of an address that open a file to whoever knows them.
func signed(address *url.URL) []string {
	list := []string{address.String(), address.RawQuery}
	for _, values := range address.Query() {
		list = append(list, values...)
	}
	return list
}
