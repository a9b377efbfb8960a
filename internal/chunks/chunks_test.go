package chunks

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestRead(t *testing.T) {
	body := strings.Repeat("0123456789", 1000)
	for _, expected := range []int64{0, 1, 7, 9_999, 10_000, 20_000} {
		for _, limit := range []int64{1, 9_999, 10_000, 10_001, 1 << 40} {
			for name, r := range map[string]io.Reader{
				"whole": strings.NewReader(body), "bytes": iotest.OneByteReader(strings.NewReader(body)),
				"end with data": iotest.DataErrReader(strings.NewReader(body)),
			} {
				at := fmt.Sprintf("%s, expected %d, limit %d", name, expected, limit)
				c, n, err := Read(r, expected, limit)
				require.NoError(t, err, at)
				require.Equal(t, min(limit, int64(len(body))), n, at)
				require.Equal(t, body[:n], string(c.Join()), at)
				room := 0
				for _, chunk := range c {
					room += cap(chunk)
				}
				require.LessOrEqual(t, int64(room), limit, at)
			}
		}
	}
	c, n, err := Read(io.MultiReader(strings.NewReader("hel"), iotest.ErrReader(io.ErrUnexpectedEOF)), 100, 100)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.EqualValues(t, 3, n)
	require.Equal(t, "hel", string(c.Join()))
	wrapped := fmt.Errorf("connection lost: %w", io.EOF)
	_, _, err = Read(io.MultiReader(strings.NewReader("hel"), iotest.ErrReader(wrapped)), 100, 100)
	require.Equal(t, wrapped, err, "is not the end")
	c, n, err = Read(strings.NewReader(""), 0, 10)
	require.NoError(t, err)
	require.Zero(t, n)
	require.Empty(t, c.Join())
}
