package terminal49test_test

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

// TestMeasure_SaveAndLoad measures a large world: shipments with 2.5 containers each, all of them
// rows, one container in ten changed through the API. A new process loads it and compares every
// resource.
//
//	SIMULATOR_SHIPMENTS=41000 go test -timeout 1h -run Measure_SaveAndLoad -v ./terminal49test
func TestMeasure_SaveAndLoad(t *testing.T) {
	count, _ := strconv.Atoi(os.Getenv("SIMULATOR_SHIPMENTS"))
	if count == 0 {
		t.Skip("set SIMULATOR_SHIPMENTS, such as 41000")
	}
	srv := newServer(t)
	if file := os.Getenv("SIMULATOR_LOAD"); file != "" {
		loadMeasured(t, srv, file)
		return
	}
	began := time.Now()
	addManyShipments(srv, count)
	changed := changeContainers(t, srv)
	t.Logf("made in %.1f s, %d containers changed through the API", time.Since(began).Seconds(), changed)

	path := filepath.Join(cmp.Or(os.Getenv("SIMULATOR_DIR"), t.TempDir()), "world.jsonl")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	began = time.Now()
	if err := srv.Save(file); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	info, _ := os.Stat(path)
	t.Logf("saved in %.1f s: %.0f MB, %d lines", time.Since(began).Seconds(), float64(info.Size())/1e6, countLines(t, path))

	command := exec.Command(os.Args[0], "-test.run=^TestMeasure_SaveAndLoad$", "-test.v", "-test.timeout=1h")
	command.Env = append(os.Environ(), "SIMULATOR_LOAD="+path, "SIMULATOR_SUM="+fmt.Sprint(sum(srv)))
	out, err := command.CombinedOutput()
	if t.Logf("the new process took %v of the processors:\n%s", command.ProcessState.UserTime()+command.ProcessState.SystemTime(), out); err != nil {
		t.Error(err)
	}
}

func loadMeasured(t *testing.T, srv *terminal49test.Server, path string) {
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	began := time.Now()
	if err := srv.Load(file); err != nil {
		t.Fatal(err)
	}
	t.Logf("loaded in %.1f s", time.Since(began).Seconds())
	if got := fmt.Sprint(sum(srv)); got != os.Getenv("SIMULATOR_SUM") {
		t.Errorf("the resources have the sum %s, want %s", got, os.Getenv("SIMULATOR_SUM"))
	}
}

// addManyShipments adds shipments with their tracking requests, containers and events. One in
// twenty is tracked instead, so that its journey goes on.
func addManyShipments(srv *terminal49test.Server, count int) {
	for i := range count {
		number, created := fmt.Sprintf("MAEU%09d", i), start.Add(-time.Duration(i%60)*24*time.Hour)
		if i%20 == 0 {
			srv.Script(number, terminal49test.RailJourney())
			srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: number, SCAC: "MAEU", CreatedAt: created})
			continue
		}
		shipment := srv.AddShipment(terminal49test.Shipment{
			BillOfLadingNumber: number, ShippingLine: "MAEU", PortOfLading: "CNSHA", PortOfDischarge: "USLAX", PODTerminal: "WBCT", CreatedAt: created,
			ReferenceNumbers: []string{"PO-" + number}, PODVessel: "9708851", PODVoyageNumber: "120E", POLATD: created, PODATA: created.Add(14 * 24 * time.Hour),
		})
		srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: number, SCAC: "MAEU", Status: "created", Shipment: shipment, CreatedAt: created})
		for k := range 2 + i%2 {
			container := srv.AddContainer(terminal49test.Container{
				Number: terminal49test.ContainerNumber("MSKU", 3*i+k), Shipment: shipment, CreatedAt: created, EquipmentType: "dry", EquipmentLength: 40,
				PODDischargedAt: created.Add(15 * 24 * time.Hour), AvailableForPickup: terminal49test.Bool(i%3 > 0),
				ImportDeadlines: terminal49test.Deadlines{Terminal: created.Add(20 * 24 * time.Hour)}, TerminalCheckedAt: created.Add(16 * 24 * time.Hour),
			})
			for day, event := range []string{"empty_out", "full_in", "vessel_loaded", "vessel_departed", "vessel_arrived", "vessel_discharged"} {
				at := created.Add(time.Duration(day*3) * 24 * time.Hour)
				srv.AddTransportEvent(terminal49test.TransportEvent{
					Event: "container.transport." + event, Container: container, Timestamp: at, CreatedAt: at, Location: "CNSHA", Vessel: "9708851", VoyageNumber: "120E",
				})
			}
		}
	}
	srv.Advance(time.Hour)
}

// changeContainers changes one container in ten.
func changeContainers(t *testing.T, srv *terminal49test.Server) (changed int) {
	number := 0
	for r := range srv.Snapshot("container") {
		if number++; number%10 == 0 {
			changed++
			body := fmt.Sprintf(`{"data":{"type":"container","id":%q,"attributes":{"ref_numbers":["changed %d"]}}}`, r.ID, number)
			if a := callAPI(t, srv, "PATCH", "/containers/"+r.ID, body); a.status != 200 {
				t.Fatal(a.raw)
			}
		}
	}
	return changed
}

// sum is of every resource as a response has it, and of their number.
func sum(srv *terminal49test.Server) (number int, of uint64) {
	hash := fnv.New64a()
	for r := range srv.Snapshot() {
		number++
		_, _ = hash.Write(r.JSON)
	}
	return number, hash.Sum64()
}

func countLines(t *testing.T, path string) (lines int) {
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	reader := bufio.NewReader(file)
	for {
		part, err := reader.ReadSlice('\n')
		lines += bytes.Count(part, []byte("\n"))
		if err != nil && err != bufio.ErrBufferFull {
			return lines
		}
	}
}
