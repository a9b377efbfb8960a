// Package promptly ends calls of database drivers with their context. Some drivers end a call only
// after timeouts of their own.
package promptly

import "context"

// Call returns what call returns, or ctx's error as soon as ctx ends. A call that is left behind
// may still take effect.
func Call[T any](ctx context.Context, call func() (T, error)) (T, error) {
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
