package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/cmd/internal/clitest"
)

// The packages of npm with the programs of the protocol's authors.
var npmPackages = []string{"node@22.23.3", "@modelcontextprotocol/conformance@0.1.16", "@modelcontextprotocol/inspector@2.12.0"}

// npm is a folder with the packages.
type npm struct {
	testing.TB
	folder string
}

func installNPM(t testing.TB) *npm {
	t.Helper()
	n := &npm{t, t.TempDir()}
	took := stopwatch()
	args := append([]string{"install", "--prefix", n.folder, "--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=6", "--fetch-retry-mintimeout=2000", "--engine-strict=false"}, npmPackages...)
	out, err := clitest.Other(t, "npm", args...).CombinedOutput()
	t.Logf("npm took %v", took().Round(time.Second))
	require.NoError(t, err, "npm, a Debian package, installs them: %s", out)
	return n
}

// run runs a program of a package with Node 22, and returns what it prints. An inspector must not
// write into the home folder.
func (n *npm) run(script string, args ...string) (out []byte, err error) {
	cmd := clitest.Other(n, filepath.Join(n.folder, "node_modules/node/bin/node"),
		append([]string{filepath.Join(n.folder, "node_modules/@modelcontextprotocol", script)}, args...)...)
	cmd.Dir = n.folder
	cmd.Env = append(os.Environ(), "HOME="+n.folder)
	out, err = cmd.Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		err = fmt.Errorf("%w: %s", err, failed.Stderr)
	}
	return out, err
}

// toolCalls returns a call of each tool about a container and a shipment, in the form of the
// inspector.
func toolCalls(number, shipment string) map[string][]string {
	return map[string][]string{
		"find":      {`numbers=["` + number + `","none"]`},
		"container": {"number=" + number},
		"shipment":  {"id=" + shipment},
		"worklist":  {},
		"summarize": {},
		"changes":   {"since=24h"},
		"history":   {"number=" + number},
		"lookup":    {"name=Maersk"},
		"status":    {},
		"requests":  {},
		"track":     {"number=MAEU123456789", "scac=MAEU", "kind=bill_of_lading"},
	}
}

// The conformance suite and the inspector of the protocol's authors work with the command: the
// scenarios that need no tools of their own by HTTP, and each tool over stdio.
func TestMCP_ClientsOfTheProtocolsAuthors(t *testing.T) {
	t.Parallel()
	if !wholeProof {
		t.Skip("PROOF=whole installs packages of npm")
	}
	n := installNPM(t)
	b := newBench(t)
	demo := b.srv.SeedDemo()
	container, _ := b.srv.Container(b.srv.ContainerIDs(demo.Shipments[0])[0])
	b.copy()
	var side sync.WaitGroup
	side.Go(func() {
		c := b.start("mcp", "--listen", "127.0.0.1:0")
		for _, scenario := range []string{"server-initialize", "ping", "tools-list", "resources-list", "prompts-list", "dns-rebinding-protection"} {
			out, err := n.run("conformance/dist/index.js", "server", "--url", c.address("listen"), "--scenario", scenario)
			assert.NoError(t, err, "%s", out)
			assert.Regexp(t, `Passed: (\d+)/\d+, 0 failed, 0 warnings`, string(out))
		}
		assert.Zero(t, c.stop(syscall.SIGTERM))
	})
	config := filepath.Join(n.folder, "mcp.json")
	program := b.command("mcp", "--allow-writes")
	text, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"mirror": map[string]any{
		"command": program.Path, "args": program.Args[1:], "env": map[string]string{"T49_API_TOKEN": b.srv.Token, "T49_API_BASE_URL": b.srv.URL},
	}}})
	require.NoError(t, errors.Join(err, os.WriteFile(config, text, 0o600)))
	inspect := func(args ...string) []byte {
		out, err := n.run("inspector/clients/launcher/build/index.js", append([]string{"--cli", "--config", config, "--server", "mirror"}, args...)...)
		assert.NoError(t, err, "%s", out)
		return out
	}
	var list struct{ Tools []struct{ Name string } }
	assert.NoError(t, json.Unmarshal(inspect("--method", "tools/list"), &list))
	assert.NotEmpty(t, list.Tools)
	calls := toolCalls(container.Number, demo.Shipments[0])
	for _, tool := range list.Tools {
		with, known := calls[tool.Name]
		assert.True(t, known, "%s: add a call of it", tool.Name)
		args := []string{"--method", "tools/call", "--tool-name", tool.Name}
		for _, argument := range with {
			args = append(args, "--tool-arg", argument)
		}
		var result struct {
			IsError           bool
			StructuredContent map[string]any
		}
		out := inspect(args...)
		assert.NoError(t, json.Unmarshal(out, &result), "%s", out)
		assert.False(t, result.IsError, "%s", out)
		assert.NotEmpty(t, result.StructuredContent["as_of"], "%s", out)
	}
	side.Wait()
	t.Logf("figure: mcp: 6 scenarios of the conformance suite, and %d tools called by the inspector", len(list.Tools))
	b.srv.CheckViolations(t)
}
