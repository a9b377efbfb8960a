package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-freight/terminal49"
)

// parseDaysLeft returns the least and the most days of --days-left; neither is set without it, and
// the least is not set by a number alone.
func parseDaysLeft(text string, set bool) (from, to terminal49.Opt[int], err error) {
	if !set {
		return from, to, nil
	}
	least, most, isRange := strings.Cut(text, "..")
	if !isRange {
		most = least
	}
	first, failed := strconv.Atoi(least)
	last, failedToo := strconv.Atoi(most)
	if failed != nil || failedToo != nil || first > last {
		return from, to, usageError{fmt.Errorf("--days-left %s is not a number of days, such as 3, or a range of them, such as 0..3", plain(text))}
	}
	if isRange {
		from = terminal49.Some(first)
	}
	return from, terminal49.Some(last), nil
}
