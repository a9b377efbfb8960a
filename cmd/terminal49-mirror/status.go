package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49/mirror"
)

func (a *app) status() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Print how old and how complete the copy is",
		Long:  "Print how old and how complete the copy is. The exit status is 1 if something is too old.",
		Args:  cobra.NoArgs,
		RunE: a.local(func(ctx context.Context, m *mirror.Mirror) error {
			s, err := m.Status(ctx)
			if err != nil {
				return err
			}
			if err := printStatus(a.out, s); err != nil {
				return err
			}
			if err := errors.Join(s.Healthy(s.At), pushProblems(s, s.At)); err != nil {
				a.complainOf("", err)
				return errDiffers
			}
			return nil
		}),
	}
}

// pushProblems returns what is wrong with the pushes.
func pushProblems(s *mirror.Status, now time.Time) (all error) {
	for _, p := range s.Pushes {
		all = errors.Join(all, p.Healthy(now))
	}
	return all
}

// printStatus prints a status as a table.
func printStatus(to io.Writer, s *mirror.Status) error {
	var rows [][]string
	line := func(name string, value any) { rows = append(rows, []string{name, fmt.Sprint(value)}) }
	line("account", orElse(s.Account, "unknown: the service has not said it"))
	for _, age := range ages(s) {
		line("last "+age.what, ago(s.At, age.last))
	}
	line("webhook", orElse(s.Webhook, "none"))
	line("inbox", fmt.Sprintf("%d to apply, %d quarantined, %d dead letters", s.Inbox, s.Quarantined, s.Dead))
	line("marked", fmt.Sprintf("%d to read again", s.Marked))
	line("missing", fmt.Sprintf("%d not found, %d deleted", s.Missing, s.Deleted))
	line("changes", s.Changes)
	line("position of the end", orElse(string(s.Position), "none yet"))
	line("restore noticed", ago(s.At, s.Restored))
	for _, table := range slices.Sorted(maps.Keys(s.Rows)) {
		line("rows of "+table, s.Rows[table])
	}
	for _, walk := range s.Walks {
		line("walk over "+walk.Scope, describe(walk, s.At))
	}
	for _, p := range s.Pushes {
		line("push "+p.Name, strings.TrimPrefix(pushLine(p, s.At), "push "+p.Name+" "))
	}
	for _, problem := range append(notEmpty(s.Failure, s.Clock), s.Problems...) {
		line("problem", problem)
	}
	return printColumns(to, rows)
}

// age is when something was last done.
type age struct {
	what string
	last time.Time
}

func ages(s *mirror.Status) []age {
	return []age{
		{"response", s.Heard}, {"poll", s.Poll}, {"active walk", s.ActiveWalk}, {"whole walk", s.WholeWalk}, {"audit", s.Audit}, {"notification", s.Notification},
		{"write", s.Written},
	}
}

func ago(now, last time.Time) string {
	age := now.Sub(last).Round(time.Second)
	switch {
	case last.IsZero():
		return "never"
	case age < 0:
		return (-age).String() + " in the future"
	}
	return age.String() + " ago"
}

// describe returns how far a walk is.
func describe(w mirror.WalkStatus, now time.Time) string {
	of := ""
	if w.Total >= 0 {
		of = fmt.Sprintf(" of %d", w.Total)
	}
	return strings.Join([]string{w.State + ",", fmt.Sprintf("%d%s,", w.Seen, of), ago(now, w.PageAt)}, " ")
}

// notEmpty returns those texts that are not empty.
func notEmpty(texts ...string) []string {
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
