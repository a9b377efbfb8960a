package transport

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// ParseRetryAfter reads a Retry-After header: seconds, or a date in one of the three forms of HTTP
// (RFC 1123, RFC 850, asctime). A date in the past is zero. It reports false for anything else: an
// empty header, a sign, a fraction, another form, or a time too long for a time.Duration.
func ParseRetryAfter(h string, now time.Time) (time.Duration, bool) {
	h = strings.Trim(h, " \t")
	if h == "" {
		return 0, false
	}
	if strings.Trim(h, "0123456789") == "" {
		seconds, err := strconv.ParseInt(h, 10, 64)
		if err != nil || seconds > math.MaxInt64/int64(time.Second) {
			return 0, false
		}
		return time.Duration(seconds) * time.Second, true
	}
	date, err := http.ParseTime(h)
	if err != nil {
		return 0, false
	}
	wait := date.Sub(now)
	if wait == math.MaxInt64 { // the limit of Sub: the true duration is longer
		return 0, false
	}
	return max(wait, 0), true
}
