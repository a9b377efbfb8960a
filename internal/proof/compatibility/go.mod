module github.com/go-freight/terminal49/internal/proof/compatibility

go 1.26.0
