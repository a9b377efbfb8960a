package main

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// source is the package that the generator reads.
type source struct {
	fset     *token.FileSet
	structs  map[string]*object
	order    []*object
	enums    []*enum
	methods  map[string]bool // by "Type.method", those written by hand
	declared map[string]bool // functions and types, by name
	strings  map[string]bool // named types of text
	faults   []error
}

// object is a struct with tagged fields: a resource, or a value object in one.
type object struct {
	name   string
	wire   []string // wire types of a resource; none for a value object
	reader string   // the type that has the members, if that is another one
	fields []*field
	pos    token.Pos
}

// enum is a type of text with constants.
type enum struct {
	name   string
	wanted bool // has a directive: Known is generated
	names  []string
	values []string
	pos    token.Pos
}

// parse reads the package in a folder, without tests and generated files.
func parse(folder string) (*source, error) {
	s := &source{fset: token.NewFileSet(), structs: map[string]*object{}, methods: map[string]bool{},
		declared: map[string]bool{}, strings: map[string]bool{}}
	files, err := s.files(folder)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		s.declarations(file)
	}
	for _, file := range files {
		s.typesOf(file)
	}
	for _, file := range files {
		s.constants(file)
	}
	s.check()
	return s, errors.Join(s.faults...)
}

func (s *source) files(folder string) (files []*ast.File, err error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "_gen.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(s.fset, filepath.Base(path), text, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, err
}

// fault records an error at a place in the sources.
func (s *source) fault(at token.Pos, format string, args ...any) {
	s.faults = append(s.faults, fmt.Errorf("%s: %s", s.fset.Position(at), fmt.Sprintf(format, args...)))
}

// declarations notes the names of functions, methods and types.
func (s *source) declarations(file *ast.File) {
	for _, d := range file.Decls {
		switch f, ok := d.(*ast.FuncDecl); {
		case ok && f.Recv == nil:
			s.declared[f.Name.Name] = true
		case ok:
			s.methods[typeName(f.Recv.List[0].Type)+"."+f.Name.Name] = true
		}
	}
	eachIn(file, token.TYPE, func(_ *ast.GenDecl, t *ast.TypeSpec) { s.declared[t.Name.Name] = true })
}

// typeName returns the name of a type without its pointer, list or arguments, such as "Port" of
// []*Port.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.ArrayType:
		return typeName(e.Elt)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// typesOf reads the types of a file, with the directives above them.
func (s *source) typesOf(file *ast.File) {
	eachIn(file, token.TYPE, func(group *ast.GenDecl, t *ast.TypeSpec) {
		doc := t.Doc
		if doc == nil {
			doc = group.Doc
		}
		s.addType(t, s.directives(doc))
	})
}

// eachIn calls visit for each declaration of a kind in a file.
func eachIn[S ast.Spec](file *ast.File, kind token.Token, visit func(*ast.GenDecl, S)) {
	for _, d := range file.Decls {
		if group, ok := d.(*ast.GenDecl); ok && group.Tok == kind {
			for _, spec := range group.Specs {
				visit(group, spec.(S))
			}
		}
	}
}

// directives returns the words of each line "//t49:name word ..." by name.
func (s *source) directives(doc *ast.CommentGroup) map[string][]string {
	found := map[string][]string{}
	if doc == nil {
		return found
	}
	for _, line := range doc.List {
		text, ok := strings.CutPrefix(line.Text, "//t49:")
		if !ok {
			continue
		}
		words := strings.Fields(text)
		if len(words) == 0 || !slices.Contains([]string{"resource", "members", "enum"}, words[0]) {
			s.fault(line.Pos(), "//t49:%s: want resource, members or enum", text)
			continue
		}
		found[words[0]] = words[1:]
	}
	return found
}

