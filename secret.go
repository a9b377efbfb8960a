package terminal49

import "log/slog"

// Secret is text that whoever reads it can act with: the signed id of an uploaded file, a presigned URL, the key that
// signs webhooks. However it is printed, logged or marshalled, "[secret]" appears; Reveal gives the text.
type Secret struct{ reveal func() string } // a func, because every other field can be printed by reflection

const hidden = "[secret]"

// NewSecret wraps text that must not be printed. NewSecret("") is the zero Secret.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	return Secret{func() string { return text }}
}

// Reveal returns the text, "" for the zero Secret.
func (s Secret) Reveal() string {
	if s.reveal == nil {
		return ""
	}
	return s.reveal()
}

// IsZero reports whether there is no text.
func (s Secret) IsZero() bool { return s.reveal == nil }

// String returns "[secret]", whatever the text.
func (s Secret) String() string { return hidden }

// GoString returns "[secret]", whatever the text.
func (s Secret) GoString() string { return hidden }

// LogValue returns "[secret]", whatever the text.
func (s Secret) LogValue() slog.Value { return slog.StringValue(hidden) }

// MarshalText returns "[secret]", whatever the text.
func (s Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }
