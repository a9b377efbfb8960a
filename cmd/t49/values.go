package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
)

// The values of flags that this version knows.
var (
	containerStatuses = []terminal49.ContainerStatus{
		terminal49.StatusNew, terminal49.StatusOnShip, terminal49.StatusGrounded, terminal49.StatusAvailable,
		terminal49.StatusNotAvailable, terminal49.StatusAwaitingInlandTransfer, terminal49.StatusOnRail,
		terminal49.StatusOffDock, terminal49.StatusPickedUp, terminal49.StatusDelivered, terminal49.StatusEmptyReturned,
		terminal49.StatusDropped, terminal49.StatusLoaded,
	}
	containerSorts = []terminal49.ContainerSort{
		terminal49.ContainerSortArrival, terminal49.ContainerSortPickupLFD, terminal49.ContainerSortCreated, terminal49.ContainerSortUpdated,
	}
	requestStatuses = []terminal49.TrackingRequestStatus{
		terminal49.TrackingPending, terminal49.TrackingAwaitingManifest, terminal49.TrackingCreated,
		terminal49.TrackingFailed, terminal49.TrackingStopped,
	}
	requestTypes = []terminal49.RequestType{
		terminal49.RequestTypeBillOfLading, terminal49.RequestTypeBookingNumber, terminal49.RequestTypeContainer,
	}
)

// check returns an error for a value of a flag that is not one of those that it may have.
func check[S ~string](flag string, value S, known []S) error {
	if slices.Contains(known, value) {
		return nil
	}
	return usageError{fmt.Errorf("--%s %s is not %s", flag, plain(string(value)), instead(string(value), slices.DeleteFunc(texts(known), isEmpty)))}
}

func isEmpty(text string) bool { return text == "" }

// checkID returns an error for a value of a flag that is not an id. find is how to find one.
func checkID(flag string, values []string, of, find string) error {
	for _, value := range values {
		if !isID(value) {
			return usageError{fmt.Errorf("--%s %s is not the id of %s; %s", flag, plain(value), of, find)}
		}
	}
	return nil
}

var isDay = regexp.MustCompile(`^\d{4}-\d{1,2}-\d{1,2}$`).MatchString

// checkFilters returns an error for a value that the service would ignore, or that nothing has.
func (c *anyCall) checkFilters() error {
	for name, values := range c.query {
		for _, value := range strings.FieldsFunc(strings.Join(values, ","), func(r rune) bool { return r == ',' }) {
			if _, err := time.Parse(time.DateOnly, value); isDay(value) && err != nil {
				return fmt.Errorf("%s: %s is not a day of the calendar, such as 2026-02-28; --unchecked sends it", name, value)
			}
			if name == "filter[current_status]" && !slices.Contains(texts(containerStatuses), strings.ToLower(value)) {
				return fmt.Errorf("%s: %s is not %s; --unchecked sends it", name, plain(value), instead(value, texts(containerStatuses)))
			}
		}
	}
	return nil
}

// instead returns what to write instead of a word: the nearest of a list, or all of a short one.
func instead(word string, list []string) string {
	if near := nearest(word, list); near != "" {
		return "known (did you mean " + near + "?)"
	}
	if len(list) > 15 {
		return "known"
	}
	return "one of " + strings.Join(list, ", ")
}

func texts[S ~string](list []S) []string {
	out := make([]string, len(list))
	for i, one := range list {
		out[i] = string(one)
	}
	return out
}

// nearest returns the item of a list that a word is most likely meant for, or "".
func nearest(word string, list []string) (near string) {
	word = strings.ToLower(strings.TrimSpace(word))
	least := 1 + len([]rune(word))/3
	for _, item := range list {
		if d := distance(word, strings.ToLower(item)); d <= least && (near == "" || d < least) {
			near, least = item, d
		}
	}
	for _, item := range list {
		if near == "" && len(word) > 2 && strings.Contains(strings.ToLower(item), word) {
			return item
		}
	}
	return near
}

// distance is that of Levenshtein: how many characters must be added, removed or replaced.
func distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j := range to {
			replaced := diagonal
			if from[i] != to[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(to)]
}

// operationKey is the annotation of a command with the operation whose resources --json prints.
const operationKey = "operation"

func resources(cmd *cobra.Command, operation string) *cobra.Command {
	if operation != "" {
		cmd.Annotations = map[string]string{operationKey: operation}
	}
	return cmd
}

// attributesOf returns the attributes of the resources that a command prints; nil if it prints
// none.
func attributesOf(cmd *cobra.Command) []string {
	for _, o := range terminal49.Operations() {
		if o.Name == cmd.Annotations[operationKey] {
			return o.Attributes
		}
	}
	return nil
}

// checkFields returns an error for an attribute that resources do not have. All have an id and a
// type.
func checkFields(fields, attributes []string) error {
	if len(fields) > 0 && len(attributes) == 0 {
		return fmt.Errorf("--fields works with resources only")
	}
	for _, field := range fields {
		if !slices.Contains(attributes, field) && field != "id" && field != "type" {
			return fmt.Errorf("--fields: the attribute %s is not %s", plain(field), instead(field, attributes))
		}
	}
	return nil
}

// complete has a flag completed from a list, also after a comma.
func complete[S ~string](cmd *cobra.Command, flag string, list []S) {
	completeBy(cmd, flag, func(*cobra.Command) []string { return texts(list) })
}

func completeBy(cmd *cobra.Command, flag string, list func(*cobra.Command) []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		before := begun[:strings.LastIndex(begun, ",")+1]
		items := slices.Clone(list(cmd))
		for i := range items {
			items[i] = before + items[i]
		}
		return items, cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // the command has no such flag
	}
}

// completeFiles has a flag completed from the names of files.
func completeFiles(cmd *cobra.Command, flag string) { completeFrom(cmd, flag, nil) }

// completeFrom has a flag completed from a list, or else from the names of files.
func completeFrom(cmd *cobra.Command, flag string, list []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return list, cobra.ShellCompDirectiveDefault
	})
	if err != nil {
		panic(err) // the command has no such flag
	}
}
