package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49/mirror"
)

// notOnce are the flags of run that have no effect with --once, each with why and what to do.
var notOnce = []struct{ name, remedy string }{
	{"demo", "which reads an account: try run --demo --for 30s"},
	{"for", "which ends when everything is read: leave out one of them"},
	{"listen", "which serves nothing: leave out one of them"},
	{"url", "which receives no webhooks: leave out one of them"},
	{"metrics", "which serves nothing: leave out one of them; terminal49-mirror status has the same figures"},
	{"keep-changes", "which deletes no old rows: use it with a run that goes on"},
	{"keep-inbox", "which deletes no old rows: use it with a run that goes on"},
	{"keep-facts", "which deletes no old rows: use it with a run that goes on"},
}

// checkEffects refuses the flags that have no effect with --once or --demo.
func (f *runFlags) checkEffects(cmd *cobra.Command) error {
	for _, refused := range notOnce {
		if f.once && isSet(cmd, refused.name) {
			return usageError("--" + refused.name + " cannot be combined with --once, " + refused.remedy)
		}
	}
	if f.demo && isSet(cmd, "share") {
		return usageError("--share cannot be combined with --demo, which has no rate limit: leave out one of them")
	}
	return nil
}

// isSet reports whether a flag has another value than its default.
func isSet(cmd *cobra.Command, name string) bool {
	flag := cmd.Flags().Lookup(name)
	return flag.Value.String() != flag.DefValue
}

// once walks over everything and prints the status. It returns errDiffers if rows wait for a
// confirmation.
func (a *app) once(ctx context.Context, m *mirror.Mirror) error {
	walking, stop := context.WithCancel(ctx)
	shown := a.showProgress(walking, m)
	err := m.Reconcile(walking)
	stop()
	<-shown
	var unconfirmed *mirror.UnconfirmedError
	if err != nil && !errors.As(err, &unconfirmed) {
		return err
	}
	s, err := m.Status(ctx)
	if err != nil {
		return err
	}
	if err := printStatus(a.out, s); err != nil || unconfirmed == nil {
		return err
	}
	a.complain(unconfirmed.Error())
	return errDiffers
}

// explainVerb has the error about a verb of earlier commits name what took its place.
func explainVerb(err error) error {
	if err != nil && strings.HasPrefix(err.Error(), `unknown command "reconcile" `) {
		return usageError(`unknown command "reconcile"; use run --once`)
	}
	return err
}
