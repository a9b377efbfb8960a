package terminal49test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
)

const (
	signatureHeader = "X-T49-Webhook-Signature"
	deliveryTimeout = 10 * time.Second
	// sourceAddress is one of the addresses that the service delivers from.
	sourceAddress = "35.222.62.171:49152"
)

// SignWebhook returns the X-T49-Webhook-Signature header for a body: its HMAC-SHA256 in lower-case
// hex.
func SignWebhook(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// isDelivered reports whether a status counts as delivered. Not every 2xx does.
func isDelivered(status int) bool { return slices.Contains([]int{200, 201, 202, 204}, status) }

func newDelivery(to string, body []byte, secret string) (*http.Request, error) {
	req, err := http.NewRequest(http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "Terminal49 Webhook Bot")
	if secret != "" {
		req.Header.Set(signatureHeader, SignWebhook(secret, body))
	}
	return req, nil
}

// deliver sends a request to an endpoint. The server is unlocked meanwhile, because the endpoint
// may call it.
func (x *exchange) deliver(req *http.Request) (*http.Response, []byte, error) {
	transport := x.s.config.deliveries
	if transport == nil {
		return nil, nil, errors.New("Failed to open TCP connection to " + req.URL.Host)
	}
	x.s.mu.Unlock()
	defer x.s.mu.Lock()
	ctx, cancel := context.WithTimeout(req.Context(), deliveryTimeout)
	defer cancel()
	resp, err := transport.RoundTrip(req.WithContext(ctx))
	if err != nil {
		return nil, nil, err
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, service.MaxRequestBody))
	return resp, body, errors.Join(err, resp.Body.Close())
}

// handlerTransport delivers to a handler in the process.
type handlerTransport struct{ handler http.Handler }

// RoundTrip returns the handler's response. A panic closes the connection, as in a server.
func (t handlerTransport) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	defer func() {
		if recover() != nil {
			resp, err = nil, io.ErrUnexpectedEOF
		}
	}()
	received := req.Clone(req.Context())
	received.RequestURI, received.RemoteAddr = req.URL.RequestURI(), sourceAddress
	rec := &recorder{header: http.Header{}}
	t.handler.ServeHTTP(rec, received)
	return rec.response(), nil
}

// recorder keeps what a handler responds. That of net/http/httptest imports testing since Go 1.27.
type recorder struct {
	header, sent http.Header
	status       int
	body         bytes.Buffer
}

func (r *recorder) Header() http.Header { return r.header }

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 && status >= http.StatusOK { // informational ones are not the response
		r.status, r.sent = status, r.header.Clone()
	}
}

func (r *recorder) Write(data []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(data)
}

func (r *recorder) Flush() { r.WriteHeader(http.StatusOK) }

func (r *recorder) response() *http.Response {
	r.WriteHeader(http.StatusOK)
	return &http.Response{
		Status: strconv.Itoa(r.status) + " " + http.StatusText(r.status), StatusCode: r.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: r.sent, Body: io.NopCloser(&r.body), ContentLength: int64(r.body.Len()),
	}
}
