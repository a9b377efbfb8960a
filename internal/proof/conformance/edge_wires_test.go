package conformance_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-freight/terminal49/internal/testkit"
)

// These rows are about what HTTP puts around a body: interim responses, lengths, trailers,
// encodings, and where a connection or a stream ends.

// wired returns a row that responds in its own way.
func wired(r faultRow, name string, respond func(http.ResponseWriter, *http.Request, testkit.Reply)) edge {
	r.name = name
	return edge{faultRow: r, respond: respond}
}

func hasBody(op testedOperation) bool { return op.Method != http.MethodDelete }

// flush sends what has been written so far.
func flush(w http.ResponseWriter) { _ = http.NewResponseController(w).Flush() }

// headed returns a response whose header is changed first.
func headed(change func(http.Header)) func(http.ResponseWriter, *http.Request, testkit.Reply) {
	return func(w http.ResponseWriter, req *http.Request, reply testkit.Reply) {
		change(w.Header())
		send(w, req, reply)
	}
}

// answered returns an error response, with a header in pairs.
func answered(status int, header ...string) func(http.ResponseWriter, *http.Request, testkit.Reply) {
	return func(w http.ResponseWriter, req *http.Request, _ testkit.Reply) {
		for i := 0; i < len(header); i += 2 {
			w.Header()[header[i]] = append(w.Header()[header[i]], header[i+1])
		}
		send(w, req, testkit.Reply{Status: status, Body: `{"errors":[{"title":"Oh"}]}`})
	}
}

func wireEdges() (rows []edge) {
	rows = append(rows, endings()...)
	rows = append(rows, headers()...)
	rows = append(rows, retryAfters()...)
	return append(rows, redirects()...)
}

// endings are rows about connections (HTTP/1.1) or streams (HTTP/2) that end at each point, and
// about bodies that do not end.
func endings() []edge {
	abort := func(points ...func(http.ResponseWriter, testkit.Reply)) func(http.ResponseWriter, *http.Request, testkit.Reply) {
		return func(w http.ResponseWriter, _ *http.Request, reply testkit.Reply) {
			for _, do := range points {
				do(w, reply)
				flush(w)
			}
			panic(http.ErrAbortHandler)
		}
	}
	header := func(w http.ResponseWriter, reply testkit.Reply) { w.WriteHeader(reply.Status) }
	early := func(w http.ResponseWriter, _ testkit.Reply) { w.WriteHeader(http.StatusEarlyHints) }
	half := func(w http.ResponseWriter, reply testkit.Reply) {
		_, _ = io.WriteString(w, reply.Body[:len(reply.Body)/2])
	}
	all := func(w http.ResponseWriter, reply testkit.Reply) { _, _ = io.WriteString(w, reply.Body) }
	rows := []edge{
		wired(lost(verdictLost), "ends before the header", abort()),
		wired(lost(verdictLost), "ends after a 103", abort(early)),
		wired(lost(verdictLost), "ends after the header", abort(header)),
		wired(lost(verdictLost), "ends in the body", abort(header, half)),
		wired(lost(verdictLost), "ends after the body, before its end", abort(header, all)),
		wired(lost(verdictLost), "Content-Length beyond the body", func(w http.ResponseWriter, req *http.Request, reply testkit.Reply) {
			w.Header().Set("Content-Length", strconv.Itoa(len(reply.Body)+1))
			send(w, req, reply)
		}),
	}
	for i := range rows {
		if rows[i].fresh = true; i > 1 {
			rows[i].only = hasBody
		}
	}
	short := wired(spoilt(verdictUnread), "Content-Length below the body", func(w http.ResponseWriter, req *http.Request, reply testkit.Reply) {
		raw(fmt.Sprintf("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", len(reply.Body)/2, reply.Body))(w, req, reply)
	})
	short.http1, short.fresh, short.only, short.traits = true, true, hasBody, unreadSucceeds
	rows = append(rows, short)
	return append(rows, slowBodies()...)
}

