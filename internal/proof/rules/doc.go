// Package rules holds the rules of the library against data and statements of the service: values
// of its OpenAPI document and guides, and properties that hold for every container.
package rules
