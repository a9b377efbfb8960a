package numbering_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/numbering"
)

// Few keys and many have the numbers of their first appearance.
func TestOf_NumbersInTheOrderOfTheFirst(t *testing.T) {
	t.Parallel()
	var keys numbering.Of[int]
	for round := range 2 {
		for i := range 100 {
			n, found := keys.Number(i * 7)
			require.Equal(t, i, n)
			require.Equal(t, round > 0, found)
		}
	}
}
