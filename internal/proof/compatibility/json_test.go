package compatibility_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// membersOf returns a line for each member of lines of JSON and each kind that it has, with the
// path of the member after name. Members below depth are not promised.
func membersOf(t *testing.T, name, text string, depth int) (lines []string) {
	t.Helper()
	for line := range strings.Lines(text) {
		var value any
		if err := json.Unmarshal([]byte(line), &value); err != nil {
			t.Errorf("%s: %v in %q", name, err, line)
			continue
		}
		lines = append(lines, members(name+" ", value, depth)...)
	}
	if lines == nil {
		t.Errorf("%s prints nothing", name)
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// isName matches the name of a member. Others, such as that of a currency, are data.
var isName = regexp.MustCompile(`^[a-z][a-zA-Z0-9_]*$`).MatchString

func members(path string, value any, depth int) (lines []string) {
	kind := ""
	switch v := value.(type) {
	case nil:
		kind = "null"
	case bool:
		kind = "boolean"
	case float64:
		kind = "number"
	case string:
		kind = "text"
	case []any:
		kind = "list"
		for _, one := range v {
			lines = append(lines, members(path+"[]", one, depth)...)
		}
	case map[string]any:
		kind = "object"
		for name, one := range v {
			if depth == 0 {
				break
			}
			if !isName(name) {
				name = "*"
			}
			lines = append(lines, members(path+"."+name, one, depth-1)...)
		}
	}
	if strings.HasSuffix(path, " ") {
		path += "."
	}
	return append(lines, path+": "+kind)
}
