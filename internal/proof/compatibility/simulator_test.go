package compatibility_test

import (
	"encoding/json"
	"fmt"
	"testing"

	simulator "github.com/go-freight/terminal49/terminal49test/control"
)

// simulatorOf returns the requests of control, and a line for each fact of the schema of commands,
// saved worlds and options.
func simulatorOf(t *testing.T) (lines []string) {
	lines = controlOf(t)
	var schema struct {
		Definitions map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(simulator.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	var walk func(path string, value any)
	walk = func(path string, value any) {
		switch v := value.(type) {
		case map[string]any:
			for name, one := range v {
				if _, text := one.(string); name != "description" || !text {
					walk(path+"."+name, one)
				}
			}
		case []any:
			for _, one := range v {
				walk(path+"[]", one)
			}
		default:
			lines = append(lines, fmt.Sprintf("%s: %v", path, v))
		}
	}
	for name, definition := range schema.Definitions {
		walk(name, definition)
	}
	return lines
}
