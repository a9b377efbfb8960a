package control

import (
	"bytes"
	"embed"
	"path"
	"strings"

	"github.com/go-freight/terminal49/terminal49test/internal/forms"
)

//go:embed scenarios/*.jsonl
var scenarios embed.FS

// Scenarios returns the names of the scenarios that come with this package, such as "rail-import".
func Scenarios() []string {
	files, _ := scenarios.ReadDir("scenarios") // the folder exists
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = strings.TrimSuffix(f.Name(), ".jsonl")
	}
	return names
}

// Scenario returns the commands of a scenario, for [Run], and whether it exists. Its first line is
// a comment that describes it.
func Scenario(name string) (commands []byte, ok bool) {
	commands, err := scenarios.ReadFile(path.Join("scenarios", name+".jsonl"))
	return commands, err == nil
}

// play runs the commands of a scenario.
func (r *runner) play(name string) error {
	commands, ok := Scenario(name)
	if !ok {
		return &forms.Error{Member: "scenario", Problem: "must be one of: " + strings.Join(Scenarios(), ", ")}
	}
	_, err := r.run(bytes.NewReader(commands))
	return err
}
