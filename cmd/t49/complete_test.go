package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/cmd/internal/clitest"
)

// What a shell is offered is what the command accepts. Nothing is sent: there is no service.
func TestCompletion_OfValues(t *testing.T) {
	a := (&account{T: t}).here()
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"containers", "--status", ""}, texts(containerStatuses)},
		{[]string{"containers", "--status", "available,"}, []string{"available,on_ship"}},
		{[]string{"containers", "--count-by", ""}, []string{"line", "port", "status", "terminal"}},
		{[]string{"tracking-requests", "--status", ""}, texts(requestStatuses)},
		{[]string{"track", "--type", ""}, texts(requestTypes)},
		{[]string{"webhooks", "create", "--event", ""}, texts(terminal49.WebhookEvents())},
		{[]string{"webhooks", "send", "--event", ""}, []string{"container.updated"}},
		{[]string{"containers", "--fields", ""}, []string{"number", "pickup_lfd", "current_status"}},
		{[]string{"simulator", "--scenario", ""}, []string{"rail-import", "bad-day"}},
		{[]string{"shipments", "--fields", "customer_name,"}, []string{"customer_name,pod_eta_at"}},
		{[]string{"api", ""}, []string{"/ports/{id}", "/containers"}},
		{[]string{"api", "-X", ""}, []string{"GET", "POST", "PATCH", "DELETE"}},
		{[]string{"api", "-X", "DELETE", ""}, []string{"/webhooks/{id}"}},
		{[]string{"api", "/containers", "-f", ""}, []string{"filter[pod_code]=", "sort="}},
		{[]string{"api", "-X", "PATCH", "/shipments/x", "-f", ""}, []string{"tags=", "ref_numbers="}},
		{[]string{""}, []string{"whoami\tShow whose API key it is, and what it may do"}},
	} {
		lines := strings.Split(a.must(append([]string{"__complete"}, c.args...)...), "\n")
		for _, want := range c.want {
			require.Contains(t, lines, want, c.args)
		}
	}
	require.NotContains(t, a.must("__complete", "api", "-X", "DELETE", ""), "/ports/{id}")
	for args, directive := range map[string]string{"track --scac": ":4\n", "containers --terminal": ":4\n", "ready": ":4\n", "ready --from": ":0\n", "api --input": ":0\n"} {
		require.Contains(t, a.must(append(append([]string{"__complete"}, strings.Fields(args)...), "")...), directive, args) // 4 completes no files
	}
}

// The lists are those of the package: it adds what the service adds.
func TestCompletion_ListsAreKnown(t *testing.T) {
	for _, status := range containerStatuses {
		require.True(t, status.Known(), status)
	}
	for _, status := range requestStatuses {
		require.True(t, status.Known(), status)
	}
	for _, kind := range requestTypes {
		require.True(t, kind.Known(), kind)
	}
}

// The scripts complete in the shells that they are for.
func TestCompletion_InRealShells(t *testing.T) {
	folder := t.TempDir()
	if err := os.Symlink(clitest.Path(), filepath.Join(folder, "t49")); err != nil {
		t.Skip(err)
	}
	for shell, script := range map[string]string{
		"bash": `source /usr/share/bash-completion/bash_completion && source <(t49 completion bash) && COMP_LINE="t49 containers --status av" && ` +
			`COMP_POINT=${#COMP_LINE} && COMP_WORDS=(t49 containers --status av) && COMP_CWORD=3 && __start_t49 && echo "${COMPREPLY[@]}"`,
		"fish": `t49 completion fish | source; complete --do-complete "t49 containers --status av"`,
	} {
		t.Run(shell, func(t *testing.T) {
			_, missing := exec.LookPath(shell)
			if missing == nil && shell == "bash" {
				_, missing = os.Stat("/usr/share/bash-completion/bash_completion")
			}
			if missing != nil && os.Getenv("T49_ENGINES") != "required" {
				t.Skip(missing)
			}
			require.NoError(t, missing, "install it, or unset T49_ENGINES")
			cmd := clitest.Other(t, shell, "-c", script)
			cmd.Env = []string{"PATH=" + folder + ":/usr/bin:/bin", "HOME=" + t.TempDir()}
			out, err := cmd.Output()
			require.NoError(t, err, "%s", out)
			require.Equal(t, "available", strings.TrimSpace(string(out)))
		})
	}
}

// A value that is not known is refused with what to write instead, before anything is sent.
func TestValues_AreRefusedWithWhatToDo(t *testing.T) {
	a := newAccount(t).here()
	for _, c := range []struct {
		want string
		args []string
	}{
		{"--customer nope is not the id of a party; t49 parties NAME prints it", []string{"containers", "--customer", "nope"}},
		{"--customer nope is not the id of a party; t49 parties NAME prints it", []string{"shipments", "--customer", "nope"}},
		{"--terminal WBCT is not the id of a terminal; t49 containers --count-by terminal prints them, and --place takes a name", []string{"containers", "--terminal", "WBCT"}},
		{"unknown flag: --staus (did you mean --status?)", []string{"containers", "--staus", "available"}},
		{"unknown flag: --hold (did you mean --holds?)", []string{"containers", "--hold"}},
		{"stopp is neither a number nor a command (did you mean t49 shipments stop?)", []string{"shipments", "stopp", "X1"}},
		{"--type bol is not one of bill_of_lading, booking_number, container\n", []string{"track", "X1", "--type", "bol"}},
		{"--status availble is not known (did you mean available?)", []string{"containers", "--status", "availble"}},
		{"--status done is not one of pending, awaiting_manifest", []string{"tracking-requests", "--status", "done"}},
		{"--type booking is not known (did you mean booking_number?)", []string{"track", "X1", "--type", "booking"}},
		{"--event container.update is not known (did you mean container.updated?)", []string{"webhooks", "create", "https://example.com/", "--event", "container.update"}},
		{"nope is not the id of a webhook; t49 webhooks list prints it", []string{"webhooks", "delete", "nope"}},
		{"--fields: the attribute numbr is not known (did you mean number?)", []string{"containers", "--json", "--fields", "numbr"}},
		{"write it like 24h or 30m", []string{"ready", "MSKU7182047", "--max-age", "3"}},
		{"Did you mean this? containers\n", []string{"contaners"}},
		{"invalid argument \"abc\" for \"--limit\" flag: it must be a number\n", []string{"containers", "--limit", "abc"}},
		{"forwrd is not known (did you mean forward?)", []string{"webhooks", "forwrd"}},
		{"bsh is not known (did you mean bash?)", []string{"completion", "bsh"}},
		{"nothing is not one of create, delete, forward, list, listen, send\n", []string{"webhooks", "nothing"}},
	} {
		status, out, log := a.do(c.args...)
		require.Equal(t, exitUsage, status, c.args)
		require.Empty(t, out)
		require.Contains(t, log, c.want, c.args)
	}
	require.Empty(t, a.srv.Requests())
	require.Equal(t, "container.updated", nearest("container.updatd", texts(terminal49.WebhookEvents())))
	require.Empty(t, nearest("x", texts(containerStatuses)))
	require.Equal(t, 3, distance("kitten", "sitting"), "the example of the textbooks")
}
