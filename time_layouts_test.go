package terminal49_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// timeForms are all forms in which a time may be sent. That of the service is the first
// (docs/service.md#times).
var timeForms = []string{
	"2006-01-02T15:04:05Z07:00", time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02 15:04:05 Z0700",
	"2006-01-02 15:04:05 UTC", "2006-01-02 15:04:05 GMT", "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02",
}

// A text is a time if it has one of the forms, whichever that is, and is read as time.Parse reads
// what RFC 3339 has of it.
func TestTime_EveryFormIsRead(t *testing.T) {
	random := rand.New(rand.NewPCG(49, 1))
	const characters = "0123456789TZtz:+- .,UGMC"
	texts, read := testkit.Scale(6_000, 60_000), 0
	for range texts {
		form := timeForms[random.IntN(len(timeForms))]
		zone := time.FixedZone("", (random.IntN(27)-12)*1800)
		text := []byte(time.Unix(random.Int64N(4e9), random.Int64N(3)*1e8).In(zone).Format(form))
		for range random.IntN(3) {
			switch i := random.IntN(len(text)); random.IntN(3) {
			case 0:
				text[i] = characters[random.IntN(len(characters))]
			case 1:
				text = slices.Delete(text, i, i+1)
			case 2:
				text = slices.Insert(text, i, characters[random.IntN(len(characters))])
			}
		}
		var want time.Time
		i := slices.IndexFunc(timeForms, func(form string) (ok bool) {
			want, ok = terminal49.NaiveTime(form, string(text))
			return ok
		})
		var got terminal49.Time
		err := got.UnmarshalText(text)
		require.Equal(t, i >= 0, err == nil, "%s", text)
		if i < 0 {
			continue
		}
		read++
		require.Equal(t, timeForms[i] == "2006-01-02", got.DateOnly(), "%s", text)
		if instant, ok := got.Instant(); ok {
			require.True(t, want.Equal(instant), "%s", text)
		}
	}
	require.Greater(t, read, texts/3)
}
