package terminal49_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// A time with an offset and a null zone keeps the wall clock that was sent, and its instant;
// without an offset the digits are the wall clock of the place and the instant is unknown (the
// service's own rule for a null zone). With a zone, only the instant counts.
func TestTime_KeepsTheWallClockThatWasSent(t *testing.T) {
	r := rand.New(rand.NewPCG(20200404, 10))
	zones := []string{"America/Los_Angeles", "Europe/Paris", "Asia/Kolkata", "Asia/Shanghai", "America/St_Johns", "Pacific/Kiritimati"}
	times := testkit.Scale(2_000, 20_000)
	for range times / 100 {
		type story struct {
			clock  time.Time // as on the wall
			offset time.Duration
			zone   string
		}
		var stories []story
		var attributes []string
		for range 100 {
			s := story{clock: time.Unix(r.Int64N(4_000_000_000), 0).UTC(), offset: time.Duration(r.IntN(105)-48) * 15 * time.Minute}
			zone := "null"
			if r.IntN(2) == 0 {
				s.zone = zones[r.IntN(len(zones))]
				zone = fmt.Sprintf("%q", s.zone)
			}
			sent := s.clock.Add(-s.offset).In(time.FixedZone("", int(s.offset/time.Second))).Format(time.RFC3339)
			stories = append(stories, s)
			attributes = append(attributes, fmt.Sprintf(`{"pod_arrived_at":%q,"pod_timezone":%s}`, sent, zone))
		}
		for i, c := range readContainers(t, attributes...) {
			s, at := stories[i], c.PODArrivedAt
			instant, known := at.Instant()
			day, ok := at.Date()
			require.True(t, ok)
			switch {
			case s.zone != "":
				place, err := time.LoadLocation(s.zone)
				require.NoError(t, err)
				require.True(t, known)
				require.True(t, instant.Equal(s.clock.Add(-s.offset)))
				require.Equal(t, terminal49.DateOf(instant.In(place)), day, attributes[i])
				require.Equal(t, s.zone, at.Zone())
			case s.offset == 0:
				require.False(t, known, attributes[i])
				require.Equal(t, terminal49.DateOf(s.clock), day, attributes[i])
			default:
				require.True(t, known)
				require.True(t, instant.Equal(s.clock.Add(-s.offset)))
				require.Equal(t, terminal49.DateOf(s.clock), day, attributes[i])
				require.Empty(t, at.Zone(), "the zone stays unknown")
				local, err := at.Local()
				require.NoError(t, err)
				require.Equal(t, s.clock.Format(time.DateTime), local.Format(time.DateTime))
				require.Contains(t, at.String(), "zone unknown")
				require.Contains(t, at.String(), s.clock.Format("2006-01-02 15:04"))
				_, counted := at.DaysLeft(s.clock)
				require.False(t, counted, "today at the place is unknown")
				requireReadBack(t, at)
			}
		}
	}
	t.Logf("figure: %d times with offsets from -12:00 to +14:00 keep their wall clock and instant", times)
}

// requireReadBack checks that the JSON of a time keeps its digits and offset (RFC 9557: the zone
// follows in brackets).
func requireReadBack(t *testing.T, at terminal49.Time) {
	t.Helper()
	written, err := json.Marshal(at)
	require.NoError(t, err)
	var text string
	require.NoError(t, json.Unmarshal(written, &text))
	text, _, _ = strings.Cut(text, "[")
	read, err := time.Parse(time.RFC3339, text)
	require.NoError(t, err)
	local, err := at.Local()
	require.NoError(t, err)
	require.Equal(t, local.Format(time.RFC3339), read.Format(time.RFC3339))
}
