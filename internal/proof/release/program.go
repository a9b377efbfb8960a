package main

import (
	"bytes"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// platform is a system and an architecture, in Go's words.
type platform struct{ os, arch string }

var allPlatforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

func parsePlatforms(list string) (platforms []platform, err error) {
	for name := range strings.SplitSeq(list, ",") {
		if !slices.Contains(allPlatforms, name) {
			return nil, fmt.Errorf("-platforms: %q is not one of %s", name, strings.Join(allPlatforms, ", "))
		}
		system, arch, _ := strings.Cut(name, "/")
		platforms = append(platforms, platform{system, arch})
	}
	return platforms, nil
}

var host = platform{runtime.GOOS, runtime.GOARCH}

// program is a command that was built for a platform.
type program struct {
	command
	platform
	path     string
	data     []byte
	info     *debug.BuildInfo
	licences []file
}

func (p *program) fileName() string {
	if p.os == "windows" {
		return p.name + ".exe"
	}
	return p.name
}

// compile builds a command as go install does for a user, without symbols. With the same Go, the
// published module builds to the same bytes.
func (r *release) compile(c command, p platform) (*program, error) {
	folder := filepath.Join(r.scratch, "go")
	command := exec.Command("go", "install", "-ldflags=-s -w -buildid=", modulePath+"/cmd/"+c.name+"@v"+r.version)
	command.Env = append(os.Environ(), "GOPATH="+folder, "GOBIN=", "GOOS="+p.os, "GOARCH="+p.arch, "GOAMD64=v1", "GOARM64=v8.0",
		"GOEXPERIMENT=", "CGO_ENABLED=0", "GOFLAGS=-trimpath -modcacherw", "GOSUMDB=off") // checkSums compares with go.sum
	if out, err := command.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(command.Args, " "), err, out)
	}
	built := &program{command: c, platform: p}
	built.path = filepath.Join(folder, "bin", built.fileName())
	if p != host {
		built.path = filepath.Join(folder, "bin", p.os+"_"+p.arch, built.fileName())
	}
	var err error
	if built.data, err = os.ReadFile(built.path); err != nil {
		return nil, err
	}
	if built.info, err = buildinfo.Read(bytes.NewReader(built.data)); err != nil {
		return nil, err
	}
	if err = built.checkSums(); err != nil {
		return nil, err
	}
	built.licences, err = licences(built.info)
	return built, err
}

// checkSums compares the modules that a program links with the go.sum of the commands.
func (p *program) checkSums() error {
	sums, err := os.ReadFile(filepath.Join("cmd", "go.sum"))
	if err != nil {
		return err
	}
	for _, dep := range p.info.Deps {
		line := fmt.Sprintf("%s %s %s\n", dep.Path, dep.Version, dep.Sum)
		if !isOwn(dep.Path) && !strings.Contains("\n"+string(sums), "\n"+line) {
			return fmt.Errorf("cmd/go.sum lacks %s", line)
		}
	}
	return nil
}

// isOwn reports whether a module is of this repository.
func isOwn(module string) bool {
	return module == modulePath || strings.HasPrefix(module, modulePath+"/")
}
