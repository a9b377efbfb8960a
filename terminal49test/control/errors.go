package control

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-freight/terminal49/terminal49test/internal/forms"
)

// CommandError is returned for a command that cannot be executed. It names where the mistake is.
type CommandError struct {
	Line    int    `json:"line,omitzero"`    // on which the command begins, from 1; 0 if the error is not about a command
	Command string `json:"command,omitzero"` // such as "fault"
	Member  string `json:"member,omitzero"`  // such as "steps[2].spot"
	Message string `json:"message"`          // what is wrong, and what is required
}

// Error returns the line, the command and the message.
func (e *CommandError) Error() string {
	var parts []string
	if e.Line > 0 {
		parts = append(parts, "line "+strconv.Itoa(e.Line))
	}
	if e.Command != "" {
		parts = append(parts, e.Command)
	}
	return strings.Join(append(parts, e.Message), ": ")
}

// refusedError is an error with the status of its response.
type refusedError struct {
	status int
	CommandError
}

func refused(status int, message string) error {
	return &refusedError{status, CommandError{Message: message}}
}

// explain returns the status and the error object of a response. Any other error than those of this
// package and of a form is one of the request's values.
func explain(err error) (status int, e CommandError) {
	var own *refusedError
	var command *CommandError
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &own):
		return own.status, own.CommandError
	case errors.As(err, &tooLong):
		return http.StatusRequestEntityTooLarge, CommandError{Message: "the body must be at most " + strconv.FormatInt(tooLong.Limit, 10) + " bytes"}
	case errors.As(err, &command):
		return http.StatusUnprocessableEntity, *command
	}
	return http.StatusUnprocessableEntity, *inCommand("", err)
}

// inCommand returns an error of a command's value.
func inCommand(name string, err error) *CommandError {
	e := &CommandError{Command: name, Message: err.Error()}
	var form *forms.Error
	if errors.As(err, &form) {
		e.Member = form.Member
	}
	return e
}
