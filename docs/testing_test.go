package docs_test

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"testing"

	"github.com/go-freight/terminal49/terminal49test/control"
)

// TestTesting_OtherLanguages compares the whole tests in docs/testing.md with the files that run.
func TestTesting_OtherLanguages(t *testing.T) {
	found := otherBlock.FindAllStringSubmatch(read(t, "testing.md"), -1)
	if len(found) != 2 {
		t.Fatalf("%d tests in other languages", len(found))
	}
	for i, file := range []string{"test_dispatch.py", "dispatch.test.ts"} {
		if found[i][1] != read(t, "../examples/languages/"+file) {
			t.Errorf("the test is not %s", file)
		}
	}
}

var otherBlock = regexp.MustCompile("(?ms)^```(?:python|ts)\n(.*?)^```$")

// TestTesting_PythonRuns runs the test in Python. internal/proof/languages runs that in TypeScript.
func TestTesting_PythonRuns(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	simulator := control.New(control.Options{})
	defer simulator.Close()
	server := httptest.NewServer(simulator)
	defer server.Close()
	command := exec.CommandContext(t.Context(), python, "-B", "-m", "unittest")
	command.Dir, command.Env = "../examples/languages", append(os.Environ(), "T49_API_BASE_URL="+server.URL+"/v2")
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
