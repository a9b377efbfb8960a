package main

import (
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"
)

// manual returns the manual pages and the completions of a command. Both come from its program for
// this machine, so that they say what --help says.
func (r *release) manual(p *program) ([]file, error) {
	if printed, err := output(p.path, "--version"); err != nil || !strings.HasPrefix(printed, p.name+" version "+r.version) {
		return nil, fmt.Errorf("--version does not print %s but %q (%v)", r.version, printed, err)
	}
	files, err := r.pages(p.path, []string{p.name}, p.title)
	if err != nil {
		return nil, err
	}
	for shell, name := range map[string]string{"bash": p.name + ".bash", "zsh": "_" + p.name, "fish": p.name + ".fish", "powershell": p.name + ".ps1"} {
		script, err := exec.Command(p.path, "completion", shell).Output()
		if err != nil {
			return nil, fmt.Errorf("completion %s: %w", shell, err)
		}
		files = append(files, file{name: "completions/" + name, mode: 0o644, data: script})
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files, nil
}

// pages returns the page of a command, whose words are given, and those of the commands below it.
func (r *release) pages(program string, words []string, title string) ([]file, error) {
	help, err := exec.Command(program, append(slices.Clone(words[1:]), "--help")...).Output()
	if err != nil {
		return nil, fmt.Errorf("%s --help: %w", strings.Join(words, " "), err)
	}
	page := &page{words: words, title: title, version: r.version, date: r.time}
	text := page.render(string(help))
	files := []file{{name: "man/man1/" + strings.Join(words, "-") + ".1", mode: 0o644, data: []byte(text)}}
	for _, below := range page.below {
		more, err := r.pages(program, append(slices.Clone(words), below.term), below.text)
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	return files, nil
}

// page turns the help of a command into a manual page.
type page struct {
	words          []string
	title, version string
	date           time.Time
	below          []item // the commands below it
	out            strings.Builder
}

// item is a line of a list: a flag, a command or an exit status, and what it means.
type item struct{ term, text string }

var (
	heading  = regexp.MustCompile(`^([A-Z][A-Za-z ]*):$`)
	listItem = regexp.MustCompile(`^(?: +(\S.*?)|(\d+)) {2,}(\S.*)$`)
	ofList   = regexp.MustCompile(`^ +(\S+)() +(\S.*)$`) // the longest name of a list has one space after it
	lastLine = regexp.MustCompile(`^Use ".* --help" for more information`)
)

func (p *page) render(help string) string {
	name := strings.Join(p.words, "-")
	fmt.Fprintf(&p.out, ".TH %s 1 %s %s %s\n", quoted(strings.ToUpper(name)), quoted(p.date.Format(time.DateOnly)), quoted(p.words[0]+" "+p.version), quoted("User Commands"))
	fmt.Fprintf(&p.out, ".SH NAME\n%s \\- %s\n.SH DESCRIPTION\n", escaped(name), escaped(p.title))
	section, text := "Description", []string(nil)
	for line := range strings.SplitSeq(strings.TrimSpace(help), "\n") {
		if lastLine.MatchString(line) {
			continue
		}
		if found := heading.FindStringSubmatch(line); found != nil {
			p.section(section, text)
			section, text = found[1], nil
			fmt.Fprintf(&p.out, ".SH %s\n", strings.ToUpper(section))
			continue
		}
		text = append(text, line)
	}
	p.section(section, text)
	p.seeAlso()
	return p.out.String()
}

// section writes the lines of a section.
func (p *page) section(name string, lines []string) {
	verbatim := name == "Usage" || name == "Examples"
	if verbatim {
		p.out.WriteString(".nf\n")
	}
	before := ""
	for _, line := range lines {
		found := listItem.FindStringSubmatch(line)
		if name == "Available Commands" {
			found = ofList.FindStringSubmatch(line)
		}
		switch {
		case strings.TrimSpace(line) == "":
			p.out.WriteString(".PP\n")
		case verbatim:
			p.out.WriteString(escaped(strings.TrimSpace(line)) + "\n")
		case found != nil:
			p.item(name, item{found[1] + found[2], found[3]})
		case strings.HasPrefix(line, " ") && strings.HasPrefix(before, " "): // goes on
			p.out.WriteString(escaped(strings.TrimSpace(line)) + "\n")
		case strings.HasPrefix(line, " "):
			p.out.WriteString(".IP\n" + escaped(strings.TrimSpace(line)) + "\n")
		default:
			p.out.WriteString(escaped(line) + "\n")
		}
		before = line
	}
	if verbatim {
		p.out.WriteString(".fi\n")
	}
}

func (p *page) item(section string, i item) {
	if section == "Available Commands" {
		if i.term == "help" || i.term == "completion" {
			return
		}
		p.below = append(p.below, i)
	}
	fmt.Fprintf(&p.out, ".TP\n.B %s\n%s\n", quoted(escaped(i.term)), escaped(i.text))
}

// seeAlso names the pages next to this one.
func (p *page) seeAlso() {
	var names []string
	for _, one := range p.below {
		names = append(names, strings.Join(append(slices.Clone(p.words), one.term), "-"))
	}
	if len(p.words) > 1 {
		names = append(names, strings.Join(p.words[:len(p.words)-1], "-"))
	}
	if len(names) == 0 {
		return
	}
	fmt.Fprintf(&p.out, ".SH SEE ALSO\n%s\n", escaped(strings.Join(names, "(1), ")+"(1)"))
}

// escaped returns a text that roff prints as it is.
func escaped(text string) string {
	text = strings.NewReplacer(`\`, `\e`, `-`, `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}

// quoted returns a text as one argument of a macro.
func quoted(text string) string { return `"` + strings.ReplaceAll(text, `"`, `\(dq`) + `"` }
