package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/url"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/cmd/internal/clitest"
	"github.com/go-freight/terminal49/terminal49test"
)

// hostile is what the service's texts end in.
const hostile = clitest.Hostile

// documented is what every command promises.
var documented = clitest.Program{Name: "terminal49-mirror", Statuses: []int{0, exitDiffers, exitUsage, exitFailed, exitLost}}

// spoil has the service's texts spoiled on their way to the command.
func (b *bench) spoil() {
	b.env[1] = "T49_API_BASE_URL=" + clitest.Spoil(b, b.srv.URL, func(body []byte) []byte { return clitest.SpoiledJSON(body, hostile, "value") })
}

// promises returns what the commands of a bench promise: none prints its token.
func (b *bench) promises() clitest.Program {
	p := documented
	p.Secrets = []string{b.srv.Token}
	return p
}

// SECURITY: whatever the service sends, every command prints only characters that are shown, and
// the JSON of tail is read back with the texts that the service sent.
func TestHostile_EveryCommand(t *testing.T) {
	runs, texts := 0, 0
	for _, form := range []string{"text", "json"} {
		b := newBench(t)
		demo := b.srv.SeedDemo()
		b.spoil()
		c := b.start("run", "--metrics", "127.0.0.1:0", "--log", form)
		c.untilWalked()
		for _, page := range []string{healthPath, metricsPath, "/" + url.PathEscape(hostile)} {
			_, body := get(t.Context(), c.address("metrics")+page)
			clitest.RequirePrintable(t, body, page)
		}
		require.Zero(t, c.stop(syscall.SIGTERM), c.logged())
		clitest.RequirePrintable(t, c.logged(), "run", form)
		b.exec("update walks set state = state || ? where scope = 'shipments'", hostile)
		b.srv.UpdateContainer(b.srv.ContainerIDs(demo.Shipments[1])[0], func(c *terminal49test.Container) { c.SealNumber = "SEAL-2" })
		for _, name := range append([]string{"run --once"}, commandNames()...) { // tail has what that reads
			args := append(strings.Fields(name), map[string][]string{
				"run": {"--demo", "--for", "2s"}, "forget": {"party" + hostile, hostile}, "print-sql": {"--dialect", "sqlite"}, "board": {"--addr", hostile},
			}[name]...)
			target := *b
			if name == "run" || name == "print-sql" {
				target.db = ""
			}
			if name == "verify" {
				b.srv.UpdateContainer(b.srv.ContainerIDs(demo.Shipments[0])[0], func(c *terminal49test.Container) { c.SealNumber = "SEAL-1" })
			}
			runs++
			run := target.do
			if name == "verify" {
				run = target.here
			}
			status, out, log := run(append(args, "--log", form)...)
			b.promises().RequireHarmless(t, status, out, log, args)
			if name == "tail" {
				texts += readBack(t, out)
			}
			if name == "verify" {
				require.Contains(t, out, "seal_number is null here and \"SEAL-1")
			}
		}
		b.srv.AddFault(terminal49test.Fault{Status: 422, Times: -1})
		c = b.start("run", "--log", form)
		c.until("failure", func() bool { return strings.Contains(c.logged(), "422") })
		require.Zero(t, c.stop(syscall.SIGTERM), c.logged())
		clitest.RequirePrintable(t, c.logged(), "run", form)
		status, out, log := b.do("verify", "--log", form)
		runs++
		b.promises().RequireHarmless(t, status, out, log, "verify")
	}
	t.Logf("figure: %d commands, %d runs, %d texts read back exactly", len(commandNames()), runs, texts)
	require.GreaterOrEqual(t, texts, 2)
}

// readBack returns how many values of changes have the hostile text, whole.
func readBack(t testing.TB, out string) (n int) {
	t.Helper()
	for line := range strings.Lines(out) {
		var change struct{ New any }
		require.NoError(t, json.Unmarshal([]byte(line), &change), line)
		if text, ok := change.New.(string); ok && strings.Contains(text, "\x07") {
			require.True(t, strings.HasSuffix(text, hostile), "%q", text)
			n++
		}
	}
	return n
}

// commandNames are those of all commands. What help prints has a test of its own.
func commandNames() (names []string) {
	a := &app{out: io.Discard, err: io.Discard}
	var walk func(c *cobra.Command, path string)
	walk = func(c *cobra.Command, path string) {
		if c.Runnable() && path != "" && path != "help" {
			names = append(names, path)
		}
		for _, sub := range c.Commands() {
			walk(sub, strings.TrimSpace(path+" "+sub.Name()))
		}
	}
	walk(a.root(), "")
	return names
}

// SECURITY: a topic of help is an argument too.
func TestHostile_HelpTopic(t *testing.T) {
	for _, topic := range []string{"\u202e\u009b", hostile} {
		var printed bytes.Buffer
		require.Equal(t, exitUsage, execute(t.Context(), []string{"help", topic}, &printed, &printed))
		require.Contains(t, printed.String(), "unknown help topic")
		clitest.RequirePrintable(t, printed.String())
	}
	require.Zero(t, execute(t.Context(), []string{"help", "run"}, io.Discard, io.Discard))
}

// Arguments and variables may come from a file that somebody else wrote.
func TestHostile_Arguments(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.db = ""
	cases := []clitest.Case{ // a file may have any name
		{Args: []string{"run", "--for", "1s"}, Env: []string{"T49_MIRROR_DB=./" + hostile}}, {Args: []string{"status"}, Env: []string{"T49_MIRROR_DB=./" + hostile}},
	}
	for _, args := range [][]string{
		{hostile}, {"--" + hostile}, {"status", "--db", "./" + hostile}, {"status", "--db", hostile}, {"run", "--listen", hostile}, {"run", "--url", hostile},
		{"run", "--listen", "127.0.0.1:0", "--url", "https://mirror.example.com/" + hostile}, {"run", "--metrics", hostile}, {"run", "--for", hostile},
		{"run", "--log", hostile}, {"forget", hostile, hostile}, {"tail", "--after", hostile}, {"print-sql", "--dialect", hostile}, {"verify", "--share", hostile},
		{"status", "--db", "postgres://mirror@127.0.0.1:1/" + url.PathEscape(hostile)}, {"status", "--db", "host=127.0.0.1 port=1 user='\u009b2J' dbname=\u202e"},
		{"run", "--demo", "--for", "1s", "--db", "./" + "\u202e\u009b2J.db"},
	} {
		cases = append(cases, clitest.Case{Args: args})
	}
	b.promises().RunCases(t, b.command, cases)
}

// An environment that is not valid is refused before anything is sent.
func TestHostile_Environment(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.db = ""
	for _, env := range []string{"T49_API_BASE_URL=" + hostile, "T49_API_BASE_URL=http://another-machine/v2", "T49_ACCOUNT_ID=" + hostile, "T49_API_TOKEN=" + hostile} {
		for _, command := range []string{"run", "verify"} {
			cmd := b.command(command)
			cmd.Env = append(cmd.Env, env)
			status, out, log := clitest.Run(b, cmd)
			require.NotZero(t, status, env)
			b.promises().RequireHarmless(t, status, out, log, env)
			if strings.Contains(env, "another-machine") {
				require.Equal(t, exitUsage, status)
				require.Contains(t, log, "T49_API_BASE_URL must be https, because http would send the token unencrypted")
			}
		}
	}
}
