package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const modulePath = "github.com/go-freight/terminal49"

var versionLine = regexp.MustCompile(`(?m)^const Version = "([^"]+)"$`)

// treeVersion returns the version in doc.go, such as 0.1.0.
func treeVersion() (string, error) {
	data, err := os.ReadFile("doc.go")
	if err != nil {
		return "", err
	}
	found := versionLine.FindSubmatch(data)
	if found == nil {
		return "", fmt.Errorf("doc.go has no line %s", versionLine)
	}
	return string(found[1]), nil
}

// commitTime returns the time of the newest commit, which all files of a release have.
func commitTime() (time.Time, error) {
	out, err := output("git", "log", "-1", "--format=%ct")
	if err != nil {
		return time.Time{}, err
	}
	seconds, err := strconv.ParseInt(out, 10, 64)
	return time.Unix(seconds, 0).UTC(), err
}

// output runs a program and returns its trimmed output.
func output(name string, args ...string) (string, error) {
	command := exec.Command(name, args...)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}
