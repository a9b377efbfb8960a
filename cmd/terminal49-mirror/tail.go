package main

import (
	"context"
	"encoding/json"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49/mirror"
)

// tailInterval is how often tail looks for changes.
const tailInterval = 500 * time.Millisecond

func (a *app) tail() *cobra.Command {
	var follow bool
	var after int64
	cmd := &cobra.Command{
		Use:   "tail",
		Short: "Print what changed, as lines of JSON",
		Long: `Print what changed, as lines of JSON, oldest first. Keep the seq of the last line
that you have handled and continue with --after: no change is skipped or repeated.`,
		Args: cobra.NoArgs,
	}
	cmd.Flags().BoolVar(&follow, "follow", false, "wait for more changes, until interrupted")
	cmd.Flags().Int64Var(&after, "after", 0, "print only changes after this `seq`")
	cmd.RunE = a.local(func(ctx context.Context, m *mirror.Mirror) error {
		for {
			last, err := a.printChanges(ctx, m, after)
			if err != nil && (ctx.Err() == nil || !follow) {
				return err
			}
			after = last
			if !follow || !sleep(ctx, tailInterval) {
				return nil
			}
		}
	})
	return cmd
}

// printChanges prints the changes after one, and returns the seq of the last.
func (a *app) printChanges(ctx context.Context, m *mirror.Mirror, after int64) (int64, error) {
	lines := json.NewEncoder(jsonLines{a.out})
	lines.SetEscapeHTML(false)
	for change, err := range m.Changes(ctx, after) {
		if err != nil {
			return after, err
		}
		if err := lines.Encode(change); err != nil {
			return after, err
		}
		after = change.Seq
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