// slowBodies are rows about bodies that do not end before the caller's context does, which the call
// must not outlive.
func slowBodies() []edge {
	patient := func(name string, first func(http.ResponseWriter, testkit.Reply), more string) edge {
		e := wired(faultRow{
			read:   outcome{sent: 1, result: verdictLost},
			update: outcome{sent: 1, result: verdictLost, unknown: true},
			create: outcome{sent: 1, result: verdictLost, unknown: true},
		}, name, func(w http.ResponseWriter, req *http.Request, reply testkit.Reply) {
			first(w, reply)
			for {
				flush(w)
				select {
				case <-req.Context().Done():
					panic(http.ErrAbortHandler) // no end of the body, which might still be read
				case <-time.After(time.Millisecond):
					_, _ = io.WriteString(w, more)
				}
			}
		})
		e.slow, e.patience, e.only = true, 50*time.Millisecond, hasBody
		return e
	}
	nothing := func(w http.ResponseWriter, reply testkit.Reply) { w.WriteHeader(reply.Status) }
	whole := func(w http.ResponseWriter, reply testkit.Reply) {
		w.WriteHeader(reply.Status)
		_, _ = io.WriteString(w, reply.Body)
	}
	interim := func(w http.ResponseWriter, _ testkit.Reply) { w.WriteHeader(http.StatusProcessing) }
	return []edge{
		patient("a body of one byte at a time", nothing, "{"),
		patient("a body of blanks at a time", nothing, " "),
		patient("blanks after the body, at a time", whole, "\n"),
		patient("no header after a 102", interim, ""),
	}
}

// headers are rows about what a response has beside its body. None of it changes the outcome.
func headers() []edge {
	ok := same(outcome{sent: 1})
	rows := []edge{
		wired(ok, "a storm of 200 interim responses", func(w http.ResponseWriter, req *http.Request, reply testkit.Reply) {
			for range 200 {
				w.WriteHeader(http.StatusEarlyHints)
			}
			send(w, req, reply)
		}),
		wired(ok, "50 trailers", func(w http.ResponseWriter, req *http.Request, reply testkit.Reply) {
			send(w, req, reply)
			for i := range 50 {
				w.Header().Set(fmt.Sprint(http.TrailerPrefix, "X-", i), "7")
			}
		}),
		wired(ok, "a Retry-After in a success", headed(func(h http.Header) { h.Set("Retry-After", "99999") })),
		wired(ok, "a Location in a success", headed(func(h http.Header) { h.Set("Location", "https://elsewhere.example/") })),
		wired(ok, "a header of 1 MB", headed(func(h http.Header) { h.Set("X-Long", hugeText[:1<<20]) })),
		wired(ok, "1,000 cookies of another host", headed(func(h http.Header) {
			for i := range 1_000 {
				h.Add("Set-Cookie", fmt.Sprintf("c%d=7; Domain=elsewhere.example", i))
			}
		})),
		wired(ok, "gzip, in two parts", func(w http.ResponseWriter, req *http.Request, reply testkit.Reply) {
			w.Header().Set("Content-Encoding", "gzip")
			half := len(reply.Body) / 2
			send(w, req, testkit.Reply{Status: reply.Status, Body: gzipped(reply.Body[:half]) + gzipped(reply.Body[half:])})
		}),
	}
	for _, encoding := range []string{"br", "zstd", "deflate", "gzip, gzip"} {
		rows = append(rows, wired(spoilt(verdictUnread), "an encoding that was not requested: "+encoding,
			func(w http.ResponseWriter, req *http.Request, reply testkit.Reply) {
				w.Header().Set("Content-Encoding", encoding)
				send(w, req, testkit.Reply{Status: reply.Status, Body: gzipped(gzipped(reply.Body))})
			}))
		rows[len(rows)-1].traits = unreadSucceeds
	}
	for i := range rows {
		rows[i].only = hasBody
	}
	return rows
}

func gzipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, text)
	_ = z.Close()
	return b.String()
}

