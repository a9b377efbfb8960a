// T49 tracks shipments and containers from the command line.
//
//	export T49_API_TOKEN=...
//	t49 track MAEU240711002
//	t49 ready MSKU7182047 && dispatch
//
// Without an account, t49 simulator serves a simulated one.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/cmd/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		stop() // a second interrupt ends the process at once
	}()
	os.Exit(execute(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// execute runs a command and returns its exit status.
func execute(ctx context.Context, args []string, out, log io.Writer) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return (&app{}).run(ctx, cancel, args, out, log)
}

// run runs a command whose context cancel ends.
func (a *app) run(ctx context.Context, cancel context.CancelFunc, args []string, out, log io.Writer) int {
	printed := cli.NewOutput(out, cancel)
	a.giveUp = time.AfterFunc(never, func() { a.late.Store(true); cancel() })
	defer a.giveUp.Stop()
	a.screen, a.attended = screenOf(out), cli.IsTerminal(log)
	a.secrets.Add(cli.BareToken(os.Getenv("T49_API_TOKEN")))
	a.out, a.log = a.secrets.Hide(printed), a.secrets.Hide(log)
	root := a.root()
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err != nil && !a.started && printed.Failure() == nil {
		a.report(err)
		fmt.Fprintf(a.log, "Run \"%s --help\" for its arguments.\n", cmd.CommandPath())
		return exitUsage
	}
	if failure := printed.Failure(); failure != nil {
		err = endedBy(failure, err)
	} else if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = endedBy(a.interruption(), err)
	}
	if a.read.ListChanged {
		a.note("the list changed while it was read: rows may be missing; run the command again")
	}
	a.report(err)
	return statusOf(err)
}

// never is longer than any command runs.
const never = 1 << 62 * time.Nanosecond

// interruption returns what ended a command before its end.
func (a *app) interruption() error {
	if a.late.Load() {
		return errTimeOver
	}
	return errInterrupted
}

// endedBy replaces the errors that the end of a command caused. A write whose outcome is unknown
// remains: the user must know which one it was. Commands that run until they are interrupted do
// not return such errors.
func endedBy(cause, err error) error {
	left := slices.DeleteFunc(cli.Parts(err), func(part error) bool {
		return (errors.Is(part, context.Canceled) || errors.As(part, new(cli.OutputError))) && !terminal49.IsOutcomeUnknown(part)
	})
	return errors.Join(cause, errors.Join(left...))
}

// report prints an error: each of its parts, but those that are in the output. Unix tools do not
// report a closed output.
func (a *app) report(err error) {
	for _, part := range cli.Parts(err) {
		if errors.Is(part, errNo) || cli.IsClosedOutput(part) {
			continue
		}
		a.note("%s", cli.Line("t49: "+part.Error()))
	}
	if errors.Is(err, errNotFound) {
		a.note(notFoundHint)
	}
}

// app is the command line.
type app struct {
	out, log io.Writer // without secrets
	secrets  cli.Secrets
	screen   screen
	json     bool
	csv      bool
	limit    int
	from     string // --from
	fields   []string
	plain    bool                // --plain-http
	account  string              // --account
	timeout  time.Duration       // --timeout
	giveUp   *time.Timer         // ends the command after it
	late     atomic.Bool         // it has
	verbose  bool                // --verbose
	attended bool                // somebody reads standard error on a terminal
	noting   sync.Mutex          // the client's notes come from its goroutines
	started  bool                // the arguments were right
	options  []terminal49.Option // of the client, in tests
	client   *terminal49.Client
	read     terminal49.Response // of the list that the command prints
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "t49",
		Short: "Track ocean shipments and containers with Terminal49",
		Long: `Track ocean shipments and containers with Terminal49.

T49_API_TOKEN is the API key. There is no flag for it, because every user
can see flags in the process list. T49_API_BASE_URL is optional.
T49_ACCOUNT_ID selects an account of a user's token; an API key has only
one, and ignores it. Without an account, "t49 simulator" serves a simulated one.

Times are local times of their places, with the offset from UTC. "-" means not reported.

` + exitHelp,
		Version:           version(debug.ReadBuildInfo()),
		SilenceUsage:      true,
		SilenceErrors:     true,
		PersistentPreRunE: a.start,
	}
	root.SetOut(a.out) // before the completion command, which keeps it
	root.SetErr(a.log)
	flags := root.PersistentFlags()
	flags.BoolVar(&a.json, "json", false, "print the service's own JSON, one resource per line")
	flags.BoolVar(&a.plain, "plain-http", false, "send the token unencrypted, if T49_API_BASE_URL is http on another machine")
	flags.StringSliceVar(&a.fields, "fields", nil, "with --json, print only id, type and these `attributes`")
	flags.DurationVar(&a.timeout, "timeout", 0, "end with exit status 124 if it takes `longer`, such as 10m")
	flags.StringVar(&a.account, "account", "", "do nothing unless the token is of the account with this `name`, as whoami prints it")
	flags.BoolVarP(&a.verbose, "verbose", "v", false, "print each request, retry and wait to standard error, without the token")
	completeBy(root, "fields", attributesOf)
	root.SetFlagErrorFunc(explainFlag)
	root.AddCommand(a.track(), a.trackingRequests(), a.shipments(), a.containers(), a.ready(), a.fees(), a.cost(), a.events(), a.watch(),
		a.search(), a.shippingLines(), a.parties(), a.whoami(), a.webhooks(), a.api(), a.doctor(), a.simulator())
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	cli.RefuseTopics(root)
	root.InitDefaultCompletionCmd()
	for _, one := range root.Commands() {
		refuseUnknown(one)
	}
	return root
}

