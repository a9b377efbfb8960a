// Package memory proves what responses, deliveries and lists may allocate at most.
package memory
