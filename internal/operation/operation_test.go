package operation_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-freight/terminal49/internal/catalogue"
	"github.com/go-freight/terminal49/internal/operation"
	"github.com/go-freight/terminal49/internal/transport"
)

func TestAll_IsComplete(t *testing.T) {
	names, routes := map[string]bool{}, map[string]bool{}
	for _, op := range operation.All() {
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
		if op.Bucket == "" || op.Retry == 0 {
			t.Errorf("%s has no bucket or no retry class", op.Name)
		}
	}
}

func TestAll_RetryClassesAndBuckets(t *testing.T) {
	want := map[string]struct {
		retry  transport.Class
		bucket string
	}{
		"shipments.list":           {operation.Read, operation.BucketDefault},
		"shipments.stop_tracking":  {operation.Idempotent, operation.BucketDefault},
		"tracking_requests.create": {operation.Write, operation.BucketCreate},
		"tracking_requests.infer":  {operation.Read, operation.BucketInfer},
		"containers.refresh":       {operation.Idempotent, operation.BucketRefresh},
		"webhooks.delete":          {operation.Idempotent, operation.BucketDefault},
		"documents.create":         {operation.Write, operation.BucketDefault},
	}
	found := 0
	for _, op := range operation.All() {
		w, ok := want[op.Name]
		if !ok {
			continue
		}
		found++
		if op.Retry != w.retry || op.Bucket != w.bucket {
			t.Errorf("%s is %v in %s, want %v in %s", op.Name, op.Retry, op.Bucket, w.retry, w.bucket)
		}
	}
	if found != len(want) {
		t.Errorf("found %d of %d operations", found, len(want))
	}
}

// Every include value must be a walk along relationships of listed types.
func TestAll_IncludesFollowRelationships(t *testing.T) {
	types := map[string]catalogue.Type{}
	for _, typ := range catalogue.Types() {
		types[typ.Name] = typ
	}
	for _, op := range operation.All() {
		if op.Resource != "" {
			if _, ok := types[op.Resource]; !ok {
				t.Errorf("%s answers with the unlisted type %q", op.Name, op.Resource)
			}
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
