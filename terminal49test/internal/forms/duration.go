package forms

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// ParseDuration reads a duration in Go's form, with days: "36h", "2.5d", "1d12h", "-90s".
func ParseDuration(text string) (time.Duration, error) {
	wrong := &Error{"", `must be a duration such as "36h", "2.5d" or "90s"`}
	rest, negative := strings.CutPrefix(text, "-")
	var days time.Duration
	if number, after, ok := strings.Cut(rest, "d"); ok {
		hours, err := time.ParseDuration(number + "h")
		if err != nil || hours < 0 || hours > math.MaxInt64/24 {
			return 0, wrong
		}
		if days, rest = hours*24, after; rest == "" {
			rest = "0"
		}
	}
	d, err := time.ParseDuration(rest)
	if err != nil || d < 0 || d > math.MaxInt64-days {
		return 0, wrong
	}
	if d += days; negative {
		d = -d
	}
	return d, nil
}

// FormatDuration writes a duration as [ParseDuration] reads it.
func FormatDuration(d time.Duration) string {
	if d < 0 {
		return "-" + FormatDuration(-max(d, -math.MaxInt64))
	}
	const day = 24 * time.Hour
	text := (d % day).String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	switch {
	case d < day:
		return text
	case d%day == 0:
		text = ""
	}
	return strconv.FormatInt(int64(d/day), 10) + "d" + text
}
