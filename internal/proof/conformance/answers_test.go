package conformance_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-freight/terminal49/internal/operation"
	"github.com/go-freight/terminal49/terminal49test"
)

// These rows are about responses that no part of HTTP forbids and that the service does not
// document. They are fabricated below the client.

// oddStatuses are rows for statuses that report nothing about a write: only a 2xx and a 4xx do
// (reliability.md; 408 and 425: RFC 9110, section 15.5.9, and RFC 8470, section 5.2). A status
// that HTTP does not have counts as a 5xx (RFC 9110, section 15).
func oddStatuses() (rows []faultRow) {
	add := func(status string, r faultRow) {
		code, _ := strconv.Atoi(status)
		rows = append(rows, r.altered(status, terminal49test.Fault{Status: 500}, func(resp *http.Response) {
			resp.Status, resp.StatusCode = status+" Odd", code
		}))
	}
	add("000", spoilt(verdictServer))
	add("099", spoilt(verdictServer))
	add("300", spoilt(verdictStatus))
	add("304", spoilt(verdictStatus))
	add("407", denied(verdictStatus))
	add("425", spoilt(verdictStatus))
	add("600", spoilt(verdictServer))
	add("999", spoilt(verdictServer))
	// What follows a 101 belongs to another protocol (RFC 9110, section 15.2.2).
	return append(rows, spoilt(verdictStatus).altered("101, then silence", terminal49test.Fault{Status: 101},
		func(resp *http.Response) { resp.Body = &endless{closed: make(chan struct{})} }))
}

// endless is a body that has no byte and no end until it is closed.
type endless struct{ closed chan struct{} }

func (e *endless) Read([]byte) (int, error) {
	<-e.closed
	return 0, io.ErrClosedPipe
}

func (e *endless) Close() error {
	close(e.closed)
	return nil
}

// wrongClocks are rows for a local clock that differs from that of the service: a Retry-After as a
// date is counted from the response's own Date (reliability.md). Without a usable Date, the
// local clock is all there is.
func wrongClocks() (rows []faultRow) {
	const wait = 47 * time.Second
	add := func(name, layout string, ahead time.Duration, date func(now time.Time) string) {
		fault := terminal49test.Fault{Status: 429, RetryAfter: terminal49test.RetryAfterDate(ahead+wait, layout)}
		rows = append(rows, asked(verdictLimited, wait).altered("429, Retry-After as a date, "+name, fault,
			func(resp *http.Response) { resp.Header["Date"] = []string{date(time.Now().Add(ahead).UTC())} }))
	}
	now := func(now time.Time) string { return now.Format(http.TimeFormat) }
	add("local clock 3 h slow", http.TimeFormat, 3*time.Hour, now)
	add("local clock 3 h fast", http.TimeFormat, -3*time.Hour, now)
	add("local clock 10 years slow", time.ANSIC, 87600*time.Hour, now)
	add("no Date", http.TimeFormat, 0, func(time.Time) string { return "" })
	add("Date is not a date", http.TimeFormat, 0, func(time.Time) string { return "now" })

	fault := terminal49test.Fault{Status: 503, RetryAfter: terminal49test.RetryAfterDate(3*time.Hour+wait, http.TimeFormat)}
	return append(rows, faultRow{
		read:   outcome{sent: 4, result: verdictServer, ask: wait},
		update: outcome{sent: 4, result: verdictServer, ask: wait, unknown: true},
		create: outcome{sent: 1, result: verdictServer, unknown: true},
	}.altered("503, Retry-After as a date, local clock 3 h slow", fault, func(resp *http.Response) {
		resp.Header.Set("Date", time.Now().Add(3*time.Hour).UTC().Format(http.TimeFormat))
	}))
}

// hugeText is as long as a header can be: net/http accepts 10 MB of them.
var hugeText = strings.Repeat("7", 9<<20)

