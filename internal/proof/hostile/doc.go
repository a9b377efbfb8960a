// Package hostile proves that no argument, option or response changes a call, forges a line of a
// log or gets past its bounds.
package hostile
