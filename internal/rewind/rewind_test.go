package rewind

import (
	"bytes"
	"context"
	"crypto/md5"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// Nothing that the package starts may outlive the tests.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// measured returns the measured content of r.
func measured(t *testing.T, r io.ReadSeeker, progress func(sent, total int64)) *Content {
	t.Helper()
	c := New(r, progress)
	_, err := c.Measure(t.Context())
	require.NoError(t, err)
	return c
}

// seeker adds the methods that a test replaces.
type seeker struct {
	read func([]byte) (int, error)
	seek func(int64, int) (int64, error)
}

func (s seeker) Read(p []byte) (int, error)          { return s.read(p) }
func (s seeker) Seek(to int64, w int) (int64, error) { return s.seek(to, w) }

func TestContent_MeasuresFromTheCurrentOffset(t *testing.T) {
	text := strings.Repeat("contents ", 20_000) // more than one buffer
	r := strings.NewReader("skipped " + text)
	_, err := r.Seek(int64(len("skipped ")), io.SeekStart)
	require.NoError(t, err)
	c := New(r, nil)
	sum, err := c.Measure(t.Context())
	require.NoError(t, err)
	require.Equal(t, md5.Sum([]byte(text)), sum)
	require.Equal(t, int64(len(text)), c.Size())
}

func TestContent_ReadsFromTheStartEachTime(t *testing.T) {
	text := strings.Repeat("contents ", 20_000)
	r := strings.NewReader("skipped " + text)
	_, err := r.Seek(int64(len("skipped ")), io.SeekStart)
	require.NoError(t, err)
	c := measured(t, r, nil)
	for range 2 {
		attempt, err := c.Open(t.Context())
		require.NoError(t, err)
		got, err := io.ReadAll(iotest.HalfReader(attempt))
		require.NoError(t, err)
		require.Equal(t, text, string(got))
		require.NoError(t, attempt.Close())
	}
	c.Close(t.Context())
}

func TestContent_ReadsNoMoreThanWasMeasured(t *testing.T) {
	file := bytes.NewReader([]byte("contents"))
	c := measured(t, file, nil)
	file.Reset([]byte("contents and more"))
	attempt, err := c.Open(t.Context())
	require.NoError(t, err)
	got, err := io.ReadAll(attempt)
	require.NoError(t, err)
	require.Equal(t, "contents", string(got))
}

func TestContent_ThatBecameShorter(t *testing.T) {
	file := bytes.NewReader([]byte("contents"))
	c := measured(t, file, nil)
	file.Reset([]byte("cont"))
	attempt, err := c.Open(t.Context())
	require.NoError(t, err)
	_, err = io.ReadAll(attempt)
	require.ErrorIs(t, err, ErrShortened)
}

func TestContent_OpenEndsThePreviousReader(t *testing.T) {
	var sent []int64
	c := measured(t, strings.NewReader("contents"), func(n, total int64) {
		require.Equal(t, int64(8), total)
		sent = append(sent, n)
	})
	first, err := c.Open(t.Context())
	require.NoError(t, err)
	_, err = io.ReadFull(first, make([]byte, 3))
	require.NoError(t, err)

	second, err := c.Open(t.Context())
	require.NoError(t, err)
	_, err = first.Read(make([]byte, 3))
	require.ErrorIs(t, err, ErrSuperseded)
	got, err := io.ReadAll(second)
	require.NoError(t, err)
	require.Equal(t, "contents", string(got), "the first reader took no byte of the second")
	require.Equal(t, []int64{3, 8}, sent)
}

func TestContent_CloseEndsTheReader(t *testing.T) {
	c := measured(t, strings.NewReader("contents"), func(int64, int64) { t.Error("progress after Close") })
	attempt, err := c.Open(t.Context())
	require.NoError(t, err)
	c.Close(t.Context())
	_, err = attempt.Read(make([]byte, 3))
	require.ErrorIs(t, err, ErrSuperseded)
}

func TestContent_ErrorsOfTheFile(t *testing.T) {
	broken := errors.New("disk on fire")
	ok := strings.NewReader("contents")
	fail := func(int64, int) (int64, error) { return 0, broken }
	_, err := New(seeker{ok.Read, fail}, nil).Measure(t.Context())
	require.ErrorIs(t, err, broken, "the offset")
	_, err = New(seeker{func([]byte) (int, error) { return 0, broken }, ok.Seek}, nil).Measure(t.Context())
	require.ErrorIs(t, err, broken, "a Read")

	file := &seeker{ok.Read, ok.Seek}
	c := measured(t, file, nil)
	file.seek = fail
	_, err = c.Open(t.Context())
	require.ErrorIs(t, err, broken, "the start")
}

func TestContent_MeasureEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := New(strings.NewReader("contents"), nil).Measure(ctx)
	require.ErrorIs(t, err, context.Canceled)
}

// A Read that does not return is abandoned soon after the context ends: by its reader, by Open and
// by Close.
func TestContent_AbandonsABlockedRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		free := make(chan struct{})
		file := strings.NewReader("contents")
		blocked := &seeker{file.Read, file.Seek}
		c := measured(t, blocked, func(int64, int64) { t.Error("progress of an abandoned Read") })
		blocked.read = func(p []byte) (int, error) {
			<-free
			return file.Read(p)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		attempt, err := c.Open(ctx)
		require.NoError(t, err)
		start := time.Now()
		_, err = attempt.Read(make([]byte, 8))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, time.Second+grace, time.Since(start))
		_, err = attempt.Read(make([]byte, 8))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		_, err = c.Open(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		c.Close(ctx)
		require.Equal(t, time.Second+4*grace, time.Since(start))
		close(free)
	})
}

// Open and Close wait for a Read that returns soon after the context has ended, so that the caller
// can use the file again.
func TestContent_CloseWaitsForAReadInItsGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := strings.NewReader("contents")
		slow := &seeker{file.Read, file.Seek}
		c := measured(t, slow, nil)
		returned := false
		slow.read = func(p []byte) (int, error) {
			time.Sleep(grace / 2)
			returned = true
			return file.Read(p)
		}
		ctx, cancel := context.WithCancel(t.Context())
		attempt, err := c.Open(ctx)
		require.NoError(t, err)
		go func() { _, _ = attempt.Read(make([]byte, 8)) }()
		synctest.Wait()
		cancel()
		c.Close(ctx)
		require.True(t, returned)
	})
}
