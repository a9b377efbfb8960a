package control_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/control"
)

// A scenario of 10,000 containers on 5,000 shipments.
func BenchmarkRun_TenThousandContainers(b *testing.B) {
	var lines bytes.Buffer
	for i := range 10_000 {
		if i%2 == 0 {
			fmt.Fprintf(&lines, `{"add_shipment":{"bill_of_lading_number":"MAEU%09d","shipping_line":"MAEU","port_of_discharge":"USLAX",`+
				`"pod_terminal":"WBCT","ref_numbers":["PO-%d"]}}`+"\n", i/2, i/2)
		}
		fmt.Fprintf(&lines, `{"add_container":{"number":"MSKU%07d","shipment":"MAEU%09d","equipment_length":40,"weight_in_lbs":28000,`+
			`"pod_discharged_at":"2026-11-26T08:00:00Z","holds_at_pod_terminal":[{"name":"customs","status":"hold"}],`+
			`"fees_at_pod_terminal":[{"type":"exam","amount":350}]}}`+"\n", i, i/2)
	}
	b.ReportAllocs()
	for b.Loop() {
		srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0))
		if _, err := control.Run(srv, bytes.NewReader(lines.Bytes())); err != nil {
			b.Fatal(err)
		}
	}
}