// headerBombs are rows for huge headers, which change neither the outcome nor the length of an
// error.
func headerBombs() []faultRow {
	with := func(name, value string) func(*http.Response) {
		return func(resp *http.Response) { resp.Header.Set(name, value) }
	}
	status := func(code int) terminal49test.Fault { return terminal49test.Fault{Status: code} }
	normal := terminal49test.Fault{}
	return []faultRow{
		same(outcome{sent: 1}).altered("X-Request-Id of 9 MB", normal, with("X-Request-Id", hugeText)),
		denied(verdictInvalid).altered("422, X-Request-Id of 9 MB", status(422), with("X-Request-Id", hugeText)),
		lost(verdictServer).altered("500, X-Request-Id of 9 MB", status(500), with("X-Request-Id", hugeText)),
		harmless(verdictLimited).altered("429, Retry-After of 100 kB", status(429), with("Retry-After", hugeText[:100_000])),
		spoilt(verdictStatus).altered("302 to an address of 100 kB", terminal49test.Fault{
			Kind: terminal49test.FaultRedirect, Location: "https://a.example/" + hugeText[:100_000]}, nil),
		same(outcome{sent: 1}).altered("1,000 headers", normal, func(resp *http.Response) {
			for i := range 1_000 {
				resp.Header[fmt.Sprint("X-", i)] = []string{"7"}
			}
		}),
	}
}

// otherAnswers are rows for whole, valid responses that belong to another request: a connection may
// be out of step. The id is compared with the one that the request names, the type with the
// documented one, and the number with that of a creation; an unknown type may be a new name. A
// write has most likely been carried out (doc of DecodeError).
func otherAnswers() []faultRow {
	single := func(op testedOperation) bool { return op.single }
	named := func(op testedOperation) bool { return op.named }
	change := func(change func(data map[string]any)) func(*http.Response) {
		return rewritten(func(doc map[string]any) { change(doc["data"].(map[string]any)) })
	}
	otherType := change(func(data map[string]any) {
		if data["type"] == "party" {
			data["type"] = "shipping_line"
		} else {
			data["type"] = "party"
		}
		delete(data, "relationships")
	})
	row := func(r faultRow, name string, only func(testedOperation) bool, alter func(*http.Response)) faultRow {
		r = r.altered(name, terminal49test.Fault{}, alter)
		r.only = only
		return r
	}
	return []faultRow{
		row(spoilt(verdictUnread), "200 with another resource", named, change(func(data map[string]any) {
			data["id"] = "dddddddd-dddd-4ddd-8ddd-dddddddddddd"
		})),
		row(spoilt(verdictUnread), "200 with another type", single, otherType),
		row(same(outcome{sent: 1}), "200 with an unknown type", single,
			change(func(data map[string]any) { data["type"] = "surprise" })),
		row(spoilt(verdictUnread), "200 without an id", single, change(func(data map[string]any) { delete(data, "id") })),
		row(spoilt(verdictUnread), "200 with an empty list instead of one", single,
			rewritten(func(doc map[string]any) { doc["data"] = []any{} })),
		row(spoilt(verdictUnread), "200 with two instead of one", single,
			rewritten(func(doc map[string]any) { doc["data"] = []any{doc["data"], doc["data"]} })),
		row(spoilt(verdictUnread), "200 with null", single, rewritten(func(doc map[string]any) { doc["data"] = nil })),
		row(spoilt(verdictUnread), "201 with another number",
			func(op testedOperation) bool { return op.Name == operation.TrackingRequestsCreate.Name },
			change(func(data map[string]any) { data["attributes"].(map[string]any)["request_number"] = "COSU6300000000" })),
	}
}

// rewritten returns an alteration of the JSON in a response.
func rewritten(change func(map[string]any)) func(*http.Response) {
	return func(resp *http.Response) {
		var doc map[string]any
		if err := json.NewDecoder(resp.Body).Decode(&doc); err != nil {
			panic(err)
		}
		change(doc)
		body, err := json.Marshal(doc)
		if err != nil {
			panic(err)
		}
		resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	}
}

// altered returns a row in which alter changes the response of the fault or, if that has no status,
// the normal one.
func (r faultRow) altered(name string, fault terminal49test.Fault, alter func(*http.Response)) faultRow {
	r.name, r.fault, r.alter = name, fault, alter
	return r
}
