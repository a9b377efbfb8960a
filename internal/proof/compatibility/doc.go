// Package compatibility checks promised surfaces of the repository, seen from outside, against
// what the last release promised. README.md has what each promises.
//
// A surface is a list of promises, one a line: a name, ": " and a detail, or the name alone. The
// promises of the last release are in baseline/<surface>.txt. A line that is gone or changed is a
// break, which fails unless CHANGELOG.md names it under "### Incompatible changes" of its newest
// section. An added line is an addition. Before anything is released, nothing is promised: then a
// change is written to the baseline, where a reviewer sees it:
//
//	go test -C internal/proof/compatibility -update
//
// The baselines of a release are written when it is cut, by the same command.
package compatibility
