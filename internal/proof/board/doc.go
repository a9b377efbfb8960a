// Package board tests cmd/terminal49-board in a real browser.
package board
