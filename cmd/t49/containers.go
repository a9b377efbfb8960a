package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/demurrage"
)

// related is what a container is read with.
var related = terminal49.AssessIncludes()

func (a *app) containers() *cobra.Command {
	params := terminal49.ContainerListParams{Include: related}
	var statuses []string
	var holds, noHolds, problems bool
	var countBy, days, sort string
	var selected selection
	cmd := a.listing(&cobra.Command{
		Use:   "containers [ID|NUMBER...]",
		Short: "List containers, or show some of them",
		Long: `List containers, or show some of them. A NUMBER shows each tracked journey of that container;
for ready, fees, events and watch it means the journeys from which the container has not left.
The NUMBER of a bill of lading stands for its containers.

--count-by prints how many containers there are by status, terminal, line or port, in one
request. "(not known)" is what the service does not know, such as the terminal of a
container at sea.`,
		RunE: func(cmd *cobra.Command, which []string) error {
			for _, status := range statuses {
				one := terminal49.ContainerStatus(status)
				if err := check("status", one, containerStatuses); err != nil {
					return err
				}
				params.Filter.CurrentStatus = append(params.Filter.CurrentStatus, one)
			}
			if holds || noHolds {
				params.Filter.HasHolds = terminal49.Some(holds)
			}
			err := errors.Join(checkID("customer", params.Filter.CustomerID, "a party", "t49 parties NAME prints it"),
				checkID("terminal", params.Filter.PODTerminalID, "a terminal", "t49 containers --count-by terminal prints them, and --place takes a name"))
			if err != nil {
				return err
			}
			if selected.DaysLeftFrom, selected.DaysLeftTo, err = parseDaysLeft(days, cmd.Flags().Changed("days-left")); err != nil {
				return err
			}
			if problems {
				selected.addProblems()
			}
			if cmd.Flags().Changed("sort") {
				if err := check("sort", terminal49.ContainerSort(sort), containerSorts); err != nil {
					return err
				}
				params.Sort = []terminal49.ContainerSort{terminal49.ContainerSort(sort)}
			}
			if cmd.Flags().Changed("count-by") {
				return a.countContainers(cmd.Context(), which, countBy, params.Filter)
			}
			if which, err = a.chosen(cmd, which, "status", "terminal", "customer", "holds", "no-holds", "days-left", "vessel", "place", "problems", "sort"); err != nil {
				return err
			}
			return a.listContainers(cmd.Context(), which, params, &selected)
		},
	}, "containers.list")
	a.numbered(cmd, false)
	flags := cmd.Flags()
	flags.StringSliceVar(&statuses, "status", nil, "only these `statuses`, such as available")
	flags.StringSliceVar(&params.Filter.PODTerminalID, "terminal", nil, "only these terminals, `ids`")
	flags.StringSliceVar(&params.Filter.CustomerID, "customer", nil, "only these customers, `ids` of parties")
	flags.BoolVar(&holds, "holds", false, "only those with holds")
	flags.BoolVar(&noHolds, "no-holds", false, "only those whose terminal reported that there are none")
	flags.StringVar(&days, "days-left", "", "only those with at most so many `days` to their last free day, by the calendar of its place; 0..3 leaves out what is overdue")
	flags.StringArrayVar(&selected.Vessels, "vessel", nil, "only those whose vessel at the port of discharge has this in its `name`")
	flags.StringArrayVar(&selected.Terminals, "place", nil, "only those at a place, or bound for one, that has this in its `name` or code, such as LBCT or USLAX")
	flags.BoolVar(&problems, "problems", false, "only those that are held, owe something or are past their last free day, and have not left")
	flags.StringVar(&sort, "sort", "", "sort by `what`: arrival (actual or else expected, at the port), pickup_lfd, created_at or updated_at")
	flags.StringVar(&countBy, "count-by", "", "count them instead, by `what`: status, terminal, line or port")
	cmd.MarkFlagsMutuallyExclusive("holds", "no-holds")
	for _, here := range []string{"days-left", "vessel", "place", "problems", "sort"} { // the service counts
		cmd.MarkFlagsMutuallyExclusive(here, "count-by")
	}
	complete(cmd, "sort", containerSorts)
	complete(cmd, "status", containerStatuses)
	complete(cmd, "count-by", slices.Sorted(maps.Keys(groupings)))
	cmd.AddCommand(a.refresh())
	return cmd
}

