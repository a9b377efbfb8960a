package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/control"
)

// maxScenario is how many bytes the file of a scenario may have.
const maxScenario = 64 << 20

// scenario is what a simulated account begins with instead of the demo.
type scenario struct {
	name     string // that of a scenario of package control, or of a file
	commands []byte
}

// read reads the commands of the scenario with the name, if there is a name.
func (s *scenario) read() (err error) {
	if s.name == "" {
		return nil
	}
	if commands, ok := control.Scenario(s.name); ok {
		s.commands = commands
		return nil
	}
	if s.commands, err = readBounded(s.name); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--scenario: the file %s does not exist; the scenarios that come with t49 are %s", s.name, strings.Join(control.Scenarios(), ", "))
	}
	return err
}

func readBounded(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("--scenario: %w", err)
	}
	defer file.Close() //nolint:errcheck // it is only read
	text, err := io.ReadAll(io.LimitReader(file, maxScenario+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("--scenario: %w", err)
	case len(text) > maxScenario:
		return nil, fmt.Errorf("--scenario: the file %s must have at most %d MiB", name, maxScenario>>20)
	}
	return text, nil
}

// play runs the commands in a new account.
func (s scenario) play(service *terminal49test.Server) error {
	if _, err := control.Run(service, bytes.NewReader(s.commands)); err != nil {
		return fmt.Errorf("--scenario %s: %w", s.name, err)
	}
	return nil
}

// description is the comment that the commands begin with, or "".
func (s scenario) description() string {
	first, _ := bufio.NewReader(bytes.NewReader(s.commands)).ReadBytes('\n') // all of it without a line break
	var line struct{ Comment string }
	_ = json.Unmarshal(first, &line) // another command has no comment
	return line.Comment
}
