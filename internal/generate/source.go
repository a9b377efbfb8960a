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
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				s.declared[d.Name.Name] = true
			} else {
				s.methods[typeName(d.Recv.List[0].Type)+"."+d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if t, ok := spec.(*ast.TypeSpec); ok {
					s.declared[t.Name.Name] = true
				}
			}
		}
	}
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
	for _, d := range file.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok || group.Tok != token.TYPE {
			continue
		}
		for _, spec := range group.Specs {
			t := spec.(*ast.TypeSpec)
			doc := t.Doc
			if doc == nil {
				doc = group.Doc
			}
			s.addType(t, s.directives(doc))
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
		s.enums = append(s.enums, &enum{name: t.Name.Name, wanted: wanted})
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
		if reader := directives["members"]; len(reader) == 1 {
			o.reader = reader[0]
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
	for _, d := range file.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			v := spec.(*ast.ValueSpec)
			i := slices.IndexFunc(s.enums, func(e *enum) bool { return e.name == typeName(v.Type) })
			if i < 0 || len(v.Values) != 1 {
				continue
			}
			literal, ok := v.Values[0].(*ast.BasicLit)
			if !ok {
				continue
			}
			value, _ := strconv.Unquote(literal.Value)
			s.enums[i].names = append(s.enums[i].names, v.Names[0].Name)
			s.enums[i].values = append(s.enums[i].values, value)
			if !v.Names[0].IsExported() && s.enums[i].wanted {
				s.fault(v.Pos(), "%s: a value of an enumeration must be exported", v.Names[0])
			}
		}
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
			s.fault(o.pos, "%s: //t49:members %s: there is no such type", o.name, o.reader)
		}
		if s.methods[o.reader+".members"] {
			s.fault(o.pos, "%s: members is generated from the tags; delete the method", o.reader)
		}
	}
	for _, e := range s.enums {
		if e.wanted && len(e.values) == 0 {
			s.faults = append(s.faults, fmt.Errorf("%s: an enumeration needs constants", e.name))
		}
	}
	slices.SortFunc(s.order, func(a, b *object) int { return cmp.Compare(a.name, b.name) })
	slices.SortFunc(s.enums, func(a, b *enum) int { return cmp.Compare(a.name, b.name) })
}
