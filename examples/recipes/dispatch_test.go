package recipes_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// breaks are ways to break what dispatch.go promises, each by one replacement. BROKEN, a variable,
// selects one at run time, so that the test is compiled once.
var breaks = map[string][2]string{
	"unknown waits": {
		"case terminal49.SituationUnknown, terminal49.SituationStale:\n",
		"case terminal49.SituationUnknown, terminal49.SituationStale:\n if BROKEN { return Decision{Do: Wait}, nil }\n",
	},
	"what is owed is not paid": {
		"case terminal49.SituationPayFirst:\n",
		"case terminal49.SituationPayFirst:\n if BROKEN { return Decision{Send, verdict.Place.String()}, nil }\n",
	},
	"what has left is sent for": {
		"case terminal49.SituationOut, terminal49.SituationReturned:\n",
		"case terminal49.SituationOut, terminal49.SituationReturned:\n if BROKEN && container.AvailableForPickup.Or(false) { return Decision{Do: Send}, nil }\n",
	},
	"an error waits": {
		"	if err != nil {\n", "	if BROKEN && err != nil { return Decision{Do: Wait}, nil }\n	if err != nil {\n",
	},
	"an unknown id is another error": {
		"		return Decision{}, ErrNotOurs\n", "		if BROKEN { return Decision{}, err }\n		return Decision{}, ErrNotOurs\n",
	},
	"the place has no name": {
		"&terminal49.ContainerGetParams{Include: related}", "&terminal49.ContainerGetParams{Include: related[:map[bool]int{true: 0, false: 4}[BROKEN]]}",
	},
	"what is held is sent for": {
		"	default:\n", "	case terminal49.SituationHeld:\n if BROKEN { return Decision{Do: Send}, nil }\n return Decision{Do: Wait}, nil\n	default:\n",
	},
}

// TestDispatch_TestFindsWhatIsBroken fails for a test of package dispatch that passes although the
// package is broken, or that fails although it is not.
func TestDispatch_TestFindsWhatIsBroken(t *testing.T) {
	t.Parallel()
	source, err := filepath.Abs(filepath.Join(folder(t, "dispatch"), "dispatch.go"))
	require.NoError(t, err)
	given, err := os.ReadFile("dispatch/dispatch.go")
	require.NoError(t, err)
	code := strings.Replace(string(given), "\t\"time\"\n", "\t\"os\"\n\t\"time\"\n", 1)
	for name, change := range breaks {
		require.Equal(t, 1, strings.Count(code, change[0]), name)
		code = strings.Replace(code, change[0], strings.ReplaceAll(change[1], "BROKEN", `(os.Getenv("BROKEN") == "`+name+`")`), 1)
	}
	scratch := t.TempDir()
	changed, overlay, program := filepath.Join(scratch, "dispatch.go"), filepath.Join(scratch, "overlay.json"), filepath.Join(scratch, "test")
	require.NoError(t, os.WriteFile(changed, []byte(code), 0o600))
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{source: changed}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(overlay, replace, 0o600))
	goCommand(t, filepath.Dir(source), "test", "-c", "-overlay="+overlay, "-ldflags=-s -w", "-o", program, ".")

	run := func(broken string) (string, error) {
		test := recipe{t: t, path: program, variables: []string{"BROKEN=" + broken, "HOME=" + scratch}}.command("-test.timeout=5m") // no token
		test.Dir = filepath.Dir(source)
		out, err := test.CombinedOutput()
		return string(out), err
	}
	printed, err := run("nothing")
	require.NoError(t, err, printed)
	for name := range breaks {
		printed, err := run(name)
		require.Error(t, err, "the test passes although "+name)
		require.Contains(t, printed, "FAIL", name)
	}
}
