package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/cmd/internal/clitest"
	"github.com/go-freight/terminal49/terminal49test"
)

var inTable = regexp.MustCompile("(?m)^\\| (`[^|]+) \\| `(t49 [^`]+)` \\|$")

// Each row of the guide's table does its work at the simulator, as a shell runs it.
func TestAPI_DoesWhatTheOfficialCommandsDo(t *testing.T) {
	t.Parallel() // it waits for the service
	if runtime.GOOS == "windows" {
		t.Skip("needs a Unix shell")
	}
	guide, err := os.ReadFile("official.md")
	require.NoError(t, err)
	_, table, _ := strings.Cut(string(guide), "| official | t49 |\n|---|---|\n| `")
	rows := inTable.FindAllStringSubmatch("| `"+table, -1)
	require.Len(t, rows, strings.Count(table, "\n| `")+1, "every row is read")

	a := newAccount(t)
	id := func(args ...string) string {
		var resource struct{ ID string }
		line, _, _ := strings.Cut(a.must(append(args, "--json")...), "\n")
		require.NoError(t, json.Unmarshal([]byte(line), &resource))
		return resource.ID
	}
	ship, port := a.demo.Shipments[0], func(code string) string { return id("api", "/ports/"+code) }
	a.srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "po", DisplayName: "PO"})
	definition := a.srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{
		EntityType: "Container", APISlug: "priority", DisplayName: "Priority", DataType: "enum",
		Options: []terminal49test.CustomFieldOption{{Label: "High", Value: "high"}, {Label: "Highest", Value: "highest"}},
	})
	container := a.srv.ContainerIDs(ship)[0]
	var options []struct{ ID string }
	for line := range strings.Lines(a.must("api", "/custom_field_definitions/"+definition+"/options")) {
		var option struct{ ID string }
		require.NoError(t, json.Unmarshal([]byte(line), &option))
		options = append(options, option)
	}
	field, err := a.srv.AddCustomField(terminal49test.CustomField{APISlug: "priority", Entity: container, Value: "high"})
	require.NoError(t, err)
	hook := a.srv.AddWebhook(terminal49test.Webhook{URL: "https://example.com/hook"})
	names := map[string]string{
		"SHIPMENT": ship, "CONTAINER": container, "REQUEST": id("tracking-requests", "--number", "MAEU240711002"),
		"TERMINAL": terminalOf(a), "PARTY": id("parties", "harbor"), "VESSEL": id("api", "/vessels/9708851"), "PORT": port("USLAX"),
		"PREVIOUS": port("CNSHA"), "WEBHOOK": hook, "DEFINITION": definition, "OPTION": options[1].ID, "FIELD": field,
		"NOTIFICATION": a.srv.AddWebhookNotification(terminal49test.WebhookNotification{Webhook: hook, Event: "container.updated"}),
	}

	folder := t.TempDir()
	_, body, _ := strings.Cut(string(guide), "```json\n")
	body, _, _ = strings.Cut(body, "```")
	body = strings.ReplaceAll(body, "$SHIPMENT", a.demo.Shipments[1])
	require.NoError(t, os.WriteFile(filepath.Join(folder, "field.json"), []byte(body), 0o600))
	for _, row := range rows {
		for name := range inVariable(row[2]) {
			require.NotEmpty(t, names[name], row[2])
		}
		cmd := clitest.Other(t, "sh", "-c", `t49() { "$T49" "$@"; }; `+row[2])
		cmd.Dir, cmd.Env = folder, append(a.command().Env, "T49="+clitest.Path())
		for name, value := range names {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		status, out, log := clitest.Run(t, cmd)
		if strings.Contains(row[2], "--unchecked") {
			require.Equal(t, exitNotFound, status, "the simulator does not have it either: %s", log)
			continue
		}
		require.Zero(t, status, "%s: %s", row[2], log)
		require.Equal(t, strings.Contains(row[2], "DELETE"), out == "", "%s: %s", row[2], out)
	}
	for _, v := range a.srv.Violations() {
		require.Contains(t, v.String(), "/route", "of --unchecked")
	}
	require.Contains(t, a.must("api", "/shipments/"+ship), `"ref_numbers":["PO-1"]`)
	require.Contains(t, a.must("api", "/webhooks/"+hook), `"active":false`)
}

