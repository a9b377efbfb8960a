package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/cmd/internal/clitest"
)

// A number is the first column of a line: the forms are those that spreadsheets and this program
// write.
func TestNumbers_InAFile(t *testing.T) {
	for text, want := range map[string]string{
		"MSKU7182047\nMEDU3309188\n": "MSKU7182047 MEDU3309188", "MSKU7182047": "MSKU7182047", "\n\n A \r\n\r\nB\r\n": "A B",
		"\ufeffMSKU7182047\n":                       "MSKU7182047",
		"# wanted today\nMSKU7182047\n":             "MSKU7182047",
		"CONTAINER,STATUS\nMSKU7182047,available\n": "MSKU7182047",
		"Container;Line\n\"MSKU7182047\";MAEU\n":    "MSKU7182047",
		"number\tnote\nMSKU7182047\tnumber\n":       "MSKU7182047",
		"MSKU 718204-7,x\n":                         "MSKU 718204-7",
		"MSKU7182047\nnumber\n":                     "MSKU7182047 number", // only the first line is a title
		"'MSKU7182047\n":                            "MSKU7182047",        // what --csv writes before a formula
		"":                                          "!has no numbers", "# nothing\n\n": "!has no numbers", "number\n": "!has no numbers",
		"PK\x03\x04\x00": "!line 1 is not text", "A\nB\x1b[2J\n": "!line 2 is not text", "A\n\xff\xfe\n": "!line 2 is not text",
		"{\"id\":\"x\"}\n": "!line 1 is JSON",
	} {
		numbers, err := numbersIn([]byte(text))
		if problem, bad := strings.CutPrefix(want, "!"); bad {
			require.ErrorContains(t, err, problem, "%q", text)
			continue
		}
		require.NoError(t, err, "%q", text)
		require.Equal(t, want, strings.Join(numbers, " "), "%q", text)
	}
}

// Numbers come from arguments, a file and standard input, each once. What --csv prints is read.
func TestNumbers_OfEveryCommand(t *testing.T) {
	a := newAccount(t)
	list := a.must("containers", "--csv")
	file := filepath.Join(t.TempDir(), "wanted.csv")
	require.NoError(t, os.WriteFile(file, []byte("CONTAINER,NOTE\nMSKU7182047,urgent\nMSKU7182047,again\n"), 0o600))
	for _, c := range []struct {
		args  []string
		stdin string
		rows  int
	}{
		{[]string{"containers", "-"}, list, 8},
		{[]string{"containers", "--from", file}, "", 1},
		{[]string{"containers", "--from", file, "MEDU3309188"}, "", 2},
		{[]string{"containers", "--from", file, "-", "CMAU4716554"}, "MEDU3309188\n", 3},
		{[]string{"containers", "--from", "-", "-"}, "MEDU3309188\n", 1},
		{[]string{"shipments", "-"}, a.must("shipments", "--csv"), 6},
		{[]string{"fees", "-"}, "MSKU7182047", 1}, {[]string{"ready", "--from", file}, "", 1},
		{[]string{"track", "-"}, "MAEU240711002\n", 1},
	} {
		cmd := a.command(append(c.args, "--csv")...)
		cmd.Stdin = strings.NewReader(c.stdin)
		status, out, log := clitest.Run(t, cmd)
		require.Zero(t, status, "%v: %s", c.args, log)
		require.Equal(t, 1+c.rows, strings.Count(out, "\n"), "%v: %s", c.args, out)
	}
	for _, c := range [][]string{
		{"no such file or directory", "ready", "--from", "/missing"}, {"is a directory", "ready", "--from", "/"},
		{"standard input: has no numbers", "containers", "-"}, {"a NUMBER is missing", "ready"},
		{"--holds selects from the list", "containers", "--holds", "MSKU7182047"}, {"--limit selects", "shipments", "--limit", "2", "X1"},
	} {
		status, out, log := a.do(c[1:]...)
		require.Equal(t, exitUsage, status, c)
		require.Empty(t, out)
		require.Contains(t, log, c[0])
	}
}

// Standard input that does not end does not keep the command from being interrupted.
func TestNumbers_Interrupted(t *testing.T) {
	in, typed, err := os.Pipe()
	require.NoError(t, err)
	defer func(before *os.File) { os.Stdin = before }(os.Stdin)
	os.Stdin = in
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = (&app{}).numbers(ctx, []string{"-"})
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, typed.Close())
}
