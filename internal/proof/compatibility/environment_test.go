package compatibility_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/webhook"
)

// sources are the folders of what users build, with the name of each in the lines. The examples are
// programs to copy.
var sources = map[string]string{
	"cmd/t49": "t49", "cmd/terminal49-mirror": "terminal49-mirror", "cmd/terminal49-board": "terminal49-board",
	"mirror": "mirror", "redisstore": "redisstore", "sqlstore": "sqlstore", "otelterminal49": "otelterminal49", ".": "terminal49",
}

// others are folders below the root from which users build nothing, or which have a name above.
var others = []string{"cmd", "examples", "internal", "docs", "mirror", "redisstore", "sqlstore", "otelterminal49"}

// reads are the functions of package os that read the environment. UserConfigDir reads variables of
// the system's.
var reads = []string{"Getenv", "LookupEnv", "ExpandEnv", "Environ", "UserConfigDir", "UserHomeDir", "UserCacheDir"}

// environmentOf has the environment variables that the client and the commands read, from their
// sources: nothing is read whose name is not in them.
func environmentOf(t *testing.T) (lines []string) {
	for folder, name := range sources {
		for _, variable := range variablesIn(t, filepath.Join(root, folder), folder == ".") {
			lines = append(lines, name+" "+variable)
		}
	}
	return append(lines, behaviours(t)...)
}

// variablesIn returns the names that the packages of a folder read.
func variablesIn(t *testing.T, folder string, isRoot bool) (names []string) {
	t.Helper()
	files, constants := []*ast.File{}, map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != folder && (strings.HasPrefix(entry.Name(), ".") || strings.HasSuffix(entry.Name(), "test") ||
			isRoot && slices.Contains(others, entry.Name())):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		files = append(files, file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		addConstants(constants, file)
	}
	for _, file := range files {
		names = append(names, variablesOf(t, folder, file, constants)...)
	}
	return names
}

// addConstants adds the texts of a file's constants.
func addConstants(to map[string]string, file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Names) == len(spec.Values) {
			for i, name := range spec.Names {
				if text, ok := literal(spec.Values[i]); ok {
					to[name.Name] = text
				}
			}
		}
		return true
	})
}

// isVariable matches a text that can only be the name of a variable of this project.
var isVariable = regexp.MustCompile(`^T49_[A-Z_]+$`).MatchString

// variablesOf returns the names in the calls of a file, and texts that are names. A name that is
// neither a text nor a constant must be in a list of texts.
func variablesOf(t *testing.T, folder string, file *ast.File, constants map[string]string) (names []string) {
	listed, computed := false, false
	ast.Inspect(file, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			if text, ok := literal(e); ok && isVariable(text) {
				names, listed = append(names, text), true
			}
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		f, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || !slices.Contains(reads, f.Sel.Name) || fmt.Sprint(f.X) != "os" {
			return true
		}
		if len(call.Args) == 0 {
			names = append(names, "os."+f.Sel.Name)
			return true
		}
		if text, ok := literal(call.Args[0]); ok {
			names = append(names, text)
		} else if constant, ok := call.Args[0].(*ast.Ident); ok && constants[constant.Name] != "" {
			names = append(names, constants[constant.Name])
		} else {
			computed = true
		}
		return true
	})
	if computed && !listed {
		t.Errorf("%s: package %s reads a variable whose name is not a text or a constant", folder, file.Name)
	}
	return names
}

func literal(e ast.Expr) (string, bool) {
	basic, ok := e.(*ast.BasicLit)
	if !ok || basic.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(basic.Value)
	return text, err == nil
}

