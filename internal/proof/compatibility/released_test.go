package compatibility_test

import "testing"

// TestReleased_FilesStayAsTheyWere compares what a release has written with its tag: the forms
// of its version, and the baselines until the next release is cut.
func TestReleased_FilesStayAsTheyWere(t *testing.T) {
	log := readChangelog(t)
	if log.released == "" {
		t.Skip("nothing is released yet")
	}
	if _, err := (tool{}).run("git", "rev-parse", "--verify", "--quiet", log.released+"^{commit}"); err != nil {
		t.Skipf("this clone has no tag %s: it is a shallow clone, or the release is being cut", log.released)
	}
	folders := []string{"forms/" + log.released} // a program of testdata changes with a named break
	if log.unready {
		folders = append(folders, "baseline")
	}
	arguments := append([]string{"diff", "--stat", "--exit-code", log.released, "--"}, folders...)
	if _, err := (tool{}).run("git", arguments...); err != nil {
		t.Errorf("surface baselines: %s has released these files, and they have changed. Take the change back, "+
			"and name the break in CHANGELOG.md:\n%v", log.released, err)
	}
}
