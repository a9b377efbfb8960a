package state_test

import (
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/go-freight/terminal49/terminal49test/internal/state"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSchedule_DropKeepsTheOrder(t *testing.T) {
	var s state.Schedule[int]
	begin := time.Date(2024, 7, 1, 12, 0, 0, 0, time.UTC)
	for i := range 100 {
		n := i * 37 % 100
		s.Plan(begin.Add(time.Duration(n)*time.Hour), n)
	}
	s.Drop(func(n int) bool { return n%3 == 0 })
	for want := range 100 {
		if want%3 == 0 {
			continue
		}
		if got, _ := s.Take(begin.Add(1000 * time.Hour)); got.Task != want {
			t.Fatalf("%d, want %d", got.Task, want)
		}
	}
}
