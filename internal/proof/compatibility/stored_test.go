package compatibility_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/demurrage"
	"github.com/go-freight/terminal49/jsonapi"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/mirror/dispute"
	"github.com/go-freight/terminal49/webhook"
)

// form is a value that programs store as JSON. Its name is that of the type; a value of another
// type than that, such as a list, has several of it.
type form struct {
	name  string
	value any // a pointer, zero if every exported field is to be set
	only  only
}

// only is the direction of a form: read and written, or one of them.
type only int

const (
	written only = iota + 1 // for logs and web pages: it cannot be read back
	kept                    // read of what the service sent, and stored as that
)

// forms has each exported type with a JSON form.
func forms(t *testing.T) []form {
	return []form{
		{"Account", &terminal49.Account{}, 0},
		{"CarrierCandidate", &terminal49.CarrierCandidate{}, 0},
		{"Changeset", read(t, &terminal49.Changeset{}, `{"pickup_lfd":["2026-03-02T08:00:00Z","2026-03-04T08:00:00Z"],"available_for_pickup":[null,true],
			"fees_at_pod_terminal":[[],[{"type":"demurrage","amount":150.10,"currency_code":"USD"}]],"ref_numbers":[["a"],["a","b"]],
			"import_deadlines":[null,{"pickup_lfd_line":"2026-03-02T08:00:00Z"}]}`), 0},
		{"Container", &terminal49.Container{}, 0},
		{"ContainerCreatedEvent", &terminal49.ContainerCreatedEvent{}, 0},
		{"ContainerGroup", &terminal49.ContainerGroup{}, 0},
		{"ContainerMap", &terminal49.ContainerMap{}, kept},
		{"ContainerPODTerminalChangedEvent", &terminal49.ContainerPODTerminalChangedEvent{}, 0},
		{"ContainerSummary", &terminal49.ContainerSummary{}, 0},
		{"ContainerUpdate", &terminal49.ContainerUpdate{}, 0},
		{"ContainerUpdatedEvent", &terminal49.ContainerUpdatedEvent{}, 0},
		{"Credential", &terminal49.Credential{}, 0},
		{"CustomField", &terminal49.CustomField{}, 0},
		{"CustomFieldCreate", &terminal49.CustomFieldCreate{}, 0},
		{"CustomFieldDefinition", &terminal49.CustomFieldDefinition{}, 0},
		{"CustomFieldDefinitionCreate", &terminal49.CustomFieldDefinitionCreate{}, 0},
		{"CustomFieldDefinitionUpdate", &terminal49.CustomFieldDefinitionUpdate{}, 0},
		{"CustomFieldOption", &terminal49.CustomFieldOption{}, 0},
		{"CustomFieldOptionCreate", &terminal49.CustomFieldOptionCreate{}, 0},
		{"CustomFieldOptionUpdate", &terminal49.CustomFieldOptionUpdate{}, 0},
		{"CustomFieldValue", read(t, &[]terminal49.CustomFieldValue{}, `["text",12.50,true,null,"2026-03-02",["a","b"],{"type":"party","id":"`+id("party")+`"}]`), 0},
		{"Date", read(t, &[]terminal49.Date{}, `["2026-03-02",null]`), 0},
		{"Document", &terminal49.Document{}, 0},
		{"DocumentSchema", &terminal49.DocumentSchema{}, 0},
		{"DocumentType", &terminal49.DocumentType{}, 0},
		{"DocumentTypeSchema", &terminal49.DocumentTypeSchema{}, 0},
		{"DocumentUpdate", &terminal49.DocumentUpdate{}, 0},
		{"EmailSubmission", &terminal49.EmailSubmission{}, 0},
		{"EstimatedEvent", &terminal49.EstimatedEvent{}, 0},
		{"Extraction", &terminal49.Extraction{}, 0},
		{"Fee", &terminal49.Fee{}, 0},
		{"FeeSummary", &terminal49.FeeSummary{}, written},
		{"LastFreeDaySummary", &terminal49.LastFreeDaySummary{}, written},
		{"Hold", &terminal49.Hold{}, 0},
		{"Inference", &terminal49.Inference{}, 0},
		{"InitialCustomField", &terminal49.InitialCustomField{}, 0},
		{"InitialCustomFields", &terminal49.InitialCustomFields{}, 0},
		{"LastFreeDay", &terminal49.LastFreeDay{}, written},
		{"MetroArea", &terminal49.MetroArea{}, 0},
		{"Milestone", &terminal49.Milestone{}, 0},
		{"Opt", read(t, &[]terminal49.Opt[string]{}, `["text",null,""]`), 0},
		{"PODLastFreeDays", &terminal49.PODLastFreeDays{}, 0},
		{"Party", &terminal49.Party{}, 0},
		{"PartyFields", &terminal49.PartyFields{}, 0},
		{"PartyRole", &terminal49.PartyRole{}, 0},
		{"Port", &terminal49.Port{}, 0},
		{"ProvidedData", &terminal49.ProvidedData{}, 0},
		{"RawEvent", &terminal49.RawEvent{}, 0},
		{"RawJSON", read(t, &[]terminal49.RawJSON{}, `[{"a":[1,2.50]},null,"text"]`), 0},
		{"Readiness", &terminal49.Readiness{}, written},
		{"ResourceRef", &terminal49.ResourceRef{}, 0},
		{"SearchHit", &terminal49.SearchHit{}, 0},
		{"Secret", &terminal49.Secret{}, written},
		{"Shipment", &terminal49.Shipment{}, 0},
		{"ShipmentUpdate", &terminal49.ShipmentUpdate{}, 0},
		{"ShippingLine", &terminal49.ShippingLine{}, 0},
		{"LastFreeDayHistory", &terminal49.LastFreeDayHistory{}, 0},
		{"Standing", standings(t), 0},
		{"Terminal", &terminal49.Terminal{}, 0},
		{"Time", read(t, &[]terminal49.Time{}, times), 0},
		{"ToMany", read(t, &[]terminal49.ToMany[*terminal49.Container]{}, `[[{"type":"container","id":"`+id("many")+`"}],[],null]`), 0},
		{"ToOne", read(t, &[]terminal49.ToOne[*terminal49.Shipment]{}, `[{"type":"shipment","id":"`+id("one")+`"},null]`), 0},
		{"TrackingRequest", &terminal49.TrackingRequest{}, 0},
		{"TrackingRequestCreate", &terminal49.TrackingRequestCreate{}, 0},
		{"TrackingRequestUpdate", &terminal49.TrackingRequestUpdate{}, 0},
		{"TrackingSlots", &[]terminal49.TrackingSlots{{Limit: terminal49.Some(10), Used: terminal49.Some(3), Remaining: terminal49.Some(7)}, {Unlimited: true}}, 0},
		{"TransportEvent", &terminal49.TransportEvent{}, 0},
		{"ChosenLastFreeDay", &terminal49.ChosenLastFreeDay{}, 0},
		{"UnknownResource", read(t, &terminal49.UnknownResource{}, `{"type":"new_thing","id":"`+id("new")+`","attributes":{"a":1},"relationships":{"b":{"data":null}}}`), 0},
		{"User", &terminal49.User{}, 0},
		{"Verdict", &terminal49.Verdict{}, written},
		{"VerdictFact", &terminal49.VerdictFact{}, 0},
		{"VerdictPlace", &terminal49.VerdictPlace{}, 0},
		{"Vessel", &terminal49.Vessel{}, 0},
		{"Webhook", &terminal49.Webhook{}, 0},
		{"WebhookEventCategory", &terminal49.WebhookEventCategory{}, 0},
		{"WebhookNotification", &terminal49.WebhookNotification{}, 0},
		{"demurrage.Amount", &demurrage.Amount{}, 0},
		{"demurrage.Charge", &demurrage.Charge{}, 0},
		{"demurrage.ChargeEstimate", &demurrage.ChargeEstimate{}, 0},
		{"demurrage.Comparison", &demurrage.Comparison{}, 0},
		{"demurrage.Conditions", &demurrage.Conditions{}, 0},
		{"demurrage.Day", &demurrage.Day{}, 0},
		{"demurrage.Estimate", &demurrage.Estimate{}, 0},
		{"demurrage.Finding", &demurrage.Finding{}, 0},
		{"demurrage.Invoice", &demurrage.Invoice{}, 0},
		{"demurrage.InvoiceLine", &demurrage.InvoiceLine{}, 0},
		{"demurrage.LastFreeDay", &demurrage.LastFreeDay{}, 0},
		{"demurrage.Tariff", &demurrage.Tariff{}, 0},
		{"demurrage.Tier", &demurrage.Tier{}, 0},
		{"dispute.Fact", &dispute.Fact{}, 0},
		{"dispute.Item", &dispute.Item{}, 0},
		{"dispute.Page", &dispute.Page{}, 0},
		{"dispute.Section", &dispute.Section{}, 0},
		{"jsonapi.Document", &jsonapi.Document{}, kept},
		{"jsonapi.Ref", &jsonapi.Ref{}, 0},
		{"jsonapi.Relationship", &jsonapi.Relationship{}, kept},
		{"jsonapi.Resource", &jsonapi.Resource{}, kept},
		{"mirror.Change", &mirror.Change{}, 0},
		{"mirror.Difference", &mirror.Difference{}, 0},
		{"mirror.History", &mirror.History{}, written},
		{"mirror.Period", &mirror.Period[terminal49.Date]{}, 0},
		{"mirror.Ref", &mirror.Ref{}, 0},
		{"mirror.Repaired", &mirror.Repaired{}, 0},
		{"mirror.SituationFacts", &mirror.SituationFacts{}, 0},
		{"mirror.Unconfirmed", &mirror.Unconfirmed{}, 0},
		{"webhook.Notification", &webhook.Notification{}, kept},
	}
}

