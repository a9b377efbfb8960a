package control

import "github.com/go-freight/terminal49/terminal49test/internal/forms"

// play runs the commands of a scenario.
func (r *runner) play(name string) error {
	return &forms.Error{Member: "scenario", Problem: "is not known"}
}
