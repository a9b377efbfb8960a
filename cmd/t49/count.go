package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/go-freight/terminal49"
)

// groupings are the values of --count-by.
var groupings = map[string]terminal49.ContainerGroupBy{
	"status": terminal49.GroupByStatus, "terminal": terminal49.GroupByPODTerminal,
	"line": terminal49.GroupByShippingLine, "port": terminal49.GroupByPortOfDischarge,
}

// countContainers prints how many containers there are in each group, and in all.
func (a *app) countContainers(ctx context.Context, which []string, by string, filter terminal49.ContainerFilter) error {
	grouping, known := groupings[by]
	switch {
	case !known:
		return usageError{fmt.Errorf("--count-by %s is not status, terminal, line or port", plain(by))}
	case len(which) > 0:
		return usageError{errors.New("--count-by counts the list: leave out the IDs and NUMBERs")}
	case len(a.fields) > 0:
		return usageError{errors.New("--fields works with resources only")}
	}
	client, err := a.connect()
	if err != nil {
		return err
	}
	summary, err := client.Containers.Summary(ctx, grouping, filter)
	if err != nil {
		return err
	}
	t := a.print("GROUP", "NAME", "CONTAINERS")
	if a.json {
		return t.row(summary)
	}
	for _, group := range summary.Groups {
		t.cells(orNotKnown(group.Key), orNotKnown(group.Label), strconv.Itoa(group.Count))
	}
	t.cells("all", "", strconv.Itoa(summary.Total))
	err = t.end(nil)
	if summary.Truncated {
		a.say("The service sent the %d largest groups only.", len(summary.Groups))
	}
	return err
}

// orNotKnown distinguishes what the service does not know from an empty text.
func orNotKnown(text terminal49.Opt[string]) string {
	switch v, known := text.Get(); {
	case !known:
		return "(not known)"
	case v == "":
		return `""`
	default:
		return v
	}
}
