package main

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

// tailInterval is how often tail looks for changes.
const tailInterval = 500 * time.Millisecond

// tailEnd is the word for the end of the feed.
const tailEnd = "end"

func (a *app) tail() *cobra.Command {
	var follow bool
	var after string
	cmd := &cobra.Command{
		Use:   "tail",
		Short: "Print what changed, as lines of JSON",
		Long: `Print what changed, as lines of JSON, oldest first. Keep the position of the last line
that you have handled and continue with --after: no change is skipped or repeated.

If changes after the position are missing, because the database was restored, or is another
one, or the changes were deleted by age, the exit status is 4. Then take the position of the
end from "terminal49-mirror status", read the tables again, and continue from that position.`,
		Example: `  terminal49-mirror tail
  terminal49-mirror tail --follow --after 31543-9f3c2a7be01d44aa
  terminal49-mirror tail --follow --after end`,
		Args: cobra.NoArgs,
	}
	cmd.Flags().BoolVar(&follow, "follow", false, "wait for more changes, until interrupted")
	cmd.Flags().StringVar(&after, "after", "", "print only changes after this `position`: that of a line, or end (default the beginning)")
	cmd.RunE = a.local(func(ctx context.Context, m *mirror.Mirror) error {
		last, err := tailFrom(ctx, m, after)
		if err != nil {
			return err
		}
		for {
			last, err = a.printChanges(ctx, m, last)
			if err != nil && (ctx.Err() == nil || !follow) {
				return explainPosition(err)
			}
			if !follow || !sleep(ctx, tailInterval) {
				return nil
			}
		}
	})
	return cmd
}

// tailFrom returns the position that the argument of --after names.
func tailFrom(ctx context.Context, m *mirror.Mirror, after string) (mirror.Position, error) {
	if after == tailEnd {
		return m.Position(ctx)
	}
	return mirror.Position(after), nil
}

// explainPosition returns the error of an invalid position in terms of the command.
func explainPosition(err error) error {
	if argument := (*terminal49.ArgumentError)(nil); errors.As(err, &argument) {
		return usageError(`--after must be the position of a line that tail printed, such as 31543-9f3c2a7be01d44aa, "end", or empty for the beginning; ` +
			"a seq alone does not show whether the database was restored")
	}
	return err
}

// printChanges prints the changes after a position, and returns the position of the last.
func (a *app) printChanges(ctx context.Context, m *mirror.Mirror, after mirror.Position) (mirror.Position, error) {
	lines := json.NewEncoder(jsonLines{a.out})
	lines.SetEscapeHTML(false)
	for change, err := range m.Changes(ctx, after) {
		if err != nil {
			return after, err
		}
		if err := lines.Encode(change); err != nil {
			return after, err
		}
		after = change.Position
	}
	return after, nil
}

// sleep waits, and reports false if ctx ended.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
