package push

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/webhook"
)

// receiver is the program that the feed is sent to.
type receiver struct {
	address, secret terminal49.Secret
	client          *http.Client
	timeout         time.Duration
	redact          func(string) string // hides the secret and the address
}

func newReceiver(o Options) *receiver {
	client := *o.Client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &receiver{o.URL, o.Secret, &client, o.Timeout, terminal49.Redactor(append(parts(o.URL), o.Secret)...)}
}

// NewClient returns a client for one receiver.
func NewClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = width
	transport.MaxResponseHeaderBytes = 64 << 10 // of each request under way; the default is 10 MB
	return &http.Client{Transport: transport}
}

// result is the outcome of sending a change.
type result struct {
	accepted bool
	gone     bool          // the change was forgotten meanwhile
	unsent   bool          // the change could not be read
	stop     bool          // the receiver wants no more: 410
	whole    bool          // the receiver as a whole does not accept, whatever it is sent
	after    time.Duration // as it asked for; 0 if it did not
	problem  string
}

// post sends a body.
func (r *receiver) post(ctx context.Context, body []byte) result {
	ctx, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.address.Reveal(), bytes.NewReader(body))
	if err != nil {
		return result{problem: "the address cannot be used"} // it was checked before
	}
	request.Header.Set("Content-Type", ContentType)
	request.Header.Set("User-Agent", "terminal49-mirror/"+terminal49.Version)
	request.Header.Set(webhook.SignatureHeader, sign(body, r.secret))
	response, err := r.client.Do(request)
	if err != nil {
		return r.failed(err)
	}
	defer response.Body.Close() //nolint:errcheck // it is read or not wanted
	start, err := io.ReadAll(io.LimitReader(response.Body, readText))
	if err != nil && response.StatusCode/100 != 2 {
		start = nil
	}
	return r.answered(response, start)
}

// sign returns the signature of a body, as the service signs its webhooks.
func sign(body []byte, secret terminal49.Secret) string {
	mac := hmac.New(sha256.New, []byte(secret.Reveal()))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// answered returns what a response means.
func (r *receiver) answered(response *http.Response, start []byte) result {
	status := response.StatusCode
	if status/100 == 2 {
		return result{accepted: true}
	}
	after := retryAfter(response.Header.Get("Retry-After"), time.Now())
	return result{
		stop:  status == http.StatusGone,
		whole: status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable && after > 0,
		after: after, problem: strings.TrimSuffix(fmt.Sprintf("the receiver answered %d: %s", status, r.short(string(start))), ": "),
	}
}

// longestAfter bounds the wait that a receiver may ask for.
const longestAfter = time.Hour

// retryAfter returns the wait of a Retry-After header, in seconds or as a date; 0 for none.
func retryAfter(header string, now time.Time) time.Duration {
	wait := time.Duration(0)
	if seconds, err := strconv.ParseInt(header, 10, 64); err == nil {
		wait = time.Duration(min(max(seconds, 0), int64(longestAfter/time.Second))) * time.Second
	} else if at, err := http.ParseTime(header); err == nil {
		wait = at.Sub(now)
	}
	return min(max(wait, 0), longestAfter)
}

// failed returns what an error of sending means. The error of package http has the address.
func (r *receiver) failed(err error) result {
	var of *url.Error
	if errors.As(err, &of) {
		err = of.Err
	}
	var host *net.DNSError
	whole := errors.As(err, &host) || errors.Is(err, syscall.ECONNREFUSED)
	problem := r.short(err.Error())
	if errors.Is(err, context.DeadlineExceeded) {
		problem = fmt.Sprintf("the receiver did not answer within %s", r.timeout)
	}
	return result{whole: whole, problem: problem}
}

const (
	// longestText is how much of a receiver's response is kept, in characters.
	longestText = 120
	// readText is how much of it is read, in bytes. Its second half may end within a secret.
	readText = 16 << 10
)

// short returns the beginning of a text on one line, without the secret and the parts of the
// address.
func (r *receiver) short(text string) string {
	whole := len(text) < readText
	// Without these characters the rest could be read as a secret.
	text = r.redact(strings.Map(printable, strings.ToValidUTF8(text, "")))
	if !whole {
		text = strings.ToValidUTF8(text[:max(0, len(text)-readText/2)], "")
	}
	text = strings.Join(strings.Fields(text), " ")
	if all := []rune(text); len(all) > longestText {
		return string(all[:longestText]) + "..."
	}
	return text
}

// printable drops what no one would see, and keeps words apart.
func printable(c rune) rune {
	switch {
	case unicode.IsSpace(c):
		return ' '
	case !unicode.IsPrint(c):
		return -1
	}
	return c
}

// shortestHidden is the length of the shortest part of an address that is hidden. A shorter one
// would hide parts of words.
const shortestHidden = 6

// parts returns an address and each part of it but its host.
func parts(address terminal49.Secret) []terminal49.Secret {
	all := []terminal49.Secret{address}
	add := func(text string) {
		if len(text) >= shortestHidden {
			all = append(all, terminal49.NewSecret(text))
		}
	}
	u, err := url.Parse(address.Reveal())
	if err != nil {
		return all
	}
	password, _ := u.User.Password()
	add(u.User.Username() + ":" + password) // base64 of it is in the request
	add(u.User.Username())
	add(password)
	add(u.RequestURI())
	add(u.RawQuery)
	for part := range strings.SplitSeq(u.EscapedPath(), "/") {
		part, _ = url.PathUnescape(part) // url.Parse could read it
		add(part)
	}
	for _, values := range u.Query() {
		for _, value := range values {
			add(value)
		}
	}
	return all
}

// Host returns the scheme and host of an address, which may be stored and logged.
func Host(address terminal49.Secret) string {
	u, err := url.Parse(address.Reveal())
	if err != nil {
		return ""
	}
	return strings.Map(printable, u.Scheme+"://"+u.Host)
}

// AddressProblem returns why the address of a receiver cannot be used, without it; "" if it can.
func AddressProblem(address terminal49.Secret) string {
	u, err := url.Parse(address.Reveal())
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.Fragment != "" {
		return "must be an http or https address of a receiver, such as https://example.com/changes"
	}
	return ""
}

// CheckPosition returns a problem if a text is not a position of the feed.
func CheckPosition(text string) string {
	if _, ok := model.ParsePosition(text); !ok || text == "" {
		return "must be begin, end, or the position of a change, such as 31543-9f3c2a7be01d44aa"
	}
	return ""
}
