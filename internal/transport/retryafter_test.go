package transport

import (
	"math"
	"math/big"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestParseRetryAfter(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	tests := []struct {
		name, header string
		want         time.Duration
		ok           bool
	}{
		{"seconds", "60", time.Minute, true},
		{"zero", "0", 0, true},
		{"padded", " \t5 ", 5 * time.Second, true},
		{"leading zeros", "0005", 5 * time.Second, true},
		{"longest", "9223372036", 9223372036 * time.Second, true},
		{"overflow of the duration", "9223372037", 0, false},
		{"overflow of the number", "99999999999999999999", 0, false},
		{"negative", "-1", 0, false},
		{"negative zero", "-0", 0, false},
		{"plus", "+5", 0, false},
		{"fraction", "1.5", 0, false},
		{"exponent", "1e3", 0, false},
		{"hex", "0x10", 0, false},
		{"other digits", "٥", 0, false},
		{"empty", "", 0, false},
		{"blank", "  ", 0, false},
		{"word", "soon", 0, false},
		{"RFC 1123", "Sun, 01 Mar 2026 12:01:30 GMT", 90 * time.Second, true},
		{"RFC 850", "Sunday, 01-Mar-26 12:01:30 GMT", 90 * time.Second, true},
		{"asctime", "Sun Mar  1 12:01:30 2026", 90 * time.Second, true},
		{"now", "Sun, 01 Mar 2026 12:00:00 GMT", 0, true},
		{"past", "Sun, 01 Mar 2026 11:00:00 GMT", 0, true},
		{"long past", "Sun Mar  1 12:01:30 1626", 0, true},
		{"too far ahead", "Sun, 01 Mar 2926 12:00:00 GMT", 0, false},
		{"RFC 3339 is not HTTP", "2026-03-01T12:01:30Z", 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := ParseRetryAfter(tt.header, now)
			assert.Equal(t, tt.ok, ok)
			assert.Equal(t, tt.want, got)
		})
	}
}

// FuzzParseRetryAfter compares the parser with one that uses big numbers and package http.
func FuzzParseRetryAfter(f *testing.F) {
	for _, s := range []string{
		"60", "-1", "9223372036", "9223372037", "Sun, 01 Mar 2026 12:01:30 GMT", "Sunday, 01-Mar-26 12:01:30 GMT", "Sun Mar  1 12:01:30 2026", "", "1.5",
		"00060", "+5", "99999999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT", "\t7 ", "٣", "Sun, 01 Mar 2026 11:00:00 GMT", "1e3", "60, 30",
	} {
		f.Add(s, int64(1772366400))
	}
	f.Fuzz(func(t *testing.T, h string, unix int64) {
		now := time.Unix(unix%(1<<40), 0)
		d, ok := ParseRetryAfter(h, now)
		if want, understood := naiveRetryAfter(h, now); d != want || ok != understood {
			t.Fatalf("%q at %v: %v, %v, want %v, %v", h, now, d, ok, want, understood)
		}
		if again, ok2 := ParseRetryAfter(" "+h+"\t", now); again != d || ok2 != ok {
			t.Fatalf("%q depends on the space around it", h)
		}
	})
}

// naiveRetryAfter reads the header as RFC 9110 defines it, with numbers of any size.
func naiveRetryAfter(h string, now time.Time) (time.Duration, bool) {
	h = strings.Trim(h, " \t")
	most := big.NewInt(math.MaxInt64)
	if regexp.MustCompile(`^[0-9]+$`).MatchString(h) {
		n, _ := new(big.Int).SetString(h, 10)
		n.Mul(n, big.NewInt(int64(time.Second)))
		if n.Cmp(most) > 0 {
			return 0, false
		}
		return time.Duration(n.Int64()), true
	}
	date, err := http.ParseTime(h)
	if err != nil {
		return 0, false
	}
	seconds := new(big.Int).Sub(big.NewInt(date.Unix()), big.NewInt(now.Unix()))
	switch nanos := seconds.Mul(seconds, big.NewInt(int64(time.Second))); {
	case nanos.Sign() <= 0:
		return 0, true
	case nanos.Cmp(most) >= 0:
		return 0, false
	default:
		return time.Duration(nanos.Int64()), true
	}
}
