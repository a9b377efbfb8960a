package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
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
	if err := os.Symlink(programPath, filepath.Join(folder, "t49")); err != nil {
		t.Skip(err)
	}
	for shell, script := range map[string]string{
		"bash": `source /usr/share/bash-completion/bash_completion && source <(t49 completion bash) && COMP_LINE="t49 containers --status av" && ` +
			`COMP_POINT=${#COMP_LINE} && COMP_WORDS=(t49 containers --status av) && COMP_CWORD=3 && __start_t49 && echo "${COMPREPLY[@]}"`,
		"fish": `t49 completion fish | source; complete --do-complete "t49 containers --status av"`,
	} {
		t.Run(shell, func(t *testing.T) {
			if _, err := exec.LookPath(shell); err != nil {
				t.Skip("needs " + shell)
			}
			cmd := exec.CommandContext(t.Context(), shell, "-c", script)
			cmd.Env = []string{"PATH=" + folder + ":/usr/bin:/bin", "HOME=" + t.TempDir()}
			out, err := cmd.Output()
			require.NoError(t, err, "%s", out)
			require.Equal(t, "available", strings.TrimSpace(string(out)))
		})
	}
}
