package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// one fails the requests that name one number, and passes the others.
type one struct {
	number string
	fail   func(*http.Request) (*http.Response, error)
	next   http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (o one) RoundTrip(r *http.Request) (*http.Response, error) {
	body := []byte{}
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	if o.fail != nil && strings.Contains(r.URL.RawQuery+string(body), o.number) {
		return o.fail(r)
	}
	return o.next.RoundTrip(r)
}

// responds returns a failure that is a response.
func responds(status int, contentType, body string, headers ...string) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		resp := &http.Response{
			StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
			Header: http.Header{"Content-Type": {contentType}}, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
		}
		for i := 0; i < len(headers); i += 2 {
			resp.Header.Set(headers[i], headers[i+1])
		}
		return resp, nil
	}
}

func refuses(status int, title string) func(*http.Request) (*http.Response, error) {
	return responds(status, "application/json", `{"errors":[{"title":"`+title+`"}]}`)
}

func breaks(err error) func(*http.Request) (*http.Response, error) {
	return func(*http.Request) (*http.Response, error) { return nil, err }
}

func stalls(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// Of several numbers one fails, in each of these ways: the others are printed, the error is printed
// with its number, and the exit status is that of the guide's table.
func TestFailures_OfOneNumberAmongSeveral(t *testing.T) {
	const other, bad, unknown = "MEDU3309188", "TGHU7654337", "TGHU7654337"
	ways := []struct {
		name, number string
		fail         func(*http.Request) (*http.Response, error)
		status       int
		text         string
	}{
		{"unknown", unknown, nil, exitNotFound, "not found"},
		{"not a container number", "NOPE", nil, exitNotFound, "4 letters and 7 digits"},
		{"not a number", "--", nil, exitUsage, "NUMBER must contain a letter or a digit"},
		{"400", bad, refuses(400, "Bad filter"), exitInvalid, "400 Bad Request: Bad filter"},
		{"401", bad, refuses(401, "Unauthorized"), exitAuth, "401 Unauthorized"},
		{"403", bad, refuses(403, "No API access"), exitAuth, "403 Forbidden: No API access"},
		{"404", bad, refuses(404, "Not Found"), exitNotFound, "404 Not Found"},
		{"422", bad, refuses(422, "Rejected"), exitInvalid, "422 Unprocessable Entity: Rejected"},
		{"429", bad, responds(429, "application/json", `{}`, "Retry-After", "7200"), exitRate, "429 Too Many Requests"},
		{"500", bad, refuses(500, "Broken"), exitUpstream, "500 Internal Server Error: Broken (after 4 attempts)"},
		{"a web page", bad, responds(200, "text/html", "<html>"), exitUpstream, "web page"},
		{"a broken body", bad, responds(200, "application/json", `{"data":[{"id":`), exitUpstream, "cannot read the 200 response"},
		{"no connection", bad, breaks(syscall.ECONNREFUSED), exitNetwork, "connection refused"},
		{"no response", bad, stalls, exitNetwork, "no response"},
	}
	commands := []struct {
		args  []string
		first string // a number that succeeds
	}{
		{[]string{"ready"}, other}, {[]string{"ready", "--json"}, other}, {[]string{"ready", "--csv"}, other},
		{[]string{"containers"}, other}, {[]string{"containers", "refresh"}, other}, {[]string{"fees"}, other},
		{[]string{"events"}, other}, {[]string{"watch"}, other}, {[]string{"shipments"}, "MAEU240711002"}, {[]string{"track"}, "MAEU240711002"},
	}
	t.Setenv("T49_API_TOKEN", "token-that-nobody-may-see")
	for _, way := range ways {
		for _, command := range commands {
			name := strings.Join(command.args, " ")
			if way.fail == nil && (name == "track" || name == "shipments" && way.number == "NOPE") {
				continue // which has its own answer to numbers that are not tracked
			}
			if way.name == "429" && name != "track" && name != "shipments" {
				continue // one request reads both numbers, and both must wait
			}
			t.Run(way.name+", "+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					number := way.number
					srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithToken("token-that-nobody-may-see"), terminal49test.WithSpeed(0))
					defer srv.Close()
					srv.SeedDemo()
					http := &http.Client{Transport: one{number, way.fail, srv.HTTPClient().Transport}}
					a := &app{options: []terminal49.Option{terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(http)}}
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					var out, log bytes.Buffer
					args := append(append([]string{}, command.args...), "--", command.first, number)
					status := a.run(ctx, cancel, args, &out, &log)
					require.Equal(t, way.status, status, "%s", log.String())
					require.Contains(t, log.String(), "t49: "+number+": ")
					require.Contains(t, log.String(), way.text)
					require.Contains(t, out.String(), command.first)
					require.NotContains(t, log.String(), "token-that-nobody-may-see")
				})
			})
		}
	}
}

// stalling returns a command of a simulated account which never answers requests with a text.
func stalling(t *testing.T, text string) (*app, func()) {
	t.Setenv("T49_API_TOKEN", "token-that-nobody-may-see")
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithToken("token-that-nobody-may-see"), terminal49test.WithSpeed(0))
	srv.SeedDemo()
	http := &http.Client{Transport: one{text, stalls, srv.HTTPClient().Transport}}
	return &app{options: []terminal49.Option{terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(http)}}, srv.Close
}

