package mcpserver

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

// toolError is an error that an agent reads. Its first word says what to do.
type toolError string

func (e toolError) Error() string { return string(e) }

// wait is the error of a question that can be asked again later.
func wait(d time.Duration, why string) error {
	return toolError(fmt.Sprintf("wait: %s; ask again in %d s", why, max(1, int((d+time.Second-1)/time.Second))))
}

// mend is the error of a question with a wrong argument: which, and what is allowed.
func mend(argument, format string, args ...any) error {
	return toolError("mend: " + argument + ": " + fmt.Sprintf(format, args...))
}

// help is the error of what a person must do.
func help(format string, args ...any) error {
	return toolError("help: " + fmt.Sprintf(format, args...))
}

// explain returns an error as an agent reads it. The log has the cause of those that name hosts,
// files or statements.
func (s *server) explain(ctx context.Context, tool string, err error) error {
	var of toolError
	var argument *terminal49.ArgumentError
	switch {
	case errors.As(err, &of):
		return of
	case errors.As(err, &argument):
		return mend(strings.ToLower(argument.Field), "%s", clean(argument.Problem))
	case errors.Is(err, sql.ErrNoRows):
		return mend("id", "the copy has nothing with this id; use the tool find")
	case errors.Is(context.Cause(ctx), context.Canceled):
		return context.Canceled
	}
	s.Logger.Warn("a tool failed", "tool", tool, "error", err)
	switch {
	case errors.Is(err, mirror.ErrNoTables):
		return wait(10*time.Second, "the copy of the account does not exist yet; if it stays so, ask whether \"terminal49-mirror run\" is running")
	case errors.Is(err, mirror.ErrReplaced):
		return help("another database has taken the place of the copy; ask for a restart of this server")
	case errors.Is(err, terminal49.ErrRulesVersion):
		return help("the mirror that writes the copy has other rules; ask for one version of both programs")
	case errors.Is(err, errSlow), errors.Is(err, context.DeadlineExceeded):
		return wait(30*time.Second, "the database took longer than "+callTime.String()+"; ask for less, or later")
	}
	return wait(30*time.Second, "the database cannot be read now; if it stays so, ask for the log of this server")
}
