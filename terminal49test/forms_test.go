package terminal49test_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/internal/forms"
)

// formed has a value of each exported struct with a form.
var formed = []any{
	terminal49test.CarrierCandidate{}, terminal49test.Container{}, terminal49test.CustomField{}, terminal49test.CustomFieldDefinition{},
	terminal49test.CustomFieldOption{}, terminal49test.Deadlines{}, terminal49test.Demo{}, terminal49test.Document{},
	terminal49test.DocumentSchema{}, terminal49test.DocumentScript{}, terminal49test.DocumentType{}, terminal49test.EmailSubmission{},
	terminal49test.Fault{}, terminal49test.Fee{}, terminal49test.Hold{}, terminal49test.Inference{}, terminal49test.InitialCustomField{},
	terminal49test.Journey{}, terminal49test.MetroArea{}, terminal49test.Party{}, terminal49test.PartyRole{}, terminal49test.Port{},
	terminal49test.Position{}, terminal49test.RawEvent{}, terminal49test.Request{}, terminal49test.Shipment{}, terminal49test.ShippingLine{},
	terminal49test.Step{}, terminal49test.Terminal{}, terminal49test.TrackingRequest{}, terminal49test.TransportEvent{},
	terminal49test.Vessel{}, terminal49test.Violation{}, terminal49test.Webhook{}, terminal49test.WebhookDelivery{},
	terminal49test.WebhookHeader{}, terminal49test.WebhookNoise{}, terminal49test.WebhookNotification{},
}

// withoutForm are the other exported structs: those of functions and of the server, and resources,
// which are JSON already. Actions and headers are tried one by one.
var withoutForm = []string{"Action", "ActionContext", "Resource", "RetryAfter", "Server", "State"}

func TestForms_OfEveryStruct(t *testing.T) {
	known := slices.Clone(withoutForm)
	for _, v := range formed {
		known = append(known, reflect.TypeOf(v).Name())
	}
	eachDeclaration(t, func(d ast.Decl) {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			return
		}
		for _, spec := range g.Specs {
			named, ok := spec.(*ast.TypeSpec)
			if !ok || !named.Name.IsExported() {
				continue
			}
			if _, isStruct := named.Type.(*ast.StructType); isStruct && !slices.Contains(known, named.Name.Name) {
				t.Errorf("%s has no form", named.Name)
			}
		}
	})
}

// eachDeclaration calls f with the declarations of the package.
func eachDeclaration(t *testing.T, f func(ast.Decl)) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f(d)
		}
	}
}

// Each exported field alone is a member, and comes back as it was.
func TestForms_EveryFieldReturns(t *testing.T) {
	for _, v := range formed {
		of := reflect.TypeOf(v)
		for _, f := range reflect.VisibleFields(of) {
			if !f.IsExported() {
				continue
			}
			set := reflect.New(of)
			if of == reflect.TypeFor[terminal49test.Step]() {
				set.Elem().FieldByName("Do").Set(example(reflect.TypeFor[terminal49test.Action]()))
			}
			set.Elem().FieldByIndex(f.Index).Set(example(f.Type))
			if f.Name == "Operation" {
				set.Elem().FieldByIndex(f.Index).SetString("shipments.get")
			}
			form, err := json.Marshal(set.Elem().Interface())
			if err != nil {
				t.Errorf("%s.%s: %v", of.Name(), f.Name, err)
				continue
			}
			read := reflect.New(of)
			if err := readForm(form, read.Interface()); err != nil || !reflect.DeepEqual(read.Interface(), set.Interface()) {
				t.Errorf("%s.%s: %s returns as %+v, %v", of.Name(), f.Name, form, read.Elem(), err)
			}
		}
	}
}

func readForm(form []byte, into any) error {
	if own, ok := into.(json.Unmarshaler); ok {
		return own.UnmarshalJSON(form)
	}
	return forms.Decode(form, into)
}