func (a *app) refresh() *cobra.Command {
	return a.numbered(&cobra.Command{
		Use:   "refresh ID|NUMBER...",
		Short: "Have the service check the sources of containers now; new data arrives later",
		RunE: func(cmd *cobra.Command, which []string) error {
			records := a.recordsOf(presentJourney)
			return a.each(cmd.Context(), which, records.choose, func(c *terminal49.Container) error {
				message, err := a.client.Containers.Refresh(cmd.Context(), c.ID)
				if err != nil {
					return err
				}
				return a.say("%s  %s", records.name(c), message)
			})
		},
	}, true)
}

func (a *app) listContainers(ctx context.Context, which []string, params terminal49.ContainerListParams, selected *selection) error {
	if _, err := a.connect(); err != nil {
		return err
	}
	columns := []string{"CONTAINER", "BILL OF LADING", "PLACE", "STATUS", "AVAILABLE", "HOLDS", "FEES", "LAST FREE DAY"}
	if a.csv {
		columns = append(columns, sheetColumns...)
	}
	t := a.print(columns...)
	show := func(c *terminal49.Container) error {
		v := terminal49.Assess(c, time.Now(), terminal49.VerdictOptions{})
		cells := []string{
			c.Number, billOfLading(c), place(v), string(c.CurrentStatus), availability(c), holdNames(c),
			fees(v), day(v.LastFreeDay.At),
		}
		if a.csv {
			cells = append(cells, sheetCells(c, v)...)
		}
		return t.row(c, cells...)
	}
	if len(which) > 0 {
		return t.end(a.eachOf(ctx, which, everyJourney, show))
	}
	return a.listSelected(ctx, t, params, selected, show)
}

// chosen returns the numbers of a command that lists without them, and an error if there are also
// flags that select from the list.
func (a *app) chosen(cmd *cobra.Command, args []string, flags ...string) ([]string, error) {
	which, err := a.numbers(cmd.Context(), args)
	for _, flag := range append(flags, "limit") {
		if err == nil && len(which) > 0 && cmd.Flags().Changed(flag) {
			err = usageError{fmt.Errorf("--%s selects from the list: leave out the IDs and NUMBERs", flag)}
		}
	}
	return which, err
}

// each calls f with the containers that the arguments of a command and --from name.
func (a *app) each(ctx context.Context, args []string, choose choice, f func(*terminal49.Container) error) error {
	if _, err := a.connect(); err != nil {
		return err
	}
	which, err := a.numbers(ctx, args)
	if err != nil {
		return err
	}
	return a.eachOf(ctx, which, choose, f)
}

// choice selects from the containers with one number.
type choice func([]*terminal49.Container) []*terminal49.Container

// eachOf calls f with the containers that have these ids or numbers, as far as choose returns them.
// A number that no container has is reported, and the others are still shown. A no, which f
// printed, is joined without a name.
func (a *app) eachOf(ctx context.Context, which []string, choose choice, f func(*terminal49.Container) error) (failed error) {
	numbers := slices.DeleteFunc(slices.Clone(which), func(one string) bool { return !isContainerNumber(one) })
	next, stop := iter.Pull(a.client.Containers.FindByNumbers(ctx, numbers, &terminal49.ContainerGetParams{Include: related}))
	defer stop()
	for _, one := range which {
		found, err := a.find(ctx, one, next)
		if err == nil && len(found) == 0 {
			err = notFound(one)
		}
		failed = errors.Join(failed, of(one, err))
		for _, journeys := range found {
			for _, c := range choose(journeys) {
				failed = errors.Join(failed, of(one, f(c)))
			}
		}
	}
	return failed
}

