// Package conformance proves what a caller gets from every operation under every fault:
// faults_test.go is the promise, and page_test.go writes it to docs/reliability.md.
package conformance