func inVariable(line string) map[string]bool {
	found := map[string]bool{}
	for _, name := range regexp.MustCompile(`\$([A-Z]+)`).FindAllStringSubmatch(line, -1) {
		found[name[1]] = true
	}
	return found
}

// What the service would ignore or not understand is refused in words, before anything is sent.
func TestAPI_RefusesMistakesBeforeSending(t *testing.T) {
	a := newAccount(t).here()
	ship := a.demo.Shipments[0]
	before := len(a.srv.Requests())
	for _, c := range []struct {
		want string
		args []string
	}{
		{"there is /ports/{id}; --unchecked sends it", []string{"/port/USLAX"}},
		{"there is /ports/{id}; --unchecked sends it", []string{"/ports/USLAX/terminals"}},
		{"the path has GET, PATCH", []string{"-X", "DELETE", "/shipments/" + ship}},
		{"PATH must be without /v2", []string{"/v2/ports/USLAX"}},
		{"PATH must be a path below the base URL", []string{"https://api.terminal49.com/v2/ports/USLAX"}},
		{"PATH must be a path below the base URL", []string{"/ports/USLAX#x"}},
		{"MAEU240711002 is not an id such as", []string{"/shipments/MAEU240711002"}},
		{"t49 shipments NUMBER --json prints it", []string{"/shipments/MAEU240711002"}},
		{"filter[pod_cod] of containers.list is not known (did you mean filter[pod_code]?)", []string{"/containers", "-f", "filter[pod_cod]=USLAX"}},
		{"filter[current_status]: avalable is not known (did you mean available?)", []string{"/containers", "-f", "filter[current_status]=loaded,avalable"}},
		{"filter[pickup_lfd]: 2026-13-45 is not a day", []string{"/containers", "-f", "filter[pickup_lfd]=2026-13-45"}},
		{"filter[pod_cod] of containers.list is not known", []string{"/containers?filter[pod_cod]=USLAX"}},
		{"-f page[size]: a parameter is a text; write it with = in place of :=", []string{"/containers", "-f", "page[size]:=5"}},
		{"ports.get has no parameters", []string{"/ports/USLAX?include=terminals"}},
		{"the attribute tag of shipments.update is not known (did you mean tags?)", []string{"-X", "PATCH", "/shipments/" + ship, "-f", "tag=x"}},
		{"shipments.update needs a body: set ref_numbers, tags", []string{"-X", "PATCH", "/shipments/" + ship}},
		{"shipments.stop_tracking takes no body", []string{"-X", "PATCH", "/shipments/" + ship + "/stop_tracking", "-f", "a=b"}},
		{"must be name=text or name:=json", []string{"/containers", "-f", "filter"}},
		{"what follows := must be JSON", []string{"-X", "PATCH", "/shipments/" + ship, "-f", "tags:=urgent"}},
		{"-f secret would be visible in the list of processes", []string{"-X", "POST", "/webhooks/trigger", "-f", "secret=s"}},
		{"--input needs the method", []string{"/shipments", "--input", "-"}},
		{"standard input is not JSON", []string{"-X", "PATCH", "/shipments/" + ship, "--input", "-"}},
		{"--all is for lists with pages", []string{"/ports/USLAX", "--all"}},
		{"the attribute nam is not known (did you mean name?)", []string{"/ports/USLAX", "--fields", "nam"}},
	} {
		status, out, log := a.do(append([]string{"api"}, c.args...)...)
		require.Equal(t, exitUsage, status, "%v: %s", c.args, log)
		require.Empty(t, out)
		require.Contains(t, log, c.want, c.args)
	}
	require.Len(t, a.srv.Requests(), before)
	status, _, log := a.do("api", "--unchecked", "/containers?filter[pod_cod]=USLAX")
	require.Zero(t, status, log)
	require.Len(t, a.srv.Requests(), before+1)
}