// example returns a value of a type that is not zero.
func example(t reflect.Type) reflect.Value {
	for _, v := range []any{
		time.Date(2026, time.November, 26, 8, 30, 0, 5, time.UTC), 36 * time.Hour, terminal49test.OutcomeFailed, terminal49test.FaultSlow,
		terminal49test.ShapeHTML, terminal49test.DocumentUnclassified, terminal49test.RetryAfterDate(time.Minute, http.TimeFormat),
		terminal49test.PickupLFDAt("rail", "USCHI", 2, 12*time.Hour), []byte{0, 255}, map[string]any{"a": "b", "n": json.Number("1.50")},
		http.Header{"Accept": {"*/*"}},
	} {
		if reflect.TypeOf(v) == t {
			return reflect.ValueOf(v)
		}
	}
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.String:
		v.SetString("a \"text\" & ü")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(200)
	case reflect.Float64:
		v.SetFloat(0.125)
	case reflect.Interface:
		v.Set(reflect.ValueOf("any"))
	case reflect.Slice:
		v.Set(reflect.Append(v, example(t.Elem())))
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
	case reflect.Struct:
		for i := range t.NumField() {
			if t.Field(i).IsExported() {
				v.Field(i).Set(example(t.Field(i).Type))
			}
		}
	}
	return v
}

// actionForms has the form of each function that returns an Action.
var actionForms = map[string]terminal49test.Action{
	`{"do":"available","yes":false}`:                                                terminal49test.Available(false),
	`{"do":"document_received","document":{"file_name":"a.pdf","content":"MAEU1"}}`: terminal49test.DocumentReceived(terminal49test.Document{FileName: "a.pdf", Content: []byte("MAEU1")}),
	`{"do":"empty_in"}`:                     terminal49test.EmptyIn(),
	`{"do":"empty_out"}`:                    terminal49test.EmptyOut(),
	`{"do":"empty_out","location":"USDAL"}`: terminal49test.EmptyOutAt("USDAL"),
	`{"do":"fee_accrues","fee":{"type":"demurrage","amount":185}}`: terminal49test.FeeAccrues(terminal49test.Fee{Type: "demurrage", Amount: 185}),
	`{"do":"fee_cleared","type":"exam"}`:                           terminal49test.FeeCleared("exam"),
	`{"do":"fee_posted","fee":{"type":"exam"}}`:                    terminal49test.FeePosted(terminal49test.Fee{Type: "exam"}),
	`{"do":"full_in"}`:                                                              terminal49test.FullIn(),
	`{"do":"full_in","location":"USDAL"}`:                                           terminal49test.FullInAt("USDAL"),
	`{"do":"full_out","chassis":"TSXZ412873"}`:                                      terminal49test.FullOut("TSXZ412873"),
	`{"do":"hold_cleared","name":"customs"}`:                                        terminal49test.HoldCleared("customs"),
	`{"do":"hold_placed","hold":{"name":"customs","status":"pending"}}`:             terminal49test.HoldPlaced(terminal49test.Hold{Name: "customs", Status: "pending"}),
	`{"do":"milestone","name":"transshipment_arrived","location":"KRPUS"}`:          terminal49test.Milestone("transshipment_arrived", "KRPUS"),
	`{"do":"party_assigned","role":"consignee","party":"1"}`:                        terminal49test.PartyAssigned("consignee", "1"),
	`{"do":"pickup_appointment","in":"-1m30s"}`:                                     terminal49test.PickupAppointment(-90 * time.Second),
	`{"do":"pickup_lfd","source":"terminal","days":0}`:                              terminal49test.PickupLFD("terminal", 0),
	`{"do":"pickup_lfd","source":"rail","days":2,"location":"USCHI","clock":"12h"}`: terminal49test.PickupLFDAt("rail", "USCHI", 2, 12*time.Hour),
	`{"do":"pod_eta","in":"1d12h"}`:                                                 terminal49test.PODETA(36 * time.Hour),
	`{"do":"pod_full_out"}`:                                                         terminal49test.PODFullOut(),
	`{"do":"pod_vessel","vessel":"9708851","voyage":"043E"}`:                        terminal49test.PODVessel("9708851", "043E"),
	`{"do":"rail_arrived"}`:                                                         terminal49test.RailArrived(),
	`{"do":"rail_departed","transit":"4d"}`:                                         terminal49test.RailDeparted(96 * time.Hour),
	`{"do":"rail_loaded","scac":"BNSF"}`:                                            terminal49test.RailLoaded("BNSF"),
	`{"do":"rail_unloaded"}`:                                                        terminal49test.RailUnloaded(),
	`{"do":"set_attribute","name":"release_statuses","value":[{"status":"ok"}]}`:    terminal49test.SetAttribute("release_statuses", []any{map[string]any{"status": "ok"}}),
	`{"do":"status","status":"picked_up"}`:                                          terminal49test.Status("picked_up"),
	`{"do":"tracking_stopped","reason":"booking_cancelled"}`:                        terminal49test.TrackingStopped("booking_cancelled"),
	`{"do":"vessel_arrived"}`:                                                       terminal49test.VesselArrived(),
	`{"do":"vessel_departed","sailing":"17d12h"}`:                                   terminal49test.VesselDeparted(420 * time.Hour),
	`{"do":"vessel_discharged","spot":"Y4-117-C"}`:                                  terminal49test.VesselDischarged("Y4-117-C"),
	`{"do":"vessel_loaded"}`:                                                        terminal49test.VesselLoaded(),
}

