package service

import (
	"strconv"
	"time"
)

// rateWindow is the length of the rolling window.
const rateWindow = 60 * time.Second

// Counter records when each bucket's requests of the last minute arrived, on the process clock. A
// request counts when it is received, with any result; one that is refused by the limit does
// not count.
type Counter struct {
	Limits   map[string]int
	Received map[string][]time.Time
}

// Admit counts a request, or returns how long until the bucket has room.
func (c *Counter) Admit(bucket string, now time.Time) (wait time.Duration, ok bool) {
	limit, limited := c.Limits[bucket]
	if !limited {
		return 0, true
	}
	log := c.Received[bucket]
	for len(log) > 0 && now.Sub(log[0]) >= rateWindow {
		log = log[1:]
	}
	if len(log) >= limit {
		c.Received[bucket] = log
		if limit < 1 {
			return rateWindow, false
		}
		return rateWindow - now.Sub(log[len(log)-limit]), false
	}
	c.Received[bucket] = append(log, now)
	return 0, true
}

func RateLimited(bucket string, wait time.Duration) Reply {
	p := Problem{Status: 429, Detail: "The account has exceeded its API rate limit."}
	shape := ShapeFull
	switch bucket {
	case "create":
		p.Detail = "The limit for creating tracking requests is exceeded. Please try again in a minute."
	case "refresh":
		p.Detail = "The limit for refreshing containers is exceeded. Please try again in a minute."
	case "infer":
		p.Detail, shape = "Rate limit exceeded", ShapeNoTitle
	}
	r := ErrorReply(shape, p)
	seconds := max(1, int((wait+time.Second-1)/time.Second))
	r.Header.Set("Retry-After", strconv.Itoa(seconds))
	return r
}
