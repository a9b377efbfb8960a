// Package limits proves, counting on the service's side, that no 60 seconds contain more requests
// than the service allows, and that the budget is used.
package limits
