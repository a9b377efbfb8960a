package control_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/control"
)

// Source: the package documentation: a request stops at the first error, which names the line and
// the member.
func TestCommands_Errors(t *testing.T) {
	s := newSimulation(t, nil)
	for body, want := range map[string]control.CommandError{
		`{"advanced":"1h"}`:           {Line: 1, Command: "advanced", Message: "advance?"},
		`{"advance":"soon"}`:          {Line: 1, Command: "advance", Message: "duration"},
		`{"advance":"-1h"}`:           {Line: 1, Command: "advance", Message: "cannot go back"},
		`{"advance":"1h"`:             {Line: 1, Message: "missing"},
		`["advance"]`:                 {Line: 1, Message: "object"},
		`{"advance":"1h","pause":{}}`: {Line: 1, Message: "2 members"},
		`{}`:                          {Line: 1, Message: "0 members"},
		"{\"pause\":{}}\n\n{\"pause\":{\"x\":1}}":                                                          {Line: 3, Command: "pause", Member: "x", Message: "not known"},
		"{\"pause\":\n{}}\n  {\"fault\":{\"operation\":\"shipments.get\",\"stauts\":503}}":                 {Line: 3, Command: "fault", Member: "stauts", Message: "status?"},
		"{\"pause\":{}}\n{\"speed\":\n-1}":                                                                 {Line: 2, Command: "speed", Message: "1000000"}, // where it begins
		`{"fault":{"operation":"shipment.get"}}`:                                                           {Line: 1, Command: "fault", Member: "operation", Message: "shipments.get?"},
		`{"add_container":{"holds_at_pod_terminal":[{"name":"customs"},{"nam":"x"}]}}`:                     {Line: 1, Command: "add_container", Member: "holds_at_pod_terminal[1].nam", Message: "name?"},
		`{"update_container":{"id":"x","set":{"number":1}}}`:                                               {Line: 1, Command: "update_container", Member: "set.number", Message: "quotes"},
		`{"update_container":{"id":"x","set":{}}}`:                                                         {Line: 1, Command: "update_container", Member: "id", Message: "does not exist"},
		`{"remove_container":{}}`:                                                                          {Line: 1, Command: "remove_container", Member: "id", Message: "required"},
		`{"speed":-1}`:                                                                                     {Line: 1, Command: "speed", Message: "1000000"},
		`{"set_clock":"1999-01-01T00:00:00Z"}`:                                                             {Line: 1, Command: "set_clock", Message: "cannot go back"},
		`{"advance":"1h"}` + strings.Repeat(" ", 10) + `garbage`:                                           {Line: 1, Message: "object"},
		`{"comment":` + strings.Repeat("[", 100_000):                                                       {Line: 1, Message: "64 deep"},
		`{"comment":"` + strings.Repeat("x", 1<<20) + `"}`:                                                 {Line: 1, Message: "bytes"},
		`{"track":{"request_number":"MAEU1","status":"created"}}`:                                          {Line: 1, Command: "track", Member: "status", Message: "add_tracking_request"},
		`{"merge_shipments":{"from":"a","into":"a"}}`:                                                      {Line: 1, Command: "merge_shipments", Message: "does not exist"},
		`{"add_container":{"shipment":"MAEU1"}}`:                                                           {Line: 1, Command: "add_container", Member: "shipment", Message: "does not exist"},
		`{"add_transport_event":{"container":"MSKU1"}}`:                                                    {Line: 1, Command: "add_transport_event", Member: "container", Message: "does not exist"},
		`{"add_party_role":{"shipment":"MAEU1"}}`:                                                          {Line: 1, Command: "add_party_role", Member: "shipment", Message: "does not exist"},
		`{"pause":{},"pause":{}}`:                                                                          {Line: 1, Command: "pause", Message: "twice"},
		`{"add_container":{"number":"a","number":"b"}}`:                                                    {Line: 1, Command: "add_container", Member: "number", Message: "twice"},
		`{"add_container":{"Number":"a"}}`:                                                                 {Line: 1, Command: "add_container", Member: "Number", Message: "number?"},
		`{"Pause":{}}`:                                                                                     {Line: 1, Command: "Pause", Message: "pause?"},
		`{"begin":{"number":"a","journey":{"steps":[{"do":"full_in"},{"do":"empty_in","do":"full_in"}]}}}`: {Line: 1, Command: "begin", Member: "journey.steps[1].do", Message: "twice"},
		`{"advance":null}`:                                                                                 {Line: 1, Command: "advance", Message: "must not be null"},
		`{"pause":null}`:                                                                                   {Line: 1, Command: "pause", Message: "must not be null"},
		`{"webhook_noise":{"lost":7}}`:                                                                     {Line: 1, Command: "webhook_noise", Member: "lost", Message: "0 to 1"},
		`{"webhook_noise":{"delay_every":-1}}`:                                                             {Line: 1, Command: "webhook_noise", Member: "delay_every", Message: "negative"},
		`{"webhook_noise":{"lost_status":"gone"}}`:                                                         {Line: 1, Command: "webhook_noise", Member: "lost_status", Message: "failed"},
		`{"seed_traffic":{"shipments":0}}`:                                                                 {Line: 1, Command: "seed_traffic", Member: "shipments", Message: "10000"},
	} {
		e := decode[problem](s.send("POST", "/_simulator/commands", body), 422).Error
		about := body[:min(len(body), 100)]
		require.Equal(t, want.Line, e.Line, about)
		require.Equal(t, want.Command, e.Command, about)
		if want.Member != "" {
			require.Equal(t, want.Member, e.Member, about)
		}
		require.Contains(t, e.Message, want.Message, about)
	}
	refused := decode[problem](s.send("POST", "/_simulator/commands", "{\"advance\":\"1h\"}\n{\"nothing\":1}\n{\"advance\":\"1h\"}"), 422)
	require.Len(t, refused.Results, 1)
}

