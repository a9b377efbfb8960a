package compatibility_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// commandsOf has the tree of commands: their arguments, flags and values, from the help and the
// completion of the built programs.
func commandsOf(t *testing.T) (lines []string) {
	for _, name := range programs {
		lines = append(lines, (&tree{t: t, program: name}).command(nil)...)
	}
	return lines
}

// tree reads the commands of a program.
type tree struct {
	t       *testing.T
	program string
}

func (r *tree) run(args ...string) (status int, out string) {
	status, out, log := account{t: r.t}.run(r.program, args...)
	return status, out + log
}

// command returns the lines of a command and of those below it.
func (r *tree) command(path []string) (lines []string) {
	_, text := r.run(append(path, "--help")...)
	help := sections(text)
	name := strings.Join(append([]string{r.program}, path...), " ")
	for _, usage := range help["Usage"] {
		if arguments, is := strings.CutPrefix(strings.TrimSpace(usage), name); is && !strings.Contains(arguments, "[command]") {
			lines = append(lines, name+": arguments"+shape(arguments))
		}
	}
	for _, aliases := range help["Aliases"] {
		for _, alias := range strings.Split(strings.TrimSpace(aliases), ", ")[1:] {
			lines = append(lines, name+": also "+alias)
		}
	}
	lines = append(lines, r.flags(name, path, help["Flags"])...)
	for _, line := range help["Available Commands"] {
		if below := strings.Fields(line)[0]; below != "help" {
			lines = append(lines, r.command(append(path[:len(path):len(path)], below))...)
		}
	}
	return lines
}

// sections returns the lines of a help text below each title.
func sections(text string) map[string][]string {
	all, title := map[string][]string{}, ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch name, is := strings.CutSuffix(line, ":"); {
		case is && !strings.HasPrefix(line, " "):
			title = name
		case strings.TrimSpace(line) == "":
			title = ""
		case title != "":
			all[title] = append(all[title], line)
		}
	}
	return all
}

var (
	placeholder = regexp.MustCompile(`[A-Z][A-Z|]*`)
	flagLine    = regexp.MustCompile(`^ +(?:-(\w), )? *--([\w-]+)(?: (\S+))? {2,}.*?(\(default .*\))?$`)
)

// shape returns arguments without their names: which are required, which may be repeated.
func shape(arguments string) string {
	return placeholder.ReplaceAllString(strings.TrimSuffix(arguments, " [flags]"), "X")
}

// flags returns the lines of the flags of a command.
func (r *tree) flags(name string, path []string, help []string) (lines []string) {
	for _, line := range help {
		found := flagLine.FindStringSubmatch(line)
		if found == nil {
			r.t.Errorf("%s: the help has a flag in another form: %q", name, line)
			continue
		}
		short, flag, takes, otherwise := found[1], found[2], found[3], found[4]
		if flag == "help" {
			continue
		}
		kind := "no value"
		if takes != "" {
			kind = r.kind(path, flag)
			lines = append(lines, r.values(name, path, flag)...)
		}
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s --%s: %s %s", name, flag, kind, otherwise)))
		if short != "" {
			lines = append(lines, fmt.Sprintf("%s -%s: --%s", name, short, flag))
		}
	}
	return lines
}

// probes are values in the order from the widest kind to the narrowest.
var probes = []struct{ value, kind string }{{"@@", "text"}, {"1h", "duration"}, {"1.5", "number"}, {"1", "whole number"}}

// kind returns what the flag of a command accepts. With --help nothing is done.
func (r *tree) kind(path []string, flag string) string {
	for _, p := range probes {
		if status, _ := r.run(append(path[:len(path):len(path)], "--"+flag+"="+p.value, "--help")...); status == 0 {
			return p.kind
		}
	}
	r.t.Errorf("%s %v --%s accepts nothing that this test knows", r.program, path, flag)
	return ""
}

// values returns the values that completion offers for a flag. The attributes of --fields are those
// of the service.
func (r *tree) values(name string, path []string, flag string) (lines []string) {
	if flag == "fields" {
		return nil
	}
	_, text := r.run(append(append([]string{"__complete"}, path...), "--"+flag, "")...)
	for line := range strings.Lines(text) {
		if value, _, _ := strings.Cut(strings.TrimSpace(line), "\t"); value != "" && !strings.HasPrefix(value, ":") && !strings.HasPrefix(value, "Completion ended") {
			lines = append(lines, fmt.Sprintf("%s --%s %s", name, flag, value))
		}
	}
	return lines
}
