package conformance_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/internal/testkit/gosource"
	"github.com/go-freight/terminal49/internal/transport"
)

// sampled reports whether the sample has the operation under the fault with this number: of each
// operation every eighth fault, and of each fault every eighth operation of a retry class.
func sampled(op testedOperation, row int) bool { return (op.turn+row)%testkit.Scale(8, 1) == 0 }

// TestConformance calls every operation under every fault, struck once and struck always, with the
// default retry policy, and compares the outcome with the table. So it does with each step of the
// methods that make several requests. It repeats a part with all listeners on, and what net/http
// repeats over sockets. A sample has every operation, and every fault with each retry class.
func TestConformance(t *testing.T) {
	operations, steps, rows := conformanceOperations(t), conformanceSteps(t), conformanceFaults()
	count := new(tally)
	t.Run("faults", func(t *testing.T) {
		for j, row := range rows {
			t.Run(row.name, func(t *testing.T) {
				t.Parallel()
				conformRow(t, operations, row, j, count, "operations under faults")
				conformRow(t, steps, row, j, count, "steps under faults")
				conformLoud(t, operations, row, j, count)
			})
		}
	})
	t.Run("repeats", func(t *testing.T) { conformRepeats(t, count) })
	t.Run("addresses", func(t *testing.T) { conformAddresses(t, count) })
	t.Run("edges", func(t *testing.T) { conformEdges(t, count) })
	t.Run("streams", func(t *testing.T) { conformStreams(t, count) })
	t.Run("walks", func(t *testing.T) { conformWalks(t, count) })
	if testkit.Whole() {
		require.Equal(t, tableCases(operations, rows), count.cases["operations under faults"])
		require.Equal(t, tableCases(steps, rows), count.cases["steps under faults"])
		require.Equal(t, repeatCases(operations), count.cases["repeats by net/http"])
		require.Equal(t, loudCases(operations, rows, 8), count.cases["with all listeners"])
		require.Equal(t, edgeCases(operations, edges()), count.sum("edges over "))
		require.Equal(t, streamCases(operations), count.cases["ends of HTTP/2 streams"])
		require.Equal(t, walkCases(), count.sum("walks over "))
	}
	if !t.Failed() {
		t.Logf("figure: conformance: %d operations and %d steps x %d faults, struck once and for good, x %d edges and %d first "+
			"pages over 4 protocols: %v", len(operations), len(steps), len(rows), len(edges())+len(streamEdges()), len(walkEdges()), count)
	}
}

// conformRow tries operations under one fault.
func conformRow(t *testing.T, operations []testedOperation, row faultRow, number int, count *tally, part string) {
	for _, op := range operations {
		if !row.covers(op) || !sampled(op, number) {
			continue
		}
		for _, times := range []int{-1, 1} {
			count.add(part, conform(t, op, row, times))
		}
	}
}

// conformLoud tries a part again, with all listeners on.
func conformLoud(t *testing.T, operations []testedOperation, row faultRow, number int, count *tally) {
	for _, op := range operations {
		if row.covers(op) && isLoud(op, number, testkit.Scale(32, 8)) {
			count.add("with all listeners", conform(t, op, row, -1, true))
		}
	}
}

func isLoud(op testedOperation, row, every int) bool { return (op.turn+row)%every == 0 }

// loudCases returns the number of cases with all listeners on.
func loudCases(operations []testedOperation, rows []faultRow, every int) (n int) {
	for j, row := range rows {
		for _, op := range operations {
			if row.covers(op) && isLoud(op, j, every) {
				n++
			}
		}
	}
	return n
}

// tableCases returns the number of cases of a whole table.
func tableCases(operations []testedOperation, rows []faultRow) (n int) {
	for _, row := range rows {
		for _, op := range operations {
			if row.covers(op) {
				n += 2
			}
		}
	}
	return n
}

// The sample must leave out no operation, and no fault of a retry class.
func TestConformance_Sample(t *testing.T) {
	type column struct {
		row   string
		class transport.Class
	}
	operations, rows := conformanceOperations(t), conformanceFaults()
	seen, columns := map[string]bool{}, map[column]bool{}
	for _, op := range operations {
		for j, row := range rows {
			if row.only == nil && sampled(op, j) {
				seen[op.Name], columns[column{row.name, op.Retry}] = true, true
			}
		}
	}
	require.Len(t, seen, len(operations))
	general := slices.DeleteFunc(rows, func(r faultRow) bool { return r.only != nil })
	require.Len(t, columns, 3*len(general))
}

// The sample may leave out the operation with two routes.
func TestConformance_BothRoutes(t *testing.T) {
	for _, op := range conformanceOperations(t) {
		for _, row := range conformanceFaults() {
			if op.Name == hasTwoRoutes && row.has(triesRoutes) {
				require.Equal(t, 2, conform(t, op, row, -1), row.name)
				require.Equal(t, 2, conform(t, op, row, 1), row.name)
			}
		}
	}
}

// Every kind of fault of the simulator has a row.
func TestConformance_CoversEveryFaultKind(t *testing.T) {
	used := map[string]bool{}
	for _, row := range conformanceFaults() {
		used[string(row.fault.Kind)] = true
	}
	kinds := gosource.Constants(t, "terminal49test")["FaultKind"]
	require.Greater(t, len(kinds), 10)
	for _, kind := range kinds {
		require.True(t, used[kind], "no row has the kind %q", kind)
	}
}
