package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/rivo/uniseg"

	"github.com/go-freight/terminal49/cmd/internal/cli"
	"github.com/go-freight/terminal49/mirror"
)

// clear erases the line of progress.
const clear = "\r\x1b[K"

// lines is the log on a terminal: a line for each event, above the line of progress.
type lines struct {
	to    io.Writer
	level slog.Level
	attrs []slog.Attr
}

// Enabled implements slog.Handler.
func (l *lines) Enabled(_ context.Context, level slog.Level) bool { return level >= l.level }

// Handle implements slog.Handler.
func (l *lines) Handle(_ context.Context, r slog.Record) error {
	var b strings.Builder
	if r.Level > slog.LevelInfo {
		b.WriteString(strings.ToLower(r.Level.String()) + ": ")
	}
	b.WriteString(strings.TrimPrefix(r.Message, "mirror: "))
	attr := func(a slog.Attr) bool {
		fmt.Fprintf(&b, " %s=%v", a.Key, a.Value)
		return true
	}
	for _, a := range l.attrs {
		attr(a)
	}
	r.Attrs(attr)
	_, err := fmt.Fprintf(l.to, "%s%s %s\n", clear, r.Time.Format(time.TimeOnly), cli.Printable(b.String()))
	return err
}

// printColumns prints rows of equal length in columns, by the cells of a terminal.
func printColumns(to io.Writer, rows [][]string) error {
	var widths []int
	for _, row := range rows {
		widths = append(widths, make([]int, max(len(row)-len(widths), 0))...)
		for i, cell := range row {
			row[i] = cli.Printable(cell)
			widths[i] = max(widths[i], uniseg.StringWidth(row[i]))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		for i, cell := range row[:len(row)-1] {
			b.WriteString(cell + strings.Repeat(" ", widths[i]-uniseg.StringWidth(cell)+2))
		}
		b.WriteString(row[len(row)-1] + "\n")
	}
	_, err := io.WriteString(to, b.String())
	return err
}

// complain writes a message to standard error, as one line.
func (a *app) complain(message string) { fmt.Fprintln(a.err, cli.Line(message)) }

// complainOf writes an error to standard error, with a line for each of those that it joins.
func (a *app) complainOf(prefix string, err error) {
	for _, part := range cli.Parts(err) {
		a.complain(prefix + part.Error())
	}
}

// jsonLines writes JSON whose every character is printable. Each write is whole values.
type jsonLines struct{ to io.Writer }

func (l jsonLines) Write(p []byte) (int, error) {
	if _, err := l.to.Write(cli.PrintableJSON(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// WithAttrs implements slog.Handler.
func (l *lines) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &lines{l.to, l.level, append(l.attrs[:len(l.attrs):len(l.attrs)], attrs...)}
}

// WithGroup implements slog.Handler. The mirror has no groups.
func (l *lines) WithGroup(string) slog.Handler { return l }

// progressInterval is how often the line of progress is written.
const progressInterval = time.Second

// showProgress writes how far walks are, on a terminal, until ctx ends; then shown is closed.
func (a *app) showProgress(ctx context.Context, m *mirror.Mirror) (shown <-chan struct{}) {
	done := make(chan struct{})
	if a.format != "auto" || !cli.IsTerminal(os.Stderr) {
		close(done)
		return done
	}
	go func() {
		defer close(done)
		var p progress
		for sleep(ctx, progressInterval) {
			if walks, err := m.Walks(ctx); err == nil {
				fmt.Fprint(a.err, clear+p.line(walks, time.Now()))
			}
		}
		fmt.Fprint(a.err, clear)
	}()
	return done
}

// progress is the status of the current walk when it was first read.
type progress struct {
	first mirror.WalkStatus
	at    time.Time
}

// line describes the walk that runs: done of total, rate and the time that is left. It is "" if
// none runs.
func (p *progress) line(walks []mirror.WalkStatus, now time.Time) string {
	w := running(walks)
	if w == nil {
		return ""
	}
	if p.first.Scope != w.Scope || !p.first.Started.Equal(w.Started) || w.Seen < p.first.Seen {
		p.first, p.at = *w, now
	}
	text := fmt.Sprintf("%s: %s", w.Scope, grouped(w.Seen))
	if w.Total > 0 {
		text += fmt.Sprintf(" of %s (%d %%)", grouped(w.Total), min(100*w.Seen/w.Total, 100))
	}
	rate := float64(w.Seen-p.first.Seen) / now.Sub(p.at).Seconds()
	if !(rate > 0) { // true for NaN too
		return text
	}
	text += fmt.Sprintf(", %s/s", grouped(int64(rate)))
	if left := w.Total - w.Seen; left > 0 {
		text += ", " + (time.Duration(float64(left)/rate) * time.Second).String() + " left"
	}
	return text
}

// running returns the walk that runs, the one that stored a page last; nil if there is none.
func running(walks []mirror.WalkStatus) (last *mirror.WalkStatus) {
	for i := range walks {
		if w := &walks[i]; w.State == "running" && (last == nil || w.PageAt.After(last.PageAt)) {
			last = w
		}
	}
	return last
}

// grouped writes a number with commas.
func grouped(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
