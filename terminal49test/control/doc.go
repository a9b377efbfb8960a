// Package control serves the simulator of package terminal49test to programs in any language: the
// simulated service, and below /_simulator/ what a Go test does with its methods.
//
//	simulator := control.New(control.Options{})
//	defer simulator.Close()
//	log.Fatal(http.ListenAndServe("127.0.0.1:8051", simulator))
//
// A world is one simulated account, with a token, a clock and data of its own. The world "default"
// exists from the start. Tests that run in parallel make their own:
//
//	curl -H 'Content-Type: application/json' -H 'Simulator-Control: true' \
//		-d '{"id": "t1", "options": {"speed": 0}}' http://127.0.0.1:8051/_simulator/worlds
//
// A request of the service goes to the world of its token. A request of control names the world in
// its path, or is for "default" without one:
//
//	GET    /_simulator                           whether the simulator is ready, and its worlds
//	GET    /_simulator/schema                    the JSON Schema of commands
//	GET    /_simulator/worlds                    the worlds, without their tokens
//	POST   /_simulator/worlds                    makes one: {"id", "scenario", "options"} or {}
//	DELETE /_simulator/worlds/{world}            drops one
//	POST   /_simulator/worlds/{world}/commands   runs commands
//	GET    /_simulator/worlds/{world}/clock      {"now", "speed"}
//	GET    /_simulator/worlds/{world}/resources  all resources, or those with type and id, one a line
//	GET    /_simulator/worlds/{world}/history    all states, for a world with the option history
//	GET    /_simulator/worlds/{world}/faults     the faults that are set
//	GET    /_simulator/worlds/{world}/requests   a log, or a wait for it; so are
//	       violations, notifications, deliveries
//	POST   /_simulator/worlds/{world}/reset      the world as it began
//
// # Commands
//
// A command is a JSON object with one member, whose name is the command, such as {"advance": "36h"}
// or {"fault": {"operation": "shipments.get", "status": 503}}. A request has one of them, or
// several, one a line; the scenarios that come with this package are such lines too. The schema
// lists all. [Run] executes commands on a server of a Go test.
//
// # Logs
//
// Each item of a log has a number. The parameter after selects those with a higher one, and others,
// such as operation, status or event, those that match. With wait, such as wait=10s, the response
// comes once there are as many as count, or is 408 with what was seen instead.
//
// # Security
//
// Any page that a browser on this machine shows could send requests to it. So a request that
// changes something must have the header Simulator-Control, and control refuses requests of other
// sites and of other host names. Over an address that other machines can reach, control needs
// [Options.ControlToken], except to learn that the simulator is ready. Control reads and writes no
// file.
package control
