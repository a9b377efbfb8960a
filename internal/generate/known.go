package main

import (
	"fmt"
	"strings"
)

// known returns the methods that report whether a value is one of the constants of its type.
func known(s *source) string {
	var b strings.Builder
	b.WriteString("package terminal49\n")
	for _, e := range s.enums {
		if e.wanted {
			fmt.Fprintf(&b, "\n// Known reports whether v is one of the constants of this version. Unknown values are kept\n// unchanged.\n"+
				"func (v %s) Known() bool {\nswitch v {\ncase %s:\nreturn true\n}\nreturn false\n}\n", e.name, strings.Join(e.names, ",\n"))
		}
	}
	return b.String()
}
