// Package dispatch decides what to do about one container.
package dispatch

import (
	"context"
	"errors"
	"time"

	"github.com/go-freight/terminal49"
)

// Do is what a dispatcher does next.
type Do string

// What a dispatcher can do.
const (
	Send    Do = "send"    // send a truck to Decision.Place
	Pay     Do = "pay"     // pay what is owed, then send a truck
	Wait    Do = "wait"    // nothing yet
	Ask     Do = "ask"     // ask the terminal: not enough is known
	Nothing Do = "nothing" // the container has left
)

// ErrNotOurs is returned for an id that the account does not have.
var ErrNotOurs = errors.New("dispatch: the account does not have this container")

// Decision is what to do about a container, and where.
type Decision struct {
	Do    Do
	Place string // of the terminal, such as "WBCT (USLAX)"; "" unless Do is Send or Pay
}

var related = terminal49.AssessIncludes()

// Decide reads the container with this id and decides. What is not known, such as an availability
// that is null, is Ask. A container that has left is Nothing, also if its terminal still reports it
// as available. The error is ErrNotOurs for an unknown id, and otherwise that of the client; then
// there is no decision.
func Decide(ctx context.Context, client *terminal49.Client, id string, now time.Time) (Decision, error) {
	container, err := client.Containers.Get(ctx, id, &terminal49.ContainerGetParams{Include: related})
	if errors.Is(err, terminal49.ErrNotFound) {
		return Decision{}, ErrNotOurs
	}
	if err != nil {
		return Decision{}, err
	}
	verdict := terminal49.Assess(container, now, terminal49.VerdictOptions{})
	switch verdict.Situation {
	case terminal49.SituationReady:
		return Decision{Send, verdict.Place.String()}, nil
	case terminal49.SituationPayFirst:
		return Decision{Pay, verdict.Place.String()}, nil
	case terminal49.SituationUnknown, terminal49.SituationStale:
		return Decision{Do: Ask}, nil
	case terminal49.SituationOut, terminal49.SituationReturned:
		return Decision{Do: Nothing}, nil
	default:
		return Decision{Do: Wait}, nil
	}
}