// Source: the package documentation: at most 64 MiB.
func TestCommands_BodyIsBounded(t *testing.T) {
	s := newSimulation(t, nil)
	line := `{"comment":"` + strings.Repeat("x", 1<<20-20) + "\"}\n"
	r := s.send("POST", "/_simulator/commands", strings.Repeat(line, 65))
	require.Contains(t, decode[problem](r, 413).Error.Message, "67108864 bytes")
}

// Source: the documentation of the methods of Server that have the commands' names.
func TestCommands_Clock(t *testing.T) {
	s := newSimulation(t, nil)
	w := s.newWorld(`{"id":"t1","options":{"start":"2026-03-02T15:00:00Z","speed":0}}`)
	require.JSONEq(t, `{"now":"2026-03-05T03:00:00Z","speed":0}`, string(s.run(w.ID, `{"advance":"2.5d"}`)[0]))
	results := s.run(w.ID, `{"set_clock":"2026-04-01T00:00:00Z"}`, `{"speed":3600}`, `{"pause":{}}`, `{"resume":true}`, `{"resume":{}}`)
	require.Contains(t, string(results[0]), "2026-04-01T00:00:00Z")
	for i, speed := range []string{"3600", "0", "3600", "3600"} {
		require.Contains(t, string(results[i+1]), `"speed":`+speed+"}")
	}
	require.Contains(t, s.send("GET", "/_simulator/worlds/t1/clock", "").body, `"speed":3600}`)
}

