package verdicttest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test/verdicttest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The program under test must show what is expected of each container.
func ExampleCases() {
	show := func(c *terminal49.Container, v terminal49.Verdict) string { return c.Number + ": " + v.String() }
	for _, c := range verdicttest.Cases() {
		container := c.Container()
		row := show(container, terminal49.Assess(container, c.Now, terminal49.VerdictOptions{}))
		if !strings.HasSuffix(row, c.Want.Sentence) {
			fmt.Printf("%s: got %q, want %q\n", c.Name, row, c.Want.Sentence)
		}
	}
	// Output:
}

func TestCases_HaveEverySituation(t *testing.T) {
	found := map[terminal49.Situation]bool{}
	for _, c := range verdicttest.Cases() {
		found[c.Want.Situation] = true
	}
	require.Len(t, found, 13)
}
