package conformance_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/go-freight/terminal49/internal/operation"
	"github.com/go-freight/terminal49/internal/transport"
	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// step is one request of a method that makes several, or of Client.Do.
type step struct {
	name    string // in the table
	op      string // that errors and hooks name
	prepare func(*terminal49test.Server) []terminal49.Option
	skip    int // requests of the operation before the step

	others        map[bool]int  // requests in addition to those of the step, in a call that fails and in one that succeeds
	later         int           // those of others that are of the same operation and follow a success
	before, after time.Duration // waits of the method before the step, and after its success

	unobserved bool // hooks do not report it
	expect     func(r faultRow, times int) outcome
}

// asStep returns the step of a call, which for an operation of the catalogue is the whole call.
func (o testedOperation) asStep() step {
	if o.step == nil {
		return step{op: o.Name}
	}
	return *o.step
}

// String returns the name of the operation or step.
func (o testedOperation) String() string {
	if o.step == nil {
		return o.Name
	}
	return o.step.name
}

// more returns the requests of the same operation that are not of the step.
func (s step) more(succeeded bool) int {
	if succeeded {
		return s.skip + s.later
	}
	return s.skip
}

// conformanceSteps returns Client.Do with each retry class, and each request of Upload, Download
// and Ensure.
func conformanceSteps(t *testing.T) []testedOperation {
	known := map[string]testedOperation{}
	for _, op := range conformanceOperations(t) {
		known[op.Name] = op
	}
	list := doSteps()
	list = append(list, fileSteps()...)
	list = append(list, ensureSteps()...)
	turns := map[transport.Class]int{}
	for i, s := range list {
		if op, ok := known[s.Name]; ok && s.step.op == s.Name && s.step.expect == nil {
			op.do, op.step = s.do, s.step
			list[i] = op
		}
		list[i].turn = turns[list[i].Retry]
		turns[list[i].Retry]++
	}
	return list
}

// doSteps are calls of Client.Do, which are retried by their method (doc of Do).
func doSteps() (list []testedOperation) {
	add := func(o operation.Operation, path string, body any, unread bool) {
		do := func(ctx context.Context, c *terminal49.Client, _ string) error {
			var out any
			into := any(&out)
			if unread {
				into = nil
			}
			return c.Do(ctx, terminal49.Request{Method: o.Method, Path: path, Body: body}, into)
		}
		name := "`Client.Do`, " + o.Method
		if unread {
			name += ", no result"
		}
		made := testedOperation{Operation: o, do: do, unread: unread, step: &step{name: name, op: o.Name}}
		made.step.expect = func(r faultRow, times int) outcome {
			if r.fault.Kind == terminal49test.FaultEmpty { // there is nothing to decode
				return outcome{sent: 1}
			}
			return r.expectAs(made, times)
		}
		list = append(list, made)
	}
	envelope := func(typ, id string, attributes any) any {
		data := map[string]any{"type": typ, "attributes": attributes}
		if id != "" {
			data["id"] = id
		}
		return map[string]any{"data": data}
	}
	shipment := "/shipments/" + testkit.ShipmentID
	party := envelope("party", "", map[string]any{"company_name": "Twice & Co"})
	add(operation.ShipmentsGet, shipment, nil, false)
	add(operation.ShipmentsGet, shipment, nil, true)
	add(operation.ShipmentsUpdate, shipment, envelope("shipment", testkit.ShipmentID, map[string]any{"ref_numbers": []string{"a"}}), false)
	add(operation.WebhooksDelete, "/webhooks/"+testkit.WebhookID, nil, true)
	add(operation.PartiesCreate, "/parties", party, false)
	add(operation.PartiesCreate, "/parties", party, true)
	return list
}

