// Package setup tests what a newcomer does first: installing, the first commands of the guides, and
// the files in deploy.
package setup
