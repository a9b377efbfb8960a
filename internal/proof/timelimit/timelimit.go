// Package timelimit distinguishes tests that ended with their limit of time from tests that found a
// broken promise.
package timelimit

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// Limit is the longest that tests of a release may run, which only a busy machine or a hanging test
// reaches.
const Limit = 25 * time.Minute

// Flag is the flag of go test for Limit.
var Flag = "-timeout=" + Limit.String()

// ended is what package testing prints when the limit of time ends.
var ended = regexp.MustCompile(`(?m)^panic: test timed out after (\S+)\n(?:\s+running tests:\n((?:\t\t.*\n)+))?`)

// Explain returns an error for the output of go test, which failed with err. If the limit of time
// ended, the error says so, and what to do; otherwise it begins with broken, which says what a
// failure means.
func Explain(broken string, output []byte, err error) error {
	if err == nil {
		return nil
	}
	found := ended.FindSubmatch(output)
	if found == nil {
		return fmt.Errorf("%s: %w\n%s", broken, err, output)
	}
	limit, parseErr := time.ParseDuration(string(found[1]))
	if parseErr != nil {
		return fmt.Errorf("%s: %w\n%s", broken, err, output)
	}
	return fmt.Errorf("the time limit of %g minutes ended while %s ran: raise Limit in internal/proof/timelimit, or run the tests alone on an idle machine: %w\n%s",
		limit.Minutes(), running(string(found[2])), err, output)
}

// running names the tests of lines such as "TestX (25m0s)".
func running(lines string) string {
	var names []string
	for line := range strings.Lines(lines) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		names = append(names, name)
	}
	if len(names) == 0 {
		return "the tests"
	}
	return strings.Join(names, ", ")
}
