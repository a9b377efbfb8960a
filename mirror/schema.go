package mirror

import (
	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/sqlstore"
)

// SchemaOptions are options of [Schema]. The zero value means the schema of a mirror without
// [WithSchema], and no roles.
type SchemaOptions struct {
	// Name is the name of the schema, as in [WithSchema]. Only Postgres has schemas and roles.
	Name string

	// Owner owns the schema and the tables. Without it, they belong to the role that executes the
	// statements.
	Owner string
	// Writer may do what [Mirror.Run] needs, and nothing else: it cannot create or drop.
	Writer string
	// Reader may select from all tables and views.
	Reader string
}

// Schema returns the statements that create everything that [Mirror.Migrate] does, and the roles of
// o that do not exist, without passwords. They are for an administrator, or for programs with
// migrations of their own. The writer can then run the mirror without the right to create anything.
// The statements leave existing tables unchanged; execute those of a later version before it runs.
//
// Errors: *terminal49.ArgumentError.
func Schema(dialect sqlstore.Dialect, o SchemaOptions) (string, error) {
	if err := o.check(dialect); err != nil {
		return "", err
	}
	return schema.Script(o).Statements(dialect), nil
}

func (o SchemaOptions) check(dialect sqlstore.Dialect) error {
	fault := func(field, problem string) error {
		return &terminal49.ArgumentError{Op: "mirror.Schema", Field: field, Problem: problem}
	}
	switch {
	case dialect != sqlstore.Postgres && dialect != sqlstore.SQLite:
		return fault("dialect", "must be Postgres or SQLite")
	case dialect == sqlstore.SQLite && o != (SchemaOptions{}):
		return fault("SchemaOptions", "must be empty for SQLite, which has no schemas and no roles")
	case o.Name != "" && schema.NameProblem(o.Name) != "":
		return fault("Name", schema.NameProblem(o.Name))
	}
	for field, role := range map[string]string{"Owner": o.Owner, "Writer": o.Writer, "Reader": o.Reader} {
		if problem := schema.RoleProblem(role); role != "" && problem != "" {
			return fault(field, problem)
		}
	}
	return nil
}
