module github.com/go-freight/terminal49/internal/proof/fleet

go 1.26.0

require (
	github.com/go-freight/terminal49 v0.1.0
	github.com/go-freight/terminal49/redisstore v0.1.0
	github.com/go-freight/terminal49/sqlstore v0.1.0
	github.com/jackc/pgx/v5 v5.12.0
	github.com/redis/go-redis/v9 v9.23.0
	github.com/stretchr/testify v1.12.1
	modernc.org/sqlite v1.59.0
)
