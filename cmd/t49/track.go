package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/cmd/internal/cli"
)

func (a *app) track() *cobra.Command {
	var run trackRun
	params := &run.params
	var kind string
	cmd := a.tabular(&cobra.Command{
		Use:   "track NUMBER...",
		Short: "Track bills of lading, bookings or container numbers",
		Long: `Track numbers. A number that is tracked already is found, not tracked twice; so is
a container that its bill of lading tracks, unless there is a --reference to store.
The service infers the shipping line; if it is not sure, the candidates are
printed: repeat with --scac.

With --from FILE, many numbers are tracked at once, as fast as the limits of the
service permit. The columns of a CSV with titles are number, type, scac, reference,
tags and customer, the id of a party; only number is required, and a cell has several
references or tags after semicolons. If the file cannot be used, nothing is sent.

With --outcomes FILE, each outcome is added to that CSV at once, and the numbers that
are tracked according to it are skipped: after an interruption, or to try those that
failed again, run the same command again. Use one such file for each account.`,
		RunE: func(cmd *cobra.Command, numbers []string) error {
			params.RequestType = terminal49.RequestType(kind)
			if err := check("type", params.RequestType, append(requestTypes, "")); err != nil {
				return err
			}
			var err error
			if run.rows, run.ofFile, err = a.trackRows(cmd.Context(), numbers); err != nil {
				return err
			}
			return a.trackAll(cmd.Context(), &run)
		},
	}, "tracking_requests.get")
	a.numbered(cmd, true)
	flags := cmd.Flags()
	flags.StringVar(&params.SCAC, "scac", "", "`code` of the shipping line, instead of the service's inference")
	flags.StringVar(&kind, "type", "", "`kind` of number: bill_of_lading, booking_number or container")
	flags.StringSliceVar(&params.ReferenceNumbers, "reference", nil, "`numbers` of your own, separated by commas")
	flags.StringVar(&run.path, "outcomes", "", "add the outcomes to this `file`, and skip the numbers that are tracked according to it")
	completeFiles(cmd, "outcomes")
	flags.DurationVar(&run.wait, "wait", 0, "wait this `long` for the shipping line's answer")
	complete(cmd, "type", requestTypes)
	return cmd
}

// trackRun is one run of the command.
type trackRun struct {
	rows   []trackRow
	ofFile bool
	params terminal49.TrackParams // for the empty fields of each row
	wait   time.Duration
	path   string // of the outcomes; "" for none
	done   *outcomes
}

func (a *app) trackAll(ctx context.Context, run *trackRun) (err error) {
	client, err := a.connect()
	if err != nil {
		return err
	}
	if run.done, err = openOutcomes(run.path); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, run.done.close()) }()
	all := len(run.rows)
	run.rows = slices.DeleteFunc(run.rows, func(r trackRow) bool { return run.done.has(r.RequestNumber) })
	if skipped := all - len(run.rows); skipped > 0 {
		a.note("%d skipped: they are tracked according to %s", skipped, run.path)
	}
	t := a.print("NUMBER", "LINE", "TYPE", "STATUS", "RESULT")
	var failed []error
	for tracked := range run.outcomes(ctx, client) {
		err := a.outcome(ctx, t, run, tracked)
		if errors.As(err, new(cli.OutputError)) || errors.Is(err, terminal49.ErrUnauthorized) {
			failed = slices.Insert(failed, 0, err) // its status counts; the others would fail too
			break
		}
		failed = append(failed, err)
		if n := tracked.Index + 1; a.attended && n%100 == 0 {
			a.note("%d of %d", n, len(run.rows))
		}
	}
	return t.end(errors.Join(failed...))
}

// outcomes tracks the rows: those of a file concurrently, which looks for fewer of the requests
// that exist already.
func (r *trackRun) outcomes(ctx context.Context, client *terminal49.Client) iter.Seq[terminal49.TrackOutcome] {
	if r.ofFile {
		return client.TrackingRequests.TrackAll(ctx, slices.Values(r.rows), &terminal49.TrackAllParams{TrackParams: r.params})
	}
	return func(yield func(terminal49.TrackOutcome) bool) {
		for i, row := range r.rows {
			tracked, _ := client.TrackingRequests.Track(ctx, row.RequestNumber, &r.params) // it has the error
			if tracked.Index = i; !yield(tracked) {
				return
			}
		}
	}
}

