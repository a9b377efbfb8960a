package forms

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// ParseDuration reads a duration in Go's form, with days: "36h", "2.5d", "1d12h", "15d 6h", "-90s".
func ParseDuration(text string) (time.Duration, error) {
	rest, negative := strings.CutPrefix(text, "-")
	parts := strings.Fields(rest)
	if len(parts) == 0 {
		return 0, noDuration(text)
	}
	var sum time.Duration
	for _, part := range parts {
		d, err := parsePart(part)
		switch {
		case err != nil:
			return 0, noDuration(text)
		case d > math.MaxInt64-sum:
			return 0, tooLong
		}
		sum += d
	}
	if negative {
		sum = -sum
	}
	return sum, nil
}

var tooLong = &Error{"", "must be at most 106751 days"}

func noDuration(text string) error {
	if days, ok := strings.CutSuffix(text, "d"); ok && len(text) < 30 {
		if n, err := strconv.ParseFloat(days, 64); err == nil && n > 106_751 {
			return tooLong
		}
	}
	problem := `must be a duration such as "36h", "2.5d" or "90s"`
	if len(text) < 30 {
		problem += ", not " + strconv.Quote(text)
	}
	return &Error{"", problem}
}

// parsePart reads a duration without spaces and sign.
func parsePart(text string) (days time.Duration, err error) {
	if number, after, ok := strings.Cut(text, "d"); ok {
		if days, err = time.ParseDuration(number + "h"); err != nil || days < 0 || days > math.MaxInt64/24 {
			return 0, strconv.ErrRange
		}
		if days, text = days*24, after; text == "" {
			return days, nil
		}
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d > math.MaxInt64-days {
		return 0, strconv.ErrRange
	}
	return days + d, nil
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
