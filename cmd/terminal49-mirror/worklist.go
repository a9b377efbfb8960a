package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/worklist"
)

// worklistFlags are the flags of worklist.
type worklistFlags struct {
	mirror.ListOptions
	asJSON  bool
	filters map[string]*[]string // by parameter of worklist.ParseFilter
}

// worklistFilters are the filters by name in text, each with what it means. The flag has hyphens.
var worklistFilters = []struct{ parameter, means string }{
	{"q", "part of a `number`: of a container, a bill of lading, a reference or a voyage"},
	{"situation", "`situation`, such as ready"},
	{"urgency", "`urgency`, such as late"},
	{"stage", "`stage` of the journey, such as on_rail"},
	{"terminal", "`place` where it is or is bound for: FIRMS code, UN/LOCODE, nickname or name"},
	{"port", "`port` of discharge: UN/LOCODE or name"},
	{"destination", "inland `place`: UN/LOCODE or name"},
	{"line", "shipping `line`: SCAC or name"},
	{"vessel", "`vessel` that calls at the port of discharge: IMO number or name"},
	{"customer", "`name` of a customer"},
	{"references", "`reference` of the container or its shipment"},
	{"tags", "`tag` of the shipment"},
	{"holds", "`hold` in force, such as customs"},
	{"fees", "`type` of a fee to pay, such as demurrage"},
	{"equipment", "`size` and type, such as \"40 reefer\""},
	{"last_free_day_from", "earliest last free `day`"},
	{"last_free_day_to", "latest last free `day`"},
	{"days_left_from", "fewest days to the last free day, as a `number`"},
	{"days_left_to", "most days to the last free day, as a `number`"},
	{"last_free_day_unknown", "`true` for those that have not left and have no known day"},
	{"eta_from", "earliest `day` of the next arrival"},
	{"eta_to", "latest `day` of the next arrival"},
	{"last_free_days_differ", "`true` for those whose sources report different days"},
	{"appointment", "pickup `appointment`: none, made or late"},
	{"tracking", "`state` of the tracking: active or stopped"},
	{"unchecked_hours", "more than so many `hours` since the terminal was checked, or never"},
}

func (a *app) worklist() *cobra.Command {
	f := worklistFlags{filters: map[string]*[]string{}}
	cmd := &cobra.Command{
		Use:   "worklist [WHAT]",
		Short: "Print the containers of a kind, the most urgent first",
		Long: `Print the containers of a kind, the most urgent first. WHAT is waiting, overdue, imminent,
at_risk, owing, holds, arriving, eta_slipped, dwelling or empty_due, or a situation: pay_first,
ready, stale, held, unknown, not_released_inland, not_released, awaiting_transfer, on_rail, at_sea, before_voyage, out or returned.
Without it, all containers are printed.

A container must meet each filter. A filter that is repeated is met by one of its values. They mean
what they mean on the board and to agents: a code, a name or a part of names.

It only reads the database. The last lines say how many there are, and whether the mirror has
stored something that it has not assessed yet.`,
		Example: `  terminal49-mirror worklist overdue
  terminal49-mirror worklist arriving --days 3 --limit 200
  terminal49-mirror worklist --line MAEU --holds customs --order last_free_day
  terminal49-mirror worklist ready --json | jq -r .container.attributes.number`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for name, value := range map[string]int{"limit": f.Limit, "days": f.Days} {
				if value == 0 && cmd.Flags().Changed(name) {
					return usageError("--" + name + " must be at least 1, not 0; without it the default applies")
				}
			}
			if err := f.read(args); err != nil {
				return err
			}
			return a.printWorklist(cmd.Context(), &f)
		},
	}
	f.define(cmd)
	return cmd
}

func (f *worklistFlags) define(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.IntVar(&f.Limit, "limit", 0, "how many to print at most, as a `number` (default 50)")
	flags.IntVar(&f.Days, "days", 0, "of arriving, eta_slipped, dwelling and empty_due, as a `number` (default 5, of eta_slipped 1)")
	flags.StringVar((*string)(&f.Order), "order", "", "`order`: urgency, last_free_day, eta, since, owed, number, place, vessel or customer; - before it reverses it (default urgency)")
	flags.BoolVar(&f.asJSON, "json", false, "print lines of JSON, with the container and its verdict")
	for _, one := range worklistFilters {
		f.filters[one.parameter] = flags.StringArray(flagOf(one.parameter), nil, one.means)
	}
}

// flagOf returns the name of the flag of a parameter, or of the field Order.
func flagOf(parameter string) string { return strings.ToLower(strings.ReplaceAll(parameter, "_", "-")) }

// read reads the filters.
func (f *worklistFlags) read(args []string) error {
	values, days := url.Values{"work": args}, f.Days
	if isBlank(args) {
		return usageError("WHAT must not be empty; without it all containers are printed")
	}
	for parameter, texts := range f.filters {
		if values[parameter] = *texts; isBlank(*texts) {
			return usageError("--" + flagOf(parameter) + " must not be empty; without it all are printed")
		}
	}
	filter, err := worklist.ParseFilter(values)
	var argument *terminal49.ArgumentError
	if errors.As(err, &argument) {
		return usageError("--" + flagOf(argument.Field) + " " + argument.Problem)
	}
	f.Filter, f.Days = filter, days
	return err
}

