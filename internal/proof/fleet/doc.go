// Package fleet proves, with real processes and real engines, that processes which share an API key
// keep within its rate limit, and that receivers which share a store lose no notification. It is a
// module of its own because it needs both stores.
package fleet
