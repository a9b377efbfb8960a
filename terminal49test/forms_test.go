package terminal49test_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestForms_OfSteps(t *testing.T) {
	for want, step := range map[string]terminal49test.Step{
		`{"do":"vessel_loaded"}`: {Do: terminal49test.VesselLoaded()},
		`{"after":"23d6h","do":"vessel_discharged","spot":"Y4-117-C"}`:                     {After: 558 * time.Hour, Do: terminal49test.VesselDischarged("Y4-117-C")},
		`{"container":"MSKU7182047","do":"pickup_lfd","source":"terminal","days":5}`:       {Container: "MSKU7182047", Do: terminal49test.PickupLFD("terminal", 5)},
		`{"do":"available","yes":false}`:                                                   {Do: terminal49test.Available(false)},
		`{"do":"pod_eta","in":"1d12h"}`:                                                    {Do: terminal49test.PODETA(36 * time.Hour)},
		`{"do":"pod_full_out"}`:                                                            {Do: terminal49test.PODFullOut()},
		`{"do":"pod_vessel","vessel":"9708851","voyage":"043E"}`:                           {Do: terminal49test.PODVessel("9708851", "043E")},
		`{"do":"hold_placed","hold":{"name":"customs","status":"pending"}}`:                {Do: terminal49test.HoldPlaced(terminal49test.Hold{Name: "customs", Status: "pending"})},
		`{"do":"pickup_lfd","source":"rail","days":2,"location":"USCHI","clock":"12h"}`:    {Do: terminal49test.PickupLFDAt("rail", "USCHI", 2, 12*time.Hour)},
		`{"do":"document_received","document":{"file_name":"a.pdf","content":"MAEU1"}}`:    {Do: terminal49test.DocumentReceived(terminal49test.Document{FileName: "a.pdf", Content: []byte("MAEU1")})},
		`{"do":"set_attribute","name":"release_statuses","value":[{"status":"released"}]}`: {Do: terminal49test.SetAttribute("release_statuses", []any{map[string]any{"status": "released"}})},
	} {
		form, err := json.Marshal(step)
		if err != nil || string(form) != want {
			t.Errorf("%s, %v; want %s", form, err, want)
		}
		var read terminal49test.Step
		if err := json.Unmarshal(form, &read); err != nil {
			t.Error(err)
		}
		if again, _ := json.Marshal(read); string(again) != want {
			t.Errorf("%s read and written is %s", want, again)
		}
	}
}