func read[T any](t *testing.T, into *T, text string) *T {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatal(err)
	}
	return into
}

// times has a time of each kind.
const times = `["2026-03-02T16:00:00Z[America/Los_Angeles]","2026-03-02T16:00:00.25Z[unknown]","2026-03-02T16:00:00Z[unreported]",
	"2026-03-02T16:00:00Z[America/Chicago or America/Denver]","2026-03-02[Asia/Shanghai]","2026-03-02T16:00:00Z","2026-03-02T16:00:00-08:00",null]`

// standings returns standings whose times are of each kind.
func standings(t *testing.T) *[]terminal49.Standing {
	var list []terminal49.Standing
	for _, at := range *read(t, &[]terminal49.Time{}, times) {
		var s terminal49.Standing
		(&filler{t, made(t)}).fill(reflect.ValueOf(&s).Elem(), "Standing")
		s.CheckedAt, s.Since, s.ETA, s.LastFreeDay.At = at, at, at, at
		list = append(list, s)
	}
	return &list
}

// situationRules returns what is read of a file of rules as v0.1.0 documents it. Do not change it.
func situationRules() (lines []string) {
	const file = `{"last_free_days": [5, 1], "eta_slip_hours": 25, "stale_after_hours": 26, "deadline_stale_after_hours": 169}`
	rules, err := mirror.ParseSituationRules([]byte(file))
	if err != nil {
		return []string{"mirror.ParseSituationRules: the file of v0.1.0 is refused"}
	}
	dump(func(path, text string) { lines = append(lines, path+": of the file of v0.1.0 is read as "+text) }, reflect.ValueOf(rules), "mirror.SituationRules")
	return lines
}

