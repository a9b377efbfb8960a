package compatibility_test

import (
	"encoding/csv"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-freight/terminal49/terminal49test"
)

// deep is the depth of JSON whose every member is ours; resource is that of the service's JSON,
// whose attributes are its own.
const deep, resource = 20, 1

// outputsOf has the members of JSON, the columns of CSV and the titles of tables that t49 prints.
func outputsOf(t *testing.T) (lines []string) {
	a, demo := newAccount(t)
	container := a.srv.ContainerIDs(demo.Shipments[1])[0]
	a.must("t49", "webhooks", "create", "https://example.com/hook")
	for _, command := range tables {
		lines = append(lines, a.table(command)...)
	}
	for _, c := range jsonOutputs {
		lines = append(lines, membersOf(t, "t49 "+c.name()+" --json", a.must("t49", append(words(c.command), "--json")...), c.depth)...)
	}
	for _, command := range []string{"api /ports/USLAX", "api /containers --all", "api /containers/" + container + " -f include=shipment --raw"} {
		name, _, _ := strings.Cut(strings.Replace("t49 "+command, container, "ID", 1), " -f")
		if strings.HasSuffix(command, "--raw") {
			name += " --raw"
		}
		lines = append(lines, membersOf(t, name, a.must("t49", words(command)...), resource)...)
	}
	return append(lines, a.streams(container)...)
}

// words are the arguments of a command line without quotes.
func words(line string) []string { return strings.Fields(line) }

// tables are commands that print a table.
var tables = []string{
	"shipments", "shipments MAEU240711002", "shipments stop MAEU240711002 --dry-run", "shipments resume MAEU240711002 --dry-run",
	"shipments references MAEU240711002 PO-1", "containers", "containers MSKU7182047", "containers --count-by terminal", "ready MSKU7182047",
	"fees MEDU3309188", "fees --by-place", "events MSKU7182047", "track MAEU240711002", "tracking-requests", "search 24071", "shipping-lines",
	"parties", "whoami", "webhooks list", "webhooks create https://example.com/hook",
}

// jsonOutputs are commands that print JSON.
var jsonOutputs = []output{
	{"ready MSKU7182047 MEDU3309188 EGHU9023165 CMAU4716554", deep}, {"ready MSKU7182047 --max-age 1m", 1}, {"containers --count-by terminal", deep}, {"containers --count-by line", deep},
	{"doctor", deep}, {"containers --fields number,pickup_lfd", deep}, {"shipments --fields bill_of_lading_number", deep},
	{"containers", resource}, {"containers MSKU7182047", resource}, {"shipments", resource}, {"shipments MAEU240711002", resource},
	{"shipments stop MAEU240711002 --dry-run", resource}, {"shipments references MAEU240711002 PO-1", resource},
	{"fees MEDU3309188", resource}, {"events MSKU7182047", resource}, {"track MAEU240711002", resource}, {"tracking-requests", resource},
	{"search 24071", resource}, {"shipping-lines", resource}, {"parties", resource}, {"whoami", resource}, {"webhooks list", resource},
	{"webhooks create https://example.com/hook", resource},
}

type output struct {
	command string
	depth   int
}

var argument = regexp.MustCompile(` (PO-1|24071|https?:\S+|[A-Z]{4}\d+)`)

// name is the command without its arguments.
func (o output) name() string { return withoutArguments(o.command) }

func withoutArguments(command string) string {
	name := argument.ReplaceAllString(command, "")
	if name != command {
		name = strings.Replace(name+" X", " --dry-run X", " X --dry-run", 1)
	}
	return name
}

