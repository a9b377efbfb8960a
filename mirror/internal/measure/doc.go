// Package measure has the measures of the mirror that need processes of their own: their memory and
// CPU time are read. They run with MIRROR_MEASURE=1; docs/mirror-measured.md lists their commands.
package measure