// storedJSON returns what today's code writes for a value of each type, and what it reads of the
// forms that each version has stored.
func storedJSON(t *testing.T) (lines []string) {
	if *update {
		writeForms(t)
	}
	files, err := filepath.Glob("forms/*/json/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no forms: %v", err)
	}
	for _, f := range forms(t) {
		for _, file := range files {
			if name := strings.TrimSuffix(filepath.Base(file), ".json"); name == f.name || strings.HasPrefix(name, f.name+"-") {
				lines = append(lines, readForm(t, f, file)...)
			}
		}
		if f.only == written {
			f.fill(t)
			lines = append(lines, writtenMembers(t, f.name, "today", indented(t, f.value))...)
		}
	}
	return append(lines, situationRules()...)
}

// fill sets the exported fields of a value.
func (f form) fill(t *testing.T) {
	if v := reflect.ValueOf(f.value).Elem(); v.IsZero() {
		(&filler{t, made(t)}).fill(v, f.name)
	}
}

// writeForms writes the forms of the version of doc.go.
func writeForms(t *testing.T) {
	folder := filepath.Join("forms", "v"+terminal49.Version, "json")
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	for _, f := range forms(t) {
		if f.only == 0 {
			f.fill(t)
			write(t, filepath.Join(folder, f.name+".json"), string(indented(t, f.value))+"\n")
		}
	}
	for name, text := range sent(t) {
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, text, "", "\t"); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(folder, name+".json"), pretty.String()+"\n")
	}
}

