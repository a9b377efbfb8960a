package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/go-freight/terminal49/cmd/internal/cli"
)

// line prints JSON in one line, with the selected fields only.
func (a *app) line(text []byte) error {
	if len(a.fields) > 0 {
		var err error
		if text, err = a.selected(text); err != nil {
			return err
		}
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return err
	}
	_, err := fmt.Fprintf(cli.Hidden(a.out), "%s\n", cli.PrintableJSON(compact.Bytes()))
	return err
}

// selected leaves only the selected attributes of a resource. An attribute that it does not have is
// left out.
func (a *app) selected(text []byte) ([]byte, error) {
	var resource struct {
		Type       string                     `json:"type"`
		ID         string                     `json:"id"`
		Attributes map[string]json.RawMessage `json:"attributes"`
	}
	if err := json.Unmarshal(text, &resource); err != nil {
		return nil, err
	}
	for name := range resource.Attributes {
		if !slices.Contains(a.fields, name) {
			delete(resource.Attributes, name)
		}
	}
	return json.Marshal(resource)
}

// plain replaces characters that a terminal would interpret instead of showing, and "" by "-".
func plain(text string) string {
	if text == "" {
		return "-"
	}
	return cli.Printable(text)
}

// say prints a human-readable line. With --json or --csv it is not a result. An error ends the
// command also if it is ignored.
func (a *app) say(format string, values ...any) error {
	if a.json || a.csv {
		a.note(format, values...)
		return nil
	}
	_, err := fmt.Fprintln(a.out, plain(fmt.Sprintf(format, values...)))
	return err
}

// note prints a line to standard error.
func (a *app) note(format string, values ...any) {
	a.noting.Lock()
	defer a.noting.Unlock()
	fmt.Fprintln(a.log, plain(fmt.Sprintf(format, values...)))
}
