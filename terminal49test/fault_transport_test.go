package terminal49test_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestFaults_StallEndsWithTheContext(t *testing.T) {
	for _, kind := range []terminal49test.FaultKind{terminal49test.FaultStallHeaders, terminal49test.FaultStallBody, terminal49test.FaultSlow} {
		t.Run(string(kind), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := terminal49test.NewServer(terminal49test.WithoutSocket())
				srv.AddFault(terminal49test.Fault{Kind: kind, Delay: time.Hour})
				ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
				defer cancel()
				begin := time.Now()
				o := sendAndRead(srv.HTTPClient(), newAPIRequest(t, srv, "GET", "/shipments", "").WithContext(ctx))
				if err := errors.Join(o.err, o.bodyErr); !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != 3*time.Second {
					t.Errorf("ended after %v with %v", time.Since(begin), err)
				}
			})
		})
	}
}

func TestFaults_StalledBodyCanBeClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := terminal49test.NewServer(terminal49test.WithoutSocket())
		srv.AddFault(terminal49test.Fault{Kind: terminal49test.FaultStallBody})
		resp, err := srv.HTTPClient().Do(newAPIRequest(t, srv, "GET", "/shipping_lines", ""))
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error)
		go func() {
			_, err := io.Copy(io.Discard, resp.Body)
			done <- err
		}()
		time.Sleep(time.Minute)
		_ = resp.Body.Close()
		if err := <-done; err == nil {
			t.Error("the read ended without an error")
		}
	})
}

func TestFaults_StallEndsWithClose(t *testing.T) {
	srv := terminal49test.NewServer()
	srv.AddFault(terminal49test.Fault{Kind: terminal49test.FaultStallHeaders})
	done := make(chan error)
	go func() {
		resp, err := http.DefaultClient.Do(newAPIRequest(t, srv, "GET", "/shipments", ""))
		if err == nil {
			_ = resp.Body.Close()
		}
		done <- err
	}()
	for len(srv.Requests()) == 0 {
		time.Sleep(time.Millisecond) // a real socket has no simulated clock
	}
	srv.Close()
	if err := <-done; err == nil {
		t.Error("a stalled request got a response")
	}
}

// Code that uses httptrace to decide whether a write may have happened works in the process too.
func TestFaults_HTTPTraceReportsWhatWasSent(t *testing.T) {
	for kind, sent := range map[terminal49test.FaultKind]bool{
		terminal49test.FaultRefuse: false, terminal49test.FaultCertificate: false, terminal49test.FaultDrop: true, terminal49test.FaultReset: true,
	} {
		srv := newServer(t)
		srv.AddFault(terminal49test.Fault{Kind: kind})
		var asked, got, wrote bool
		ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
			GetConn:      func(string) { asked = true },
			GotConn:      func(httptrace.GotConnInfo) { got = true },
			WroteRequest: func(httptrace.WroteRequestInfo) { wrote = true },
		})
		o := sendAndRead(srv.HTTPClient(), newAPIRequest(t, srv, "GET", "/shipments", "").WithContext(ctx))
		if errors.Join(o.err, o.bodyErr) == nil || !asked || got != sent || wrote != sent {
			t.Errorf("%s: asked=%v got=%v wrote=%v, error %v", kind, asked, got, wrote, o.err)
		}
	}
}

// The error equals that of net/http and a real server. Requests that never left the client do not
// count towards rate limits.
func TestFaults_ExpiredCertificate(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-2 * time.Hour), NotAfter: time.Now().Add(-time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	real := httptest.NewUnstartedServer(http.NotFoundHandler())
	real.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	real.Config.ErrorLog = log.New(io.Discard, "", 0)
	real.StartTLS()
	defer real.Close()
	srv := newServer(t, terminal49test.WithRateLimits(map[string]int{"default": 1}))
	srv.AddFault(terminal49test.Fault{Kind: terminal49test.FaultCertificate, Times: 3})

	for where, send := range map[string]func() error{
		"over a socket": func() error {
			transport := &http.Transport{}
			defer transport.CloseIdleConnections()
			return sendAndRead(&http.Client{Transport: transport}, newAPIRequest(t, &terminal49test.Server{URL: real.URL}, "GET", "/", "")).err
		},
		"in the process": func() error { return sendAndRead(srv.HTTPClient(), newAPIRequest(t, srv, "GET", "/shipments", "")).err },
	} {
		for range 3 {
			err := send()
			var (
				asked   *url.Error
				refused *tls.CertificateVerificationError
				invalid x509.CertificateInvalidError
			)
			if !errors.As(err, &asked) || !errors.As(err, &refused) || !errors.As(err, &invalid) {
				t.Fatalf("%s: %v", where, err)
			}
			if asked.Err != error(refused) || invalid.Reason != x509.Expired || len(refused.UnverifiedCertificates) != 1 || invalid.Cert == nil ||
				!strings.Contains(err.Error(), "tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time ") {
				t.Errorf("%s: %#v: %v", where, refused, err)
			}
		}
	}
	checkReply(t, getAPI(t, srv, "/shipments"), 200, nil) // the only one within the limit
	for i, r := range srv.Requests() {
		if sent := i == 3; (r.Status == 200) != sent || !sent && r.Status != 0 {
			t.Errorf("request %d has status %d", i, r.Status)
		}
	}
}