// notFound returns the error of a container number that no container of the account has.
func notFound(number string) error {
	var mistyped *terminal49.ContainerNumberError
	if _, err := terminal49.ParseContainerNumber(number); errors.As(err, &mistyped) {
		return fmt.Errorf("%w: %s", errNotFound, mistyped.Problem)
	}
	return errNotFound
}

var containerNumber = regexp.MustCompile(`^[A-Z]{4}[0-9]{7}$`)

// isContainerNumber reports whether a container can have this number, in any spelling.
func isContainerNumber(which string) bool {
	return containerNumber.MatchString(terminal49.NormalizeContainerNumber(which))
}

// of adds what was asked for to an error.
func of(which string, err error) error {
	if err == nil || errors.Is(err, errNo) {
		return err
	}
	return fmt.Errorf("%s: %w", plain(which), err)
}

// find returns the container with an id, the journeys of the one with a number, or each container
// of the bill of lading. next returns the journeys of the next container number.
func (a *app) find(ctx context.Context, which string, next func() (terminal49.FindOutcome, bool)) (found [][]*terminal49.Container, err error) {
	switch {
	case isID(which):
		return a.get(ctx, []string{which})
	case !isContainerNumber(which):
		return a.findShipped(ctx, which)
	}
	journeys, _ := next()
	if len(journeys.Containers) > 0 {
		found = append(found, journeys.Containers)
	}
	return found, journeys.Err
}

// get returns the containers with these ids, each on its own, and what went wrong with the others.
func (a *app) get(ctx context.Context, ids []string) (found [][]*terminal49.Container, failed error) {
	for _, id := range ids {
		c, err := a.client.Containers.Get(ctx, id, &terminal49.ContainerGetParams{Include: related})
		if failed = errors.Join(failed, err); err == nil {
			found = append(found, []*terminal49.Container{c})
		}
	}
	return found, failed
}

// findShipped returns the containers of the shipment with a number. The service may ignore the
// filter, so the number is compared.
func (a *app) findShipped(ctx context.Context, number string) ([][]*terminal49.Container, error) {
	shipments, err := findShipments(ctx, a.client, number)
	if errors.Is(err, errNotFound) {
		return nil, fmt.Errorf("%w: no bill of lading has this number, and that of a container has 4 letters and 7 digits", errNotFound)
	}
	var ids []string
	for _, s := range shipments {
		if hasNumber(s, number) {
			ids = append(ids, s.Containers.IDs()...)
		}
	}
	if err != nil || len(ids) > 0 {
		found, failed := a.get(ctx, ids)
		return found, errors.Join(err, failed)
	}
	return nil, fmt.Errorf("%w: the shipment has no containers yet", errNotFound)
}

// everyJourney returns all containers with one number: one for each tracked journey of the box.
func everyJourney(found []*terminal49.Container) []*terminal49.Container { return found }

// presentJourney leaves out the journeys after which the container has left, unless it has left
// after all of them.
func presentJourney(found []*terminal49.Container) []*terminal49.Container {
	var present []*terminal49.Container
	for _, c := range found {
		if !hasLeft(c) && !leftByOther(c, found) {
			present = append(present, c)
		}
	}
	if len(present) == 0 {
		return found
	}
	return present
}

// presentRecord also leaves out the records of a journey that do not report yet that the container
// has left, where that of another bill of lading does.
func presentRecord(found []*terminal49.Container) []*terminal49.Container {
	return slices.DeleteFunc(slices.Clone(presentJourney(found)), func(c *terminal49.Container) bool {
		return !hasLeft(c) && leftByOther(c, found)
	})
}