// With --timeout a command ends in that time, with a status of its own, unless a write may have
// been carried out. A command that runs until it is interrupted has done its work.
func TestFailures_Timeout(t *testing.T) {
	for _, c := range []struct {
		args, stalled string
		status        int
		log           string
	}{
		{"ready MSKU7182047 MEDU3309188", "MSKU7182047", exitTimeOver, "t49: not finished in the time of --timeout\n"},
		{"track HLCUSHA2406118", "\"request_number\":\"HLCUSHA2406118\"", exitUnknown, "t49: not finished in the time of --timeout\nt49: HLCUSHA2406118: "},
		{"watch MSKU7182047 --interval 1s", "nothing", exitOK, "watching"},
	} {
		synctest.Test(t, func(t *testing.T) {
			a, end := stalling(t, c.stalled)
			defer end()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var out, log bytes.Buffer
			began := time.Now()
			status := a.run(ctx, cancel, append(strings.Fields(c.args), "--timeout", "5s"), &out, &log)
			require.Equal(t, c.status, status, "%s: %s", c.args, log.String())
			require.Equal(t, 5*time.Second, time.Since(began))
			require.Contains(t, log.String()+out.String(), c.log)
		})
	}
}

// A list that breaks off says that it is one.
func TestFailures_OfALaterPage(t *testing.T) {
	a := newAccount(t)
	for range 120 {
		a.srv.AddContainer(terminal49test.Container{Number: "MSKU7182047"})
	}
	here := a.here()
	for args, text := range map[string]string{
		"containers": "only the first 50 were printed: ", "containers --csv": "only the first 50 were printed: ",
		"containers --json": "only the first 50 were printed: ", "api /containers?page[size]=50 --all": "only 1 of its pages were printed: ",
	} {
		a.srv.AddFault(terminal49test.Fault{Operation: "containers.list", Status: 422, Skip: 1, Times: -1})
		status, out, log := here.do(strings.Fields(args)...)
		require.Equal(t, exitInvalid, status, log)
		require.NotEmpty(t, out)
		require.Contains(t, log, "t49: the list is incomplete: "+text)
		a.srv.ClearFaults()
	}
}

// Every one of several errors is printed, in the order of the numbers, and a no does not hide them.
func TestFailures_AreAllPrinted(t *testing.T) {
	t.Setenv("T49_API_TOKEN", "token-that-nobody-may-see")
	synctest.Test(t, func(t *testing.T) {
		srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithToken("token-that-nobody-may-see"), terminal49test.WithSpeed(0))
		defer srv.Close()
		srv.SeedDemo()
		broken := one{"MSKU7182411", breaks(errors.New("no route to host")), srv.HTTPClient().Transport}
		denied := one{"CMAU4716554", refuses(403, "No API access"), broken}
		a := &app{options: []terminal49.Option{terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(&http.Client{Transport: denied})}}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var out, log bytes.Buffer
		status := a.run(ctx, cancel, []string{"ready", "MEDU3309188", "MSKU7182411", "TGHU7654337", "CMAU4716554", "MSKU7182047"}, &out, &log)
		require.Equal(t, exitNetwork, status, "that of the first error")
		require.Regexp(t, `(?s)^t49: MSKU7182411: .*no route.*\nt49: TGHU7654337: not found: the check digit is 7 and should be 5[^\n]*\nt49: CMAU4716554: .*403.*\nOnly tracked numbers`, log.String())
		require.Regexp(t, `(?s)MEDU3309188 +no.*MSKU7182047 +yes`, out.String())

		out.Reset()
		log.Reset()
		a = &app{options: a.options}
		status = a.run(ctx, cancel, []string{"shipments", "LOST1", "MAEU240711002", "LOST2"}, &out, &log)
		require.Equal(t, exitNotFound, status)
		require.Contains(t, out.String(), "MAEU240711002")
		require.Equal(t, "t49: LOST1: not found\nt49: LOST2: not found\n"+notFoundHint+"\n", log.String())
	})
}

// A write that may have been carried out counts more than any other error, in any order.
func TestFailures_AnUnknownOutcomeIsTheStatus(t *testing.T) {
	a := newAccount(t)
	for _, numbers := range [][]string{{"XXXX999", a.demo.Untracked}, {a.demo.Untracked, "XXXX999"}} {
		a.srv.AddFault(terminal49test.Fault{Operation: "tracking_requests.create", Kind: terminal49test.FaultDrop, Times: 9})
		status, _, log := a.do(append([]string{"track"}, numbers...)...)
		require.Equal(t, exitUnknown, status, log)
		require.Contains(t, log, "t49: XXXX999: the shipping line is not known; repeat with --scac CODE")
		a.srv.ClearFaults()
	}
}

// Source: docs/service.md: a list is read by pages, and what moved between them is not in it.
func TestLists_SayThatTheyChanged(t *testing.T) {
	t.Setenv("T49_API_TOKEN", "token-that-nobody-may-see")
	for second, want := range map[string]string{
		`{"id":"2","type":"party"},{"id":"3","type":"party"}`: "the list changed while it was read: rows may be missing; run the command again\n",
		`{"id":"3","type":"party"},{"id":"4","type":"party"}`: "",
	} {
		pages := func(r *http.Request) (*http.Response, error) {
			rows, next := `{"id":"1","type":"party"},{"id":"2","type":"party"}`, `"next":"?page[number]=2"`
			if r.URL.Query().Get("page[number]") == "2" {
				rows, next = second, ""
			}
			return responds(200, "application/json", `{"data":[`+rows+`],"meta":{"total":4},"links":{`+next+`}}`)(r)
		}
		a := &app{options: []terminal49.Option{terminal49.WithHTTPClient(&http.Client{Transport: one{"", pages, nil}})}}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var out, log bytes.Buffer
		require.Zero(t, a.run(ctx, cancel, []string{"parties"}, &out, &log), log.String())
		require.Equal(t, want, log.String())
	}
}