func (s *source) addType(t *ast.TypeSpec, directives map[string][]string) {
	text, isText := t.Type.(*ast.Ident)
	_, wanted := directives["enum"]
	if isText && text.Name == "string" {
		s.strings[t.Name.Name] = true
		s.enums = append(s.enums, &enum{name: t.Name.Name, wanted: wanted, pos: t.Pos()})
	} else if wanted {
		s.fault(t.Pos(), "%s: only a type of string may be an enumeration", t.Name.Name)
	}
	st, isStruct := t.Type.(*ast.StructType)
	wire, isResource := directives["resource"]
	if isResource && (!isStruct || len(wire) == 0) {
		s.fault(t.Pos(), "%s: a resource must be a struct, and its directive must name its wire types", t.Name.Name)
	}
	if isStruct {
		o := &object{name: t.Name.Name, wire: wire, pos: t.Pos(), reader: t.Name.Name}
		if reader, is := directives["members"]; is {
			o.reader = strings.Join(reader, " ")
		}
		s.addFields(o, st)
	}
}

// addFields reads the fields of a struct, which is an object if one of them has a tag or it is a
// resource.
func (s *source) addFields(o *object, st *ast.StructType) {
	embeds := false
	var untagged []*ast.Field
	for _, f := range st.Fields.List {
		embeds = embeds || len(f.Names) == 0 && typeName(f.Type) == "Resource"
		if tag, ok := tagOf(f); ok {
			o.fields = append(o.fields, s.field(o, f, tag))
		} else if len(f.Names) > 0 && f.Names[0].IsExported() {
			untagged = append(untagged, f)
		}
	}
	if len(o.wire) == 0 && len(o.fields) == 0 {
		return
	}
	if len(o.wire) > 0 && !embeds {
		s.fault(o.pos, "%s: a resource must embed Resource", o.name)
	}
	for _, f := range untagged {
		s.fault(f.Pos(), `%s.%s: needs a tag t49: its name on the wire, or "-" if nothing reads it`, o.name, f.Names[0])
	}
	s.structs[o.name] = o
	s.order = append(s.order, o)
}

func tagOf(f *ast.Field) (text string, ok bool) {
	if f.Tag == nil {
		return "", false
	}
	tag, err := strconv.Unquote(f.Tag.Value)
	if err != nil {
		return "", false
	}
	return reflect.StructTag(tag).Lookup("t49")
}

// constants collects the constants of enumerations in the order of the sources.
func (s *source) constants(file *ast.File) {
	eachIn(file, token.CONST, func(_ *ast.GenDecl, v *ast.ValueSpec) {
		i := slices.IndexFunc(s.enums, func(e *enum) bool { return e.name == typeName(v.Type) })
		if i < 0 || len(v.Values) != 1 {
			return
		}
		if literal, ok := v.Values[0].(*ast.BasicLit); ok {
			s.addConstant(s.enums[i], v.Names[0], literal)
		}
	})
}

func (s *source) addConstant(to *enum, name *ast.Ident, literal *ast.BasicLit) {
	value, _ := strconv.Unquote(literal.Value)
	to.names, to.values = append(to.names, name.Name), append(to.values, value)
	if !name.IsExported() && to.wanted {
		s.fault(name.Pos(), "%s: a value of an enumeration must be exported", name)
	}
}

// check finds what only the whole package shows.
func (s *source) check() {
	for _, o := range s.order {
		for _, f := range o.fields {
			s.checkField(o, f)
		}
	}
	wires := map[string]string{}
	for _, o := range s.order {
		for _, wire := range o.wire {
			if other, twice := wires[wire]; twice {
				s.fault(o.pos, "%s: the wire type %s is already that of %s", o.name, wire, other)
			}
			wires[wire] = o.name
		}
		if !s.declared[o.reader] {
			s.fault(o.pos, "%s: //t49:members %s: no type has that name", o.name, o.reader)
		}
		if s.methods[o.reader+".members"] {
			s.fault(o.pos, "%s: members is generated from the tags; delete the method", o.reader)
		}
	}
	for _, e := range s.enums {
		if e.wanted && len(e.values) == 0 {
			s.fault(e.pos, "%s: an enumeration needs constants", e.name)
		}
	}
	slices.SortFunc(s.order, func(a, b *object) int { return cmp.Compare(a.name, b.name) })
	slices.SortFunc(s.enums, func(a, b *enum) int { return cmp.Compare(a.name, b.name) })
}