// behaviours runs the commands with one variable at a time, and reports what each does.
func behaviours(t *testing.T) (lines []string) {
	c := newCopy(t)
	other := c.account
	other.dir, other.env = t.TempDir(), []string{"NOTHING="}
	report := func(line string, holds bool) {
		if lines = append(lines, line); !holds {
			t.Errorf("this does not hold: %s", line)
		}
	}
	run := func(a account, program string, args ...string) (status int, log string) {
		status, _, log = a.run(program, args...)
		return status, log
	}
	none, _ := run(other, "terminal49-mirror", "status")
	named, _ := run(other.with("T49_MIRROR_DB="+c.db), "terminal49-mirror", "status")
	here, _ := run(c.account, "terminal49-mirror", "status")
	report("terminal49-mirror T49_MIRROR_DB: the default of --db", none == 2 && named == 0)
	report("terminal49-mirror --db: by default ./terminal49.db", here == 0)
	_, log := run(other.with("T49_MIRROR_DB=postgres://me@127.0.0.1:1/freight?connect_timeout=1", "T49_MIRROR_SCHEMA=no-schema"), "terminal49-mirror", "status")
	report("terminal49-mirror T49_MIRROR_SCHEMA: the default of --schema", strings.Contains(log, "--schema"))
	_, log = run(other.with("T49_MIRROR_DB="+c.db, "T49_PUSH_URL=ftp://127.0.0.1", "T49_PUSH_SECRET=secret-1"), "terminal49-mirror", "push")
	report("terminal49-mirror T49_PUSH_URL: the default of URL", strings.Contains(log, "T49_PUSH_URL"))

	lines = append(lines, wins(t, other, c.db)...)

	service := newReceiver(t, 404)
	at := other.with("T49_API_BASE_URL="+service.URL, "T49_API_TOKEN=token-1")
	run(at, "t49", "shipments")
	report("t49 T49_API_TOKEN: sent as Token", service.first(t).header.Get("Authorization") == "Token token-1")
	run(at.with("T49_API_TOKEN=Bearer token-1", "T49_ACCOUNT_ID="+otherAccount), "t49", "shipments")
	sent := service.first(t).header
	report("t49 T49_ACCOUNT_ID: sent as X-Account-Id with a Bearer token", sent.Get("Authorization") == "Bearer token-1" && sent.Get("X-Account-Id") == otherAccount)
	return lines
}

// wins pushes with a variable and what has precedence over it: the variables that lose are useless.
func wins(t *testing.T, a account, db string) (lines []string) {
	file := filepath.Join(t.TempDir(), "secret")
	write(t, file, "secret-of-file\n")
	a = a.with("T49_MIRROR_DB=none.db", "T49_PUSH_URL=ftp://127.0.0.1", "T49_PUSH_SECRET=secret-of-variable")
	for _, c := range []struct {
		line, secret string
		args         []string
	}{
		{"T49_PUSH_SECRET: signs pushes", "secret-of-variable", nil},
		{"T49_PUSH_SECRET: --secret-file has precedence", "secret-of-file", []string{"--secret-file", file}},
	} {
		receiver := newReceiver(t, 200)
		push := a.start("terminal49-mirror", append([]string{"push", "--db", db, "--from", "begin", "--name", c.secret, receiver.URL}, c.args...)...)
		d := receiver.first(t)
		push.interrupt()
		lines = append(lines, "terminal49-mirror "+c.line)
		if err := webhook.Verify([]byte(d.body), d.header.Get("X-T49-Webhook-Signature"), terminal49.NewSecret(c.secret)); err != nil {
			t.Errorf("this does not hold: terminal49-mirror %s: %v", c.line, err)
		}
	}
	_, _, log := a.with("T49_MIRROR_SCHEMA=no-schema").run("terminal49-mirror", "status", "--schema", "other",
		"--db", "postgres://me@127.0.0.1:1/freight?connect_timeout=1")
	if strings.Contains(log, "--schema") {
		t.Errorf("--schema has no precedence over T49_MIRROR_SCHEMA: %s", log)
	}
	return append(lines, "terminal49-mirror T49_MIRROR_DB: --db has precedence", "terminal49-mirror T49_PUSH_URL: URL has precedence",
		"terminal49-mirror T49_MIRROR_SCHEMA: --schema has precedence")
}

const otherAccount = "5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d"
