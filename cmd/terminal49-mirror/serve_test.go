package main

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror"
)

// docs/mirror.md: a status comes within a second, also while the database does not answer: for half
// a minute it is the one that was read before, and then an error that says so. A status is read at
// most once a second, also for requests at the same time.
func TestReporter_AnswersWithinASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began, reads := time.Now(), 0
		locked, unlock := context.WithCancel(t.Context())
		unlock()
		r := &reporter{ctx: t.Context()}
		r.load = func(ctx context.Context) (*mirror.Status, error) {
			reads++
			select {
			case <-locked.Done():
				return &mirror.Status{Since: time.Now()}, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		ask := func() (*mirror.Status, error) {
			asked := time.Now()
			s, err := r.status()
			require.Less(t, time.Since(asked), time.Second)
			return s, err
		}
		s, err := ask()
		require.NoError(t, err)
		require.Equal(t, began, s.Since)

		locked, unlock = context.WithCancel(t.Context())
		for time.Since(began) < staleTime-answerTime {
			s, err = ask()
			require.NoError(t, err)
			require.Equal(t, began, s.Since)
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(2 * time.Second)
		for began = time.Now(); time.Since(began) < staleTime; time.Sleep(100 * time.Millisecond) {
			_, err = ask()
			require.ErrorIs(t, err, errSlow)
		}
		unlock()
		time.Sleep(2 * time.Second)
		before := reads
		s, err = ask()
		require.NoError(t, err)
		require.Equal(t, time.Now(), s.Since)
		again, err := ask()
		require.NoError(t, err)
		require.Same(t, s, again)
		require.Equal(t, before+1, reads)
		time.Sleep(time.Second)
		locked, unlock = context.WithCancel(t.Context())
		for range 10 {
			go r.status() //nolint:errcheck // only that it reads counts
		}
		synctest.Wait()
		require.Equal(t, before+2, reads)
		unlock()
	})
}
