package board

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/go-freight/terminal49"
)

// source is where containers come from: a mirror, which the board runs itself for an account.
type source interface {
	now() time.Time      // the source's clock
	tick() time.Duration // how often that clock may have changed a verdict
	// follow puts every container into the model, and what changes, until ctx ends.
	follow(ctx context.Context, m *model) error
	state() state
	// containers returns those of the ids that exist.
	containers(ctx context.Context, ids []string) ([]*terminal49.Container, error)
	details(ctx context.Context, c *terminal49.Container) (details, error)
}

// state is how current the board is, in words.
type state struct {
	Age     string
	Problem string // why it is older than it should be; "" if it is not
	Partial bool   // not everything has been read once
}

// details are what only a container's page shows. What could not be read is missing.
type details struct {
	events  []*terminal49.TransportEvent
	route   *terminal49.ContainerMap // nil if there is none
	changes []change                 // newest first
	since   string                   // what the changes are
}

// change is one changed value.
type change struct {
	At        time.Time // on the source's clock
	Attribute string
	Old, New  string // the service's JSON
	By        string // how it was found
}

func (c change) When() string { return utc(c.At) }
func (c change) Had() bool    { return isSet(c.Old) }
func (c change) Has() bool    { return isSet(c.New) }

// health is whether a source can be read, and since when not.
type health struct {
	mu      sync.Mutex
	failed  time.Time // when the first failure after the last response was; zero if none was
	problem string
}

// ok notes a response.
func (h *health) ok() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.failed, h.problem = time.Time{}, ""
}

// fail notes a failure, in words.
func (h *health) fail(problem string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.failed.IsZero() {
		h.failed = time.Now()
	}
	h.problem = problem
}

// report returns the problem with its time; "" if there is none.
func (h *health) report() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.problem == "" {
		return ""
	}
	return h.problem + " What is shown is from before " + utc(h.failed) + "."
}

// explain returns what is wrong with the service, in words; "" if the error is not about it.
func explain(err error) string {
	var api *terminal49.APIError
	switch {
	case errors.Is(err, terminal49.ErrUnauthorized):
		return "Terminal49 refuses the token: it is wrong or was revoked. Set T49_API_TOKEN to a valid one, and start the board again."
	case errors.Is(err, terminal49.ErrForbidden):
		return "Terminal49 does not allow this token to read containers. Ask the account's administrator."
	case errors.Is(err, terminal49.ErrRateLimited) && !errors.As(err, &api):
		return "" // the board's own limiter has no place for the request
	case errors.Is(err, terminal49.ErrRateLimited):
		return "The requests of the account are used up: another program uses the same token."
	case errors.As(err, &api):
		return "Terminal49 answers with an error: " + api.Error() + "."
	}
	return "Terminal49 does not answer."
}
