package main

import (
	"errors"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/cmd/internal/cli"
)

// The exit statuses, those of the service's own command line, and exitNo.
const (
	exitOK       = 0
	exitNo       = 1 // the result is no, or not known yet
	exitUsage    = 2
	exitAuth     = 3
	exitRate     = 4
	exitNotFound = 5
	exitInvalid  = 6
	exitUnknown  = 7 // a write that may have been carried out
	exitUpstream = 8
	exitNetwork  = 9

	exitTimeOver    = 124 // as timeout of GNU reports it
	exitInterrupted = 130 // as a shell reports a command that SIGINT ended
	exitPipe        = 141 // likewise of SIGPIPE
)

const exitHelp = `Exit status:
  0  it worked; ready: all can be picked up
  1  no, or not known yet
  2  the command or its environment is wrong, or the output cannot be written
  3  the service does not accept the token, or the account may not do it
  4  rate limited
  5  not found
  6  the service rejected the request, or a number cannot be tracked
  7  a write that may have been carried out
  8  the service failed
  9  no response
124  the time of --timeout is over, without a write that may have been carried out
130  interrupted, without a write that may have been carried out
141  the reader of the output has closed it`

// errNo means that the result is no. It has been printed.
var errNo = errors.New("no")

// errInterrupted means that a signal ended a command before its end.
var errInterrupted = errors.New("interrupted")

// errTimeOver means that --timeout ended a command before its end.
var errTimeOver = errors.New("not finished in the time of --timeout")

// usageError is an error of what the user typed or set.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// statusOf returns the exit status of an error. Of several, a write that may have been carried out
// comes first, because it must not be repeated blindly, and then the first error. A no comes last.
func statusOf(err error) int {
	if err == nil {
		return exitOK
	}
	status := exitNo
	for _, part := range cli.Parts(err) {
		switch one := statusOfOne(part); {
		case one == exitUnknown:
			return one
		case status == exitNo:
			status = one
		}
	}
	return status
}

// statusOfOne returns the exit status of an error that is not joined.
func statusOfOne(err error) int {
	var output cli.OutputError
	var usage usageError
	var argument *terminal49.ArgumentError
	switch {
	case cli.IsClosedOutput(err):
		return exitPipe
	case errors.Is(err, errNo), errors.Is(err, errPending), errors.Is(err, errNotStored):
		return exitNo
	case errors.Is(err, errTimeOver):
		return exitTimeOver
	case errors.Is(err, errInterrupted):
		return exitInterrupted
	case errors.As(err, &output), errors.As(err, &usage), errors.As(err, &argument):
		return exitUsage
	}
	return statusOfService(err)
}

// statusOfService returns the exit status of an error of the service, or of the way to it.
func statusOfService(err error) int {
	var transport *terminal49.TransportError
	switch {
	case errors.Is(err, terminal49.ErrUnauthorized), errors.Is(err, terminal49.ErrForbidden):
		return exitAuth
	case errors.Is(err, terminal49.ErrRateLimited):
		return exitRate
	case errors.Is(err, terminal49.ErrNotFound), errors.Is(err, errNotFound):
		return exitNotFound
	case terminal49.IsOutcomeUnknown(err):
		return exitUnknown
	case errors.Is(err, terminal49.ErrInvalid), errors.Is(err, terminal49.ErrConflict), isRejected(err):
		return exitInvalid
	case errors.As(err, &transport):
		return exitNetwork
	}
	return exitUpstream
}

// errNotFound means that the account has no resource with a number.
var errNotFound = errors.New("not found")

// notFoundHint is printed once, after all numbers that were not found.
const notFoundHint = "Only tracked numbers are found: t49 search finds parts of them, t49 track begins to track one, and t49 tracking-requests --number shows why one is pending or has failed."

// isRejected reports whether a number cannot be tracked.
func isRejected(err error) bool {
	var undecided *terminal49.CarrierUndecidedError
	var number *terminal49.InvalidNumberError
	var failed *terminal49.TrackingFailedError
	return errors.As(err, &undecided) || errors.As(err, &number) || errors.As(err, &failed)
}