func TestForms_OfEveryAction(t *testing.T) {
	tried := map[string]bool{}
	for want, action := range actionForms {
		form, err := json.Marshal(action)
		if err != nil || string(form) != want {
			t.Errorf("%s, %v; want %s", form, err, want)
		}
		var read terminal49test.Action
		if err := json.Unmarshal([]byte(want), &read); err != nil || !reflect.DeepEqual(read, action) {
			t.Errorf("%s is read as %+v, %v", want, read, err)
		}
		step := terminal49test.Step{After: 558 * time.Hour, Container: "MSKU7182047", Do: action}
		form, _ = json.Marshal(step)
		var again terminal49test.Step
		if err := json.Unmarshal(form, &again); err != nil || !reflect.DeepEqual(again, step) || !strings.HasPrefix(string(form), `{"after":"23d6h","container":"MSKU7182047","do":`) {
			t.Errorf("%s is read as %+v, %v", form, again, err)
		}
		tried[strings.Split(want, `"`)[3]] = true
	}
	eachDeclaration(t, func(d ast.Decl) {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil || f.Type.Results == nil || fmt.Sprint(f.Type.Results.List[0].Type) != "Action" || f.Name.Name == "Custom" {
			return
		}
		if name := snakeCase(strings.TrimSuffix(f.Name.Name, "At")); !tried[name] {
			t.Errorf("%s is not tried as %s", f.Name, name)
		}
	})
}

var capital = regexp.MustCompile(`([a-z])([A-Z])|(POD|LFD)([A-Z])`)

func snakeCase(name string) string {
	for _, word := range []string{"POD", "LFD", "ETA"} {
		name = strings.ReplaceAll(name, word, "_"+strings.ToLower(word))
	}
	return strings.TrimPrefix(strings.ToLower(capital.ReplaceAllString(name, "${1}${3}_${2}${4}")), "_")
}

func TestForms_CustomActionHasNone(t *testing.T) {
	j := terminal49test.Journey{Steps: []terminal49test.Step{{Do: terminal49test.Custom(func(*terminal49test.ActionContext) {})}}}
	_, err := json.Marshal(j)
	if err == nil || !strings.Contains(err.Error(), "steps[0] a Custom action has no form in JSON") {
		t.Error(err)
	}
}

func TestForms_OfRetryAfter(t *testing.T) {
	for want, header := range map[string]terminal49test.RetryAfter{
		`"30s"`:                            terminal49test.RetryAfterSeconds(30 * time.Second),
		`"0s"`:                             terminal49test.RetryAfterSeconds(-1),
		`{"after":"1h","layout":"http"}`:   terminal49test.RetryAfterDate(time.Hour, http.TimeFormat),
		`{"after":"1h","layout":"rfc850"}`: terminal49test.RetryAfterDate(time.Hour, time.RFC850),
		`{"layout":"ansic"}`:               terminal49test.RetryAfterDate(0, time.ANSIC),
		`{"raw":""}`:                       terminal49test.RetryAfterRaw(""),
		`{"raw":"soon"}`:                   terminal49test.RetryAfterRaw("soon"),
	} {
		form, err := json.Marshal(header)
		if err != nil || string(form) != want {
			t.Errorf("%s, %v; want %s", form, err, want)
		}
		var read terminal49test.RetryAfter
		if err := json.Unmarshal([]byte(want), &read); err != nil || read != header {
			t.Errorf("%s is read as %+v, %v", want, read, err)
		}
	}
	if _, err := json.Marshal(terminal49test.RetryAfterDate(0, time.Kitchen)); err == nil {
		t.Error("a layout that has no name is written")
	}
}