// A call of api is the operation: its body, retries and outcome are those of the method.
func TestAPI_IsTheOperation(t *testing.T) {
	a := newAccount(t)
	ship := a.demo.Shipments[0]
	a.must("api", "-X", "patch", "shipments/"+ship, "-f", `tags:=["a"]`, "-f", `ref_numbers:=["true"]`)
	sent := a.srv.Requests()
	require.JSONEq(t, `{"data":{"type":"shipment","id":"`+ship+`","attributes":{"tags":["a"],"ref_numbers":["true"]}}}`, string(sent[len(sent)-1].Body))
	a.must("api", "-X", "POST", "/tracking_requests/infer_number", "-f", "number=MAEU240711002")
	sent = a.srv.Requests()
	require.JSONEq(t, `{"number":"MAEU240711002"}`, string(sent[len(sent)-1].Body))

	a.srv.AddFault(terminal49test.Fault{Operation: "tracking_requests.infer", Status: http.StatusBadGateway})
	a.must("api", "-X", "POST", "/tracking_requests/infer_number", "-f", "number=MAEU240711002")
	for _, c := range []struct {
		fault  terminal49test.Fault
		status int
	}{
		{terminal49test.Fault{Kind: terminal49test.FaultDrop}, exitUnknown}, {terminal49test.Fault{Status: 422}, exitInvalid},
		{terminal49test.Fault{Status: 401}, exitAuth}, {terminal49test.Fault{Status: 404, Title: "Not Found"}, exitNotFound},
	} {
		c.fault.Operation = "parties.create"
		a.srv.AddFault(c.fault)
		status, _, log := a.do("api", "-X", "POST", "/parties", "-f", "company_name=Harbor")
		require.Equal(t, c.status, status, log)
		require.Contains(t, log, "parties.create")
		require.NotContains(t, log, "Not Found: Not Found")
	}
}

// One page is printed, with a remark if there are more; --all prints all.
func TestAPI_Pages(t *testing.T) {
	a := newAccount(t)
	_, out, log := a.do("api", "/containers", "-f", "page[size]=3")
	require.Equal(t, 3, strings.Count(out, "\n"))
	require.Contains(t, log, "The list has more pages; --all prints them.")
	_, out, log = a.do("api", "/containers?page[size]=3", "--all", "--fields", "number")
	require.Equal(t, 8, strings.Count(out, "\n"))
	require.Empty(t, log)
	a.srv.AddFault(terminal49test.Fault{Operation: "containers.list", Kind: terminal49test.FaultMembers, Times: -1, Members: map[string]any{
		"links": map[string]any{"next": a.srv.URL + "/containers?page[size]=3&page[number]=2"},
	}})
	status, _, log := a.do("api", "/containers?page[size]=3", "--all")
	require.NotZero(t, status)
	require.Contains(t, log, "may not be the whole list")
}

// With --raw, a response is printed with what include asked for, its links and its meta. Without
// it, a remark says that there is more.
func TestAPI_Raw(t *testing.T) {
	a := newAccount(t).here()
	id := a.srv.ContainerIDs(a.demo.Shipments[0])[0]
	include := []string{"api", "/containers/" + id, "-f", "include=shipment"}
	_, out, log := a.do(include...)
	require.NotContains(t, out, `"included"`)
	require.Contains(t, log, "The response includes 1 related resources; --raw prints them.")
	status, out, log := a.do(append(include, "--raw")...)
	require.Zero(t, status, log)
	require.Empty(t, log)
	var document struct {
		Data     struct{ ID string }
		Included []struct{ Type, ID string }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &document))
	require.Equal(t, id, document.Data.ID)
	require.Equal(t, "shipment", document.Included[0].Type)
	require.Equal(t, a.demo.Shipments[0], document.Included[0].ID)

	out = a.must("api", "/containers?page[size]=3", "--all", "--raw")
	require.Equal(t, 3, strings.Count(out, "\n"), "a line for each of the pages of 8 containers")
	require.Equal(t, 3, strings.Count(out, `"links":{`))
	require.Equal(t, 3, strings.Count(out, `"meta":{`))
	a.srv.AddFault(terminal49test.Fault{Operation: "ports.get", Kind: terminal49test.FaultMembers, Members: map[string]any{"meta": "\u202e\u009b2J"}})
	require.Contains(t, a.must("api", "/ports/USLAX", "--raw"), `"meta":"\u202e\u009b2J"`)
}

