module github.com/go-freight/terminal49/internal/bench

go 1.25.0

require github.com/hashicorp/jsonapi v1.5.0
