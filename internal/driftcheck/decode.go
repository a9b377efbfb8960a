package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/go-freight/terminal49"
)

const notUnderstood = "in an example was not understood by the library"

// decodeExamples decodes every example with the library, in strict mode, and returns what was not
// understood.
func decodeExamples(examples []example) ([]finding, error) {
	calls := allCalls()
	var findings []finding
	for _, e := range examples {
		call, ok := calls[e.op]
		if !ok {
			return nil, fmt.Errorf("no call for %s: add it to allCalls", e.op)
		}
		client, err := terminal49.New("drift-check", terminal49.WithUnstable(terminal49.UnstableExamples), terminal49.WithStrictDecoding(),
			terminal49.WithoutRateLimits(), terminal49.WithMaxAttempts(1), terminal49.WithHTTPClient(&http.Client{Transport: e}))
		if err != nil {
			return nil, err
		}
		err = call(client)
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
