package board

import (
	"errors"
	"fmt"
	"sort"
	"strconv"
	"sync"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

// MaxSpeed is what the board keeps up with: a day a second.
const MaxSpeed = 86_400

// turnable is a source whose clock a page can turn.
type turnable interface {
	speed() float64
	turn(factor, hours string) error
}

// turning is the clock of a simulated account. The mirror records times of this machine's clock, so
// it also knows how one follows from the other.
type turning struct {
	server *terminal49test.Server

	mu    sync.Mutex
	paces []pace // oldest first
}

// pace is how the simulated clock runs from a moment on.
type pace struct {
	real, simulated time.Time
	speed           float64
}

// mostPaces bounds what is known of the past. An older time is shown as the oldest that is known.
const mostPaces = 1000

// newTurning sets the speed of a simulated clock.
func newTurning(server *terminal49test.Server, speed float64) *turning {
	t := &turning{server: server}
	t.begin(speed, 0)
	return t
}

// begin moves the clock ahead, and sets its speed.
func (t *turning) begin(speed float64, ahead time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.server.SetSpeed(speed)
	if ahead > 0 {
		t.server.Advance(ahead)
	}
	t.paces = append(t.paces, pace{time.Now().Round(0), t.server.Now(), speed})
	t.paces = t.paces[max(0, len(t.paces)-mostPaces):]
}

func (t *turning) now() time.Time { return t.server.Now() }

func (t *turning) speed() float64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.paces[len(t.paces)-1].speed
}

// isTurned reports whether the clock runs otherwise than at first.
func (t *turning) isTurned() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.paces) > 1
}

// of returns what the simulated clock showed at a time of this machine's clock.
func (t *turning) of(real time.Time) time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	later := sort.Search(len(t.paces), func(i int) bool { return t.paces[i].real.After(real) })
	p := t.paces[max(later-1, 0)]
	return p.simulated.Add(time.Duration(float64(max(real.Sub(p.real), 0)) * p.speed))
}

// turn sets the speed of the clock, or moves it ahead by a number of hours.
func (t *turning) turn(factor, hours string) error {
	if hours != "" {
		n, err := strconv.Atoi(hours)
		if err != nil || n < 1 || n > 24 {
			return errors.New("ahead must be 1 to 24 hours")
		}
		t.begin(t.speed(), time.Duration(n)*time.Hour)
		return nil
	}
	n, err := strconv.ParseFloat(factor, 64)
	if err != nil || !(n >= 0 && n <= MaxSpeed) {
		return fmt.Errorf("speed must be 0 to %d", MaxSpeed)
	}
	t.begin(n, 0)
	return nil
}
