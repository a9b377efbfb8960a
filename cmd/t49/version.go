package main

import (
	"runtime/debug"
	"strings"

	"github.com/go-freight/terminal49"
)

// version is what --version prints: of the package, and of this program as Go built it.
func version(built *debug.BuildInfo, ok bool) string {
	if !ok {
		return terminal49.Version
	}
	details := []string{}
	for _, setting := range built.Settings {
		switch {
		case setting.Key == "vcs.revision":
			details = append(details, "commit "+setting.Value)
		case setting.Key == "vcs.modified" && setting.Value == "true":
			details = append(details, "changed since")
		}
	}
	if built.Main.Sum != "" {
		details = append(details, "checksum "+built.Main.Sum)
	}
	return terminal49.Version + " (" + strings.Join(append(details, built.GoVersion), ", ") + ")"
}
