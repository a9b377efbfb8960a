package main

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/cmd/internal/cli"
	"github.com/go-freight/terminal49/mirror"
)

// usageError is a mistake in how the command is called.
type usageError string

func (e usageError) Error() string { return string(e) }

const errNoToken usageError = "T49_API_TOKEN is not set; set it to an API key, or try a simulated account: terminal49-mirror run --demo"

// client returns the client of the environment.
func (a *app) client(opts ...terminal49.Option) (*terminal49.Client, error) {
	token := os.Getenv("T49_API_TOKEN")
	if token == "" {
		return nil, errNoToken
	}
	a.secrets.Add(cli.BareToken(token))
	client, err := terminal49.NewFromEnv(append(opts, terminal49.WithUserAgent("terminal49-mirror"))...)
	var argument *terminal49.ArgumentError
	if errors.As(err, &argument) && argument.Op == "NewFromEnv" {
		return nil, usageError(argument.Field + " " + strings.TrimSuffix(argument.Problem, ", or with WithPlainHTTP"))
	}
	return client, err
}

// offline is the client of commands that send nothing.
func offline() (*terminal49.Client, error) { return terminal49.New("none") }

// with opens the database and calls f with a mirror into it.
func (a *app) with(ctx context.Context, create bool, client *terminal49.Client, f func(context.Context, *mirror.Mirror) error, opts ...mirror.Option) error {
	db, err := a.open(create)
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // all is committed
	m, err := a.mirror(client, db, opts...)
	if err != nil {
		return err
	}
	return explainFile(a.name(), f(ctx, m))
}

func (a *app) mirror(client *terminal49.Client, db *sql.DB, opts ...mirror.Option) (*mirror.Mirror, error) {
	log, err := a.logger()
	if err != nil {
		return nil, err
	}
	opts = append([]mirror.Option{mirror.WithLogger(log)}, opts...)
	if a.settle != 0 {
		opts = append(opts, mirror.WithSettle(a.settle))
	}
	if a.schema != "" {
		opts = append(opts, mirror.WithSchema(a.schema))
	}
	m, err := mirror.New(client, db, opts...)
	return m, schemaUsage(err)
}

// schemaUsage names the flag in place of the option or field that is refused.
func schemaUsage(err error) error {
	var argument *terminal49.ArgumentError
	if !errors.As(err, &argument) {
		return err
	}
	switch argument.Field {
	case "WithSchema", "Name":
		return usageError("--schema " + argument.Problem)
	case "Owner", "Writer", "Reader":
		return usageError("--" + strings.ToLower(argument.Field) + " " + argument.Problem)
	case "SchemaOptions":
		return usageError("--dialect sqlite has no --schema, --owner, --writer and --reader")
	}
	return err
}

func (a *app) logger() (*slog.Logger, error) {
	options := &slog.HandlerOptions{Level: a.level, ReplaceAttr: a.secrets.MaskAttr}
	switch {
	case a.format == "json":
		return slog.New(slog.NewJSONHandler(jsonLines{a.log}, options)), nil
	case a.format == "auto" && cli.IsTerminal(os.Stderr):
		return slog.New(&lines{to: a.err, level: a.level}), nil
	case a.format == "auto" || a.format == "text":
		return slog.New(slog.NewTextHandler(a.log, options)), nil
	}
	return nil, usageError("--log must be text, json or auto")
}

// online is a command that reads from the service.
func (a *app) online(f func(context.Context, *mirror.Mirror) error, opts func() []mirror.Option) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		client, err := a.client()
		if err != nil {
			return err
		}
		return interrupted(cmd.Context(), a.with(cmd.Context(), false, client, f, opts()...))
	}
}

// local is a command that uses only the database.
func (a *app) local(f func(context.Context, *mirror.Mirror) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		client, err := offline()
		if err != nil {
			return err
		}
		return interrupted(cmd.Context(), a.with(cmd.Context(), false, client, f))
	}
}

// interrupted replaces the errors that an interrupt causes.
func interrupted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return errors.New("interrupted")
	}
	return err
}
