// Package memory proves upper bounds on what responses, deliveries and lists allocate.
package memory
