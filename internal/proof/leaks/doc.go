// Package leaks proves that calls, iterators, files and deliveries leave no goroutine, connection
// or body behind, however they end.
package leaks
