package main

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
)

// The list has a line for each operation, and the line of an example is one that api accepts.
func TestAPIList_HasEveryOperation(t *testing.T) {
	a := (&account{T: t}).here()
	lines := strings.Split(strings.TrimSpace(a.must("api", "--list")), "\n")
	require.Len(t, lines, len(terminal49.Operations()))
	for i, o := range terminal49.Operations() {
		require.Equal(t, []string{o.Method, o.Path, o.Name}, strings.Fields(lines[i]))
		described := a.must("api", "--list", o.Name)
		require.Contains(t, described, lines[i])
		for _, name := range append(o.Query, o.Body...) {
			require.Regexp(t, `(?m)^(parameter|body) +`+regexp.QuoteMeta(name)+`$`, described)
		}
		_, line, found := strings.Cut(described, "example    t49 api ")
		require.True(t, found, described)
		require.NoError(t, exampleCall(line).prepare(nil), line)
	}
}

// exampleCall returns the call of an example's line, as a shell reads it.
func exampleCall(line string) *anyCall {
	line, _, _ = strings.Cut(line, "  # ")
	call := &anyCall{method: http.MethodGet}
	words := strings.Fields(strings.ReplaceAll(line, "'", ""))
	for len(words) > 0 {
		switch words[0] {
		case "-X":
			call.method, words = words[1], words[2:]
		case "-f":
			call.values, words = append(call.values, words[1]), words[2:]
		case "--input":
			call.input, words = words[1], words[2:]
		case "--all":
			call.all, words = true, words[1:]
		default:
			call.path = regexp.MustCompile(`\$[A-Z_]+`).ReplaceAllString(words[0], "5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d")
			words = words[1:]
		}
	}
	return call
}

// A text selects by method, path and name; one that selects one operation describes it.
func TestAPIList_Selects(t *testing.T) {
	a := newAccount(t).here()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"refresh"}, "rate limit 10 a minute, its own"},
		{[]string{"tracking_requests.create"}, "rate limit 100 a minute, its own"},
		{[]string{"parties.create"}, "never sent again if it may have been carried out"},
		{[]string{"/ports/USLAX"}, "ports.get"},
		{[]string{"PATCH /shipments/{id}/stop"}, "example    t49 api -X PATCH /shipments/$ID/stop_tracking\n"},
		{[]string{"-X", "delete", "webhook"}, "DELETE /webhooks/{id} "},
		{[]string{"containers.get"}, "parameter  include\n"},
		{[]string{"ports.get"}, "response   time_zone\n"},
	} {
		require.Contains(t, a.must(append([]string{"api", "--list"}, c.args...)...), c.want, c.args)
	}
	for want, args := range map[string][]string{
		"no operation has nothing-like-it in":              {"--list", "nothing-like-it"},
		"PATH is missing; t49 api --list":                  {},
		"--list prints text: leave out --json":             {"--list", "--json"},
		"[list raw]":                                       {"--list", "--raw"},
		"--fields and --raw exclude each other":            {"/ports/USLAX", "--raw", "--fields", "name"},
		"accepts at most 1 arg(s), received 2":             {"--list", "a", "b"},
		"--all is for lists with pages; leave it out":      {"/ports/USLAX", "--raw", "--all"},
		"must be a path below the base URL, such as /port": {"https://example.com/"},
	} {
		status, out, log := a.do(append([]string{"api"}, args...)...)
		require.Equal(t, exitUsage, status, log)
		require.Empty(t, out)
		require.Contains(t, log, want)
	}
	require.Empty(t, a.srv.Requests())
}
