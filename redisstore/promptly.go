package redisstore

import (
	"context"
	"errors"
)

var errExit = errors.New("the driver ended the goroutine")

// promptly returns what call returns, or ctx's error as soon as ctx ends. The driver ends a call
// only after timeouts of its own. A call that is left behind may still take effect. A panic of the
// driver is repeated on the caller's goroutine, or discarded if the call was left behind.
func promptly[T any](ctx context.Context, call func() (T, error)) (T, error) {
	type result struct {
		value    T
		err      error
		panicked any
	}
	done := make(chan result, 1)
	go func() {
		r := result{err: errExit} // if the driver ends the goroutine
		defer func() {
			r.panicked = recover()
			done <- r
		}()
		r.value, r.err = call()
	}()
	select {
	case r := <-done:
		if r.panicked != nil {
			panic(r.panicked)
		}
		return r.value, r.err
	case <-ctx.Done():
		var zero T
		return zero, ctx.Err()
	}
}
