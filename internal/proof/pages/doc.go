// Package pages proves that pages requested side by side are those of a walk page by page, and that
// a filtered list is the list without what the filter excludes, or an error. It has only tests.
package pages