func TestForms_NameWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		form string
		into any
		want string
	}{
		{`{"containers":[{},{"holds_at_pod_terminal":[{"nam":"customs"}]}]}`, &terminal49test.Journey{}, `containers[1].holds_at_pod_terminal[0].nam is not known (did you mean name?)`},
		{`{"steps":[{"afer":"1d","do":"vessel_loaded"}]}`, &terminal49test.Journey{}, `steps[0].afer is not known (did you mean after?)`},
		{`{"steps":[{"do":"vessel_dischraged"}]}`, &terminal49test.Journey{}, `steps[0].do is not an action (did you mean vessel_discharged?)`},
		{`{"steps":[{"do":"vessel_loaded","spot":"Y4"}]}`, &terminal49test.Journey{}, `steps[0].spot is not known`},
		{`{"steps":[{"do":"hold_placed","hold":null}]}`, &terminal49test.Journey{}, `steps[0].hold is required`},
		{`{"steps":[{"after":"2d"}]}`, &terminal49test.Journey{}, `steps[0].do is required`},
		{`{"steps":[{"do":"pickup_lfd","source":"raill","days":1}]}`, &terminal49test.Journey{}, `steps[0].source is "raill", which is not known (did you mean rail?)`},
		{`{"steps":[{"do":"available"}]}`, &terminal49test.Journey{}, `steps[0].yes is required`},
		{`"rial"`, &terminal49test.Journey{}, `must be one of: customs_hold, default, demurrage, not_released, on_ship, rail, ready`},
		{`{"outcome":"lost"}`, &terminal49test.Journey{}, `outcome must be one of: awaiting_manifest, failed`},
		{`{"elapsed":"6 days"}`, &terminal49test.Journey{}, `elapsed must be a duration such as "36h", "2.5d" or "90s", not "6 days"`},
		{`{"pickup_lfd":"2026-11-26T08:00:00Z"}`, &terminal49test.Container{}, `pickup_lfd is not known (did you mean import_deadlines.pickup_lfd_line?)`},
		{`{"Number":"MSKU7182047"}`, &terminal49test.Container{}, `Number is not known (did you mean number?)`},
		{`{"number":"a","number":"b"}`, &terminal49test.Container{}, `number is there twice`},
		{`{"pod_arrived_at":"2026-11-26"}`, &terminal49test.Container{}, `pod_arrived_at must be a time with a zone, such as 2026-11-26T08:00:00Z`},
		{`{"equipment_length":40.5}`, &terminal49test.Container{}, `equipment_length must be a whole number`},
		{`{"weight_in_lbs":"28000"}`, &terminal49test.Container{}, `weight_in_lbs must be a number`},
		{`{"weight_in_lbs":1e999}`, &terminal49test.Container{}, `weight_in_lbs must be a number`},
		{`{"ref_numbers":"PO-1"}`, &terminal49test.Container{}, `ref_numbers must be a list`},
		{`{"ref_numbers":[null]}`, &terminal49test.Container{}, `ref_numbers[0] must not be null`},
		{`{"attributes":[]}`, &terminal49test.Container{}, `attributes must be an object`},
		{`{"availability_known":"yes"}`, &terminal49test.Container{}, `availability_known must be true or false`},
		{`{"number":7182047}`, &terminal49test.Container{}, `number must be a text in quotes`},
		{`{"number":`, &terminal49test.Container{}, `is not JSON: unexpected end of JSON input`},
		{`[]`, &terminal49test.Container{}, `must be an object`},
		{`{"` + strings.Repeat("n", 1<<20) + `":1}`, &terminal49test.Container{}, strings.Repeat("n", 60) + `... is not known`},
		{`{"attributes":{"a":1,"` + strings.Repeat("n", 1<<20) + `":1,"a":2}}`, &terminal49test.Container{}, `attributes.a is there twice`},
		{`{"attributes":{"a":[{"b":1},{"b":1,"c":2,"b":3}]}}`, &terminal49test.Container{}, `attributes.a[1].b is there twice`},
		{`{"number":"a"} {}`, &terminal49test.Container{}, `is not JSON: invalid character '{' after top-level value`},
		{`{"attributes":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, &terminal49test.Container{}, `must not be nested more than 64 deep`},
		{`{"operation":"shipment.get"}`, &terminal49test.Fault{}, `operation must be an operation of the service (did you mean shipments.get?)`},
		{`{"kind":"stall_body"}`, &terminal49test.Fault{}, `kind is "stall_body", which is not known (did you mean stall body?)`},
		{`{"stauts":503}`, &terminal49test.Fault{}, `stauts is not known (did you mean status?)`},
		{`{"status":42}`, &terminal49test.Fault{}, `status must be 0 or 100 to 999`},
		{`{"retry_after":30}`, &terminal49test.Fault{}, `retry_after must be an object`},
		{`{"retry_after":"soon"}`, &terminal49test.Fault{}, `retry_after must be a duration such as "36h", "2.5d" or "90s", not "soon"`},
		{`{"retry_after":{"after":"30s"}}`, &terminal49test.Fault{}, `retry_after must be a duration, or have a layout or raw`},
		{`{"content":{"base64":"?"}}`, &terminal49test.Document{}, `content.base64 must be base64`},
		{`{"inactive":true}`, &terminal49test.Webhook{}, `inactive is not known (did you mean active?)`},
	} {
		err := readForm([]byte(c.form), c.into)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.form, err, c.want)
		}
	}
}

// Times are written in UTC, as the simulated service sends them.
func TestForms_TimesAreWrittenInUTC(t *testing.T) {
	at := time.Date(2026, 11, 26, 8, 0, 0, 0, time.FixedZone("", -8*3600))
	form, err := json.Marshal(terminal49test.WebhookDelivery{At: at})
	if err != nil || string(form) != `{"at":"2026-11-26T16:00:00Z"}` {
		t.Errorf("%s, %v", form, err)
	}
}

// Members that are not there keep their values, and null clears them.
func TestForms_Update(t *testing.T) {
	h := terminal49test.Webhook{URL: "https://a.example/hook", Inactive: true, Events: []string{"container.updated"}}
	if err := json.Unmarshal([]byte(`{"active":true,"events":null}`), &h); err != nil || h.Inactive || h.Events != nil || h.URL == "" {
		t.Errorf("%+v, %v", h, err)
	}
	if err := json.Unmarshal([]byte(`{"active":false}`), &h); err != nil || !h.Inactive {
		t.Errorf("%+v, %v", h, err)
	}
}

func TestForms_NamesOfJourneys(t *testing.T) {
	for name, want := range map[string]terminal49test.Journey{
		"default": terminal49test.DefaultJourney(), "ready": terminal49test.ReadyJourney(), "customs_hold": terminal49test.CustomsHoldJourney(),
		"not_released": terminal49test.NotReleasedJourney(), "demurrage": terminal49test.DemurrageJourney(),
		"on_ship": terminal49test.OnShipJourney(), "rail": terminal49test.RailJourney(),
	} {
		var named, read terminal49test.Journey
		if err := json.Unmarshal([]byte(`"`+name+`"`), &named); err != nil || !reflect.DeepEqual(named, want) {
			t.Errorf("%s: %+v, %v", name, named, err)
		}
		form, _ := json.Marshal(want)
		if err := json.Unmarshal(form, &read); err != nil || !reflect.DeepEqual(read, want) {
			t.Errorf("%s: %+v, %v", form, read, err)
		}
	}
}

// FuzzForms_Journey reads any text: it is refused, or written as a form that is read as the same.
func FuzzForms_Journey(f *testing.F) {
	whole, _ := json.Marshal(terminal49test.DefaultJourney())
	for _, seed := range []string{string(whole), `"rail"`, `null`, `{"inference":{"scac":"MAEU","confidence":1e2}}`, `{"steps":[{"do":"set_attribute","name":"","value":null}]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var j, again terminal49test.Journey
		if j.UnmarshalJSON(raw) != nil {
			return
		}
		form, err := json.Marshal(j)
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		if err := json.Unmarshal(form, &again); err != nil {
			t.Fatalf("%s: %v", form, err)
		}
		if twice, _ := json.Marshal(again); string(twice) != string(form) {
			t.Errorf("%s and %s", form, twice)
		}
	})
}
