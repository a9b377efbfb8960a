package conformance_test

import (
	goflag "flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/testkit/gosource"
)

// The human-readable summary of the matrix is generated from the table of TestConformance.

var update = goflag.Bool("update", false, "write the generated part of internal/proof/reliability.md again")

const (
	updateCommand = "go test ./internal/proof/conformance -run TestConformance_Page -update"
	matrixBegins  = "<!-- matrix: written by " + updateCommand + " -->\n"
	matrixEnds    = "<!-- end of matrix -->\n"
)

func TestConformance_Page(t *testing.T) {
	page := filepath.Join(gosource.Root(t), "internal", "proof", "reliability.md")
	raw, err := os.ReadFile(page)
	require.NoError(t, err)
	before, rest, begins := strings.Cut(string(raw), matrixBegins)
	written, after, ends := strings.Cut(rest, matrixEnds)
	require.True(t, begins && ends, "%s has lost its markers", page)

	due := matrix(conformanceOperations(t), conformanceSteps(t), conformanceFaults())
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(before+matrixBegins+due+matrixEnds+after), 0o644))
		return
	}
	require.Equal(t, due, written, "%s is stale; run: %s", page, updateCommand)
}

// String returns the outcome as a cell of the table.
func (o outcome) String() string {
	var parts []string
	switch {
	case o.result == verdictSuccess:
		parts = append(parts, "success")
	case strings.HasPrefix(string(o.result), "Err"), strings.HasSuffix(string(o.result), "Error"):
		parts = append(parts, "`"+string(o.result)+"`")
	default:
		parts = append(parts, string(o.result))
	}
	if o.sent > 1 {
		parts = append(parts, fmt.Sprintf("%d sent", o.sent))
	}
	if waited := time.Duration(o.sent)*o.stall + time.Duration(o.sent-1)*o.ask; waited > 0 {
		parts = append(parts, waited.String())
	}
	if o.backoffs > 0 {
		parts = append(parts, "backoff")
	}
	if o.unknown {
		parts = append(parts, "**unknown**")
	}
	return strings.Join(parts, ", ")
}

// marks returns the footnotes of a row.
func (r faultRow) marks() (marks string) {
	for t, mark := range []string{hasActed: " [1]", unreadSucceeds: " [2]", bareSucceeds: " [3]", triesRoutes: " [5]", endsWalks: " [6]"} {
		if mark != "" && r.has(trait(t)) {
			marks += mark
		}
	}
	if r.once != nil {
		marks += " [4]"
	}
	return marks
}