// retryAfters are rows about the ends of Retry-After (RFC 9110, section 10.2.3). A wait that a
// time.Duration cannot hold is not a wait that was asked for (internal/proof/reliability.md).
func retryAfters() (rows []edge) {
	for _, value := range []string{"-1", "-9223372036854775808", "1e19", "10000000000000000000", "9223372037", "0x10", "NaN",
		"Fri, 31 Dec 9999 23:59:59 GMT", "Fri, 31 Dec 9999 23:59:60 GMT", "Mon, 01 Jan 10000 00:00:00 GMT", hostileHeader} {
		rows = append(rows, wired(harmless(verdictLimited), "429, Retry-After: "+nameOf(value), answered(429, "Retry-After", value)),
			wired(lost(verdictServer), "503, Retry-After: "+nameOf(value), answered(503, "Retry-After", value)))
	}
	for _, value := range []string{"0", "000", "Mon, 01 Jan 0001 00:00:00 GMT", "Thu, 01 Jan 1970 00:00:00 GMT"} {
		rows = append(rows, wired(asked(verdictLimited, 0), "429, Retry-After: "+value, answered(429, "Retry-After", value)))
	}
	for _, value := range []string{"121", "9223372036", "Fri, 31 Dec 2200 23:59:59 GMT"} { // longer than the longest wait
		rows = append(rows, wired(denied(verdictLimited), "429, Retry-After: "+value, answered(429, "Retry-After", value)),
			wired(spoilt(verdictServer), "503, Retry-After: "+value, answered(503, "Retry-After", value)))
	}
	return append(rows, wired(asked(verdictLimited, 0), "429, Retry-After: 0, then 99999",
		answered(429, "Retry-After", "0", "Retry-After", "99999")))
}

// hostileHeader is text that HTTP can carry: the characters above 0x9f of Latin-1 and UTF-8.
const hostileHeader = "\u009b31m\u202e"

func nameOf(value string) string {
	if value == hostileHeader {
		return "text that a terminal obeys"
	}
	return value
}

// redirects are rows about spellings of the own host and of others. Scheme and host are the same in
// capitals (RFC 3986, section 6.2.2.1); another name for the same machine is another host.
func redirects() (rows []edge) {
	home := faultRow{
		read: outcome{sent: 6, result: verdictStatus}, once: &outcome{sent: 2},
		update: outcome{sent: 1, result: verdictStatus, unknown: true},
		create: outcome{sent: 1, result: verdictStatus, unknown: true},
	}
	add := func(r faultRow, name string, to func(own *url.URL) string) {
		rows = append(rows, wired(r, "302 to "+name, func(w http.ResponseWriter, req *http.Request, reply testkit.Reply) {
			own := &url.URL{Scheme: "http", Host: req.Host, Path: req.URL.Path}
			if req.TLS != nil {
				own.Scheme = "https"
			}
			answered(302, "Location", to(own))(w, req, reply)
		}))
	}
	add(home, "the own host, scheme in capitals", func(u *url.URL) string { return strings.ToUpper(u.Scheme) + "://" + u.Host + u.Path })
	add(home, "the own host, without a scheme", func(u *url.URL) string { return "//" + u.Host + u.Path })
	add(home, "the own host, with dots in the path", func(u *url.URL) string { return "/a/.." + u.Path })
	add(home, "a fragment", func(u *url.URL) string { return u.Path + "#x" })
	elsewhere := spoilt(verdictStatus)
	port := func(u *url.URL) string { return ":" + u.Port() }
	add(elsewhere, "the own host, as a name", func(u *url.URL) string { return u.Scheme + "://localhost" + port(u) + u.Path })
	add(elsewhere, "the own host, with a dot", func(u *url.URL) string { return u.Scheme + "://" + u.Hostname() + "." + port(u) + u.Path })
	add(elsewhere, "the own host, as IPv6", func(u *url.URL) string { return u.Scheme + "://[::ffff:127.0.0.1]" + port(u) + u.Path })
	add(elsewhere, "the own host, as a number", func(u *url.URL) string { return u.Scheme + "://2130706433" + port(u) + u.Path })
	add(elsewhere, "the own host, in full width", func(u *url.URL) string { return u.Scheme + "://127.0.0.１" + port(u) + u.Path })
	add(elsewhere, "the own host, with a password", func(u *url.URL) string { return u.Scheme + "://u:p@" + u.Host + u.Path })
	add(elsewhere, "the own host, without a port", func(u *url.URL) string { return u.Scheme + "://" + u.Hostname() + u.Path })
	add(elsewhere, "the other scheme", func(u *url.URL) string {
		return map[string]string{"http": "https", "https": "http"}[u.Scheme] + "://" + u.Host
	})
	add(elsewhere, "no address", func(*url.URL) string { return "://" })
	add(elsewhere, "an empty address", func(*url.URL) string { return "" })
	add(elsewhere, "a file", func(*url.URL) string { return "file:///etc/passwd" })
	add(elsewhere, "text that a terminal obeys", func(u *url.URL) string { return "https://elsewhere.example/" + hostileHeader })
	return rows
}
