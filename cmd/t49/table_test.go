package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/cmd/internal/clitest"
	"github.com/go-freight/terminal49/terminal49test"
)

// A spreadsheet that opens the output calculates nothing (CWE-1236): the characters that begin a
// formula are = + - @, also in full width and after what a spreadsheet skips. A number is no
// formula.
func TestCSV_NoCellIsAFormula(t *testing.T) {
	for cell, want := range map[string]string{
		"=1+1": "'=1+1", "+1": "'+1", "@SUM(A1)": "'@SUM(A1)", "-1+1": "'-1+1", " =1": "' =1", "\u00a0=1": "?=1", "\"=1": "'\"=1",
		"\uff1d1": "'\uff1d1", "\t=1": "?=1", "\r=1": "?=1", // what is not printable is replaced
		"-3": "-3", "-1.50": "-1.50", "": "", "-": "", "MSKU7182047": "MSKU7182047", "USD 0.00": "USD 0.00", "a=b": "a=b",
	} {
		require.Equal(t, want, spreadsheet(cell), "%q", cell)
	}
	a := newAccount(t)
	a.srv.UpdateShipment(a.demo.Shipments[0], func(s *terminal49test.Shipment) {
		s.Attributes = map[string]any{"customer_name": `=HYPERLINK("http://evil.example","x")`}
	})
	require.Contains(t, a.must("shipments", "--csv"), `"'=HYPERLINK(""http://evil.example"",""x"")"`)
}

// Every table is also CSV with the same rows, and --limit cuts lists.
func TestCSV_OfEveryTable(t *testing.T) {
	a := newAccount(t).here()
	for _, args := range [][]string{
		{"containers"}, {"shipments"}, {"tracking-requests"}, {"shipping-lines"}, {"parties"}, {"whoami"}, {"search", "MAEU"},
		{"ready", "MSKU7182047"}, {"fees", "CMAU4716554"}, {"events", "MSKU7182047"}, {"containers", "--count-by", "line"},
	} {
		text, marked := strings.CutPrefix(a.must(append(args, "--csv")...), "\ufeff")
		require.True(t, marked, "Excel reads UTF-8 only with the mark")
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		require.NoError(t, err, args)
		require.Len(t, rows, strings.Count(a.must(args...), "\n"), args)
		require.NotEmpty(t, rows[0][0])
	}
	require.Empty(t, a.must("webhooks", "list"), "nothing for cron to mail")
	require.Equal(t, 1, strings.Count(a.must("webhooks", "list", "--csv"), "\n"))
	for _, list := range [][]string{{"containers"}, {"shipments"}, {"tracking-requests"}, {"shipping-lines"}, {"parties"}} {
		require.Equal(t, 3, strings.Count(a.must(append(list, "--limit", "2")...), "\n"), list)
		require.Equal(t, 1, strings.Count(a.must(append(list, "--limit", "1", "--json")...), "\n"), list)
	}
	require.NotContains(t, a.must("containers", "--csv"), "'", "no place looks like a formula")
	before := len(a.srv.Requests())
	a.must("containers", "--limit", "2")
	require.Contains(t, a.srv.Requests()[before].Query, "page%5Bsize%5D=2", "no more is read than is printed")
	for _, wrong := range [][]string{{"containers", "--csv", "--json"}, {"containers", "--limit", "0"}, {"watch", "X", "--csv"}, {"api", "/ports/USLAX", "--csv"}} {
		status, _, log := a.do(wrong...)
		require.Equal(t, exitUsage, status, wrong)
		require.NotEmpty(t, log)
	}
}

// The widest columns wrap, between words; nothing is cut off.
func TestScreen_FollowsTheWidth(t *testing.T) {
	names, row := []string{"A", "WHAT TO DO"}, []string{"MSKU7182047", "Ready for pickup. Send a truck to WBCT (USLAX)."}
	require.Equal(t, []string{
		"A            WHAT TO DO",
		"MSKU7182047  Ready for pickup. Send a truck to WBCT (USLAX).",
	}, screen{}.layout(names, [][]string{row}))
	lines := screen{width: 40}.layout(names, [][]string{row})
	require.Equal(t, []string{
		"A            WHAT TO DO",
		"MSKU7182047  Ready for pickup. Send a",
		"             truck to WBCT (USLAX).",
	}, lines)
	for width := 1; width < 100; width++ {
		lines := screen{width: width}.layout(names, [][]string{row})
		text := strings.Fields(strings.Join(lines, " "))
		for _, word := range strings.Fields(strings.Join(append(names, row...), " ")) {
			require.Contains(t, text, word, "no word is broken on a screen of %d", width)
		}
		for _, line := range lines {
			require.LessOrEqual(t, len(line), max(width, len("WHAT TO DO  MSKU7182047")), "%q", line)
		}
	}
	require.Equal(t, []string{
		"A           MSKU7182047",
		"WHAT TO DO  Ready for",
		"            pickup. Send a",
		"            truck to WBCT",
		"            (USLAX).",
		"",
		"A           MEDU3309188",
	}, screen{width: 28}.layout(names, [][]string{row, {"MEDU3309188", "-"}}), "not a tower of words")
	require.Equal(t, []string{"abc", "def", "g"}, wrap("abcdefg", 3))
	require.Equal(t, []string{""}, wrap("", 3))
}

