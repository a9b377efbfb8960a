package main

import (
	"io"
	"strings"
	"sync"
)

// secrets are texts that must not be printed.
type secrets struct {
	mu  sync.Mutex
	all []string
}

// shortest is the length of the shortest text that is hidden. A shorter one would hide parts of
// words.
const shortest = 4

func (s *secrets) add(texts ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range texts {
		if len(text) >= shortest {
			s.all = append(s.all, text, "[secret]")
		}
	}
}

// hide returns a writer that hides the secrets of each write.
func (s *secrets) hide(to io.Writer) io.Writer { return &hiding{s, to} }

type hiding struct {
	*secrets
	to io.Writer
}

func (h *hiding) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, err := io.WriteString(h.to, strings.NewReplacer(h.all...).Replace(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
