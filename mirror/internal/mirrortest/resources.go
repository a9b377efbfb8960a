package mirrortest

// SampleContainer is a container with times in all its zones.
const SampleContainer = `{"id":"c1","type":"container","attributes":{"number":"TGHU6578122","ref_numbers":["PO 1"],"seal_number":"",
	"equipment_length":40,"equipment_type":"flat rack","weight_in_lbs":46694.5,"availability_known":true,"available_for_pickup":null,
	"holds_at_pod_terminal":[{"name":"customs","status":"hold","description":null}],"fees_at_pod_terminal":[],
	"pickup_lfd":"2026-03-02T08:00:00Z","import_deadlines":{"pickup_lfd_terminal":"2026-03-02T08:00:00Z","pickup_lfd_rail":null},
	"pod_timezone":"America/Los_Angeles","final_destination_timezone":null,"ind_eta_at":"2026-03-09T10:30:00Z",
	"pod_arrived_at":"2026-02-20T03:15:00Z","empty_out_at":"2026-01-30T20:00:00Z","pol_vessel_loaded_at":"2026-02-01T20:00:00Z",
	"created_at":"2026-01-15T12:00:00Z","terminal_checked_at":"2026-02-28T00:00:00.25Z"},
	"relationships":{"shipment":{"data":{"id":"s1","type":"shipment"}},"pod_terminal":{"data":{"id":"t1","type":"terminal"}},
	"pickup_facility":{"data":null},"transport_events":{"links":{}}}}`