// isBlank reports whether one of some texts is empty, as a variable of a script that is not set.
func isBlank(texts []string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return strings.TrimSpace(text) == "" })
}

// isWork reports whether only a kind of work is asked for.
func (f *worklistFlags) isWork() bool {
	alone := worklist.Filter{Work: f.Work, Days: f.Days}
	return len(f.Work) > 0 && f.Order == "" && maps.EqualFunc(alone.Values(), f.Values(), slices.Equal)
}

// list answers a kind of work from a part of the database, and anything else from all of it.
func (f *worklistFlags) list(ctx context.Context, from *mirror.Reader, now time.Time) (*mirror.Worklist, error) {
	if f.isWork() {
		return from.Worklist(ctx, f.Work[0], now, mirror.WorklistOptions{Limit: f.Limit, Days: f.Days})
	}
	return from.Overview().List(ctx, now, f.ListOptions)
}

// explain returns the error of a filter with the name of its flag.
func (f *worklistFlags) explain(err error) error {
	var argument *terminal49.ArgumentError
	if errors.As(err, &argument) && (argument.Field == "Order" || f.filters[worklist.ParameterName(argument.Field)] != nil) {
		return usageError("--" + flagOf(worklist.ParameterName(argument.Field)) + " " + argument.Problem)
	}
	if unknown := (*worklist.UnknownNameError)(nil); errors.As(err, &unknown) {
		text := strings.TrimPrefix(unknown.Error(), "worklist: "+unknown.Field+": ")
		return usageError("--" + flagOf(worklist.ParameterName(unknown.Field)) + ": " + text)
	}
	return err
}

// notes return what the filters leave open: texts that are parts of several names, and containers
// whose day is not known.
func (f *worklistFlags) notes(list *mirror.Worklist) (notes []string) {
	for _, m := range list.Meanings {
		var names []string
		for _, name := range m.Names {
			names = append(names, cmp.Or(name.Name, name.Code))
		}
		if len(names) > 1 {
			notes = append(notes, fmt.Sprintf("--%s %q means all of: %s", flagOf(worklist.ParameterName(m.Field)), m.Text, strings.Join(names, ", ")))
		}
	}
	if list.Undated > 0 && !f.isWork() {
		notes = append(notes, fmt.Sprintf("%d are left out, because a day that is asked for is not known", list.Undated))
	}
	return notes
}

func (a *app) printWorklist(ctx context.Context, f *worklistFlags) error {
	db, err := a.open(false)
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // it was only read
	var of []mirror.Option
	if a.schema != "" {
		of = append(of, mirror.WithSchema(a.schema))
	}
	list, err := f.list(ctx, mirror.NewReader(db, of...), time.Now())
	if err != nil {
		return explainFile(a.name(), f.explain(err))
	}
	for _, note := range f.notes(list) {
		a.complain(note)
	}
	days := 0
	if len(f.Work) > 0 {
		days = list.Days[f.Work[0]]
	}
	if f.asJSON {
		return a.worklistLines(list, days)
	}
	return a.worklistTable(list, days)
}

// workLine is a line of JSON.
type workLine struct {
	Container *terminal49.Container `json:"container"`
	Verdict   terminal49.Verdict    `json:"verdict"`
	Days      int                   `json:"days,omitempty"` // that were used, if the kind has days
}

func (a *app) worklistLines(list *mirror.Worklist, days int) error {
	lines := json.NewEncoder(jsonLines{a.out})
	lines.SetEscapeHTML(false)
	for _, item := range list.Items {
		if err := lines.Encode(workLine{item.Container, item.Verdict, days}); err != nil {
			return err
		}
	}
	if len(list.Items) < list.Total {
		a.complain(fmt.Sprintf("%d of %d; --limit prints more", len(list.Items), list.Total))
	}
	if list.Waiting > 0 {
		a.complain(waiting(list))
	}
	return nil
}

func (a *app) worklistTable(list *mirror.Worklist, days int) error {
	var rows [][]string
	for _, item := range list.Items {
		rows = append(rows, []string{item.Container.Number, item.Verdict.String()})
	}
	if err := printColumns(a.out, rows); err != nil {
		return err
	}
	fmt.Fprintf(a.out, "%d of %d", len(list.Items), list.Total)
	if days > 0 {
		fmt.Fprintf(a.out, ", days: %d", days)
	}
	fmt.Fprintln(a.out)
	if list.Waiting > 0 {
		fmt.Fprintln(a.out, waiting(list))
	}
	return nil
}

func waiting(list *mirror.Worklist) string {
	return fmt.Sprintf("%d stored resources wait to be assessed, so the list may be incomplete; is terminal49-mirror run running?", list.Waiting)
}
