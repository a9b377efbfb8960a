package board

import (
	"io"
	"net/http"
	"strings"

	"github.com/go-freight/terminal49"
)

// HidingToken returns a client that sees the token in no response, because a service or proxy may
// repeat it, and all pages show what a response has.
func HidingToken(connect func(...terminal49.Option) (*terminal49.Client, error)) (client *terminal49.Client, err error) {
	client, err = connect(terminal49.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
		return withoutToken{next, func(body string) string { return client.RedactToken(body) }}
	}))
	return client, err
}

// withoutToken hides the token in the bodies of responses.
type withoutToken struct {
	http.RoundTripper
	hide func(string) string
}

// mostBody is more than the mirror reads of a response.
const mostBody = 65 << 20

// RoundTrip implements http.RoundTripper.
func (t withoutToken) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close() //nolint:errcheck // it was only read
	body, err := io.ReadAll(io.LimitReader(resp.Body, mostBody))
	if err != nil {
		return nil, err
	}
	text := t.hide(string(body))
	resp.Body, resp.ContentLength = io.NopCloser(strings.NewReader(text)), int64(len(text))
	resp.Header.Del("Content-Length")
	return resp, nil
}
