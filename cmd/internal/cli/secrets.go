package cli

import (
	"io"
	"log/slog"
	"strings"
	"sync"

	"github.com/go-freight/terminal49"
)

// BareToken returns a token as the client sends it, which any output may repeat: terminal49.New
// removes the spaces around it and its scheme.
func BareToken(token string) string {
	token = strings.TrimSpace(token)
	scheme, rest, _ := strings.Cut(token, " ")
	if strings.EqualFold(scheme, "Token") || strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(rest)
	}
	return token
}

// Secrets are texts that must not be in a message, an error or the log. Data is printed exactly: it
// has none, and may have a word that is someone's password. The zero value has none.
type Secrets struct {
	mu     sync.Mutex
	all    []terminal49.Secret
	redact func(string) string // nil if there are none
}

// shortest is the length of the shortest text that is hidden. A shorter one would hide parts of
// words.
const shortest = 4

// Add adds texts. Those of less than four bytes are left out.
func (s *Secrets) Add(texts ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range texts {
		if len(text) >= shortest {
			s.all = append(s.all, terminal49.NewSecret(text))
		}
	}
	s.redact = terminal49.Redactor(s.all...)
}

// Hide returns a writer that hides the secrets of each write.
func (s *Secrets) Hide(to io.Writer) io.Writer { return &hiding{s, to} }

type hiding struct {
	*Secrets
	to io.Writer
}

func (h *hiding) Write(p []byte) (int, error) {
	if _, err := io.WriteString(h.to, h.Mask(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Hidden returns the writer below one that Hide returned, for data; another is returned as it is.
func Hidden(w io.Writer) io.Writer {
	if h, ok := w.(*hiding); ok {
		return h.to
	}
	return w
}

// Mask returns a text without the secrets.
func (s *Secrets) Mask(text string) string {
	s.mu.Lock()
	redact := s.redact
	s.mu.Unlock()
	if redact == nil {
		return text
	}
	return redact(text)
}

// MaskAttr masks the value of an attribute, so that a log in JSON stays JSON.
func (s *Secrets) MaskAttr(_ []string, a slog.Attr) slog.Attr {
	text := a.Value.String()
	if masked := s.Mask(text); masked != text && a.Key != slog.LevelKey && a.Key != slog.TimeKey {
		return slog.String(a.Key, masked)
	}
	return a
}
