package guides_test

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/go-freight/terminal49/terminal49test/control"
)

// otherBlock matches the test in Python.
var otherBlock = regexp.MustCompile("(?ms)^```python\n(.*?)^```$")

// TestTesting_PythonRuns runs the test in Python.
func TestTesting_PythonRuns(t *testing.T) {
	installed(t, "python3")
	simulator := control.New(control.Options{})
	defer simulator.Close()
	server := httptest.NewServer(simulator)
	defer server.Close()
	blocks := otherBlock.FindAllStringSubmatch(read(t, "testing.md"), -1)
	if len(blocks) != 1 {
		t.Fatalf("%d tests in Python", len(blocks))
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "test_dispatch.py"), []byte(blocks[0][1]), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := run(t, folder, []string{"T49_API_BASE_URL=" + server.URL + "/v2"},
		"python3", "-B", "-m", "unittest"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
