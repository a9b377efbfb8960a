// Package conformance proves the result of every operation under every fault: faults_test.go states
// the results, and page_test.go writes them to internal/proof/reliability.md.
package conformance
