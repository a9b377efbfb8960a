package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/cmd/t49/internal/doctor"
	"github.com/go-freight/terminal49/terminal49test"
)

// The report is whole in every case, and the exit status is as docs/command.md has it.
func TestDoctor_Report(t *testing.T) {
	for _, c := range []struct {
		env    []string // in place of the account's
		fault  terminal49test.Fault
		status int
		want   string
	}{
		{nil, terminal49test.Fault{}, exitOK, "- Is page[number] honoured? Yes.\n"},
		{nil, terminal49test.Fault{Operation: "containers.list", Status: 403, Times: -1}, exitOK, "None: the service answered 403."},
		{nil, terminal49test.Fault{Operation: "containers.list", Kind: terminal49test.FaultMalformedJSON, Times: -1}, exitOK, "None: the response could not be read as a document."},
		{[]string{"T49_API_TOKEN=another"}, terminal49test.Fault{}, exitAuth, "the service does not accept the token (401)"},
		{[]string{"T49_API_BASE_URL=http://127.0.0.1:1/v2"}, terminal49test.Fault{}, exitNetwork, "because there was no response"},
	} {
		a := newAccount(t) // a minute of one account has no place for all these requests
		if c.fault.Operation != "" {
			a.srv.AddFault(c.fault)
		}
		a.env = append(a.env, c.env...)
		status, out, log := a.do("doctor")
		require.Equal(t, c.status, status, "%s\n%s", out, log)
		require.Contains(t, out, c.want)
		require.Equal(t, 31, strings.Count(out, "\n- "), out)
		for _, number := range []string{"MSKU7182047", "MAEU240711002", "Harbor", a.demo.Shipments[0]} {
			require.NotContains(t, out, number)
		}
	}
	for line := range strings.Lines(newAccount(t).must("doctor", "--json")) {
		var finding doctor.Finding
		require.NoError(t, json.Unmarshal([]byte(line), &finding), line)
		require.NotEmpty(t, finding.Question)
		require.NotEmpty(t, finding.Answer)
	}
}
