package clitest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// Hostile has a character of each kind that a terminal or a reader of text may interpret. The kinds
// are the categories of Unicode: Cc (with the C1 controls that begin an escape sequence in one
// character), Cf (bidirectional controls, zero width, soft hyphen, tags), Zl, Zp, Co. It has no
// NUL, because neither an argument nor a database can have one.
const Hostile = "\x07\x08\t\n\r\x1b]0;title\x07\x1b[2J\x7f\u0080\u0085\u009b2J\u009d\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u200f" +
	"\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff\ufff9\ue000\U000e0001\U000e0041\U00100000"

// Program is what a program promises of every command, whatever its input is.
type Program struct {
	Name     string
	Statuses []int    // the documented exit statuses
	Secrets  []string // texts that it never prints
}

// Case is a command line with a hostile argument or variable.
type Case struct {
	Args []string
	Env  []string // added to the command's environment
}

// RunCases runs each case to its end and checks what it prints. A case that fails prints one error.
func (p Program) RunCases(t testing.TB, command func(args ...string) *exec.Cmd, cases []Case) {
	t.Helper()
	for _, c := range cases {
		cmd := command(c.Args...)
		cmd.Env = append(cmd.Env, c.Env...)
		status, out, log := Run(t, cmd)
		p.RequireHarmless(t, status, out, log, c)
		if errors := strings.Count("\n"+log, "\n"+p.Name+": "); status != 0 && errors != 1 {
			t.Errorf("%+q: status %d with %d lines of errors, not one:\n%s", c, status, errors, log)
		}
	}
}

// forged matches the line end of Hostile with what follows it. Each control character there is a
// question mark, or is left out at the beginning of a line.
var forged = regexp.MustCompile(`\n\?{0,2}\]0;title`)

// RequireHarmless fails if a command ended with an undocumented status, printed a secret or
// anything but printable characters, or began a line within a hostile text.
func (p Program) RequireHarmless(t testing.TB, status int, out, log string, about ...any) {
	t.Helper()
	if !slices.Contains(p.Statuses, status) {
		t.Errorf("%+q: the exit status %d is not documented:\n%q", about, status, log)
	}
	for _, secret := range p.Secrets {
		if strings.Contains(out+log, secret) {
			t.Errorf("%+q: a secret is printed:\n%q", about, out+log)
		}
	}
	if found := forged.FindString(out + "\n" + log); found != "" {
		t.Errorf("%+q: a hostile text began a line: %q", about, found)
	}
	RequirePrintable(t, out, about...)
	RequirePrintable(t, log, about...)
}

// RequirePrintable fails if a text has anything but printable characters and line ends.
func RequirePrintable(t testing.TB, text string, about ...any) {
	t.Helper()
	i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) })
	if i >= 0 || !utf8.ValidString(text) {
		i = max(i, 0)
		t.Fatalf("a character is not printable: %+q of %+q", text[max(0, i-60):min(len(text), i+20)], about)
	}
}

// exact matches the names of what would be unreadable with another character: ids, links and times.
var exact = regexp.MustCompile(`^(id|type|self|next|first|last|prev)$|_at$|_time$|timestamp$|_lfd|_on$|^time_zone$|_timezone$`)

// Spoiled appends a text to all texts of a JSON value, except those with one of these names. What
// would be unreadable with it stays as it is.
func Spoiled(value any, text string, except ...string) any { return spoiled(value, "", text, except) }

func spoiled(value any, name, text string, except []string) any {
	switch v := value.(type) {
	case map[string]any:
		for key := range v {
			v[key] = spoiled(v[key], key, text, except)
		}
	case []any:
		for i := range v {
			v[i] = spoiled(v[i], name, text, except)
		}
	case string:
		if !exact.MatchString(name) && !slices.Contains(except, name) {
			return v + text
		}
	}
	return value
}

// SpoiledJSON returns a JSON document with all of its texts Spoiled, and any other body unchanged.
func SpoiledJSON(body []byte, text string, except ...string) []byte {
	var document any
	if json.Unmarshal(body, &document) != nil {
		return body
	}
	changed, err := json.Marshal(Spoiled(document, text, except...))
	if err != nil {
		return body
	}
	return changed
}

// Spoil starts a proxy in front of a service, which changes the body of each response and makes its
// request id hostile. It returns the proxy's base URL.
func Spoil(t testing.TB, service string, change func(body []byte) []byte) string {
	t.Helper()
	to, err := url.Parse(strings.TrimSuffix(service, "/v2"))
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DisableCompression: true}
	front := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }, Transport: transport,
		ModifyResponse: func(resp *http.Response) error { return replaceBody(resp, change) },
	})
	t.Cleanup(func() {
		front.Close()
		transport.CloseIdleConnections()
	})
	return front.URL + "/v2"
}

func replaceBody(resp *http.Response, change func([]byte) []byte) error {
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	body = change(body)
	resp.Header.Set("X-Request-Id", "7\u009b2J\u202e")
	resp.Header.Set("Content-Length", strconv.Itoa(len(body)))
	resp.ContentLength, resp.Body = int64(len(body)), io.NopCloser(bytes.NewReader(body))
	return nil
}
