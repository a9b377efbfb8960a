// Package secrets proves that no value, log line, error or request shows a secret.
package secrets
