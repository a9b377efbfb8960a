package main

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
)

func TestVersion_OfTheBuild(t *testing.T) {
	built := &debug.BuildInfo{GoVersion: "go1.26.8", Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "9857e2b"}, {Key: "vcs.modified", Value: "true"}}}
	require.Equal(t, terminal49.Version+" (commit 9857e2b, changed since, go1.26.8)", version(built, true))
	installed := &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Sum: "h1:abc="}}
	require.Equal(t, terminal49.Version+" (checksum h1:abc=, go1.26.8)", version(installed, true))
	require.Equal(t, terminal49.Version, version(nil, false))
}
