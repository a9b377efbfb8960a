// Package measure has the measures of the mirror that need processes of their own: their memory and
// CPU time are read. Its tests run with MIRROR_MEASURE=1; see CONTRIBUTING.md.
package measure
