package compatibility_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/terminal49test"
)

// change is a line of tail.
type change struct {
	Position, Kind, Attribute, Source string
	Old, New                          json.RawMessage
}

// feedOf has the kinds of the mirror's feed, the form of positions and the members of notices, and
// what worklists print.
func feedOf(t *testing.T) (lines []string) {
	c := newCopy(t)
	c.happen()
	feed := c.must("terminal49-mirror", "tail")
	lines = append(lines, membersOf(t, "terminal49-mirror tail", firstLines(feed, 3), 1)...)
	position := regexp.MustCompile(`^\d+-[0-9a-f]{16}$`)
	for line := range strings.Lines(feed) {
		var v change
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		if !position.MatchString(v.Position) {
			lines = append(lines, "position "+v.Position)
		}
		lines = append(lines, "kind "+v.Kind, "source "+v.Source)
		if v.Kind != "situation" {
			continue
		}
		lines = append(lines, "notice "+v.Attribute)
		lines = append(lines, membersOf(t, "notice new", string(v.New), deep)...)
	}
	for _, rule := range []string{`last_free_days: [2, 0]`, `eta_slip_hours: 24`, `stale_after_hours: 24`, `deadline_stale_after_hours: 168`} {
		lines = append(lines, c.rule(rule))
	}
	for _, what := range worklists {
		status, _, _ := c.run("terminal49-mirror", "worklist", what)
		lines = append(lines, fmt.Sprintf("terminal49-mirror worklist %s: exit status %d", what, status))
	}
	lines = append(lines, membersOf(t, "terminal49-mirror worklist --json", c.must("terminal49-mirror", "worklist", "pay_first", "--json"), 1)...)
	lines = append(lines, c.defaults()...)
	return append(lines, "position: digits, - and 16 hex digits")
}

// defaults are those of rules and worklists. The one of days lists the same containers as a zero,
// at each time.
func (c copied) defaults() (lines []string) {
	c.t.Helper()
	rules := reflect.ValueOf(must(mirror.ParseSituationRules([]byte("{}")))(c.t))
	for i := range rules.NumField() {
		lines = append(lines, fmt.Sprintf("mirror.SituationRules.%s: by default %v", rules.Type().Field(i).Name, rules.Field(i)))
	}
	reader := mirror.NewReader(openDatabase(c.t, "sqlite", "file:"+c.db))
	totals := func(days int) (list []int) {
		for after := range 20 {
			now := c.srv.Now().Add(time.Duration(after) * 24 * time.Hour)
			list = append(list, must(reader.Worklist(c.t.Context(), mirror.WorkDwelling, now, mirror.WorklistOptions{Days: days, Limit: 1}))(c.t).Total)
		}
		return list
	}
	byDefault := totals(0)
	for days := 1; days < 15; days++ {
		if slices.Equal(totals(days), byDefault) {
			lines = append(lines, fmt.Sprintf("mirror.WorklistOptions.Days: by default %d", days))
		}
	}
	return lines
}

// rule returns whether a file of --situations may have a member. The command ends because --for
// needs --demo.
func (c copied) rule(member string) string {
	c.t.Helper()
	name, value, _ := strings.Cut(member, ": ")
	file := filepath.Join(c.dir, "rules.json")
	if err := os.WriteFile(file, fmt.Appendf(nil, "{%q: %s}", name, value), 0o600); err != nil {
		c.t.Fatal(err)
	}
	_, _, log := c.run("terminal49-mirror", "run", "--for", "1s", "--situations", file)
	return fmt.Sprintf("terminal49-mirror run --situations %s, accepted: %t", name, strings.Contains(log, "--for") && !strings.Contains(log, "--situations"))
}

// worklists are those of the command's help.
var worklists = []string{
	"overdue", "imminent", "arriving", "dwelling", "pay_first", "ready", "stale", "held", "unknown", "not_released_inland", "not_released",
	"awaiting_transfer", "on_rail", "at_sea", "before_voyage", "out", "returned",
}

func firstLines(text string, n int) string {
	return strings.Join(strings.SplitAfterN(text, "\n", n+1)[:n], "")
}

// happen lets happen what notices are about, and has the mirror read it.
func (c copied) happen() {
	c.t.Helper()
	passed := c.srv.Now().Add(-72 * time.Hour)
	ready, sea := c.srv.ContainerIDs(c.demo.Shipments[0])[0], c.demo.Shipments[4]
	steps := []func(*terminal49test.Container){
		// By the clock alone a demo's last free day is near at some hours only.
		func(v *terminal49test.Container) {
			v.TerminalCheckedAt, v.ImportDeadlines.Terminal = passed.Add(72*time.Hour), passed.Add(96*time.Hour)
		},
		func(v *terminal49test.Container) { v.Holds = []terminal49test.Hold{{Name: "customs", Status: "hold"}} },
		func(v *terminal49test.Container) { v.Holds = nil },
		func(v *terminal49test.Container) {
			v.Fees = []terminal49test.Fee{{Type: "demurrage", Amount: 100, CurrencyCode: "USD"}}
		},
		func(v *terminal49test.Container) { v.ImportDeadlines.Terminal = passed },
	}
	for _, step := range steps {
		c.srv.UpdateContainer(ready, step)
		c.srv.UpdateShipment(sea, func(s *terminal49test.Shipment) { s.PODETA = s.PODETA.Add(48 * time.Hour) })
		c.must("terminal49-mirror", "reconcile")
	}
}
