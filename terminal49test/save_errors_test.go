package terminal49test_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestLoad_ARefusedWorldChangesNothing(t *testing.T) {
	lines := strings.SplitAfter(saved(t, newServer(t)), "\n")
	world := lines[0]
	for name, refused := range map[string]struct {
		file string
		want terminal49test.LineError
	}{
		"empty":           {"", terminal49test.LineError{Line: 0, Problem: "must be a world"}},
		"cut off":         {strings.Join(lines[:len(lines)-2], ""), terminal49test.LineError{Line: len(lines) - 2, Problem: "cut off"}},
		"after the end":   {strings.Join(lines, "") + `{"party":{"id":"p"}}`, terminal49test.LineError{Line: len(lines), Name: "party", Problem: "before the end"}},
		"no JSON":         {world + "\n{", terminal49test.LineError{Line: 3, Problem: "is not JSON"}},
		"a list":          {world + "[]", terminal49test.LineError{Line: 2, Problem: "must be an object"}},
		"two members":     {world + `{"port":{},"party":{}}`, terminal49test.LineError{Line: 2, Problem: "must have one member"}},
		"an unknown line": {world + `{"contaner":{}}`, terminal49test.LineError{Line: 2, Member: "contaner", Problem: "did you mean container"}},
		"an unknown member": {world + `{"container":{"id":"c","holds_at_pod_terminal":[{"name":"a"},{"name":"b","stauts":"hold"}]}}`,
			terminal49test.LineError{Line: 2, Name: "container", Member: "holds_at_pod_terminal[1].stauts", Problem: "did you mean status"}},
		"a wrong value":     {world + `{"container":{"id":"c","weight_in_lbs":"heavy"}}`, terminal49test.LineError{Line: 2, Name: "container", Member: "weight_in_lbs", Problem: "number"}},
		"no world":          {`{"port":{"id":"p"}}`, terminal49test.LineError{Line: 1, Name: "port", Problem: "must come after the world"}},
		"a second world":    {world + world, terminal49test.LineError{Line: 2, Name: "world", Problem: "must be the first line only"}},
		"another version":   {`{"world":{"version":2,"new":true}}`, terminal49test.LineError{Line: 1, Name: "world", Member: "version", Problem: "must be 1"}},
		"no id":             {world + `{"party":{"company_name":"Acme"}}`, terminal49test.LineError{Line: 2, Name: "party", Member: "id", Problem: "is required"}},
		"an id twice":       {world + strings.Repeat(`{"party":{"id":"p"}}`+"\n", 2), terminal49test.LineError{Line: 3, Name: "party", Member: "id", Problem: "earlier line"}},
		"no definition":     {world + `{"custom_field":{"id":"f","entity":"s","entity_type":"shipment","definition":"d","value":1}}`, terminal49test.LineError{Line: 2, Name: "custom_field", Member: "definition", Problem: "earlier line"}},
		"no notification":   {world + `{"deliver":{"at":"2024-07-01T12:00:00Z","notification":"n"}}`, terminal49test.LineError{Line: 2, Name: "deliver", Member: "notification", Problem: "earlier line"}},
		"no traffic":        {world + `{"generate":{"at":"2024-07-01T12:00:00Z","kind":"request","n":1}}`, terminal49test.LineError{Line: 2, Name: "generate", Member: "kind", Problem: "traffic"}},
		"a circle":          {world + `{"merged":{"shipment":"a","into":"b"}}` + "\n" + `{"merged":{"shipment":"b","into":"a"}}`, terminal49test.LineError{Line: 3, Name: "merged", Member: "into", Problem: "lead back"}},
		"a removed circle":  {world + `{"removed":{"type":"shipment","id":"a","successor":"a"}}`, terminal49test.LineError{Line: 2, Name: "removed", Member: "successor", Problem: "lead back"}},
		"an unknown order":  {world + `{"order":{"index":"containers","of":"s","ids":["c"]}}`, terminal49test.LineError{Line: 2, Name: "order", Member: "ids", Problem: "earlier lines"}},
		"an unknown action": {world + `{"run_step":{"at":"2024-07-01T12:00:00Z","shipment":"s","found":"2024-07-01T12:00:00Z","step":{"do":"fly"}}}`, terminal49test.LineError{Line: 2, Name: "run_step", Member: "step.do", Problem: "not an action"}},
		"a deep line":       {world + `{"port":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`, terminal49test.LineError{Line: 2, Problem: "64 deep"}},
	} {
		t.Run(name, func(t *testing.T) {
			srv := newServer(t)
			srv.SeedDemo()
			srv.AddFault(terminal49test.Fault{Operation: "shipments.get", Times: 2})
			before := saved(t, srv)
			var got *terminal49test.LineError
			if err := srv.Load(strings.NewReader(refused.file)); !errors.As(err, &got) {
				t.Fatal(err)
			}
			want := refused.want
			if !strings.Contains(got.Problem, want.Problem) {
				t.Errorf("%q, want %q", got.Problem, want.Problem)
			}
			if want.Problem = got.Problem; *got != want {
				t.Errorf("%+v, want %+v", *got, want)
			}
			compareText(t, "the world", saved(t, srv), before)
		})
	}
}

