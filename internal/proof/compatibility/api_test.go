package compatibility_test

import (
	"bufio"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/go-freight/terminal49"

// goAPI returns what programs can name of each public package, a line for each name and property,
// as Go keeps the API of its own library. A name of the root package is written without its
// package. Like Go's promise it excludes unkeyed literals of structs, and names of parameters. It
// has the defaults of VerdictOptions.
func goAPI(t *testing.T) []string {
	readAPI.Do(func() { publicAPI = append(linesOf(publicPackages(t)...), verdictDefaults()...) })
	if publicAPI == nil {
		t.Fatal("the API could not be read")
	}
	return publicAPI
}

// The API is read once.
var (
	readAPI   sync.Once
	publicAPI []string
)

func linesOf(packages ...*types.Package) []string {
	a := &api{seen: map[*types.TypeName]bool{}, aliases: map[*types.TypeName]string{}}
	for _, p := range packages {
		a.addAliases(p)
	}
	for _, p := range packages {
		a.addPackage(p)
	}
	return a.lines
}

// unpublished reports whether users get no API of a package or a module.
func unpublished(path string) bool {
	return strings.Contains(path+"/", "/internal/") || strings.HasPrefix(path, module+"/examples")
}

// publicPackages returns the packages of all modules that others can import, from the compiler's
// export data.
func publicPackages(t *testing.T) (packages []*types.Package) {
	var public []string
	for _, entry := range strings.Fields(goList(t, "-f", "{{if .GoFiles}}{{.ImportPath}}={{.Name}}{{end}}", module+"/...")) {
		if path, name, _ := strings.Cut(entry, "="); name != "main" && !unpublished(path) {
			public = append(public, path)
		}
	}
	exports := map[string]string{}
	list := goList(t, append([]string{"-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}, public...)...)
	for lines := bufio.NewScanner(strings.NewReader(list)); lines.Scan(); {
		path, file, _ := strings.Cut(lines.Text(), " ")
		exports[path] = file
	}
	imports := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, path := range public {
		p, err := imports.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	return packages
}

// goList runs go list in the root of the repository.
func goList(t *testing.T, arguments ...string) string {
	t.Helper()
	return must(tool{in: root}.run("go", append([]string{"list"}, arguments...)...))(t)
}

type api struct {
	lines   []string
	seen    map[*types.TypeName]bool
	aliases map[*types.TypeName]string // the public names of types of internal packages
	given   int                        // above 0 inside of parameters
}

// addAliases collects the types of internal packages that a package publishes.
func (a *api) addAliases(p *types.Package) {
	for _, name := range p.Scope().Names() {
		if object, ok := p.Scope().Lookup(name).(*types.TypeName); ok && object.Exported() && object.IsAlias() {
			if named, ok := types.Unalias(object.Type()).(*types.Named); ok && unpublished(named.Obj().Pkg().Path()) {
				a.aliases[named.Obj()] = nameIn(p, name)
			}
		}
	}
}

// hidden reports whether programs cannot name a type of this repository.
func (a *api) hidden(object *types.TypeName) bool {
	return a.aliases[object] == "" && strings.HasPrefix(object.Pkg().Path()+"/", module+"/") &&
		(!object.Exported() || unpublished(object.Pkg().Path()))
}

func (a *api) add(name, format string, values ...any) {
	a.lines = append(a.lines, name+": "+fmt.Sprintf(format, values...))
}

func (a *api) addPackage(p *types.Package) {
	a.add(p.Path(), "package")
	for _, name := range p.Scope().Names() {
		object := p.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		switch object := object.(type) {
		case *types.Const:
			a.add(nameIn(p, name), "const %s = %s", a.text(object.Type()), object.Val().ExactString())
		case *types.Var:
			a.add(nameIn(p, name), "var %s", a.text(object.Type()))
		case *types.Func:
			a.add(nameIn(p, name), "%s", a.text(object.Type()))
		case *types.TypeName:
			a.addType(object)
		}
	}
}

// nameIn returns the name by which CHANGELOG.md refers to a symbol of a package.
func nameIn(p *types.Package, name string) string {
	if p.Path() == module {
		return name
	}
	return p.Name() + "." + name
}

func (a *api) addType(object *types.TypeName) {
	if a.seen[object] {
		return
	}
	a.seen[object] = true
	name := nameIn(object.Pkg(), object.Name())
	if object.IsAlias() {
		if target, ok := types.Unalias(object.Type()).(*types.Named); !ok || a.aliases[target.Obj()] != name {
			a.add(name, "type = %s", a.text(object.Type()))
			return
		}
		object = types.Unalias(object.Type()).(*types.Named).Obj()
	}
	named := object.Type().(*types.Named)
	parameters := a.parameters(named.TypeParams())
	switch under := named.Underlying().(type) {
	case *types.Struct:
		if !a.hidden(object) {
			a.add(name, "type%s struct", parameters)
		}
		a.addFields(name, under)
	case *types.Interface:
		a.addInterface(name+parameters, under)
	default:
		a.add(name, "type%s %s", parameters, a.text(under))
	}
	if types.Comparable(named) && !a.hidden(object) {
		a.add(name, "comparable")
	}
	if !types.IsInterface(named) {
		a.addMethods(name, named)
	}
}

// addFields adds the fields that programs can select, also those of embedded types without an
// exported name.
func (a *api) addFields(name string, s *types.Struct) {
	for i := range s.NumFields() {
		field := s.Field(i)
		if field.Exported() {
			tag := reflect.StructTag(s.Tag(i)).Get("json")
			a.add(name+"."+field.Name(), "field %s", strings.TrimSpace(a.text(field.Type())+" "+tag))
			continue
		}
		if inner, ok := dereferenced(field.Type()).Underlying().(*types.Struct); ok && field.Embedded() {
			a.addFields(name, inner)
		}
	}
}

func dereferenced(t types.Type) types.Type {
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		return pointer.Elem()
	}
	return t
}

// addInterface adds an interface. A new method breaks its implementations, so it is one line,
// unless an unexported method keeps programs from implementing it.
func (a *api) addInterface(name string, i *types.Interface) {
	var methods []string
	sealed := false
	for method := range i.Methods() {
		sealed = sealed || !method.Exported()
		if method.Exported() {
			methods = append(methods, method.Name()+strings.TrimPrefix(a.text(method.Type()), "func"))
		}
	}
	if !sealed {
		a.add(name, "interface %s", a.text(i))
		return
	}
	a.add(name, "interface that programs cannot implement")
	for _, method := range methods {
		a.add(name, "interface method %s", method)
	}
}

// addMethods adds the methods of a type and of its pointer. That a value has one is a promise of
// its own.
func (a *api) addMethods(name string, named *types.Named) {
	values := types.NewMethodSet(named)
	for selection := range types.NewMethodSet(types.NewPointer(named)).Methods() {
		method := selection.Obj()
		if !method.Exported() {
			continue
		}
		a.add(name+"."+method.Name(), "method %s", a.text(selection.Type()))
		if values.Lookup(method.Pkg(), method.Name()) != nil {
			a.add(name+"."+method.Name(), "method of a value")
		}
	}
}

// parameters returns a list of type parameters with their constraints.
func (a *api) parameters(list *types.TypeParamList) string {
	var each []string
	for p := range list.TypeParams() {
		each = append(each, a.text(p.Constraint()))
	}
	if each == nil {
		return ""
	}
	return "[" + strings.Join(each, ", ") + "]"
}

// text returns a type as Go writes it, but without names of parameters and with the paths of
// packages. Of a type that programs cannot name it adds what they can use of its values.
func (a *api) text(t types.Type) string {
	switch t := t.(type) {
	case *types.Alias:
		return a.text(types.Unalias(t))
	case *types.Named:
		return a.named(t)
	case *types.TypeParam:
		return fmt.Sprintf("$%d", t.Index())
	case *types.Pointer:
		return "*" + a.text(t.Elem())
	case *types.Slice:
		return "[]" + a.text(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), a.text(t.Elem()))
	case *types.Map:
		return "map[" + a.text(t.Key()) + "]" + a.text(t.Elem())
	case *types.Chan:
		return [...]string{"chan ", "chan<- ", "<-chan "}[t.Dir()] + a.text(t.Elem())
	case *types.Signature:
		return "func" + a.parameters(t.TypeParams()) + a.signature(t)
	case *types.Struct:
		return "struct {" + a.fieldList(t) + "}"
	case *types.Interface:
		return "{" + a.elements(t) + "}"
	case *types.Union:
		var terms []string
		for term := range t.Terms() {
			terms = append(terms, map[bool]string{true: "~"}[term.Tilde()]+a.text(term.Type()))
		}
		return strings.Join(terms, " | ")
	}
	return t.String()
}

func (a *api) named(t *types.Named) string {
	object := t.Obj()
	if object.Pkg() == nil {
		return object.Name() // error, comparable
	}
	name := a.aliases[object]
	if name == "" {
		name = strings.TrimLeft(strings.TrimPrefix(object.Pkg().Path(), module)+"."+object.Name(), "./")
	}
	if a.hidden(object) {
		name = "(type without a name)"
		if a.given == 0 {
			a.addType(t.Origin().Obj())
		}
	}
	var arguments []string
	for argument := range t.TypeArgs().Types() {
		arguments = append(arguments, a.text(argument))
	}
	if arguments != nil {
		name += "[" + strings.Join(arguments, ", ") + "]"
	}
	return name
}

func (a *api) signature(t *types.Signature) string {
	var parameters, results []string
	a.given++
	for v := range t.Params().Variables() {
		parameters = append(parameters, a.text(v.Type()))
	}
	a.given--
	if t.Variadic() {
		parameters[len(parameters)-1] = "..." + strings.TrimPrefix(parameters[len(parameters)-1], "[]")
	}
	for v := range t.Results().Variables() {
		results = append(results, a.text(v.Type()))
	}
	text := "(" + strings.Join(parameters, ", ") + ")"
	switch len(results) {
	case 0:
		return text
	case 1:
		return text + " " + results[0]
	}
	return text + " (" + strings.Join(results, ", ") + ")"
}

func (a *api) fieldList(t *types.Struct) string {
	var fields []string
	for field := range t.Fields() {
		fields = append(fields, field.Name()+" "+a.text(field.Type()))
	}
	return strings.Join(fields, "; ")
}

func (a *api) elements(t *types.Interface) string {
	var elements []string
	for method := range t.Methods() {
		elements = append(elements, method.Name()+a.signature(method.Signature()))
	}
	for embedded := range t.EmbeddedTypes() {
		if !types.IsInterface(embedded) || embedded == types.Universe.Lookup("comparable").Type() {
			elements = append(elements, a.text(embedded))
		}
	}
	slices.Sort(elements)
	return strings.Join(elements, "; ")
}