var (
	unknownFlag = regexp.MustCompile(`^unknown flag: --(.+)`)
	flagNames   = regexp.MustCompile(`(?m)^ +(?:-\w, )?--([\w-]+)`)
)

// explainFlag returns the error of a flag with what to do.
func explainFlag(cmd *cobra.Command, err error) error {
	if strings.Contains(err.Error(), "time: ") {
		return fmt.Errorf("%w; write it like 24h or 30m", err)
	}
	if text, _, isNumber := strings.Cut(err.Error(), ": strconv."); isNumber {
		return errors.New(text + ": it must be a number")
	}
	var names []string
	for _, flag := range flagNames.FindAllStringSubmatch(cmd.Flags().FlagUsages(), -1) {
		names = append(names, flag[1])
	}
	if unknown := unknownFlag.FindStringSubmatch(err.Error()); unknown != nil {
		if near := nearest(unknown[1], names); near != "" {
			return fmt.Errorf("%w (did you mean --%s?)", err, near)
		}
	}
	return err
}

// refuseUnknown has a command that only groups others refuse a name that none of them has. cobra
// prints the help, and succeeds.
func refuseUnknown(group *cobra.Command) {
	if group.Runnable() || !group.HasSubCommands() {
		return
	}
	var names []string
	for _, one := range group.Commands() {
		names = append(names, one.Name())
	}
	group.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return fmt.Errorf("%s is not %s", plain(args[0]), instead(args[0], names))
	}
	group.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
}

// start runs before each command.
func (a *app) start(cmd *cobra.Command, _ []string) error {
	isAPI := cmd.Name() == apiName
	a.json = a.json || isAPI
	switch {
	case len(a.fields) > 0 && !a.json:
		return errors.New("--fields selects attributes of --json; add --json")
	case a.csv && a.json:
		return errors.New("--csv and --json exclude each other")
	case cmd.Flags().Changed("limit") && a.limit < 1:
		return errors.New("--limit must be 1 or more")
	case cmd.Flags().Changed("timeout") && a.timeout <= 0:
		return errors.New("--timeout must be positive, such as 10m")
	}
	if err := checkFields(a.fields, attributesOf(cmd)); err != nil && !isAPI {
		return err
	}
	if err := cmd.ValidateFlagGroups(); err != nil {
		return err
	}
	a.started = true
	if a.timeout > 0 {
		a.giveUp.Reset(a.timeout)
	}
	if cmd.Flags().Changed("account") {
		return a.checkAccount(cmd.Context(), a.account)
	}
	return nil
}

// connect makes the client. Commands that send nothing need none.
func (a *app) connect() (*terminal49.Client, error) {
	if a.client != nil {
		return a.client, nil
	}
	if os.Getenv("T49_API_TOKEN") == "" {
		return nil, usageError{errors.New(`T49_API_TOKEN is not set: set it to your API key, or run "t49 simulator" and set what it prints`)}
	}
	opts := slices.Concat([]terminal49.Option{terminal49.WithUserAgent("t49/" + terminal49.Version)}, a.traffic(), a.options)
	if a.plain {
		opts = append(opts, terminal49.WithPlainHTTP())
	}
	client, err := terminal49.NewFromEnv(opts...)
	a.client = client
	return client, ofEnvironment(err)
}

// ofEnvironment returns the error of a variable in the words of a command.
func ofEnvironment(err error) error {
	var argument *terminal49.ArgumentError
	if !errors.As(err, &argument) || argument.Op != "NewFromEnv" {
		return err
	}
	problem := strings.Replace(argument.Problem, "WithPlainHTTP", "--plain-http", 1)
	return usageError{fmt.Errorf("%s %s", argument.Field, problem)}
}
