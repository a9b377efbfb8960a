package terminal49_test

import (
	"context"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// Package context: do not pass a nil Context. Every method refuses one like another invalid
// argument, with an *ArgumentError, and sends nothing.
func TestContext_NilIsRefused(t *testing.T) {
	client := testkit.NewClient(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
		t.Error("a request was sent")
		return nil, http.ErrHandlerTimeout
	}))
	none := context.Context(nil)
	alsoInvalid := map[string][]string{ // of the arguments that Usable returns
		"DocumentSchemas.For": {"document"}, "DocumentSchemas.Get": {"id"}, "Vessels.GetByIMO": {"imo"}, "Webhooks.Ensure": {"URL"}, "Webhooks.Resolve": {"id"},
	}
	for _, m := range testkit.Methods() {
		args := make([]reflect.Value, len(m.Args))
		for i := range args {
			args[i] = testkit.Usable(t, m.Args[i])
		}
		for _, opts := range [][]terminal49.CallOption{nil, {terminal49.WithPrefetch(2)}} {
			err := testkit.OutcomeOf(m.Results(client, none, args, opts))
			if m.Name == "TrackingRequests.Prepare" {
				require.NoError(t, err, "it needs no request for these arguments")
				continue
			}
			var argument *terminal49.ArgumentError
			require.ErrorAs(t, err, &argument, m.Name)
			require.Contains(t, append(alsoInvalid[m.Name], "ctx"), argument.Field, m.Name)
		}
	}
	_, err := client.Documents.Upload(none, terminal49.DocumentFile{Content: strings.NewReader("%PDF-1.7"), FileName: "a.pdf"})
	testkit.RequireArgument(t, err, "ctx")
}

// Ensure checks its arguments first, and then the context.
func TestContext_NilIsRefusedByEnsure(t *testing.T) {
	client := testkit.NewClient(t, testkit.Answer(http.StatusOK, `{"data":[]}`))
	_, err := client.Webhooks.Ensure(context.Context(nil), testkit.EndpointURL, ensured)
	testkit.RequireArgument(t, err, "ctx")
}
