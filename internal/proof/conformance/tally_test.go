package conformance_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// tally counts the cases of each part of the table, and their requests.
type tally struct {
	mu       sync.Mutex
	cases    map[string]int
	requests int
}

func (c *tally) add(part string, requests int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cases == nil {
		c.cases = map[string]int{}
	}
	c.cases[part]++
	c.requests += requests
}

// sum returns the cases of all parts whose name has a prefix.
func (c *tally) sum(prefix string) (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for part, cases := range c.cases {
		if strings.HasPrefix(part, prefix) {
			n += cases
		}
	}
	return n
}

// String returns the totals, and the cases of each part.
func (c *tally) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var parts []string
	total := 0
	for part, n := range c.cases {
		parts = append(parts, fmt.Sprintf("%d %s", n, part))
		total += n
	}
	slices.Sort(parts)
	return fmt.Sprintf("%d cases, %d requests, all as the table says: %s", total, c.requests, strings.Join(parts, ", "))
}
