// Package board tests examples/board in a real browser.
package board