// recordSet is the records of containers that a command prints. Several with one number are printed
// with their bills of lading.
type recordSet struct {
	*app
	chosen choice
	names  map[string]string // with the bill, of those whose number has several records; by id
}

func (a *app) recordsOf(choose choice) *recordSet { return &recordSet{a, choose, map[string]string{}} }

// choose is a choice that notes which numbers have several records.
func (r *recordSet) choose(found []*terminal49.Container) []*terminal49.Container {
	chosen := r.chosen(found)
	if len(chosen) < 2 {
		return chosen
	}
	var bills []string
	for _, c := range chosen {
		bills = append(bills, cmp.Or(billOfLading(c), c.ID))
	}
	for i, c := range chosen {
		r.names[c.ID] = c.Number + " on " + bills[i]
		if slices.Index(bills, bills[i]) != i || slices.Contains(bills[i+1:], bills[i]) { // by the bill they are one
			r.names[c.ID] += ", " + c.ID
		}
	}
	r.note("%s has %d records, on the bills of lading %s", chosen[0].Number, len(chosen), strings.Join(bills, ", "))
	return chosen
}

// name returns the number of a container, with its bill of lading if there are several records.
func (r *recordSet) name(c *terminal49.Container) string { return cmp.Or(r.names[c.ID], c.Number) }

// recordColumns are those that only --csv has, in which each row names its record.
var recordColumns = []string{"BILL OF LADING", "ID"}

// cells returns a row of a table. In a spreadsheet, a number stays one, and recordColumns are last.
func (r *recordSet) cells(c *terminal49.Container, cells ...string) []string {
	if r.csv {
		return slices.Concat([]string{c.Number}, cells, []string{billOfLading(c), c.ID})
	}
	return append([]string{r.name(c)}, cells...)
}

// hasLeft reports whether a container was picked up, delivered or returned.
func hasLeft(c *terminal49.Container) bool {
	return terminal49.Assess(c, time.Now(), terminal49.VerdictOptions{}).Situation.HasLeft()
}

// leftByOther reports whether another record of the same journey says that the container has left.
func leftByOther(c *terminal49.Container, records []*terminal49.Container) bool {
	return slices.ContainsFunc(records, func(other *terminal49.Container) bool {
		return other != c && hasLeft(other) && isOneJourney(c, other)
	})
}

// isOneJourney reports whether two records with one number are of the same journey, on several
// bills of lading: the container was discharged once. Some lines report days only, so a day's
// difference means nothing.
func isOneJourney(a, b *terminal49.Container) bool {
	first, known := discharged(a)
	second, alsoKnown := discharged(b)
	return known && alsoKnown && isOneDischarge(first, second)
}

// isOneDischarge reports whether two records of a box may report one discharge.
func isOneDischarge(a, b terminal49.Date) bool {
	days := a.Sub(b)
	return -1 <= days && days <= 1
}

func discharged(c *terminal49.Container) (terminal49.Date, bool) {
	return demurrage.StayOf(c).Events[demurrage.Discharge].Date()
}

// billOfLading is the number of a container's shipment, which was included.
func billOfLading(c *terminal49.Container) string {
	if s, ok := c.Shipment.Value(); ok {
		return s.BillOfLadingNumber
	}
	return ""
}

// place is where a container is, and "to " with the place that it is bound for. An arrow would be
// part of a formula in a spreadsheet.
func place(v terminal49.Verdict) string {
	if next := v.BoundFor.String(); next != "" {
		return strings.TrimSpace(v.Place.String() + " to " + next)
	}
	return v.Place.String()
}

func holdNames(c *terminal49.Container) string {
	if c.Holds == nil {
		return "unknown"
	}
	var names []string
	for _, h := range c.Holds {
		name := string(h.Name)
		if h.Status != terminal49.HoldStatusActive {
			name += " (" + string(h.Status) + ")"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// day is the day of a time at its place.
func day(t terminal49.Time) string {
	if d, ok := t.Date(); ok {
		return d.String()
	}
	return t.String()
}
