package docs_test

import (
	"net/http/httptest"
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
	installed(t, "python3")
	simulator := control.New(control.Options{})
	defer simulator.Close()
	server := httptest.NewServer(simulator)
	defer server.Close()
	if out, err := run(t, "../examples/languages", []string{"T49_API_BASE_URL=" + server.URL + "/v2"},
		"python3", "-B", "-m", "unittest"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
