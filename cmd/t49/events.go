package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
)

func (a *app) events() *cobra.Command {
	var withdrawn bool
	cmd := a.tabular(&cobra.Command{
		Use:   "events ID|NUMBER...",
		Short: "Show the journeys of containers, sorted, estimates included",
		RunE: func(cmd *cobra.Command, which []string) error {
			columns, records := []string{"CONTAINER", "TIME", "WHAT", "PLACE", "VESSEL"}, a.recordsOf(presentJourney)
			if a.csv {
				columns = append(columns, recordColumns...)
			}
			t := a.print(columns...)
			err := a.each(cmd.Context(), which, records.choose, func(c *terminal49.Container) error {
				return a.journey(cmd.Context(), t, c, records, withdrawn)
			})
			return t.end(err)
		},
	}, "containers.transport_events")
	a.numbered(cmd, true)
	cmd.Flags().BoolVar(&withdrawn, "withdrawn", false, "also show withdrawn and superseded events")
	return cmd
}

// journey prints the journey of a container.
func (a *app) journey(ctx context.Context, t *table, c *terminal49.Container, records *recordSet, withdrawn bool) error {
	events, err := a.client.Containers.TransportEvents(ctx, c.ID, &terminal49.TransportEventListParams{
		Include: []terminal49.TransportEventInclude{terminal49.TransportEventIncludeLocation, terminal49.TransportEventIncludeVessel},
	})
	if err != nil {
		return err
	}
	if a.json {
		for _, event := range events {
			if err := t.row(event); err != nil {
				return err
			}
		}
		return nil
	}
	for _, m := range terminal49.Journey(c, terminal49.JourneyOptions{Events: events, Withdrawn: withdrawn}) {
		place := m.Place
		if place == "" {
			place = m.LOCODE
		}
		t.cells(records.cells(c, m.At.String(), m.Description(), place, m.VesselName)...)
	}
	return nil
}

func (a *app) watch() *cobra.Command {
	var interval time.Duration
	cmd := resources(&cobra.Command{
		Use:   "watch ID|NUMBER...",
		Short: "Print changes of containers until interrupted",
		RunE: func(cmd *cobra.Command, which []string) error {
			return a.watchAll(cmd.Context(), which, interval)
		},
	}, "containers.get")
	a.numbered(cmd, true)
	cmd.Flags().DurationVar(&interval, "interval", time.Minute, "`time` between two reads, at first; it grows while nothing changes")
	return cmd
}

// watchAll watches containers side by side until interrupted, which is not an error.
func (a *app) watchAll(interrupt context.Context, which []string, interval time.Duration) error {
	if interval <= 0 {
		return usageError{errors.New("--interval must be positive")}
	}
	ctx, cancel := context.WithCancelCause(interrupt)
	defer cancel(nil)
	var watching sync.WaitGroup
	var printing sync.Mutex
	records := a.recordsOf(presentJourney)
	err := a.each(ctx, which, records.choose, func(c *terminal49.Container) error {
		name := records.name(c)
		if err := a.say("watching %s: %s", name, terminal49.Assess(c, time.Now(), terminal49.VerdictOptions{})); err != nil {
			return err
		}
		watching.Go(func() {
			params := &terminal49.ContainerWatchParams{MinInterval: interval, MaxInterval: max(interval, 30*time.Minute), LastReading: c, Include: related}
			for change, err := range a.client.Containers.Watch(ctx, c.ID, params) {
				if err != nil {
					cancel(err)
					return
				}
				printing.Lock()
				err = a.changed(name, change)
				printing.Unlock()
				if err != nil {
					cancel(err)
				}
			}
		})
		return nil
	})
	if err != nil {
		cancel(err)
	}
	watching.Wait()
	if cause := context.Cause(ctx); err == nil && cause != context.Cause(interrupt) {
		err = cause
	}
	return err
}

// changed prints a change of a container with a name: what it means, or the container as JSON.
func (a *app) changed(name string, change *terminal49.WatchedChange) error {
	c := change.After
	if a.json {
		text, err := c.MarshalJSON()
		if err != nil {
			return err
		}
		return a.line(text)
	}
	meaning := change.Changes()
	a.say("%s changed: %s", name, strings.Join(change.Changeset.Attributes(), ", "))
	for _, hold := range meaning.Holds {
		a.say("  %s", hold)
	}
	for _, deadline := range meaning.LastFreeDays {
		a.say("  last free day by the %s is %s: %s", deadline.Source, deadline.Move, day(deadline.New))
	}
	for _, fee := range meaning.Fees {
		a.say("  fee %s: %s", fee.Kind, feeOf(fee))
	}
	return a.say("  %s: %s", name, terminal49.Assess(c, time.Now(), terminal49.VerdictOptions{}))
}

func feeOf(f terminal49.FeeChange) string {
	fee := terminal49.Fee{Type: f.Type, CurrencyCode: f.CurrencyCode, Amount: f.New}
	return fmt.Sprintf("%s %s", f.Type, amount(fee))
}