func TestLoad_ReadsNoEndlessLine(t *testing.T) {
	endless := io.MultiReader(strings.NewReader(`{"world":{"`), endlessReader{})
	var refused *terminal49test.LineError
	if err := newServer(t).Load(endless); !errors.As(err, &refused) || refused.Line != 1 || !strings.Contains(refused.Problem, "at most") {
		t.Error(err)
	}
	broken := io.MultiReader(strings.NewReader(saved(t, newServer(t))), brokenReader{})
	if err := newServer(t).Load(broken); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

type endlessReader struct{}

func (endlessReader) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'a'
	}
	return len(b), nil
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestSave_ACustomActionIsNamed(t *testing.T) {
	srv := newServer(t)
	srv.Script("MAEU240711002", terminal49test.Journey{Steps: []terminal49test.Step{
		{Do: terminal49test.VesselLoaded()}, {Do: terminal49test.Custom(func(*terminal49test.ActionContext) {})},
	}})
	err := srv.Save(io.Discard)
	if err == nil || !strings.Contains(err.Error(), `"MAEU240711002"`) || !strings.Contains(err.Error(), "steps[1]") {
		t.Error(err)
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestSave_AFailedWriteIsReported(t *testing.T) {
	if err := newServer(t).Save(failingWriter{}); !errors.Is(err, io.ErrShortWrite) {
		t.Error(err)
	}
}

func TestSave_ALongFileIsSavedInParts(t *testing.T) {
	srv := newServer(t)
	content := bytes.Repeat([]byte("a\x00\xff\n"), 5<<20)
	id := srv.AddDocument(terminal49test.Document{FileName: "long.bin", Content: content, DocumentType: "arrival_notice"})
	other := reloaded(t, srv)
	if d, _ := other.Document(id); !bytes.Equal(d.Content, content) {
		t.Errorf("%d bytes, want %d", len(d.Content), len(content))
	}
}

// The receiver of a delivery saves the world: the delivery is not lost.
func TestSave_ADeliveryUnderWayIsMadeAgain(t *testing.T) {
	var srv *terminal49test.Server
	file := ""
	count := 0
	receive := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if count++; file == "" {
			file = saved(t, srv)
		}
	})
	srv = newServer(t, terminal49test.WithWebhookHandler(receive))
	srv.AddWebhook(terminal49test.Webhook{URL: "https://hooks.example", Events: []string{"container.created"}})
	srv.AddContainer(terminal49test.Container{Number: "MSKU7182047"})
	srv.Advance(time.Minute)
	if err := srv.Load(strings.NewReader(file)); err != nil {
		t.Fatal(err)
	}
	srv.Advance(time.Minute)
	if log := srv.WebhookDeliveries(); count != 2 || len(log) != 1 || log[0].Number != 2 || log[0].Status != 200 {
		t.Errorf("%d deliveries, %+v", count, log)
	}
}

// Requests, methods and a running clock go on while the world is replaced.
func TestLoad_WhileRequestsAreServed(t *testing.T) {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(1000), terminal49test.WithoutRateLimits(),
		terminal49test.WithWebhookHandler(http.HandlerFunc(receiver)))
	t.Cleanup(srv.Close)
	srv.AddWebhook(allEventsWebhook())
	srv.SeedDemo()
	file := saved(t, srv)
	done := make(chan bool)
	go func() {
		defer close(done)
		for range 20 {
			getAPI(t, srv, "/containers")
			srv.Snapshot()
		}
	}()
	for range 10 {
		if err := srv.Load(strings.NewReader(file)); err != nil {
			t.Error(err)
		}
		srv.Reset()
	}
	<-done
}
