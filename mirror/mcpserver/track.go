package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-freight/terminal49"
)

var trackTool = mcp.Tool{
	Name: "track",
	Description: "Have the service track a container, bill of lading or booking from now on. Ask the person first: it may cost money. " +
		"It can be repeated: a number that is tracked already is not tracked twice.",
	Annotations: &mcp.ToolAnnotations{IdempotentHint: true, DestructiveHint: new(bool)},
}

// The bounds of what is tracked.
const (
	longestNumber     = 64
	longestReference  = 100
	mostReferences    = 10
	defaultRetryAfter = time.Minute // the service counts requests of one minute
)

var _ = enumOf(terminal49.RequestTypeContainer, terminal49.RequestTypeBillOfLading, terminal49.RequestTypeBookingNumber)

type trackInput struct {
	Number     string                 `json:"number" jsonschema:"container number, bill of lading or booking"`
	SCAC       string                 `json:"scac,omitempty" jsonschema:"code of the carrier; without it the service infers it, or you are asked"`
	Kind       terminal49.RequestType `json:"kind,omitempty"`
	References []string               `json:"references,omitempty" jsonschema:"for a new request; at most 10"`
}

type trackAnswer struct {
	common
	Outcome trackOutcome    `json:"outcome" jsonschema:"unknown: no response came; call again with the same arguments"`
	Request *trackedRequest `json:"request,omitempty" jsonschema:"none if the container's bill of lading is tracked"`
}

// trackOutcome is what a call of track did.
type trackOutcome string

var (
	trackCreated trackOutcome = "created"
	trackExisted trackOutcome = "existed"
	trackUnknown trackOutcome = unknown

	_ = enumOf(trackCreated, trackExisted, trackUnknown)
)

// trackedRequest is a tracking request as the service has it now.
type trackedRequest struct {
	ID         string   `json:"id"`
	Number     string   `json:"number"`
	Kind       string   `json:"kind"`
	SCAC       string   `json:"scac" jsonschema:"unknown while it is being detected"`
	Status     string   `json:"status"`
	Reason     string   `json:"reason,omitempty" jsonschema:"why its last attempt failed"`
	References []string `json:"references,omitempty"`
}

// track finds or creates a tracking request. One at a time: an agent may send a call twice at once,
// and neither would find what the other one creates.
func (s *server) track(ctx context.Context, in trackInput) (*trackAnswer, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	select {
	case s.tracking <- struct{}{}:
		defer func() { <-s.tracking }()
	case <-ctx.Done():
		return nil, wait(10*time.Second, "other numbers are being tracked")
	}
	tracked, err := s.Client.TrackingRequests.Track(ctx, strings.TrimSpace(in.Number), &terminal49.TrackParams{
		SCAC: in.SCAC, RequestType: in.Kind, ReferenceNumbers: in.References,
	})
	a := &trackAnswer{Outcome: trackUnknown, common: common{Total: 1, Shown: 1}}
	switch {
	case err != nil && terminal49.IsOutcomeUnknown(err):
		s.Logger.Warn("the outcome of tracking is unknown", "error", err)
		a.note("The service may have created the request. Call again with the same arguments: nothing is tracked twice.")
		return a, nil
	case err != nil:
		return nil, s.untracked(in, err)
	}
	a.Outcome = trackExisted
	if tracked.Request != nil {
		a.Request = trackedAs(tracked.Request)
	}
	switch {
	case tracked.Result == terminal49.TrackResultCreated:
		a.Outcome = trackCreated
		a.note("The carrier answers in minutes to hours; until then find reports the request.")
	case tracked.Result == terminal49.TrackResultContainerTracked:
		shipment, _ := tracked.Container.Shipment.Value()
		a.note("The container is tracked already, on the bill of lading " + string(quoted(shipment.BillOfLadingNumber)) + "; find reports it.")
	case len(in.References) > 0 && tracked.Result == terminal49.TrackResultExisting:
		a.note("The request existed, so the references were not added to it.")
	}
	return a, nil
}

