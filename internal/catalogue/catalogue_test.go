package catalogue_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-freight/terminal49/internal/catalogue"
)

func TestOperationsAreComplete(t *testing.T) {
	byMethod := map[string]int{}
	names, routes := map[string]bool{}, map[string]bool{}
	for _, op := range catalogue.Operations() {
		byMethod[op.Method]++
		if names[op.Name] {
			t.Errorf("%s is listed twice", op.Name)
		}
		if route := op.Method + " " + op.Path; routes[route] {
			t.Errorf("%s is listed twice", route)
		}
		names[op.Name], routes[op.Method+" "+op.Path] = true, true
		if !strings.Contains(op.Name, ".") || !strings.HasPrefix(op.Path, "/") {
			t.Errorf("%q %q: want service.method and a rooted path", op.Name, op.Path)
		}
		if len(op.Includes) > 0 && !slices.Contains(op.Query, "include") {
			t.Errorf("%s has include values but no include parameter", op.Name)
		}
		if op.Bucket == "" || op.Retry == "" {
			t.Errorf("%s has no bucket or no retry class", op.Name)
		}
	}
	want := map[string]int{"GET": 44, "POST": 16, "PATCH": 15, "DELETE": 8}
	for method, n := range want {
		if byMethod[method] != n {
			t.Errorf("%d %s operations, want %d", byMethod[method], method, n)
		}
	}
}

func TestRetryClassesAndBuckets(t *testing.T) {
	want := map[string]struct {
		retry  catalogue.Retry
		bucket catalogue.Bucket
	}{
		"shipments.list":           {catalogue.RetryRead, catalogue.BucketDefault},
		"shipments.stop_tracking":  {catalogue.RetryIdempotent, catalogue.BucketDefault},
		"tracking_requests.create": {catalogue.RetryWrite, catalogue.BucketCreate},
		"tracking_requests.infer":  {catalogue.RetryRead, catalogue.BucketInfer},
		"containers.refresh":       {catalogue.RetryIdempotent, catalogue.BucketRefresh},
		"webhooks.delete":          {catalogue.RetryIdempotent, catalogue.BucketDefault},
		"documents.create":         {catalogue.RetryWrite, catalogue.BucketDefault},
	}
	found := 0
	for _, op := range catalogue.Operations() {
		w, ok := want[op.Name]
		if !ok {
			continue
		}
		found++
		if op.Retry != w.retry || op.Bucket != w.bucket {
			t.Errorf("%s is %s in %s, want %s in %s", op.Name, op.Retry, op.Bucket, w.retry, w.bucket)
		}
	}
	if found != len(want) {
		t.Errorf("found %d of %d operations", found, len(want))
	}
}

// Every include value of an offered operation must be a walk along
// relationships, and every relationship must lead to a listed type.
func TestIncludesFollowRelationships(t *testing.T) {
	types := map[string]catalogue.Type{}
	for _, typ := range catalogue.Types() {
		if _, twice := types[typ.Name]; twice {
			t.Errorf("type %s is listed twice", typ.Name)
		}
		types[typ.Name] = typ
	}
	if len(types) != 32 {
		t.Errorf("%d types, want 32", len(types))
	}
	for _, typ := range types {
		for _, rel := range typ.Relationships {
			for _, target := range rel.Types {
				if _, ok := types[target]; !ok {
					t.Errorf("%s.%s points to the unlisted type %q", typ.Name, rel.Name, target)
				}
			}
		}
	}
	for _, op := range catalogue.Operations() {
		if op.Resource != "" {
			if _, ok := types[op.Resource]; !ok {
				t.Errorf("%s answers with the unlisted type %q", op.Name, op.Resource)
			}
		}
		if !op.Offered {
			continue
		}
		for _, path := range op.Includes {
			at := []string{op.Resource}
			for step := range strings.SplitSeq(path, ".") {
				at = targets(types, at, step)
			}
			if len(at) == 0 {
				t.Errorf("%s: include %s follows no relationship", op.Name, path)
			}
		}
	}
}

func targets(types map[string]catalogue.Type, from []string, step string) []string {
	var found []string
	for _, name := range from {
		for _, rel := range types[name].Relationships {
			if rel.Name == step {
				found = append(found, rel.Types...)
			}
		}
	}
	return found
}

// An enumeration belongs to an attribute that the catalogue lists, and neither
// attributes nor values repeat.
func TestEnumsBelongToAttributes(t *testing.T) {
	attributes := map[string]bool{}
	for _, typ := range catalogue.Types() {
		for _, name := range typ.Attributes {
			key := typ.Name + "." + name
			if attributes[key] {
				t.Errorf("%s is listed twice", key)
			}
			attributes[key] = true
			outer, _, nested := cutLast(name)
			if nested && !attributes[typ.Name+"."+outer] {
				t.Errorf("%s is listed before the object it belongs to", key)
			}
		}
	}
	for _, enum := range catalogue.Enums() {
		if !attributes[enum.Name] {
			t.Errorf("%s is not an attribute", enum.Name)
		}
		if n := len(slices.Compact(slices.Sorted(slices.Values(enum.Values)))); n != len(enum.Values) || n == 0 {
			t.Errorf("%s: %d different values of %d", enum.Name, n, len(enum.Values))
		}
	}
}

func cutLast(name string) (before, after string, found bool) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return "", "", false
	}
	return name[:i], name[i+1:], true
}

func TestCallersGetTheirOwnCopy(t *testing.T) {
	catalogue.Operations()[0].Query[0] = "changed"
	catalogue.Types()[0].Attributes[0] = "changed"
	catalogue.Enums()[0].Values[0] = "changed"
	if catalogue.Operations()[0].Query[0] == "changed" ||
		catalogue.Types()[0].Attributes[0] == "changed" ||
		catalogue.Enums()[0].Values[0] == "changed" {
		t.Error("a caller's change reached the next caller")
	}
}
