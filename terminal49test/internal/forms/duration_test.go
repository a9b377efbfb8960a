package forms_test

import (
	"math"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/go-freight/terminal49/terminal49test/internal/forms"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestDurations(t *testing.T) {
	for text, want := range map[string]struct {
		d       time.Duration
		written string
	}{
		"36h":      {36 * time.Hour, "1d12h"},
		"2.5d":     {60 * time.Hour, "2d12h"},
		"90s":      {90 * time.Second, "1m30s"},
		"1d12h":    {36 * time.Hour, "1d12h"},
		"23.25d":   {558 * time.Hour, "23d6h"},
		"10s":      {10 * time.Second, "10s"},
		"20m":      {20 * time.Minute, "20m"},
		"10h0m30s": {10*time.Hour + 30*time.Second, "10h0m30s"},
		"2d30s":    {48*time.Hour + 30*time.Second, "2d30s"},
		"-1.5d":    {-36 * time.Hour, "-1d12h"},
		"15d 6h":   {366 * time.Hour, "15d6h"},
		"0":        {0, "0s"},
		"0d":       {0, "0s"},
		"1.5ms":    {1500 * time.Microsecond, "1.5ms"},
	} {
		d, err := forms.ParseDuration(text)
		if err != nil || d != want.d || forms.FormatDuration(d) != want.written {
			t.Errorf("%s: %v, %s, %v", text, d, forms.FormatDuration(d), err)
		}
	}
	for _, d := range []time.Duration{math.MaxInt64, -math.MaxInt64, 1, -time.Second, 24*time.Hour - 1} {
		if read, err := forms.ParseDuration(forms.FormatDuration(d)); err != nil || read != d {
			t.Errorf("%d: %s, %d, %v", d, forms.FormatDuration(d), read, err)
		}
	}
	for _, text := range []string{"", "d", "-", "36", "1d1d", "--1d", "-1d-1h", "1d-1h", "1e9d", "200000d", "106751d48h", "NaNd", "Infh", "5 days", "1d -1h"} {
		if d, err := forms.ParseDuration(text); err == nil {
			t.Errorf("%q is read as %v", text, d)
		}
	}
	for text, want := range map[string]string{
		"soon": `must be a duration such as "36h", "2.5d" or "90s", not "soon"`, "365000d": "must be at most 106751 days", "106751d 48h": "must be at most 106751 days",
	} {
		if _, err := forms.ParseDuration(text); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
