// Package limits proves that no 60 seconds have more requests than the service allows, and that the
// budget is used, counted from the side of the service.
package limits
