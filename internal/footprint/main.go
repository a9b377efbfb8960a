// Footprint measures what the client costs a program that imports it. It builds two programs that
// list shipments, internal/footprint/client with this module and internal/footprint/plain with
// net/http and encoding/json, and compares them. It fails if the client adds too many modules or
// too many bytes.
//
//	go run ./internal/footprint [-cpu]
//
// With -cpu it also compares the CPU time of builds with an empty build cache: the least of three
// each, because it varies with what else the machine does. It fails nothing.
package main

import (
	"debug/buildinfo"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// The most that the client may add. TestFootprint_Imports names the modules.
const (
	mostModules = 6
	mostBytes   = 1_580_000
)

const module = "github.com/go-freight/terminal49"

func main() {
	cpu := flag.Bool("cpu", false, "compare the CPU time of cold builds too")
	flag.Parse()
	if err := measure(*cpu); err != nil {
		fmt.Fprintln(os.Stderr, "footprint:", err)
		os.Exit(1)
	}
}

func measure(cpu bool) error {
	scratch, err := os.MkdirTemp("", "footprint")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	plain, err := build(scratch, "plain")
	if err != nil {
		return err
	}
	client, err := build(scratch, "client")
	if err != nil {
		return err
	}
	more := client.size - plain.size
	fmt.Printf("size, stripped: %.2f MB, %.2f MB without the client: %.3f MB more (at most %.2f)\n",
		mb(client.size), mb(plain.size), mb(more), mb(mostBytes))
	fmt.Printf("modules: %d (at most %d): %v\n", len(client.modules), mostModules, client.modules)
	if cpu {
		if err := compareCPU(scratch); err != nil {
			return err
		}
	}
	if len(client.modules) > mostModules || more > mostBytes {
		return fmt.Errorf("the client adds %d modules and %d bytes; at most %d and %d are allowed", len(client.modules), more, mostModules, mostBytes)
	}
	return nil
}

func mb(bytes int64) float64 { return float64(bytes) / 1e6 }

// compareCPU prints the CPU time of cold builds.
func compareCPU(scratch string) error {
	least := map[string]time.Duration{}
	for i := range 3 {
		for _, program := range []string{"plain", "client"} {
			cache := filepath.Join(scratch, fmt.Sprint("cache-", program, i))
			command := command(scratch, program, "GOCACHE="+cache)
			if err := command.Run(); err != nil {
				return fmt.Errorf("building %s: %w", program, err)
			}
			cpu := command.ProcessState.UserTime() + command.ProcessState.SystemTime()
			if i == 0 || cpu < least[program] {
				least[program] = cpu
			}
			if err := os.RemoveAll(cache); err != nil {
				return err
			}
		}
	}
	client, plain := least["client"].Seconds(), least["plain"].Seconds()
	fmt.Printf("CPU of a cold build: %.1f s, %.1f s without the client: %.2f times as much\n", client, plain, client/plain)
	return nil
}

// built is what one program links.
type built struct {
	size    int64
	modules []string // other than this one
}

func build(scratch, program string) (b built, err error) {
	if err := command(scratch, program).Run(); err != nil {
		return b, fmt.Errorf("building %s: %w", program, err)
	}
	binary := filepath.Join(scratch, program)
	file, err := os.Stat(binary)
	if err != nil {
		return b, err
	}
	b.size = file.Size()
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return b, err
	}
	for _, dependency := range info.Deps {
		if dependency.Path != module {
			b.modules = append(b.modules, dependency.Path)
		}
	}
	return b, nil
}

// command builds a program for linux/amd64 without cgo, so that sizes are the same on every
// machine, and without go.work, as a user builds it.
func command(scratch, program string, environment ...string) *exec.Cmd {
	c := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(scratch, program), "./internal/footprint/"+program)
	c.Env = append(os.Environ(), append(environment, "GOFLAGS=", "GOWORK=off", "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")...)
	c.Stderr = os.Stderr
	return c
}
