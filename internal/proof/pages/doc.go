// Package pages proves that pages requested side by side are those of a walk page by page. It has
// only tests.
package pages
