package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/jsonapi"
)

// answer is a response to a question.
type answer struct {
	jsonapi.Document
	refusal string // such as "the service answered 404"; "" for a document
	problem string // why there is no response that answers anything
}

const (
	pageSize   = "100" // the most that the service documents
	maxPage    = 64 << 20
	mostInRow  = 3 // see Examine
	askTimeout = time.Minute
	perAttempt = 20 * time.Second
)

// read asks for one page of a list, or for one resource.
func (e *examination) read(path string, query ...string) (a answer) {
	if e.stopped != "" {
		a.problem = e.stopped
		return a
	}
	values := url.Values{}
	for i := 0; i < len(query); i += 2 {
		values.Set(query[i], query[i+1])
	}
	ctx, cancel := context.WithTimeout(e.ctx, askTimeout)
	defer cancel()
	var resp terminal49.Response
	err := e.client.Do(ctx, terminal49.Request{Method: http.MethodGet, Path: path, Query: values}, &a.Document, terminal49.WithResponse(&resp),
		terminal49.WithMaxResponseBytes(maxPage), terminal49.WithMaxAttempts(2), terminal49.WithAttemptTimeout(perAttempt))
	e.report.Requests += resp.Attempts
	e.clock.add(&resp, time.Now())
	e.noteLimits(resp.Header)
	if err == nil {
		e.seen.add(a.All())
		e.odd = append(e.odd, a.Odd...)
	} else {
		a = answer{}
		a.refusal, a.problem = e.reasons(err)
	}
	e.count(a.problem, err)
	return a
}

// reasons says why there is no document: the service refused it, or there is no telling.
func (e *examination) reasons(err error) (refusal, problem string) {
	var refused *terminal49.APIError
	var unreadable *terminal49.DecodeError
	switch {
	case e.ctx.Err() != nil:
		return "", "the examination was interrupted"
	case errors.Is(err, terminal49.ErrUnauthorized):
		return "", "the service does not accept the token (401)"
	case errors.Is(err, terminal49.ErrRateLimited):
		return "", "the account's requests are used up (429)"
	case errors.As(err, &unreadable):
		return "the response could not be read as a document", ""
	case errors.As(err, &refused) && refused.StatusCode > 501 && refused.StatusCode < 600:
		return "", fmt.Sprintf("the service is not available now (%d)", refused.StatusCode)
	case errors.As(err, &refused) && refused.StatusCode >= 100 && refused.StatusCode < 600:
		return fmt.Sprintf("the service answered %d", refused.StatusCode), ""
	}
	return "", "there was no response"
}

// count stops the examination if asking on is of no use.
func (e *examination) count(problem string, err error) {
	if problem == "" {
		e.inRow = 0
		return
	}
	e.failed(err)
	if e.inRow++; e.inRow == mostInRow || e.ctx.Err() != nil {
		e.stopped = problem
	}
}

// limitHeader matches the names of headers about limits that may be published.
var limitHeader = regexp.MustCompile(`(?i)^(X-)?Rate-?Limit(-(Limit|Remaining|Reset|Policy|Used|Resource))?$`)

var smallNumber = regexp.MustCompile(`^[0-9]{1,5}$`)

// noteLimits keeps the headers about rate limits.
func (e *examination) noteLimits(h http.Header) {
	for name := range h {
		switch value := h.Get(name); {
		case !strings.Contains(strings.ReplaceAll(strings.ToLower(name), "-", ""), "ratelimit"):
		case !limitHeader.MatchString(name):
			e.limits["a header of another name"] = "not shown"
		case smallNumber.MatchString(value):
			e.limits[name] = value
		default:
			e.limits[name] = "not a small number"
		}
	}
}

// clock compares this machine's clock with the Date headers of responses, which have whole seconds.
type clock struct {
	least, most time.Duration // by how much this machine may be ahead
	any         bool
}

// add narrows the range by a response that has arrived.
func (c *clock) add(r *terminal49.Response, arrived time.Time) {
	at, err := http.ParseTime(r.Header.Get("Date"))
	if err != nil {
		return
	}
	least, most := arrived.Add(-r.Duration).Sub(at.Add(time.Second)), arrived.Sub(at)
	if c.any {
		least, most = max(least, c.least), min(most, c.most)
	}
	c.least, c.most, c.any = least, most, true
}
