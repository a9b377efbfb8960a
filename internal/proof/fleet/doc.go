// Package fleet proves with real processes and real engines that processes with one API key keep
// within its rate limit, and that receivers with one store lose no notification. It is a module of
// its own because it needs both stores.
package fleet