// A wide character has two cells of a terminal, and a combining one none (UAX #11).
func TestScreen_CountsCells(t *testing.T) {
	require.Equal(t, []string{
		"PLACE               STATUS",
		"山本物流ターミナル  on_ship",
		"한국                on_ship",
		"Ｗést               on_ship",
		"LBCT                on_ship",
	}, screen{}.layout([]string{"PLACE", "STATUS"}, [][]string{
		{"山本物流ターミナル", "on_ship"}, {"한국", "on_ship"}, {"Ｗést", "on_ship"}, {"LBCT", "on_ship"},
	}))
	require.Equal(t, []string{"山本", "物流"}, wrap("山本物流", 5))
	require.Equal(t, []string{"山", "本"}, wrap("山本", 1), "a character is not divided")
	require.Equal(t, []string{"éé", "é"}, wrap("ééé", 2))
}

// Colours are on a terminal only, and change nothing but the colour.
func TestScreen_Colours(t *testing.T) {
	names, rows := []string{"PICK UP?", "DAYS LEFT"}, [][]string{{"yes", "3"}, {"no", "-3"}, {"unknown", "-"}}
	painted := screen{colours: true}.layout(names, rows)
	require.Equal(t, "\x1b[1mPICK UP?  DAYS LEFT\x1b[0m", painted[0])
	require.Equal(t, "\x1b[32myes\x1b[0m       3", painted[1])
	require.Equal(t, "\x1b[31mno\x1b[0m        \x1b[31m-3\x1b[0m", painted[2])
	require.Equal(t, "\x1b[33munknown\x1b[0m   -", painted[3])
	require.NotContains(t, newAccount(t).must("containers"), "\x1b")
}

// script runs a command in a terminal of its own.
func TestScreen_OfARealTerminal(t *testing.T) {
	if _, err := exec.LookPath("script"); err != nil || runtime.GOOS != "linux" {
		t.Skip("needs script of util-linux")
	}
	a := newAccount(t)
	in := func(width int, env ...string) string {
		cmd := clitest.Other(t, "script", "-qec", fmt.Sprintf("stty cols %d; %s ready MSKU7182047", width, clitest.Path()), "/dev/null")
		cmd.Env = append(append(a.command().Env, a.env...), env...)
		out, err := cmd.Output()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	require.Contains(t, in(200, "TERM=xterm"), "\x1b[32myes\x1b[0m")
	for _, env := range [][]string{{"TERM=xterm", "NO_COLOR=1"}, {"TERM=dumb"}, {}} {
		require.NotContains(t, in(200, env...), "\x1b", env)
	}
	for _, width := range []int{80, 60, 40} {
		for line := range strings.Lines(in(width, "TERM=dumb")) {
			require.LessOrEqual(t, len(strings.TrimRight(line, "\r\n")), width, line)
		}
	}
}

// CST is a time of Shanghai and of Houston: tables print the offset.
func TestTable_TimesShowTheirOffset(t *testing.T) {
	at := func(zone string) terminal49.Time {
		var shipment terminal49.Shipment
		text := fmt.Sprintf(`{"type":"shipment","id":"x","attributes":{"pod_eta_at":"2026-11-26T12:00:00Z","pod_timezone":%q}}`, zone)
		require.NoError(t, json.Unmarshal([]byte(text), &shipment))
		return shipment.PODETA
	}
	require.Equal(t, "2026-11-26 20:00 +08:00", at("Asia/Shanghai").String())
	require.Equal(t, "2026-11-26 06:00 -06:00", at("America/Chicago").String())
	require.Equal(t, "-", terminal49.Time{}.String())
	require.NotRegexp(t, `\d [A-Z]{3,4}\b`, newAccount(t).must("events", "MSKU7182047"))
}
