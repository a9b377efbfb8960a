module github.com/go-freight/terminal49/internal/bench

go 1.25.0

require (
	github.com/go-freight/terminal49 v0.1.0
	github.com/hashicorp/jsonapi v1.5.0
)

require (
	github.com/google/uuid v1.6.0 // indirect
	github.com/hashicorp/go-cleanhttp v0.5.2 // indirect
	github.com/hashicorp/go-retryablehttp v0.7.8 // indirect
	github.com/shopspring/decimal v1.6.0 // indirect
	golang.org/x/time v0.15.0 // indirect
)
