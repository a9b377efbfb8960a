package terminal49test_test

import (
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

// A line that a person deleted by hand is reported, or the world works without it.
func TestLoad_WithoutALine(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(savedWorlds)) {
		if name == "traffic" || name == "journeys" {
			continue // many similar lines
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lines := strings.SplitAfter(saved(t, savedWorlds[name](t)), "\n")
			for i := 0; i < len(lines); i += testkit.Scale(20, 1) {
				srv := newServer(t, options(name)...)
				err := srv.Load(strings.NewReader(strings.Join(slices.Delete(slices.Clone(lines), i, i+1), "")))
				if refused := (*terminal49test.LineError)(nil); err != nil && !errors.As(err, &refused) {
					t.Fatal(err)
				}
				snapshot(srv)
				srv.Advance(4 * 24 * time.Hour)
				saved(t, srv)
			}
		})
	}
}

// A value that was changed by hand is reported, or the world works with it.
func TestLoad_WithAnotherValue(t *testing.T) {
	values := regexp.MustCompile(`:("[^"\\]*"|-?[0-9.]+|true|false|\[\]|\[[^\[\]{}]*\])`)
	others := []string{`""`, `"x"`, `"0001-01-01T00:00:00Z"`, `"9999-12-31T23:59:59Z"`, `"-1s"`, `"2562047h"`, "0", "-1", "9223372036854775807", "1e300", "true", "null", "[]", "[null]", "{}"}
	for _, name := range slices.Sorted(maps.Keys(savedWorlds)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lines := strings.SplitAfter(saved(t, savedWorlds[name](t)), "\n")
			draw := rand.New(rand.NewPCG(1, 2))
			for range testkit.Scale(20, 400) {
				at := draw.IntN(len(lines) - 1)
				if draw.IntN(4) == 0 {
					at = 0
				}
				found := values.FindAllStringSubmatchIndex(lines[at], -1)
				if found == nil {
					continue
				}
				value, other := found[draw.IntN(len(found))], others[draw.IntN(len(others))]
				changed := slices.Clone(lines)
				changed[at] = lines[at][:value[2]] + other + lines[at][value[3]:]
				srv := newServer(t, options(name)...)
				defer func() {
					if p := recover(); p != nil {
						t.Fatalf("%.600s: %v\n%s", changed[at], p, debug.Stack())
					}
				}()
				if err := srv.Load(strings.NewReader(strings.Join(changed, ""))); err == nil {
					snapshot(srv)
					srv.Advance(4 * 24 * time.Hour)
					_ = srv.Save(io.Discard) // a time after the year 9999 has no form
				}
			}
		})
	}
}