func indented(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.MarshalIndent(v, "", "\t")
	if err != nil {
		t.Fatalf("%T: %v", v, err)
	}
	return text
}

// readForm returns what is read of a stored form, and what is written for that.
func readForm(t *testing.T, f form, file string) (lines []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	version := strings.Split(filepath.ToSlash(file), "/")[1]
	value := reflect.New(reflect.TypeOf(f.value).Elem())
	if err := json.Unmarshal(text, value.Interface()); err != nil {
		return append(lines, fmt.Sprintf("%s: of %s cannot be read: %v", f.name, version, err))
	}
	dump(func(path, text string) {
		lines = append(lines, fmt.Sprintf("%s: of %s is read as %s", path, version, text))
	}, value, f.name)
	if f.only == kept {
		return lines
	}
	return append(lines, writtenMembers(t, f.name, version, indented(t, value.Interface()))...)
}

// writtenMembers returns a line for each member of a JSON text.
func writtenMembers(t *testing.T, name, version string, text []byte) (lines []string) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		t.Fatal(err)
	}
	var walk func(v any, path string)
	walk = func(v any, path string) {
		switch v := v.(type) {
		case map[string]any:
			for key, member := range v {
				walk(member, path+"."+key)
			}
		case []any:
			for i, element := range v {
				walk(element, fmt.Sprintf("%s[%d]", path, i))
			}
		default:
			value, _ := json.Marshal(v)
			lines = append(lines, fmt.Sprintf("%s%s: of %s is written as %s", name, path, version, value))
		}
	}
	walk(v, "")
	return lines
}

var (
	jsonMethod = regexp.MustCompile(`^(\S+)\.(?:(?:Unm|M)arshal(?:JSON|Text)|Scan): method func\(`)
	jsonField  = regexp.MustCompile(`^(\S+)\.\w+: field .* [a-z_]+(?:,omit\w+)*$`)
)

// noForm matches the types with names for JSON that are not promised: one has functions, others are
// for tests, and records of worklists are made again after a change of worklist.RecordVersion. The
// schema of package control promises the forms of the simulator.
var noForm = regexp.MustCompile(`^(TrackAllParams$|verdicttest\.|terminal49test\.|control\.|worklist\.)`)

// TestStoredJSON_EveryTypeHasAForm finds the exported types that have a JSON form.
func TestStoredJSON_EveryTypeHasAForm(t *testing.T) {
	var listed []string
	for _, f := range forms(t) {
		listed = append(listed, f.name)
	}
	var found []string
	for _, line := range goAPI(t) {
		for _, kind := range []*regexp.Regexp{jsonMethod, jsonField} {
			if of := kind.FindStringSubmatch(line); of != nil && !noForm.MatchString(of[1]) {
				found = append(found, of[1])
			}
		}
	}
	if found = sorted(found); !slices.Equal(found, sorted(listed)) {
		t.Errorf("types with a JSON form:\n%q\nforms are of:\n%q", found, sorted(listed))
	}
}
