package testkit

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"math/big"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
)

// Certified returns a certificate for the loopback address, modified by change, and a pool that
// trusts it.
func Certified(t testing.TB, change func(*x509.Certificate)) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-2 * time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	if change != nil {
		change(template)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	leaf, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	pool := x509.NewCertPool()
	pool.AddCert(leaf)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

// Setting changes each request on its way.
type Setting func(*http.Request)

func setKey(name string) Setting {
	return func(req *http.Request) { req.Header.Set(name, "7b0c") }
}

// setAll sets the key, and a body that can be read again.
func setAll(req *http.Request) {
	setKey("Idempotency-Key")(req)
	if req.Body == nil || req.Body == http.NoBody {
		return
	}
	text, _ := io.ReadAll(req.Body)
	_ = req.Body.Close()
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	req.Body, _ = req.GetBody()
}

// Settings are what middleware and transports add to a request.
var Settings = map[string]Setting{
	"nothing":                  func(*http.Request) {},
	"Idempotency-Key":          setKey("Idempotency-Key"),
	"X-Idempotency-Key":        setKey("X-Idempotency-Key"),
	"Idempotency-Key, GetBody": setAll,
	// A server sees no difference, and net/http does.
	"idempotency-key": func(req *http.Request) { req.Header["idempotency-key"] = []string{"7b0c"} },
	"a context without end": func(req *http.Request) {
		setAll(req)
		*req = *req.WithContext(context.WithoutCancel(req.Context()))
	},
}

// Option returns an option that applies the setting to what tr sends, in a transport or in
// middleware.
func (s Setting) Option(tr http.RoundTripper, inTransport bool) terminal49.Option {
	adapted := func(next http.RoundTripper) http.RoundTripper {
		return RoundTripper(func(req *http.Request) (*http.Response, error) {
			req = req.Clone(req.Context())
			s(req)
			return next.RoundTrip(req)
		})
	}
	if inTransport {
		return terminal49.WithHTTPClient(&http.Client{Transport: adapted(tr)})
	}
	return terminal49.WithMiddleware(adapted)
}
