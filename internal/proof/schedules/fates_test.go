package schedules_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/go-freight/terminal49/internal/testkit"
)

// fate is what happens to one request.
type fate struct {
	answer
	acts, late bool          // late: after the stall
	stall      time.Duration // before the response
	ending     ending
	share      float64       // of the response that is sent before a cut or a reset; often none
	code, last uint32        // of a reset or a GOAWAY, often those after which net/http repeats
	hard       bool          // the connection ends with a reset
	surplus    string        // a second response that nothing asked for
	pause      time.Duration // before it
}

// ending is how a response ends.
type ending uint8

const (
	whole  ending = iota
	closed        // whole, then the connection is closed without notice
	cut           // the connection is closed before the end
	reset         // the stream is reset; over HTTP/1.1 it is cut
	goAway        // a GOAWAY is sent, and the connection closed; over HTTP/1.1 it is cut
)

func (f fate) ends() bool { return f.ending != whole }

// answer is a response.
type answer struct {
	status, body         string
	retryAfter, location string
	early                bool // after an interim one
	excess               int  // of the length that is announced
}

// header returns names and values in turn.
func (a answer) header() []string {
	list := []string{"content-type", "application/vnd.api+json"}
	if a.status != "204" && a.status != "304" {
		list = append(list, "content-length", strconv.Itoa(max(0, len(a.body)+a.excess)))
	}
	if a.retryAfter != "" {
		list = append(list, "retry-after", a.retryAfter)
	}
	if a.location != "" {
		list = append(list, "location", a.location)
	}
	return list
}

func (a answer) http1() []byte {
	var b bytes.Buffer
	if a.early {
		b.WriteString("HTTP/1.1 103 Early Hints\r\n\r\n")
	}
	fmt.Fprintf(&b, "HTTP/1.1 %s Any\r\n", a.status)
	for i, text := range a.header() {
		b.WriteString(text + []string{": ", "\r\n"}[i%2])
	}
	return append(b.Bytes(), "\r\n"+a.body...)
}

// http1 returns what is sent of the response.
func (f fate) http1() []byte {
	text := f.answer.http1()
	if f.ending >= cut {
		return text[:int(f.share*float64(len(text)))]
	}
	return text
}

// http2 is http1 over HTTP/2, with the frames that end a stream.
func (f fate) http2(stream uint32) []byte {
	half := len(f.body) / 2
	frames := [][]byte{nil, testkit.H2Headers(stream, f.status, f.header()...),
		testkit.H2Part(stream, f.body[:half]), testkit.H2Body(stream, f.body[half:])}
	if f.early {
		frames[0] = testkit.H2Headers(stream, "103")
	}
	all := bytes.Join(frames, nil)
	some := bytes.Join(frames[:int(f.share*float64(len(frames)))], nil)
	switch {
	case f.ending == cut:
		return all[:int(f.share*float64(len(all)))]
	case f.ending == reset:
		return append(some, testkit.H2Reset(stream, f.code)...)
	case f.ending == goAway:
		return append(some, testkit.H2GoAway(min(f.last, stream), f.code)...)
	case f.surplus != "": // on this stream, or on that of the next request
		return append(all, testkit.H2Response(stream+2*(f.code%2), "200", f.surplus)...)
	}
	return all
}

// The statuses that a service sends if it has not acted, and those that leave it open
// (internal/proof/reliability.md, "Only a 2xx and a 4xx report what a write did").
var (
	refusals = strings.Fields("400 401 403 404 409 410 418 422 429 429 429")
	odd      = strings.Fields("000 099 101 300 301 302 303 304 307 308 408 425 500 501 502 503 504 505 600 999")
)

func pick[V any](r *rand.Rand, list ...V) V { return list[r.IntN(len(list))] }

// draw returns the fate of a request: request n of the call, counted from zero.
func (s *schedule) draw(tag string, n int, outOfStep bool) fate {
	call, _ := strconv.Atoi(tag[2:])
	k, r := s.calls[call].kind, s.random(uint64(call)<<16|uint64(n))
	f := s.right(r, k, tag)
	switch draw := r.IntN(100); {
	case outOfStep: // the next call gets this response, which must show that it is another's
		return f
	case n > 2: // net/http waits for seconds before it repeats a request over HTTP/2 once more
	case draw < 35:
	case draw < 45:
		f.refuse(r)
	case draw < 55:
		f.odd(r)
	case draw < 62 && k.resource != "":
		f.acts, f.body = r.IntN(2) == 0, s.strange(r, k)
	case draw < 67:
		f.excess = pick(r, -20, -1, 1, 20)
		if f.excess > 0 {
			f.ending = closed
		}
	case draw < 92:
		f.interrupt(r)
	case s.outOfStep:
		f.surplus, f.pause = s.strange(r, k), time.Duration(r.IntN(300))*time.Microsecond
	default:
		f.ending = closed
	}
	s.delay(r, &f)
	return f
}

// right is the response of a service that acted.
func (s *schedule) right(r *rand.Rand, k kind, tag string) fate {
	f := fate{acts: true, answer: answer{status: pick(r, "200", "201"), body: "{}", early: r.IntN(10) == 0},
		late: r.IntN(2) == 0, hard: r.IntN(2) == 0,
		share: pick(r, 0, 0, r.Float64()), code: pick(r, 1, 7, 7, r.Uint32N(14)), last: pick(r, 0, r.Uint32N(12))}
	if k.resource != "" {
		f.body = document(k.resource, tag)
	}
	if r.IntN(12) == 0 {
		f.status, f.body = "204", ""
	}
	return f
}

func (f *fate) refuse(r *rand.Rand) {
	f.acts, f.status, f.body = false, pick(r, refusals...), `{"errors":[{"title":"No"}]}`
	if f.status == "429" {
		f.retryAfter = pick(r, "", "0", "1", "Mon, 02 Jan 2006 15:04:05 GMT")
	}
}

func (f *fate) odd(r *rand.Rand) {
	f.acts, f.status, f.body = r.IntN(2) == 0, pick(r, odd...), "{}"
	f.location = pick(r, "", "?again", "https://elsewhere.example/")
	if f.status == "304" {
		f.body = ""
	}
	if f.status == "101" {
		f.ending = closed
	}
}

// interrupt makes the response incomplete. A 204 would be complete without its end.
func (f *fate) interrupt(r *rand.Rand) {
	f.acts, f.ending = r.IntN(2) == 0, pick(r, cut, reset, goAway)
	if f.status == "204" {
		f.status, f.body = "200", "{}"
	}
}

// strange returns the response to another request. If the kind cannot recognise its own, it has
// another type.
func (s *schedule) strange(r *rand.Rand, k kind) string {
	types := []string{k.resource, "shipment", "tracking_request"}
	if !k.proven {
		types = types[1:]
	}
	return document(pick(r, types...), strangeTag(r.IntN(10)))
}

// delay draws a stall: a short one, or one beyond a short attempt timeout.
func (s *schedule) delay(r *rand.Rand, f *fate) {
	switch n := r.IntN(20); {
	case n == 0 && s.patience > 0:
		f.stall = 2 * s.patience
	case n < 3:
		f.stall = time.Duration(r.IntN(3000)) * time.Microsecond
	}
}
