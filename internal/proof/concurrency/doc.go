// Package concurrency proves that many goroutines may share a client, its arguments and a receiver.
package concurrency
