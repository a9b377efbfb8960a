package main

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestNext_FollowsFromTheComparison(t *testing.T) {
	const broken, added = "break\tgo-api\tClient.Get: func()", "addition\tcommands\tt49 new: command"
	for _, test := range []struct {
		released string
		lines    []string
		wanted   string
	}{
		{"", []string{broken}, "v0.1.0"},
		{"v0.1.3", nil, "v0.1.4"},
		{"v0.1.3", []string{added}, "v0.2.0"},
		{"v0.1.3", []string{added, broken}, "v0.2.0"},
		{"v1.9.3", []string{added}, "v1.10.0"},
		{"v1.9.3", []string{broken}, "v2.0.0"},
	} {
		version, reasons, err := next(append([]string{"released\t" + test.released}, test.lines...))
		if version != test.wanted || err != nil || len(reasons) == 0 {
			t.Errorf("after %q with %q: %s, %q, %v", test.released, test.lines, version, reasons, err)
		}
	}
	for _, line := range []string{broken, "released\tnewest"} {
		if version, _, err := next([]string{line}); err == nil {
			t.Errorf("%q: %s", line, version)
		}
	}
}
