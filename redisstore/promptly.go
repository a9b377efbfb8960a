package redisstore

import "context"

// promptly returns what call returns, or ctx's error as soon as ctx ends. The driver ends a call
// only after timeouts of its own. A call that is left behind may still take effect.
func promptly[T any](ctx context.Context, call func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := call()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var zero T
		return zero, ctx.Err()
	}
}
