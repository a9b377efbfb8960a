package setup

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/go-freight/terminal49/internal/testkit/engines"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(scratchTests{m}) }

// scratch is a folder that all tests share.
var scratch string

// scratchTests are tests with that folder.
type scratchTests struct{ *testing.M }

// Run runs the tests.
func (t scratchTests) Run() int {
	scratch, _ = os.MkdirTemp("", "setup") // a failure is that of the build
	defer os.RemoveAll(scratch)            //nolint:errcheck // it is the system's folder for temporary files
	return engines.Tests{M: t.M}.Run()
}

// root is the folder of the repository.
var root, _ = filepath.Abs("../../..")

// read returns the text of a file of the repository.
func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	require.NoError(t, err)
	return string(text)
}

// whole skips a test that builds everything again, unless the whole proof is wanted.
func whole(t *testing.T) {
	t.Helper()
	if !wholeProof() {
		t.Skip("PROOF=whole runs it")
	}
}

func wholeProof() bool { return os.Getenv("PROOF") == "whole" }