// Source: the documentation of the methods of Server that have the commands' names.
func TestCommands_World(t *testing.T) {
	s := newSimulation(t, nil)
	srv := s.Default()
	results := s.run("default",
		`{"add_shipment":{"bill_of_lading_number":"MAEU1","shipping_line":"MAEU","port_of_discharge":"USLAX"}}`,
		`{"add_shipment":{"bill_of_lading_number":"MAEU2","shipping_line":"MAEU"}}`,
	)
	one, two := s.id(results[0]), s.id(results[1])
	kept := s.id(s.run("default", `{"add_container":{"shipment":"MAEU1","number":"MSKU7182047","seal_number":"S1","ref_numbers":["A"]}}`)[0])
	s.run("default", `{"update_container":{"id":"`+kept+`","set":{"seal_number":null,"ref_numbers":["B"]}}}`)
	c, _ := srv.Container(kept)
	require.Empty(t, c.SealNumber)
	require.Equal(t, one, c.Shipment)
	require.Equal(t, []string{"B"}, c.ReferenceNumbers)
	require.Equal(t, "MSKU7182047", c.Number)

	for _, id := range []string{one, two} {
		require.Contains(t, s.send("GET", "/_simulator/resources?id="+one+"&id="+two, "").body, id)
	}

	s.run("default", `{"merge_shipments":{"from":"`+two+`","into":"`+one+`"}}`, `{"remove_container":{"id":"`+kept+`"}}`)
	_, exists := srv.Container(kept)
	require.False(t, exists)

	demo := s.run("default", `{"seed_demo":{}}`)
	require.Contains(t, string(demo[0]), `"untracked"`)
	journey := `{"shipment":{"shipping_line":"MAEU"},"containers":[{"number":"MSKU7183110"}],"steps":[{"after":"1h","do":"vessel_arrived"}]}`
	begun := s.run("default", `{"begin":{"number":"MAEU999000111","journey":`+journey+`}}`, `{"advance":"1m"}`)
	require.Contains(t, string(begun[0]), `"tracking_request":"`)
	require.Contains(t, s.send("GET", "/_simulator/resources?type=container", "").body, "MSKU7183110")
	require.NotContains(t, s.send("GET", "/_simulator/resources?type=shipment&id="+one, "").body, "MAEU999000111")

	results = s.run("default", `{"step":{"container":"MSKU7183110","action":{"do":"hold_placed","hold":{"name":"customs"}}}}`,
		`{"update_container":{"id":"MSKU7183110","set":{"seal_number":"S9"}}}`)
	id, _ := srv.ContainerID("MSKU7183110")
	require.Equal(t, id, s.id(results[0]))
	require.Equal(t, id, s.id(results[1]))
	c, _ = srv.Container(id)
	require.Equal(t, "customs", c.Holds[0].Name)
	require.Equal(t, "S9", c.SealNumber)
}

// Source: the documentation of Run.
func TestRun_OnAServerOfATest(t *testing.T) {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0))
	results, err := control.Run(srv, strings.NewReader("{\"seed_demo\":{}}\n{\"advance\":\"1d\"}\n"))
	require.NoError(t, err)
	require.Len(t, results, 2)
	_, err = control.Run(srv, strings.NewReader("\n{\"fault\":{\"stauts\":1}}"))
	require.EqualError(t, err, "line 2: fault: stauts is not known (did you mean status?)")
}

// Source: the documentation of the fields of Journey and of Server.TouchContainers.
func TestCommands_AllMembersCount(t *testing.T) {
	s := newSimulation(t, nil)
	s.newWorld(`{"id":"t1","options":{"speed":0,"synthetic_containers":20}}`)
	begun := s.run("t1", `{"begin":{"number":"MAEU999000111","journey":{"request_type":"booking_number","shipment":{"shipping_line":"MAEU"}}}}`)
	var request struct {
		ID string `json:"tracking_request"`
	}
	require.NoError(t, json.Unmarshal(begun[0], &request))
	sent := s.send("GET", "/_simulator/worlds/t1/resources?type=tracking_request&id="+request.ID, "").body
	require.Contains(t, sent, `"request_type":"booking_number"`)
	require.Contains(t, sent, `"scac":"MAEU"`)

	containers := func() string { return s.send("GET", "/_simulator/worlds/t1/resources?type=container", "").body }
	before := containers()
	s.run("t1", `{"touch_containers":{"count":1,"within":"10h"}}`)
	require.Equal(t, before, containers())
	s.run("t1", `{"advance":"10h"}`)
	require.NotEqual(t, before, containers())
}
