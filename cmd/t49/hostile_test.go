package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/cmd/internal/clitest"
	"github.com/go-freight/terminal49/terminal49test"
)

// hostile is what the service's texts end in.
const hostile = "\x00" + clitest.Hostile

// documented is what every command promises.
var documented = clitest.Program{
	Name: "t49", Secrets: []string{"token-that-nobody-may-see"},
	Statuses: []int{exitOK, exitNo, exitUsage, exitAuth, exitRate, exitNotFound, exitInvalid, exitUnknown, exitUpstream, exitNetwork, exitTimeOver, exitInterrupted, exitPipe},
}

// spoiler spoils the texts of the service's responses, and remembers them.
type spoiler struct {
	mu     sync.Mutex
	whole  string                    // replaces each body, if it is set
	exempt string                    // the name of a text that a command compares
	served map[string]map[string]any // the attributes of resources, by type and id
}

func newSpoiler(t testing.TB, srv *terminal49test.Server) (*spoiler, string) {
	t.Helper()
	s := &spoiler{served: map[string]map[string]any{}}
	return s, clitest.Spoil(t, srv.URL, s.spoil)
}

func (s *spoiler) set(field *string, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*field = value
}

// spoil returns what the command gets for a body. Secrets are not printed, so they stay.
func (s *spoiler) spoil(body []byte) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.whole != "" {
		return []byte(s.whole)
	}
	body = clitest.SpoiledJSON(body, hostile, "secret", "value", s.exempt)
	var document map[string]any
	if json.Unmarshal(body, &document) == nil {
		s.keep(document)
	}
	return body
}

// keep remembers the resources of a document.
func (s *spoiler) keep(document map[string]any) {
	list, _ := document["data"].([]any)
	if one, ok := document["data"].(map[string]any); ok {
		list = append(list, one)
	}
	included, _ := document["included"].([]any)
	for _, each := range append(list, included...) {
		if resource, ok := each.(map[string]any); ok && resource["attributes"] != nil {
			s.served[resource["type"].(string)+resource["id"].(string)] = resource["attributes"].(map[string]any)
		}
	}
}

// requireExact fails if a line of JSON is not what the service sent.
func (s *spoiler) requireExact(t testing.TB, out string, about ...any) (texts int) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for line := range strings.Lines(out) {
		var resource struct {
			Type, ID   string
			Attributes map[string]any
		}
		require.NoError(t, json.Unmarshal([]byte(line), &resource), about...)
		if resource.Attributes != nil {
			want := spoiledTexts(s.served[resource.Type+resource.ID], "")
			require.ElementsMatch(t, want, spoiledTexts(resource.Attributes, ""), about...)
			texts += len(want)
		}
	}
	return texts
}

// spoiledTexts returns the spoiled texts of a value with their places, in any order.
func spoiledTexts(value any, at string) (list []string) {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			list = append(list, spoiledTexts(member, at+"/"+name)...)
		}
	case []any:
		for _, item := range v {
			list = append(list, spoiledTexts(item, at)...)
		}
	case string:
		if strings.HasSuffix(v, hostile) {
			list = append(list, at+" "+v)
		}
	}
	return list
}

// commandLines are all commands that end by themselves.
func commandLines(a *account, hook, tariff string) map[string][]string {
	container := a.srv.ContainerIDs(a.demo.Shipments[1])[0]
	return map[string][]string{
		"track": {a.demo.Untracked, "--scac", "HLCU", "--type", "bill_of_lading"}, "tracking-requests": nil, "shipments": nil, "shipments stop": {a.demo.Shipments[0]},
		"shipments resume": {a.demo.Shipments[0]}, "shipments references": {a.demo.Shipments[0], "PO-1"}, "containers": nil, "containers refresh": {container}, "ready": {container},
		"fees": {container, a.srv.ContainerIDs(a.demo.Shipments[3])[0]}, "events": {container, "--withdrawn"},
		"cost": {container, "--tariff", tariff, "--until", "2026-07-10"}, "search": {"MAEU"},
		"shipping-lines": nil, "parties": nil, "whoami": nil, "doctor": nil, "webhooks list": nil, "webhooks create": {"https://example.com/new", "--event", "container.updated"},
		"webhooks delete": {hook}, "api": {"/shipments?include=containers"},
	}
}

// longRunning are the commands that end on an interrupt, and the one without the service's texts.
// Each has a test of its own.
var longRunning = []string{"watch", "webhooks listen", "webhooks send", "webhooks forward", "simulator"}

// SECURITY: whatever the service sends, every command prints only characters that are shown, and
// its JSON is read back with the texts that the service sent.
func TestHostile_EveryCommand(t *testing.T) {
	t.Parallel() // it waits for the service
	runs, texts := 0, 0
	tariff := filepath.Join(t.TempDir(), "tariff.json")
	require.NoError(t, os.WriteFile(tariff, []byte(costTariff), 0o600))
	for _, mode := range []string{"table", "json", "error", "garbage"} {
		a := newAccount(t, terminal49test.WithoutRateLimits())
		hook := a.srv.AddWebhook(terminal49test.Webhook{URL: "https://example.com/hook", Secret: "s"})
		s, address := newSpoiler(t, a.srv)
		a.env[1] = "T49_API_BASE_URL=" + address
		commands := commandLines(a, hook, tariff)
		for _, name := range commandNames() {
			args, ends := commands[name]
			if !ends {
				require.Contains(t, longRunning, name, "every command is tried")
				continue
			}
			args = append(strings.Fields(name), args...)
			s.set(&s.exempt, map[string]string{"track": "request_number", "webhooks create": "url"}[name])
			switch mode {
			case "json":
				args = append(args, "--json")
			case "error":
				a.srv.AddFault(terminal49test.Fault{Status: 422, Times: 1})
			case "garbage":
				s.set(&s.whole, "{\"data\": \""+hostile+"\xff\x9b")
			}
			status, out, log := a.do(args...)
			runs++
			documented.RequireHarmless(t, status, out, log, mode, args)
			if mode == "json" {
				require.Equal(t, name == "webhooks delete" || name == "containers refresh", out == "", "%v: %s", args, log)
				texts += s.requireExact(t, out, args)
			}
			a.srv.ClearFaults()
		}
	}
	t.Logf("figure: %d commands, %d runs, %d texts read back exactly", len(commandNames()), runs, texts)
	require.Greater(t, texts, 100)
}

// commandNames are those of all commands that do something. What help prints is tested with the
// arguments.
func commandNames() (names []string) {
	a := &app{out: io.Discard, log: io.Discard}
	var walk func(c *cobra.Command, path string)
	walk = func(c *cobra.Command, path string) {
		if strings.HasPrefix(path, "completion") {
			return
		}
		if c.Runnable() && !slices.Contains([]string{"", "help", "webhooks"}, path) { // those print help
			names = append(names, path)
		}
		for _, sub := range c.Commands() {
			walk(sub, strings.TrimSpace(path+" "+sub.Name()))
		}
	}
	walk(a.root(), "")
	return names
}
