package control_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/control"
)

// No command panics, whatever it has, and each error is one of a command. Source: the documentation
// of Run.
func FuzzCommands(f *testing.F) {
	for _, name := range control.Scenarios() {
		scenario, _ := control.Scenario(name)
		f.Add(string(scenario))
	}
	for _, line := range []string{
		`{"add_container":{"number":"MSKU7182047","holds_at_pod_terminal":[{"name":"customs"}],"attributes":{"a":[1e400]}}}`,
		`{"add_shipment":{"bill_of_lading_number":"M1","shipping_line":"MAEU"}}{"update_shipment":{"id":"M1","set":{"pod_eta_at":null}}}`,
		`{"begin":{"number":"MAEU240711002","journey":"rail"}}{"advance":"40d"}{"step":{"container":"MSKU7182047","action":{"do":"full_out"}}}`,
		`{"add_terminal":{"nickname":"X","port":"USLAX"}}{"add_port":{"locode":"USXXX","time_zone":"Nowhere/At"}}`,
		`{"add_custom_field_definition":{"api_slug":"a","data_type":"enum"}}{"add_custom_field":{"entity":"x","api_slug":"a","value":[{}]}}`,
		`{"receive_email":{"email":{"subject":"a"},"attachments":[{"file_name":"an.pdf","content":{"base64":"AAAA"}}]}}`,
		`{"add_webhook":{"url":"http://%zz","events":["*"]}}{"webhook_noise":{"lost":0.5,"delay":"1m"}}{"redeliver":{"id":""}}`,
		`{"add_document":{"file_name":"an.pdf"}}{"add_document_schema":{"document_type":"a"}}{"merge_shipments":{"from":"","into":""}}`,
		`{"add_transport_event":{"container":"","event":"x"}}{"add_raw_event":{}}{"touch_containers":{"count":1,"within":"1h"}}`,
		`{"fault":{"kind":"deep","depth":3}}{"clear_faults":true}{"hold_webhooks":{}}{"release_webhooks":{}}{"set_clock":"2026-04-01T00:00:00Z"}`,
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, commands string) {
		if strings.Contains(commands, "seed_traffic") || strings.Count(commands, "seed_demo") > 2 {
			t.Skip("it takes seconds")
		}
		server := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0), terminal49test.WithoutReferenceData())
		_, err := control.Run(server, strings.NewReader(commands))
		var wrong *control.CommandError
		if err != nil && (!errors.As(err, &wrong) || wrong.Line < 1 || wrong.Message == "") {
			t.Fatalf("%v", err)
		}
		for range server.Snapshot() {
		}
	})
}
