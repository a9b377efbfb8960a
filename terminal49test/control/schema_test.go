package control_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/control"
)

// validator returns a function that checks lines against the schema, or one of its definitions.
func validator(t *testing.T, definition string) func(line string) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(control.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("schema:control", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("schema:control" + definition)
	if err != nil {
		t.Fatal(err)
	}
	return func(line string) error {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		return compiled.Validate(v)
	}
}

func TestSchema_HasScenarios(t *testing.T) {
	check := validator(t, "")
	for _, name := range control.Scenarios() {
		text, _ := control.Scenario(name)
		for line := range strings.Lines(string(text)) {
			if err := check(line); err != nil {
				t.Errorf("%s: %s: %v", name, line, err)
			}
		}
	}
}

// What the schema allows is executed, and what it refuses is refused.
func TestSchema_AgreesWithCommands(t *testing.T) {
	check := validator(t, "#/$defs/command")
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0))
	id := srv.AddContainer(terminal49test.Container{Number: "MSKU7182047"})
	for line, ok := range map[string]bool{
		`{"advance":"36h"}`: true, `{"advance":"2.5d 6h"}`: true, `{"advance":"soon"}`: false, `{"advance":36}`: false, `{"advance":null}`: false, `{"fault":null}`: false,
		`{"pause":true}`: true, `{"pause":{}}`: true, `{"pause":{"at":1}}`: false, `{"seed_demo":{}}`: true, `{}`: false,
		`{"pause":{},"resume":{}}`: false, `{"fly":{}}`: false,
		`{"fault":{"operation":"shipments.get","status":503,"times":2,"retry_after":"30s"}}`: true,
		`{"fault":{"kind":"stall body","retry_after":{"after":"1h","layout":"rfc850"}}}`:     true,
		`{"fault":{"stauts":503}}`: false, `{"fault":{"kind":"stall"}}`: false,
		`{"script":{"number":"MAEU1","journey":"rail"}}`: true, `{"script":{"number":"MAEU1","journey":"rial"}}`: false,
		`{"script":{"number":"MAEU1"}}`: false,
		`{"script":{"number":"MAEU1","journey":{"steps":[{"after":"2d","do":"pickup_lfd","source":"rail","days":2}]}}}`:         true,
		`{"script":{"number":"MAEU1","journey":{"steps":[{"do":"pickup_lfd"}]}}}`:                                               false,
		`{"script":{"number":"MAEU1","journey":{"steps":[{"do":"vessel_loaded","spot":"Y4"}]}}}`:                                false,
		`{"script":{"number":"MAEU1","journey":{"outcome":"failed","inference":{"scac":"MAEU","confidence":1}}}}`:               true,
		`{"add_document":{"file_name":"a.bin","content":{"base64":"AP8="}}}`:                                                    true,
		`{"add_webhook":{"url":"https://a.example/hook","events":["container.updated"],"active":false}}`:                        true,
		`{"add_webhook":{"url":"https://a.example/hook","inactive":true}}`:                                                      false,
		`{"update_container":{"id":"` + id + `","set":{"available_for_pickup":null,"holds_at_pod_terminal":[{"name":"TMF"}]}}}`: true,
		`{"update_container":{"id":"` + id + `","set":{"holds_at_pod_terminal":[{"status":"hold"}]}}}`:                          false,
		`{"update_container":{"id":"` + id + `","set":{"pod_arrived_at":"2026-11-26"}}}`:                                        false,
	} {
		if err := check(line); (err == nil) != ok {
			t.Errorf("the schema says %v of %s", err, line)
		}
		if _, err := control.Run(srv, strings.NewReader(line)); (err == nil) != ok {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestSchema_HasOptionsOfWorlds(t *testing.T) {
	check := validator(t, "#/$defs/world")
	for line, ok := range map[string]bool{
		`{"id":"t1","options":{"seed":7,"start":"2026-11-26T08:00:00Z","speed":0,"rate_limits":{"default":3},"webhooks":"deliver"}}`: true,
		`{"options":{"webhooks":"deliverd"}}`: false, `{"options":{"sed":7}}`: false, `{}`: true,
	} {
		if err := check(line); (err == nil) != ok {
			t.Errorf("the schema says %v of %s", err, line)
		}
	}
}
