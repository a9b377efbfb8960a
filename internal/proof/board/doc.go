// Package board looks at examples/board in a real browser.
package board
