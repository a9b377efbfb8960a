package mirror

import (
	"context"

	"github.com/go-freight/terminal49"
)

// Finding is what [Doctor] found out about the service.
type Finding struct {
	Question string // such as "How many shipments can a page have?"
	Answer   string // such as "100."
	Meaning  string // what it means for a mirror
}

// String returns the finding in one line.
func (f Finding) String() string { return f.Question + " " + f.Answer + " " + f.Meaning }

// Doctor finds out what the service's documents leave open, with about ten reads.
func Doctor(ctx context.Context, client *terminal49.Client) ([]Finding, error) { return nil, nil }
