package conformance_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/internal/operation"
	"github.com/go-freight/terminal49/internal/transport"
)

// matrix returns all tables as Markdown.
func matrix(operations, steps []testedOperation, rows []faultRow) string {
	var b strings.Builder
	cases := []int{
		tableCases(operations, rows), tableCases(steps, rows), loudCases(operations, rows, 8),
		repeatCases(operations), len(storageCases()), edgeCases(operations, edges()), streamCases(operations), walkCases(),
	}
	total := 0
	for _, n := range cases {
		total += n
	}
	fmt.Fprintf(&b, "\n%d operations and %d steps of methods x %d faults, each struck once and for good: %d and %d cases.\n"+
		"Tried again with all listeners on (logger, hooks, raw JSON): %d. Repetitions by net/http: %d. Addresses and headers\n"+
		"of files: %d. Over four protocols, HTTP/1.1 and HTTP/2 with and without TLS: %d with %d odd responses, %d with %d ends of\n"+
		"HTTP/2 streams, %d walks of lists with %d odd first pages. In all: %d cases.\n", len(operations), len(steps), len(rows),
		cases[0], cases[1], cases[2], cases[3], cases[4], cases[5], len(edges()), cases[6], len(streamEdges()), cases[7],
		len(walkEdges()), total)
	general, typed := slices.Clone(rows), slices.Clone(rows)
	general = slices.DeleteFunc(general, func(r faultRow) bool { return r.only != nil })
	typed = slices.DeleteFunc(typed, func(r faultRow) bool { return r.only == nil })
	operationTable(&b, operations, general)
	otherAnswerTable(&b, operations, typed)
	stepTable(&b, steps)
	storageTable(&b, general)
	addressTable(&b)
	repeatTable(&b)
	edgeTable(&b, operations)
	walkTable(&b)
	return b.String() + "\n"
}

func operationTable(b *strings.Builder, operations []testedOperation, rows []faultRow) {
	count := map[transport.Class]int{}
	for _, o := range operations {
		count[o.Retry]++
	}
	fmt.Fprintf(b, "\n### Every operation\n\n| fault | read (%d) | repeatable write (%d) | creation (%d) |\n|---|---|---|---|\n",
		count[transport.Read], count[transport.Idempotent], count[transport.Write])
	for _, r := range rows {
		fmt.Fprintf(b, "| %s%s | %s | %s | %s |\n", r.name, r.marks(), r.read, r.update, r.create)
	}
}

// otherAnswerTable shows the rows about some operations, with the number of those.
func otherAnswerTable(b *strings.Builder, operations []testedOperation, rows []faultRow) {
	b.WriteString("\n### Whole, valid responses to another request\n\n" +
		"Of operations that return one resource. Only a request that names a resource by its UUID can be compared with the\n" +
		"id of the response. An unknown type is accepted, because it may be a new name. In brackets: operations.\n\n" +
		"| response | read | repeatable write | creation |\n|---|---|---|---|\n")
	for _, r := range rows {
		fmt.Fprintf(b, "| %s |", r.name)
		for _, class := range []transport.Class{transport.Read, transport.Idempotent, transport.Write} {
			n := 0
			for _, op := range operations {
				if op.Retry == class && r.covers(op) {
					n++
				}
			}
			if n == 0 {
				b.WriteString(" - |")
				continue
			}
			fmt.Fprintf(b, " %v (%d) |", r.of(class), n)
		}
		b.WriteString("\n")
	}
}

// stepTable shows which column each step follows.
func stepTable(b *strings.Builder, steps []testedOperation) {
	b.WriteString("\n### The steps of methods that make several requests\n\n" +
		"A fault of one step, in the column that its outcome follows. `Upload` tries another address after a 404. An error of\n" +
		"the step that creates the document is a `*DocumentNotCreatedError`, with which `Create` can finish. `Ensure` waits 2 s\n" +
		"before its check; after an error of the check, or of deleting its own webhook, it returns a webhook too. `Client.Do`\n" +
		"accepts a response without a body.\n\n| step | request | column |\n|---|---|---|\n")
	columns := map[transport.Class]string{transport.Read: "read", transport.Idempotent: "repeatable write", transport.Write: "creation"}
	for _, s := range steps {
		column := columns[s.Retry]
		if strings.HasPrefix(s.Name, "storage.") {
			column = "see below"
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", s, s.Name, column)
	}
}

func storageTable(b *strings.Builder, rows []faultRow) {
	b.WriteString("\n### The storage of files\n\n" +
		"Nothing that the storage does is visible before a document is created, so no outcome is unknown. An upload ignores the\n" +
		"body of the response; a download keeps any body, and is not retried after its first byte.\n\n" +
		"| fault | `Upload`, the file | `Download`, the file |\n|---|---|---|\n")
	for _, r := range rows {
		get := "see below"
		if r.covers(testedOperation{Operation: operation.Operation{Name: "storage.get"}}) {
			get = r.expectGet(-1).String()
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", r.name, r.expectPut(-1), get)
	}
}

func addressTable(b *strings.Builder) {
	b.WriteString("\nWith a public base URL, files are sent to and fetched from public https addresses only. Refused addresses receive\n" +
		"nothing. An upload follows no redirect: `StorageError`.\n\n" +
		"| address | named by the service | redirect of a download |\n|---|---|---|\n")
	for _, a := range addresses() {
		url := strings.NewReplacer("?s3cr3t=1", "", ":s3cr3t@", ":password@").Replace(a.url)
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", url, outcome{result: a.named}, outcome{result: a.redirect})
	}
	var names []string
	for _, name := range forgedHeaders {
		names = append(names, fmt.Sprintf("`%q`", name))
	}
	fmt.Fprintf(b, "\nA `DecodeError`, with nothing sent, if the service names one of these headers for an upload: %s.\n",
		strings.Join(names, ", "))
}

// repeatTable shows one way of each kind.
func repeatTable(b *strings.Builder) {
	ways := repeatWays()
	fmt.Fprintf(b, "\n### What net/http repeats, then another response\n\nOver %d protocols and endings: ", len(ways))
	var names []string
	for _, w := range ways {
		names = append(names, w.Name)
	}
	fmt.Fprintf(b, "%s.\n\n| over | then | read | read by POST | repeatable write | creation |\n|---|---|---|---|---|---|\n",
		strings.Join(names, "; "))
	kinds := []testedOperation{
		{Operation: operation.Operation{Method: http.MethodGet, Retry: transport.Read}},
		{Operation: operation.Operation{Method: http.MethodPost, Retry: transport.Read}},
		{Operation: operation.Operation{Method: http.MethodPatch, Retry: transport.Idempotent}},
		{Operation: operation.Operation{Method: http.MethodPost, Retry: transport.Write}},
	}
	for _, over := range []struct {
		name string
		way  repeatWay
	}{{"HTTP/1.1", repeatWay{}}, {"HTTP/2, or HTTP/1.1 with `Idempotency-Key`", repeatWay{keyed: true}}} {
		for _, f := range followings() {
			fmt.Fprintf(b, "| %s | %s |", over.name, f.name)
			for _, kind := range kinds {
				fmt.Fprintf(b, " %v |", f.expect(over.way, kind))
			}
			b.WriteString("\n")
		}
	}
}
