package main

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/go-freight/terminal49"
)

// usage records which operations were sent. An operation is named service.verb, such as
// tracking_requests.create.
type usage struct {
	mu         sync.Mutex
	operations map[string]bool
}

func (u *usage) attempt(_ context.Context, a terminal49.Attempt) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.operations == nil {
		u.operations = map[string]bool{}
	}
	u.operations[a.Op] = true
}

// complete returns an error that names the services of client that were not used.
func (u *usage) complete(client *terminal49.Client) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	used := map[string]bool{}
	for operation := range u.operations {
		service, _, _ := strings.Cut(operation, ".")
		used[strings.ReplaceAll(service, "_", "")] = true
	}
	count := 0
	var unused []string
	for _, field := range reflect.VisibleFields(reflect.TypeOf(*client)) {
		if !field.IsExported() {
			continue
		}
		count++
		if !used[strings.ToLower(field.Name)] {
			unused = append(unused, field.Name)
		}
	}
	if unused != nil {
		return fmt.Errorf("services that this program does not use: %s", strings.Join(unused, ", "))
	}
	fmt.Printf("used %d services of the client, with %d operations\n", count, len(u.operations))
	return nil
}
