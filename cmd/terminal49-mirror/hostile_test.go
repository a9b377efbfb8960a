package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/cmd/internal/clitest"
	"github.com/go-freight/terminal49/terminal49test"
)

// hostile has a character of each category of Unicode that a terminal or a reader of text may
// interpret (Cc, Cf, Zl, Zp, Co), without NUL, which a database does not keep.
const hostile = "\x07\x08\t\n\r\x1b]0;title\x07\x1b[2J\x7f\u0080\u0085\u009b2J\u009d\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u200f" +
	"\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff\ufff9\ue000\U000e0001\U000e0041\U00100000"

// requirePrintable fails if a text has anything but printable characters and its own line ends.
func requirePrintable(t testing.TB, text string, about ...any) {
	t.Helper()
	require.True(t, utf8.ValidString(text), about...)
	i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) })
	if i >= 0 {
		require.Fail(t, "a character is not printable", "%+q of %+v", text[max(0, i-60):min(len(text), i+20)], about)
	}
}

// kept matches the names of what would be unreadable with another character.
var kept = regexp.MustCompile(`^(id|type|self|next|first|last|prev)$|_at$|_time$|timestamp$|^value$|_lfd|_on$|^time_zone$|_timezone$`)

func spoiled(value any, name string) any {
	switch v := value.(type) {
	case map[string]any:
		for key := range v {
			v[key] = spoiled(v[key], key)
		}
	case []any:
		for i := range v {
			v[i] = spoiled(v[i], name)
		}
	case string:
		if !kept.MatchString(name) {
			return v + hostile
		}
	}
	return value
}

// spoil has the service's texts spoiled on their way to the command.
func (b *bench) spoil() {
	to, err := url.Parse(strings.TrimSuffix(b.srv.URL, "/v2"))
	require.NoError(b, err)
	transport := &http.Transport{DisableCompression: true}
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }, Transport: transport,
		ModifyResponse: func(resp *http.Response) error {
			body, err := io.ReadAll(resp.Body)
			var document any
			if err == nil && json.Unmarshal(body, &document) == nil {
				body, err = json.Marshal(spoiled(document, ""))
			}
			resp.Header.Set("X-Request-Id", "7\u009b2J\u202e")
			resp.Header.Set("Content-Length", strconv.Itoa(len(body)))
			resp.ContentLength, resp.Body = int64(len(body)), io.NopCloser(bytes.NewReader(body))
			return err
		},
	})
	b.Cleanup(func() {
		proxy.Close()
		transport.CloseIdleConnections()
	})
	b.env[1] = "T49_API_BASE_URL=" + proxy.URL + "/v2"
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
			requirePrintable(t, body, page)
		}
		require.Zero(t, c.stop(syscall.SIGTERM), c.logged())
		requirePrintable(t, c.logged(), "run", form)
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
			_, out, log := run(append(args, "--log", form)...)
			requirePrintable(t, out, args)
			requirePrintable(t, log, args)
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
		requirePrintable(t, c.logged(), "run", form)
		_, out, log := b.do("verify", "--log", form)
		runs++
		requirePrintable(t, out+log, "verify")
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
		requirePrintable(t, printed.String())
	}
	require.Zero(t, execute(t.Context(), []string{"help", "run"}, io.Discard, io.Discard))
}

// Arguments and variables may come from a file that somebody else wrote.
func TestHostile_Arguments(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.db = ""
	for _, args := range [][]string{
		{hostile}, {"--" + hostile}, {"status", "--db", "./" + hostile}, {"status", "--db", hostile}, {"run", "--listen", hostile}, {"run", "--url", hostile},
		{"run", "--listen", "127.0.0.1:0", "--url", "https://mirror.example.com/" + hostile}, {"run", "--metrics", hostile}, {"run", "--for", hostile},
		{"run", "--log", hostile}, {"forget", hostile, hostile}, {"tail", "--after", hostile}, {"print-sql", "--dialect", hostile}, {"verify", "--share", hostile},
		{"status", "--db", "postgres://mirror@127.0.0.1:1/" + url.PathEscape(hostile)}, {"status", "--db", "host=127.0.0.1 port=1 user='\u009b2J' dbname=\u202e"},
		{"run", "--demo", "--for", "1s", "--db", "./" + "\u202e\u009b2J.db"},
	} {
		_, out, log := b.do(args...)
		requirePrintable(t, out+log, args)
	}
	for _, env := range []string{"T49_API_BASE_URL=" + hostile, "T49_API_BASE_URL=http://another-machine/v2", "T49_ACCOUNT_ID=" + hostile, "T49_API_TOKEN=" + hostile} {
		for _, command := range []string{"run", "verify"} {
			cmd := b.command(command)
			cmd.Env = append(cmd.Env, env)
			status, out, log := clitest.Run(b, cmd)
			require.NotZero(t, status, env)
			requirePrintable(t, out+log, env)
			if strings.Contains(env, "another-machine") {
				require.Equal(t, exitUsage, status)
				require.Contains(t, log, "T49_API_BASE_URL must be https, because http would send the token unencrypted")
			}
		}
	}
	for _, args := range [][]string{{"run", "--for", "1s"}, {"status"}} { // a file may have any name
		cmd := b.command(args...)
		cmd.Env = append(cmd.Env, "T49_MIRROR_DB=./"+hostile)
		_, out, log := clitest.Run(b, cmd)
		requirePrintable(t, out+log, args)
	}
}
