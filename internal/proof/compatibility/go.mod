module github.com/go-freight/terminal49/internal/proof/compatibility

go 1.26.0

require (
	github.com/go-freight/terminal49 v0.1.0
	github.com/go-freight/terminal49/sqlstore v0.1.0
)

require (
	github.com/google/uuid v1.6.0 // indirect
	github.com/shopspring/decimal v1.6.0 // indirect
)
