package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
)

func (a *app) track() *cobra.Command {
	var params terminal49.TrackParams
	var kind string
	var wait time.Duration
	cmd := a.tabular(&cobra.Command{
		Use:   "track NUMBER...",
		Short: "Track bills of lading, bookings or container numbers",
		Long: `Track numbers. A number that is tracked already is found, not tracked twice; so is
a container that its bill of lading tracks, unless there is a --reference to store.
The service infers the shipping line; if it is not sure, the candidates are
printed: repeat with --scac.`,
		RunE: func(cmd *cobra.Command, numbers []string) error {
			params.RequestType = terminal49.RequestType(kind)
			if err := check("type", params.RequestType, append(requestTypes, "")); err != nil {
				return err
			}
			numbers, err := a.numbers(cmd.Context(), numbers)
			if err != nil {
				return err
			}
			return a.trackAll(cmd.Context(), numbers, params, wait)
		},
	}, "tracking_requests.get")
	a.numbered(cmd, true)
	flags := cmd.Flags()
	flags.StringVar(&params.SCAC, "scac", "", "`code` of the shipping line, instead of the service's inference")
	flags.StringVar(&kind, "type", "", "`kind` of number: bill_of_lading, booking_number or container")
	flags.StringSliceVar(&params.ReferenceNumbers, "reference", nil, "`numbers` of your own, separated by commas")
	flags.DurationVar(&wait, "wait", 0, "wait this `long` for the shipping line's answer")
	complete(cmd, "type", requestTypes)
	return cmd
}

func (a *app) trackAll(ctx context.Context, numbers []string, params terminal49.TrackParams, wait time.Duration) (failed error) {
	client, err := a.connect()
	if err != nil {
		return err
	}
	t := a.print("NUMBER", "LINE", "TYPE", "STATUS", "RESULT")
	for _, number := range numbers {
		tracked, err := client.TrackingRequests.Track(ctx, number, &params)
		request := tracked.Request
		if request != nil && err == nil && wait > 0 {
			request, err = a.wait(ctx, request, wait)
		}
		if err == nil && tracked.Result == terminal49.TrackResultExisting && !containsAll(request.ReferenceNumbers, params.ReferenceNumbers) {
			err = errReferenceIgnored
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", plain(number), explain(err)))
		}
		switch result := string(tracked.Result); {
		case request != nil:
			err := t.row(request, request.RequestNumber, request.SCAC, string(request.RequestType), string(request.Status), result)
			failed = errors.Join(failed, err)
		case tracked.Container != nil:
			c := tracked.Container
			line, _ := c.Shipment.Value()
			a.note("%s is on the bill of lading %s, which is tracked", c.Number, billOfLading(c))
			failed = errors.Join(failed, t.row(c, c.Number, line.ShippingLineSCAC, string(terminal49.RequestTypeContainer), "", result))
		}
	}
	return t.end(failed)
}

// errPending means that a request was not settled in the time of --wait.
var errPending = errors.New("the shipping line has not answered yet")

// errReferenceIgnored means that --reference changed nothing.
var errReferenceIgnored = errors.New("it was tracked already, without this --reference; t49 shipments references NUMBER REFERENCE adds it")

func containsAll(list, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(one string) bool { return !slices.Contains(list, one) })
}

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
