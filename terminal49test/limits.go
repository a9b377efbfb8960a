package terminal49test

import (
	"strconv"
	"time"
)

// rateWindow is the length of the rolling window.
const rateWindow = 60 * time.Second

// counter records when each bucket's requests of the last minute arrived, on the process clock. A
// request counts when it is received, whatever its result; one that is refused by the limit does
// not count.
type counter struct {
	limits   map[string]int
	received map[string][]time.Time
}

// admit counts a request, or returns how long until the bucket has room.
func (c *counter) admit(bucket string, now time.Time) (wait time.Duration, ok bool) {
	limit, limited := c.limits[bucket]
	if !limited {
		return 0, true
	}
	log := c.received[bucket]
	for len(log) > 0 && now.Sub(log[0]) >= rateWindow {
		log = log[1:]
	}
	if len(log) >= limit {
		c.received[bucket] = log
		if limit < 1 {
			return rateWindow, false
		}
		return rateWindow - now.Sub(log[len(log)-limit]), false
	}
	c.received[bucket] = append(log, now)
	return 0, true
}

func rateLimited(bucket string, wait time.Duration) reply {
	p := problem{status: 429, detail: "The account has exceeded its API rate limit."}
	shape := ShapeFull
	switch bucket {
	case "create":
		p.detail = "The limit for creating tracking requests is exceeded. Please try again in a minute."
	case "refresh":
		p.detail = "The limit for refreshing containers is exceeded. Please try again in a minute."
	case "infer":
		p.detail, shape = "Rate limit exceeded", ShapeNoTitle
	}
	r := errorReply(shape, p)
	seconds := max(1, int((wait+time.Second-1)/time.Second))
	r.header.Set("Retry-After", strconv.Itoa(seconds))
	return r
}
