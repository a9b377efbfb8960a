package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
)

func (a *app) track() *cobra.Command {
	var params terminal49.TrackParams
	var kind string
	var wait time.Duration
	cmd := &cobra.Command{
		Use:   "track NUMBER...",
		Short: "Track bills of lading, bookings or container numbers",
		Long: `Tracks numbers. A number that is tracked already is found, not tracked twice.
The service infers the shipping line; if it is not sure, the candidates are
printed: repeat with --scac.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, numbers []string) error {
			params.RequestType = terminal49.RequestType(kind)
			return a.trackAll(cmd.Context(), numbers, params, wait)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&params.SCAC, "scac", "", "`code` of the shipping line, instead of the service's inference")
	flags.StringVar(&kind, "type", "", "`kind` of number: bill_of_lading, booking_number or container")
	flags.StringSliceVar(&params.ReferenceNumbers, "reference", nil, "`numbers` of your own, separated by commas")
	flags.DurationVar(&wait, "wait", 0, "wait this `long` for the shipping line's answer")
	return cmd
}

func (a *app) trackAll(ctx context.Context, numbers []string, params terminal49.TrackParams, wait time.Duration) (failed error) {
	client, err := a.connect()
	if err != nil {
		return err
	}
	t := a.print("NUMBER", "LINE", "TYPE", "STATUS", "RESULT")
	for _, number := range numbers {
		request, result, err := client.TrackingRequests.FindOrTrack(ctx, number, &params)
		if err == nil && wait > 0 {
			request, err = a.wait(ctx, request, wait)
		}
		if err != nil {
			fmt.Fprintf(a.log, "t49: %s: %s\n", plain(number), why(err))
			failed = errors.Join(failed, err)
		}
		if request != nil {
			err := t.row(request, request.RequestNumber, request.SCAC, string(request.RequestType), string(request.Status), string(result))
			failed = errors.Join(failed, err)
		}
	}
	return errors.Join(failed, t.end())
}

// wait waits until a request is settled. It returns the request also with an error.
func (a *app) wait(ctx context.Context, request *terminal49.TrackingRequest, most time.Duration) (*terminal49.TrackingRequest, error) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	settled, err := a.client.TrackingRequests.Wait(ctx, request.ID, nil)
	if settled == nil {
		settled = request
	}
	return settled, err
}

// why explains why a number is not tracked.
func why(err error) string {
	var undecided *terminal49.CarrierUndecidedError
	if !errors.As(err, &undecided) {
		return err.Error()
	}
	text := "the shipping line is not certain; repeat with --scac and one of"
	for _, candidate := range undecided.Candidates() {
		text += " " + candidate.SCAC
	}
	return text
}

func (a *app) trackingRequests() *cobra.Command {
	var params terminal49.TrackingRequestListParams
	var status string
	cmd := &cobra.Command{
		Use:     "tracking-requests",
		Aliases: []string{"requests"},
		Short:   "List what is tracked",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := a.connect()
			if err != nil {
				return err
			}
			params.Status = terminal49.TrackingRequestStatus(status)
			t := a.print("NUMBER", "LINE", "TYPE", "STATUS", "WHY NOT", "CREATED")
			for r, err := range client.TrackingRequests.All(cmd.Context(), &params) {
				if err != nil {
					return errors.Join(err, t.end())
				}
				if err := t.row(r, r.RequestNumber, r.SCAC, string(r.RequestType), string(r.Status), string(r.FailedReason), r.CreatedAt.String()); err != nil {
					return err
				}
			}
			return t.end()
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&params.RequestNumber, "number", "", "only this `number`")
	flags.StringVar(&params.SCAC, "scac", "", "only this shipping line's `code`")
	flags.StringVar(&status, "status", "", "only this `status`: pending, created or failed")
	return cmd
}
