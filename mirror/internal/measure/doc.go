// Package measure has the measures of the mirror. They use it as any program does; those of memory
// and CPU time have processes of their own. They run with MEASURE=1; measured.md of the
// proofs lists their commands.
package measure
