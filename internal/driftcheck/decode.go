package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

const notUnderstood = "in an example was not understood by the library"

// decodeExamples decodes every example with the library, in strict mode, and returns what was not
// understood.
func decodeExamples(examples []example) ([]finding, error) {
	calls := testkit.EveryCall()
	var findings []finding
	for _, e := range examples {
		i := slices.IndexFunc(calls, func(c testkit.Call) bool { return c.Op == e.op })
		if i < 0 {
			return nil, fmt.Errorf("no call for %s: add it to internal/testkit", e.op)
		}
		client, err := terminal49.New("drift-check", terminal49.WithUnstable(terminal49.UnstableExamples), terminal49.WithStrictDecoding(), terminal49.WithoutFilterCheck(),
			terminal49.WithoutRateLimits(), terminal49.WithMaxAttempts(1), terminal49.WithHTTPClient(&http.Client{Transport: e}))
		if err != nil {
			return nil, err
		}
		err = calls[i].Do(context.Background(), client)
		var unread *terminal49.DecodeError
		switch {
		case err == nil:
		case errors.As(err, &unread) && len(unread.Warnings) > 0:
			for _, w := range unread.Warnings {
				what := w.ResourceType + "." + w.Field + ": " + w.Problem
				findings = append(findings, finding{"example " + e.op, what, notUnderstood})
			}
		default:
			findings = append(findings, finding{"example " + e.op, e.name + ": " + err.Error(), notUnderstood})
		}
	}
	return findings, nil
}

// RoundTrip returns the example for every request.
func (e example) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: e.status, Header: http.Header{}, Request: r, Body: io.NopCloser(bytes.NewReader(e.body)),
	}, nil
}
