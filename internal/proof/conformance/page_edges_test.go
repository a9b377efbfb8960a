package conformance_test

import (
	"fmt"
	"slices"
	"strings"
)

// groups are names by the cells that they share, in the order of their first names.
type groups struct {
	cells []string
	names map[string][]string
}

func (g *groups) add(cells, name string) {
	if g.names == nil {
		g.names = map[string][]string{}
	}
	if g.names[cells] == nil {
		g.cells = append(g.cells, cells)
	}
	if spelled, _, ok := strings.Cut(name, " with the token"); ok { // in each spelling
		name = spelled + " with the token"
	}
	if name = "`" + name + "`"; !slices.Contains(g.names[cells], name) {
		g.names[cells] = append(g.names[cells], name)
	}
}

func (g *groups) write(b *strings.Builder) {
	for _, cells := range g.cells {
		fmt.Fprintf(b, "| %s | %s |\n", strings.Join(g.names[cells], ", "), cells)
	}
}

// edgeTable shows odd responses by their outcome.
func edgeTable(b *strings.Builder, operations []testedOperation) {
	b.WriteString("\n### Odd responses, over four protocols\n\n" +
		"Of every operation that the row is about: those with a document, attributes, a list, one resource or a body. No hook, log,\n" +
		"error or middleware shows the token, spelled in any of 6 ways; an error is one line; one response is reported with at most 1,100 warnings; and a\n" +
		"call ends with its context. JSON as in the response; HTTP/1.1 alone has reasons and raw headers.\n\n" +
		"| response | read | repeatable write | creation |\n|---|---|---|---|\n")
	var g groups
	for _, e := range edges() {
		g.add(e.cells(), e.name)
	}
	for _, e := range streamEdges() {
		g.add(e.cells(), e.name)
	}
	g.write(b)
}

func (r faultRow) cells() string {
	return fmt.Sprintf("%v%s | %v | %v", r.read, r.marks(), r.update, r.create)
}

// walkTable shows first pages by the outcome of a walk.
func walkTable(b *strings.Builder) {
	fmt.Fprintf(b, "\n### Walks of lists with an odd first page, over four protocols\n\n"+
		"%d methods that return a list of any length, page by page and with `WithPrefetch`. The list has two pages. No request asks\n"+
		"for anything but another page of the same list, of 1 to 100 items.\n\n| first page | items of | result |\n|---|---|---|\n", walkCount)
	var g groups
	for _, e := range walkEdges() {
		pages := map[int]string{1: "page 1", 2: "both pages"}[e.pages]
		g.add(fmt.Sprintf("%s | %v", pages, outcome{result: e.result}), e.name)
	}
	g.write(b)
}
