package terminal49

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Places are from 12 hours behind UTC to 14 hours ahead, so a wall clock of an unknown zone shows
// 00:00 from 10:00 UTC of the day before until 12:00 UTC.
func TestTime_BeforeWithAnUnknownZone(t *testing.T) {
	midnight := at(t, "2026-03-02T00:00:00Z", "")
	for instant, want := range map[string][2]bool{ // before it, after it
		"2026-03-01T09:59:00Z": {false, true}, "2026-03-01T10:01:00Z": {false, false},
		"2026-03-02T11:59:00Z": {false, false}, "2026-03-02T12:01:00Z": {true, false},
	} {
		other := at(t, instant, "Etc/UTC")
		assert.Equal(t, want, [2]bool{midnight.Before(other), other.Before(midnight)}, instant)
	}
}
