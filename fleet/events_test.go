package fleet

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
)

// WithEvents's documentation: at most once a minute for each kind and bucket; the slots of the
// events in between are added up.
func TestEvents_AddUpTheSlotsOfAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slots := make(chan int, 8)
		e := &events{call: func(event Event) { slots <- event.Slots }}
		for n := 1; n <= 4; n++ {
			e.emit(Event{Kind: SlotsLost, Bucket: terminal49.BucketDefault, Slots: n})
			synctest.Wait()
		}
		require.Len(t, slots, 1)
		require.Equal(t, 1, <-slots)
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Len(t, slots, 1)
		require.Equal(t, 2+3+4, <-slots)
	})
}
