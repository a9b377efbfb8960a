package transport

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"
	"syscall"
)

// urlText finds URLs, and quoted text with a user in it: that is how net/http's proxy
// settings complain of an address that is no URL, with its password.
var urlText = regexp.MustCompile(`"(?:[^"\\]|\\.)*@(?:[^"\\]|\\.)*"|[A-Za-z][A-Za-z0-9+.-]*://[^\s"']+`)

// redact takes URLs and the given secrets out of the text of err. What the error
// is stays visible to errors.Is and errors.As.
func redact(err error, secrets ...string) error {
	for u := (*url.Error)(nil); errors.As(err, &u) && u.Err != nil; {
		err = u.Err
	}
	text := err.Error()
	safe := urlText.ReplaceAllString(text, "[URL]")
	for _, s := range secrets {
		if s != "" {
			safe = strings.ReplaceAll(safe, s, "[secret]")
		}
	}
	if safe == text {
		return err
	}
	return &redacted{text: safe, err: err}
}

// redacted answers for err without showing it. It has no Unwrap on purpose:
// error reporters walk the chain and print every link.
type redacted struct {
	text string
	err  error
}

func (r *redacted) Error() string        { return r.text }
func (r *redacted) GoString() string     { return fmt.Sprintf("%q", r.text) }
func (r *redacted) Is(target error) bool { return errors.Is(r.err, target) }

// As hands out the well-known errors of the network, which quote no header. Any
// other link of the chain could hold what was taken out of the text.
func (r *redacted) As(target any) bool {
	switch target.(type) {
	case **net.OpError, **net.DNSError, *syscall.Errno, **tls.CertificateVerificationError, *tls.RecordHeaderError,
		*x509.UnknownAuthorityError, *x509.HostnameError, *x509.CertificateInvalidError:
		return errors.As(r.err, target)
	}
	return false
}