// check refuses what the service would not accept, before anything is sent.
func (in *trackInput) check() error {
	if problem := textProblem(in.Number, longestNumber); problem != "" {
		return mend("number", "%s", problem)
	}
	if len(strings.TrimSpace(in.SCAC)) > 4 {
		return mend("scac", "must be the carrier's code of four letters or digits; leave it out if it is not known")
	}
	if in.Kind == terminal49.RequestTypeContainer {
		if _, err := terminal49.ParseContainerNumber(in.Number); err != nil {
			return mend("number", "%s; if it is right as it is, leave kind out", clean(err.Error()))
		}
	}
	if len(in.References) > mostReferences {
		return mend("references", "must be at most %d, not %d", mostReferences, len(in.References))
	}
	for i, reference := range in.References {
		if problem := textProblem(reference, longestReference); problem != "" {
			return mend(fmt.Sprintf("references[%d]", i), "%s", problem)
		}
	}
	return nil
}

// textProblem returns why a text is not a number or reference; "" if it may be one.
func textProblem(text string, longest int) string {
	isHidden := func(r rune) bool { return !unicode.IsPrint(r) }
	switch n := utf8.RuneCountInString(text); {
	case strings.TrimSpace(text) == "":
		return "must not be empty"
	case n > longest:
		return fmt.Sprintf("must have at most %d characters, not %d", longest, n)
	case !utf8.ValidString(text) || strings.ContainsFunc(text, isHidden):
		return "must have only printable characters"
	}
	return ""
}

func trackedAs(r *terminal49.TrackingRequest) *trackedRequest {
	t := &trackedRequest{
		ID: clean(r.ID), Number: clean(r.RequestNumber), Kind: known(string(r.RequestType)), SCAC: known(r.SCAC),
		Status: known(string(r.Status)), Reason: clean(string(r.FailedReason)),
	}
	for _, reference := range r.ReferenceNumbers {
		t.References = append(t.References, clean(reference))
	}
	return t
}

// untracked explains why nothing was created.
func (s *server) untracked(in trackInput, err error) error {
	var undecided *terminal49.CarrierUndecidedError
	var invalid *terminal49.InvalidNumberError
	var refused *terminal49.APIError
	_ = errors.As(err, &refused) // also the last response before a call was given up
	switch {
	case errors.As(err, &undecided):
		return mend("scac", "the carrier of this number is not certain; ask the person, and call again with one of: %s", candidates(undecided))
	case errors.As(err, &invalid):
		return mend("number", "nothing was tracked: %s", clean(invalid.Reason))
	case errors.Is(err, terminal49.ErrRateLimited):
		after := defaultRetryAfter
		if refused != nil {
			after = refused.RetryAfter.Or(after)
		}
		return wait(after, "nothing was tracked, because the account's requests of this minute are used up")
	case errors.Is(err, terminal49.ErrUnauthorized), errors.Is(err, terminal49.ErrForbidden):
		return help("nothing was tracked, because the service does not accept the API key of this server, or does not allow it to track; ask the person who runs it")
	case errors.Is(err, terminal49.ErrDuplicate):
		return mend("number", "it is tracked already, and its request is not among the newest; look for it with find")
	case errors.Is(err, terminal49.ErrInvalid):
		return mend("number", "nothing was tracked, because the service refuses it: %s", reasons(refused))
	case errors.As(err, new(*terminal49.ArgumentError)):
		return err
	}
	s.Logger.Warn("a number could not be tracked", "error", err)
	return wait(30*time.Second, "nothing was tracked, because the service does not answer as it should")
}

func candidates(e *terminal49.CarrierUndecidedError) string {
	var names []string
	for _, c := range e.Candidates() {
		names = append(names, fmt.Sprintf("%s (%s, %.0f %%)", known(c.SCAC), quoted(c.Name), 100*c.Confidence))
	}
	if len(names) == 0 {
		return "none was named, so ask for the carrier"
	}
	return strings.Join(names[:min(len(names), mostReferences)], ", ")
}

func reasons(e *terminal49.APIError) own {
	if e == nil || len(e.Errors) == 0 {
		return "without a reason"
	}
	return quoted(e.Errors[0].String())
}

func (a *trackAnswer) write(p *page) {
	if a.Request == nil {
		p.line("Outcome: %s.", a.Outcome)
		return
	}
	r := a.Request
	p.line("Outcome: %s. Request %s for %s %s, carrier %s, status %s.", a.Outcome, r.ID, r.Kind, quoted(r.Number), r.SCAC, r.Status)
	if r.Reason != "" {
		p.line("Last attempt: %s.", quoted(r.Reason))
	}
}
