// Command driftcheck compares the service's OpenAPI document with the catalogue that the library is
// tested against, decodes the examples of the document with the library, holds its rules against
// the containers in them, and stores each resource in them and reads it back.
//
// Usage:
//
//	go run ./internal/driftcheck openapi.json
//
// It prints one line for each difference that is not in the allow-list, then a summary. The exit
// status is 0 without differences, 1 with differences, and 2 if it cannot compare.
package main

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/go-freight/terminal49/internal/catalogue"
	"github.com/go-freight/terminal49/internal/operation"
	"github.com/go-freight/terminal49/internal/text"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: driftcheck openapi.json")
		os.Exit(2)
	}
	drift, err := run(os.Args[1], os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "driftcheck:", text.Printable(err.Error()))
		os.Exit(2)
	}
	if drift {
		os.Exit(1)
	}
}

// run checks the document at path and reports whether there are differences.
func run(path string, out io.Writer) (drift bool, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	d, err := parseDocument(data)
	if err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	l := listing{operation.All(), catalogue.Types(), catalogue.Enums()}
	c := compareDocument(l, d.surface(l.knownTypes()))
	shown, err := d.examples(l.operations)
	if err != nil {
		return false, err
	}
	unread, err := decodeExamples(shown)
	if err != nil {
		return false, err
	}
	containers, disobeyed, err := checkRules(d)
	if err != nil {
		return false, err
	}
	stored, lost := checkStored(d.root)
	findings, used := applyAllowed(slices.Concat(c.findings, unread, disobeyed, lost), allowList())
	for _, f := range findings {
		fmt.Fprintln(out, f)
	}
	fmt.Fprintf(out, "driftcheck: %s; %d examples of offered operations decoded; rules held against %d containers; "+
		"%d resources stored and read back; %d differences allowed, %d findings\n",
		c.summary(), len(shown), containers, stored, used, len(findings))
	return len(findings) > 0, nil
}
