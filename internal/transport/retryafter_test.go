package transport

import (
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

func FuzzParseRetryAfter(f *testing.F) {
	for _, s := range []string{"60", "-1", "9223372037", "Sun, 01 Mar 2026 12:01:30 GMT", "Sunday, 01-Mar-26 12:01:30 GMT", "Sun Mar  1 12:01:30 2026", "", "1.5"} {
		f.Add(s, int64(1772366400))
	}
	f.Fuzz(func(t *testing.T, h string, unix int64) {
		now := time.Unix(unix%(1<<40), 0)
		d, ok := ParseRetryAfter(h, now)
		if d < 0 || !ok && d != 0 {
			t.Fatalf("%q at %v: %v, %v", h, now, d, ok)
		}
		if again, ok2 := ParseRetryAfter(" "+h+"\t", now); again != d || ok2 != ok {
			t.Fatalf("%q depends on the space around it", h)
		}
	})
}
