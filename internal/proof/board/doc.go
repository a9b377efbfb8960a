// Package board tests the verb board of terminal49-mirror in a real browser.
package board