// fileSteps are the requests of Upload and Download. The storage's rules are in storage_test.go.
func fileSteps() []testedOperation {
	upload := func(ctx context.Context, c *terminal49.Client, _ string) error {
		return testkit.First(c.Documents.Upload(ctx, paper()))
	}
	create := func(ctx context.Context, c *terminal49.Client, _ string) error {
		err := testkit.First(c.Documents.Upload(ctx, paper()))
		var stored *terminal49.DocumentNotCreatedError
		if err != nil && (!errors.As(err, &stored) || stored.SignedID().IsZero()) {
			return fmt.Errorf("not a DocumentNotCreatedError that holds the file: %s", err)
		}
		return err
	}
	download := func(ctx context.Context, c *terminal49.Client, _ string) error {
		return testkit.First(c.Documents.Download(ctx, testkit.DocumentID, io.Discard))
	}
	put := operation.Operation{Name: "storage.put", Method: http.MethodPut, Retry: transport.Read}
	get := operation.Operation{Name: "storage.get", Method: http.MethodGet, Retry: transport.Read}
	return []testedOperation{
		{Operation: operation.DirectUpload, do: upload, step: &step{name: "`Upload`, where to", op: "documents.direct_upload",
			others: map[bool]int{true: 2}}},
		{Operation: put, do: upload, step: &step{name: "`Upload`, the file", op: "documents.upload",
			others: map[bool]int{false: 1, true: 2}, expect: faultRow.expectPut}},
		{Operation: operation.DocumentsCreate, do: create, step: &step{name: "`Upload`, the document", op: "documents.create",
			others: map[bool]int{false: 2, true: 2}}},
		{Operation: operation.DocumentsDownloadURL, do: download, step: &step{name: "`Download`, where from",
			op: "documents.download_url", others: map[bool]int{true: 1}}},
		{Operation: get, do: download, step: &step{name: "`Download`, the file", op: "documents.download",
			others: map[bool]int{false: 1, true: 1}, unobserved: true, expect: faultRow.expectGet}},
	}
}

// ensureSteps are the requests of Webhooks.Ensure. It waits 2 seconds before it lists again, and
// returns the webhook that it created also after an error of that check (doc of Ensure).
func ensureSteps() []testedOperation {
	const url, rivals = "https://ensure.example/t49", 2 * time.Second
	events := []terminal49.EventName{terminal49.EventContainerUpdated}
	older := func(srv *terminal49test.Server, events ...string) {
		srv.AddWebhook(terminal49test.Webhook{URL: url, Events: events, CreatedAt: srv.Now().Add(-time.Hour)})
	}
	ensure := func(ctx context.Context, c *terminal49.Client, _ string) error {
		return testkit.First(c.Webhooks.Ensure(ctx, url, events))
	}
	checked := func(ctx context.Context, c *terminal49.Client, _ string) error {
		w, err := c.Webhooks.Ensure(ctx, url, events)
		if w == nil || w.Secret.IsZero() {
			return fmt.Errorf("no webhook with the error %v", err)
		}
		return err
	}
	return []testedOperation{
		{Operation: operation.WebhooksList, do: ensure, step: &step{name: "`Ensure`, list", op: "webhooks.list",
			others: map[bool]int{true: 2}, later: 1, after: rivals}},
		{Operation: operation.WebhooksCreate, do: ensure, step: &step{name: "`Ensure`, create", op: "webhooks.create",
			others: map[bool]int{false: 1, true: 2}, after: rivals}},
		{Operation: operation.WebhooksList, do: checked, step: &step{name: "`Ensure`, check", op: "webhooks.list",
			others: map[bool]int{false: 2, true: 2}, skip: 1, before: rivals}},
		{Operation: operation.WebhooksUpdate, do: ensure, step: &step{name: "`Ensure`, update", op: "webhooks.update",
			others: map[bool]int{false: 1, true: 1},
			prepare: func(srv *terminal49test.Server) []terminal49.Option {
				older(srv, "container.created")
				return nil
			}}},
		{Operation: operation.WebhooksDelete, do: checked, step: &step{name: "`Ensure`, delete its own", op: "webhooks.delete",
			others: map[bool]int{false: 3, true: 3}, before: rivals,
			prepare: func(srv *terminal49test.Server) []terminal49.Option {
				return []terminal49.Option{testkit.Before("webhooks.create", func() { older(srv, "container.updated") })}
			}}},
	}
}
