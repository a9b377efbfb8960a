// Package limits proves that no 60 seconds contain more requests than the service allows, and that
// the budget is used. The simulated service counts the requests.
package limits