// Every operation of the service can be called.
func TestAPI_AcceptsEveryOperation(t *testing.T) {
	parameter := regexp.MustCompile(`\{[^}]+\}`)
	for _, o := range terminal49.Operations() {
		call := anyCall{method: o.Method, path: parameter.ReplaceAllString(o.Path, "5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d")}
		public := slices.DeleteFunc(slices.Clone(o.Body), isSecretName) // which a command line may show
		if len(public) > 0 {
			call.values = []string{public[0] + "=x"}
		}
		require.NoError(t, call.prepare(nil), o.Name)
		if len(public) > 0 {
			body, err := json.Marshal(call.body)
			require.NoError(t, err)
			require.Contains(t, string(body), `"`+public[0]+`":"x"`)
			require.Equal(t, o.BodyType != "", strings.HasPrefix(string(body), `{"data":`), o.Name)
		}
	}
}

// An attribute of --input that the operation does not have is refused like one of -f.
func TestAPI_ChecksTheInput(t *testing.T) {
	a := newAccount(t)
	ship := "/shipments/" + a.demo.Shipments[0]
	before := len(a.srv.Requests())
	for _, c := range []struct {
		args       []string
		body, want string
	}{
		{[]string{"PATCH", ship}, `{"data":{"type":"shipment","attributes":{"shipment_tags":["a"]}}}`, "the attribute shipment_tags of shipments.update is not one of ref_numbers, tags"},
		{[]string{"POST", "/webhooks/trigger"}, `{"url":"https://example.com/","evnt":"container.updated"}`, "the attribute evnt of webhooks.trigger is not known (did you mean event?)"},
		{[]string{"PATCH", ship, "--unchecked"}, `{"data":{"type":"shipment","attributes":{"shipment_tags":["a"]}}}`, ""},
		{[]string{"PATCH", ship}, `{"data":{"type":"shipment","attributes":{"tags":["a"]}}}`, ""},
	} {
		cmd := a.command(append([]string{"api", "--input", "-", "-X"}, c.args...)...)
		cmd.Stdin = strings.NewReader(c.body)
		status, _, log := clitest.Run(t, cmd)
		require.Equal(t, c.want != "", status == exitUsage, log)
		require.Contains(t, log, c.want)
	}
	require.Len(t, a.srv.Requests(), before+2)
}

// SECURITY: a secret in a body is in no error, also if the service repeats it.
func TestAPI_HidesTheSecretsOfABody(t *testing.T) {
	a := newAccount(t)
	for body, secret := range map[string]string{
		`{"url":"https://example.com/","event":"container.updated","secret":"hush-hush"}`:                            "hush-hush",
		`{"data":{"type":"webhook","attributes":{"headers":[{"name":"Authorization","value":"Bearer hush-hush"}]}}}`: "hush-hush",
		`{"data":{"type":"document","attributes":{"name":"a","attached_document":"eyJfcmFpbHMi--hush"}}}`:            "eyJfcmFpbHMi--hush",
	} {
		a.srv.AddFault(terminal49test.Fault{Status: 422, Detail: "not valid: " + secret})
		cmd := a.command("api", "-X", "POST", "/webhooks/trigger", "--unchecked", "--input", "-")
		cmd.Stdin = strings.NewReader(body)
		status, out, log := clitest.Run(t, cmd)
		require.Equal(t, exitInvalid, status, log)
		require.Contains(t, log, "not valid: [secret]")
		require.NotContains(t, out+log, secret)
	}
}
