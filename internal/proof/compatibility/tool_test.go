package compatibility_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/go-freight/terminal49/internal/testkit/engines"
)

// tool is a folder and an environment in which go or git run.
type tool struct {
	in  string   // "" for that of the tests
	env []string // in addition to that of the tests
}

// run returns what a tool prints, or an error that quotes what it reports.
func (t tool) run(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = t.in, append(os.Environ(), t.env...)
	var failure bytes.Buffer
	cmd.Stderr = &failure
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s%s", cmd, err, out, &failure)
	}
	return string(out), err
}

// must returns a function that returns v, or ends the test.
func must[V any](v V, err error) func(*testing.T) V {
	return func(t *testing.T) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(touching{engines.Tests{M: m}}) }

// touching are tests after which the file touched is new.
type touching struct{ engines.Tests }

func (w touching) Run() int {
	code := w.Tests.Run()
	now := time.Now()
	if err := os.Chtimes(touched, now, now); err != nil {
		panic(err)
	}
	return code
}

// touched is a file that the tests read, and that is new when they end: go test then does not keep
// the result. It would not see a change of what is outside of this module, such as a new tag.
const touched = "doc.go"
