package terminal49test_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/transport"
	"github.com/go-freight/terminal49/terminal49test"
)

// A Window is exact, and shared by all who use it: the simplest store that keeps every promise of
// processes that live.
func windows() func(*testing.T, terminal49test.LimiterSetup) terminal49.Limiter {
	var mu sync.Mutex
	shared := map[string]*transport.Window{}
	return func(_ *testing.T, s terminal49test.LimiterSetup) terminal49.Limiter {
		mu.Lock()
		defer mu.Unlock()
		if shared[s.Namespace] == nil {
			shared[s.Namespace] = transport.NewWindow(map[string]int{
				"default": s.Limits.Default, "create": s.Limits.Create, "infer": s.Limits.Infer, "refresh": s.Limits.Refresh,
			}, s.Window, 0, 0)
		}
		return named{shared[s.Namespace]}
	}
}

type named struct{ window *transport.Window }

func (n named) Acquire(ctx context.Context, b terminal49.Bucket) (func(), error) {
	return n.window.Acquire(ctx, string(b))
}

func (n named) Pause(b terminal49.Bucket, d time.Duration) { n.window.Pause(string(b), d) }

// NewLimiter: the built-in limiter keeps the promises that processes which live can test.
func TestLimiter_Window(t *testing.T) {
	terminal49test.TestLimiter(t, windows(), terminal49test.WithFakeTime())
}
