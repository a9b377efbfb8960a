package main

import (
	"io"
	"log/slog"
	"sync"

	"github.com/go-freight/terminal49"
)

// secrets are texts that must not be in a message, an error or the log. Data is printed exactly: it
// has none, and may have a word that is someone's password.
type secrets struct {
	mu     sync.Mutex
	all    []terminal49.Secret
	redact func(string) string // nil if there are none
}

// shortest is the length of the shortest text that is hidden. A shorter one would hide parts of
// words.
const shortest = 4

func (s *secrets) add(texts ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range texts {
		if len(text) >= shortest {
			s.all = append(s.all, terminal49.NewSecret(text))
		}
	}
	s.redact = terminal49.Redactor(s.all...)
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
	redact := s.redact
	s.mu.Unlock()
	if redact == nil {
		return text
	}
	return redact(text)
}

// maskAttr masks the value of an attribute, so that a log in JSON stays JSON.
func (s *secrets) maskAttr(_ []string, a slog.Attr) slog.Attr {
	text := a.Value.String()
	if masked := s.mask(text); masked != text && a.Key != slog.LevelKey && a.Key != slog.TimeKey {
		return slog.String(a.Key, masked)
	}
	return a
}
