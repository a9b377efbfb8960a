package languages

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(builtTests{m}) }

// program is the path of the built command.
var program string

// builtTests are tests of the built command.
type builtTests struct{ *testing.M }

// Run builds the command if the tests start it, and runs them.
func (t builtTests) Run() int {
	if os.Getenv("PROOF") != "whole" {
		return t.M.Run()
	}
	folder, err := os.MkdirTemp("", "languages")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder) //nolint:errcheck // it is the system's folder for temporary files
	program = filepath.Join(folder, "t49")
	if out, err := build(program); err != nil {
		fmt.Fprintf(os.Stderr, "%s", out)
		return 1
	}
	return t.M.Run()
}