// outcome stores and prints one outcome, and returns what the command fails with.
func (a *app) outcome(ctx context.Context, t *table, run *trackRun, tracked terminal49.TrackOutcome) error {
	err := explain(tracked.Err)
	if err == nil && tracked.Result == terminal49.TrackResultExisting {
		err = run.notStored(tracked)
	}
	if ctx.Err() == nil || tracked.Err == nil { // else it is interrupted: the next run has the outcome
		if err := run.done.add(tracked, err); err != nil {
			return err
		}
	}
	request := tracked.Request
	if request != nil && tracked.Err == nil && run.wait > 0 {
		var unsettled error
		request, unsettled = a.wait(ctx, request, run.wait)
		err = cmp.Or(unsettled, err)
	}
	err = of(tracked.Number, err)
	switch result := string(tracked.Result); {
	case request != nil:
		return errors.Join(err, t.row(request, request.RequestNumber, request.SCAC, string(request.RequestType), string(request.Status), result))
	case tracked.Container != nil:
		c := tracked.Container
		line, _ := c.Shipment.Value()
		a.note("%s is on the bill of lading %s, which is tracked", c.Number, billOfLading(c))
		return errors.Join(err, t.row(c, c.Number, line.ShippingLineSCAC, string(terminal49.RequestTypeContainer), "", result))
	}
	return err
}

// notStored returns an error with the references and tags of a row that its request does not have,
// because it existed before.
func (r *trackRun) notStored(tracked terminal49.TrackOutcome) error {
	row, request := r.rows[tracked.Index], tracked.Request
	wanted := slices.Concat(row.ReferenceNumbers, row.ShipmentTags)
	if len(row.ReferenceNumbers) == 0 {
		wanted = append(wanted, r.params.ReferenceNumbers...)
	}
	lost := slices.DeleteFunc(wanted, func(one string) bool {
		return slices.Contains(request.ReferenceNumbers, one) || slices.Contains(request.ShipmentTags, one)
	})
	if len(lost) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s; t49 shipments references NUMBER REFERENCE adds references", errNotStored, strings.Join(lost, ", "))
}

// errPending means that a request was not settled in the time of --wait.
var errPending = errors.New("the shipping line has not answered yet")

// errNotStored means that a reference or a tag changed nothing.
var errNotStored = errors.New("it was tracked already, without this reference or tag")

// wait waits until a request is settled. It returns the request also with an error.
func (a *app) wait(ctx context.Context, request *terminal49.TrackingRequest, most time.Duration) (*terminal49.TrackingRequest, error) {
	waiting, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	settled, err := a.client.TrackingRequests.Wait(waiting, request.ID, nil)
	if settled == nil {
		settled = request
	}
	if err != nil && waiting.Err() != nil && ctx.Err() == nil {
		err = errPending
	}
	return settled, err
}

// undecidedError returns what to do if the shipping line is not certain.
type undecidedError struct {
	*terminal49.CarrierUndecidedError
}

// Error implements error.
func (e undecidedError) Error() string {
	if len(e.Candidates()) == 0 {
		return "the shipping line is not known; repeat with --scac CODE, which t49 lines NAME prints"
	}
	text := "the shipping line is not certain; repeat with --scac and one of"
	for _, candidate := range e.Candidates() {
		text += " " + candidate.SCAC
	}
	return text
}

// Unwrap returns the client's error.
func (e undecidedError) Unwrap() error { return e.CarrierUndecidedError }

func explain(err error) error {
	var undecided *terminal49.CarrierUndecidedError
	if errors.As(err, &undecided) {
		return undecidedError{undecided}
	}
	return err
}

func (a *app) trackingRequests() *cobra.Command {
	var params terminal49.TrackingRequestListParams
	var status string
	cmd := a.listing(&cobra.Command{
		Use:     "tracking-requests",
		Aliases: []string{"requests"},
		Short:   "List what is tracked",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := a.connect()
			if err != nil {
				return err
			}
			params.Status, params.PageSize = terminal49.TrackingRequestStatus(status), a.pageSize()
			if err := check("status", params.Status, append(requestStatuses, "")); err != nil {
				return err
			}
			t := a.print("NUMBER", "LINE", "TYPE", "STATUS", "WHY NOT", "CREATED")
			return printList(t, client.TrackingRequests.All(cmd.Context(), &params, terminal49.WithResponse(&a.read)), func(r *terminal49.TrackingRequest) error {
				return t.row(r, r.RequestNumber, r.SCAC, string(r.RequestType), string(r.Status), string(r.FailedReason), r.CreatedAt.String())
			})
		},
	}, "tracking_requests.list")
	flags := cmd.Flags()
	flags.StringVar(&params.RequestNumber, "number", "", "only this `number`")
	flags.StringVar(&params.SCAC, "scac", "", "only this shipping line's `code`")
	flags.StringVar(&status, "status", "", "only this `status`: pending, created or failed")
	complete(cmd, "status", requestStatuses)
	return cmd
}
