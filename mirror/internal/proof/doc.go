// Package proof proves that a mirror does what its documentation promises: with processes that are
// killed at every point, with random histories, with faults of the service and of the databases.
// It is below mirror because it uses the points of mirror/internal/worker.
package proof
