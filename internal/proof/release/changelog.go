package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"
)

const unreleased = "Not released yet"

var (
	sectionTitle   = regexp.MustCompile(`(?m)^## .*\n`)
	changelogTitle = regexp.MustCompile(`^## (Unreleased|v\d+\.\d+\.\d+)\n$`)
)

// cut returns the changelog with the newest section as that of a version.
func cut(text, version string, at time.Time) (string, error) {
	title, section, err := newestSection(text)
	if err != nil {
		return "", err
	}
	if !strings.Contains(section, unreleased) {
		return "", fmt.Errorf("CHANGELOG.md: the newest section must say %q where the date will be", unreleased)
	}
	if found := changelogTitle.FindStringSubmatch(title); found == nil || found[1] != "Unreleased" && found[1] != version {
		return "", fmt.Errorf("CHANGELOG.md: the newest section must be \"## Unreleased\" or \"## %s\"; it is %q", version, strings.TrimSpace(title))
	}
	before, after, _ := strings.Cut(text, title+section)
	section = strings.Replace(section, unreleased, at.Format(time.DateOnly), 1)
	return before + "## " + version + "\n" + section + after, nil
}

// newestSection returns the first title of the changelog and what is below it.
func newestSection(text string) (title, section string, err error) {
	found := sectionTitle.FindAllStringIndex(text, 2)
	if len(found) == 0 {
		return "", "", errors.New("CHANGELOG.md has no section")
	}
	end := len(text)
	if len(found) > 1 {
		end = found[1][0]
	}
	return text[found[0][0]:found[0][1]], text[found[0][1]:end], nil
}

// printNotes prints the text of the newest release.
func printNotes(out io.Writer) error {
	data, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		return err
	}
	_, section, err := newestSection(string(data))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, strings.TrimSpace(section))
	return err
}