// table returns the columns of a table and of its CSV. Columns may be added at the right.
func (a account) table(command string) (lines []string) {
	a.t.Helper()
	name := "t49 " + withoutArguments(command)
	text, _, _ := strings.Cut(a.must("t49", words(command)...), "\n")
	for i, title := range regexp.MustCompile(` {2,}`).Split(text, -1) {
		lines = append(lines, fmt.Sprintf("%s title %02d: %s", name, i+1, title))
	}
	text = a.must("t49", append(words(command), "--csv")...)
	text, marked := strings.CutPrefix(text, "\ufeff")
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) < 2 || !marked {
		a.t.Errorf("%s --csv: %v, %d rows, with a mark: %t", name, err, len(rows), marked)
		return lines
	}
	for i, title := range rows[0] {
		lines = append(lines, fmt.Sprintf("%s --csv column %02d: %s", name, i+1, title))
		for _, form := range formsOf(rows[1:], i) {
			lines = append(lines, fmt.Sprintf("%s --csv column %02d %s: %s", name, i+1, title, form))
		}
	}
	return lines
}

// cellForms are those that a program can parse.
var cellForms = map[string]*regexp.Regexp{
	"day":              regexp.MustCompile(`^\d{4}-\d\d-\d\d$`),
	"time with offset": regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d [+-]\d\d:\d\d$`),
	"number":           regexp.MustCompile(`^-?\d+(\.\d+)?$`),
}

// formsOf returns the forms of the cells of a column that are not empty; none if one is a text. Few
// rows have none, because whether one has a value depends on the day.
func formsOf(rows [][]string, column int) (forms []string) {
	if len(rows) < 3 {
		return nil
	}
	for _, row := range rows {
		known := row[column] == ""
		for form, pattern := range cellForms {
			if pattern.MatchString(row[column]) {
				forms, known = append(forms, form), true
			}
		}
		if !known {
			return nil
		}
	}
	return sorted(forms)
}

var exported = regexp.MustCompile(`(?m)^export (.*)$`)

// streams has what the commands print that run until they are interrupted. The container is
// MEDU3309188.
func (a account) streams(container string) (lines []string) {
	simulator := a.start("t49", "simulator", "--addr", "127.0.0.1:0", "--speed", "0")
	for _, variable := range words(simulator.until(exported.String())) {
		name, _, _ := strings.Cut(variable, "=")
		lines = append(lines, "t49 simulator: export "+name)
	}
	simulator.interrupt()

	listen := a.with("T49_WEBHOOK_SECRET=whsec-1").start("t49", "webhooks", "listen", "--json", "--addr", "127.0.0.1:0")
	url := listen.until(`receiving on (\S+)`)
	sent := a.with("T49_WEBHOOK_SECRET=whsec-1").must("t49", "webhooks", "send", url, "--event", "container.updated")
	if !strings.Contains(sent, "200") {
		a.t.Errorf("t49 webhooks send, with the same secret: %s", sent)
	}
	receiver := newReceiver(a.t, 200)
	a.with("T49_WEBHOOK_SECRET=whsec-1").must("t49", "webhooks", "send", receiver.URL, "--event", "container.updated")
	d := receiver.first(a.t)
	lines = append(lines, fmt.Sprintf("t49 webhooks send: %s %s", d.method, d.header.Get("Content-Type")),
		fmt.Sprintf("t49 webhooks send: signed in X-T49-Webhook-Signature: %t", d.header.Get("X-T49-Webhook-Signature") == terminal49test.SignWebhook("whsec-1", []byte(d.body))))
	lines = append(lines, membersOf(a.t, "t49 webhooks listen --json", listen.until(`(?m)^(\{.*\})$`), resource)...)
	listen.interrupt()

	watch := a.start("t49", "watch", "MEDU3309188", "--json", "--interval", "50ms")
	watch.until("watching MEDU3309188")
	a.srv.UpdateContainer(container, func(c *terminal49test.Container) { c.Holds, c.CurrentStatus = nil, "available" })
	lines = append(lines, membersOf(a.t, "t49 watch --json", watch.until(`(?m)^(\{.*\})$`), resource)...)
	watch.interrupt()
	return lines
}

func TestMembers_HaveEveryKind(t *testing.T) {
	got := membersOf(t, "x", `{"a":[{"b":null},{"b":1}],"USD":true}`+"\n"+`{"a":"text"}`, deep)
	want := []string{"x .: object", "x .*: boolean", "x .a: list", "x .a: text", "x .a[]: object", "x .a[].b: null", "x .a[].b: number"}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
