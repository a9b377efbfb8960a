// Package schedules proves with random faults over real sockets that a creation acts at most once,
// that a nil error means that the service acted, and that an error whose outcome is not unknown
// means that it did not. Every schedule comes from a seed, and a failure prints it. This runs one
// seed again, and often, because net/http and the kernel are not bound by it:
//
//	SEED=17 go test -run TestSchedules -count 100 ./internal/proof/schedules
package schedules
