package main

import (
	"io"
	"log/slog"
	"strings"
	"sync"
)

// secrets are texts that must not be in a message, an error or the log. Data is printed exactly: it
// has none, and may have a word that is someone's password.
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
	if _, err := io.WriteString(h.to, h.mask(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// mask returns a text without the secrets.
func (s *secrets) mask(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.NewReplacer(s.all...).Replace(text)
}

// maskAttr masks the value of an attribute, so that a log in JSON stays JSON.
func (s *secrets) maskAttr(_ []string, a slog.Attr) slog.Attr {
	text := a.Value.String()
	if masked := s.mask(text); masked != text && a.Key != slog.LevelKey && a.Key != slog.TimeKey {
		return slog.String(a.Key, masked)
	}
	return a
}
