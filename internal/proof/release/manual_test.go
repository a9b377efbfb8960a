package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The form of the help is cobra's.
func TestPage_Render(t *testing.T) {
	help := `Track numbers.
.It goes on.

Exit status:
  0  it worked; or a long text
     goes on
124  the time is over

Usage:
  t49 track NUMBER... [flags]

Available Commands:
  help        Help about any command
  sub-one     The first
  second-longest Another  one

Flags:
      --from file   take the numbers; - is \input

Use "t49 track [command] --help" for more information about a command.
`
	p := &page{words: []string{"t49", "track"}, title: "Track it", version: "1.2.3", date: day}
	require.Equal(t, `.TH "T49-TRACK" 1 "2026-11-26" "t49 1.2.3" "User Commands"
.SH NAME
t49\-track \- Track it
.SH DESCRIPTION
Track numbers.
\&.It goes on.
.PP
.SH EXIT STATUS
.TP
.B "0"
it worked; or a long text
goes on
.TP
.B "124"
the time is over
.PP
.SH USAGE
.nf
t49 track NUMBER... [flags]
.PP
.fi
.SH AVAILABLE COMMANDS
.TP
.B "sub\-one"
The first
.TP
.B "second\-longest"
Another  one
.PP
.SH FLAGS
.TP
.B "\-\-from file"
take the numbers; \- is \einput
.PP
.SH SEE ALSO
t49\-track\-sub\-one(1), t49\-track\-second\-longest(1), t49(1)
`, p.render(help))
	require.Equal(t, []item{{"sub-one", "The first"}, {"second-longest", "Another  one"}}, p.below)
}
