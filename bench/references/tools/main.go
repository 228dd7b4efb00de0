// Makes a truth file for a Go repository with the types that the standard library's checker gives:
//
//	go run main.go NAME CHECKOUT COMMIT OUTPUT
//
// The checker is the one that gopls uses. Packages of other modules are not there: what has their types stays unknown.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
)

type use struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	In   string `json:"in,omitempty"`
	Why  string `json:"why,omitempty"`
}

type candidate struct {
	Symbol string `json:"symbol"`
	Name   string `json:"name"`
	Kind   string `json:"kind"`
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Uses   []use  `json:"uses"`
	Also   []use  `json:"also"`
}

type loader struct {
	root, module string
	set          *token.FileSet
	packages     map[string]*types.Package
	standard     types.Importer
	info         *types.Info
	files        []*ast.File
	unseen       map[string]bool
}

func (l *loader) Import(path string) (*types.Package, error) {
	if known := l.packages[path]; known != nil {
		return known, nil
	}
	if path == l.module || strings.HasPrefix(path, l.module+"/") {
		return l.load(path, strings.TrimPrefix(strings.TrimPrefix(path, l.module), "/"), false), nil
	}
	if found, err := l.standard.Import(path); err == nil {
		l.packages[path] = found
		return found, nil
	}
	fake := types.NewPackage(path, filepath.Base(path))
	fake.MarkComplete()
	l.packages[path] = fake
	return fake, nil
}

// Files of other systems are left out: they define the same names again.
func isForOtherSystem(name string, text string) bool {
	base := strings.TrimSuffix(strings.TrimSuffix(name, ".go"), "_test")
	for _, system := range []string{"windows", "darwin", "openbsd", "freebsd", "netbsd"} {
		if strings.HasSuffix(base, "_"+system) {
			return true
		}
	}
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "package ") {
			return false
		}
		if strings.HasPrefix(line, "//go:build ") {
			tag := strings.TrimSpace(strings.TrimPrefix(line, "//go:build "))
			return tag == "windows" || tag == "!unix" || strings.HasPrefix(tag, "tcell") || strings.HasPrefix(tag, "ignore") || tag == "pprof" || tag == "openbsd"
		}
	}
	return false
}

func (l *loader) load(path, folder string, tests bool) *types.Package {
	entries, _ := os.ReadDir(filepath.Join(l.root, folder))
	var files []*ast.File
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || (strings.HasSuffix(name, "_test.go") && !tests) {
			continue
		}
		full := filepath.Join(l.root, folder, name)
		text, _ := os.ReadFile(full)
		if isForOtherSystem(name, string(text)) {
			relative, _ := filepath.Rel(l.root, full)
			l.unseen[relative] = true
			continue
		}
		file, err := parser.ParseFile(l.set, full, text, 0)
		if err != nil {
			panic(err)
		}
		files = append(files, file)
	}
	config := types.Config{Importer: l, Error: func(error) {}, FakeImportC: true}
	checked, _ := config.Check(path, l.set, files, l.info)
	l.packages[path] = checked
	l.files = append(l.files, files...)
	return checked
}

// mulberry32 is the generator that the other makers use.
func mulberry32(seed uint32) func() float64 {
	return func() float64 {
		seed += 0x6d2b79f5
		mixed := (seed ^ (seed >> 15)) * (1 | seed)
		mixed = (mixed + (mixed^(mixed>>7))*(61|mixed)) ^ mixed
		return float64(mixed^(mixed>>14)) / 4294967296
	}
}

func main() {
	name, root, commit, output := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		panic(err)
	}
	module := strings.Fields(string(text))[1]
	set := token.NewFileSet()
	l := &loader{unseen: map[string]bool{}, root: root, module: module, set: set, packages: map[string]*types.Package{},
		standard: importer.ForCompiler(set, "source", nil),
		info: &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
			Selections: map[*ast.SelectorExpr]*types.Selection{}}}
	var folders []string
	filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		if err == nil && info.IsDir() {
			if found, _ := filepath.Glob(filepath.Join(path, "*.go")); len(found) > 0 {
				relative, _ := filepath.Rel(root, path)
				folders = append(folders, relative)
			}
		}
		return nil
	})
	sort.Strings(folders)
	for _, folder := range folders {
		path := module
		if folder != "." {
			path = module + "/" + folder
		}
		// With its tests, and with the packages that it imports, which are checked again when it is their turn.
		l.load(path, folder, true)
	}

	type spot struct {
		path string
		line int
	}
	at := func(pos token.Pos) spot {
		position := set.Position(pos)
		relative, _ := filepath.Rel(root, position.Filename)
		return spot{relative, position.Line}
	}
	type extent struct {
		from, to int
		name     string
	}
	extents := map[string][]extent{}
	byPlace := map[spot]*candidate{}
	own := map[*candidate]extent{}
	isTest := func(path string) bool { return strings.HasSuffix(path, "_test.go") }
	nameOf := func(receiver ast.Expr) string {
		if star, ok := receiver.(*ast.StarExpr); ok {
			receiver = star.X
		}
		if ident, ok := receiver.(*ast.Ident); ok {
			return ident.Name
		}
		return ""
	}
	for _, file := range l.files {
		for _, declaration := range file.Decls {
			switch node := declaration.(type) {
			case *ast.FuncDecl:
				place := at(node.Name.Pos())
				symbol, kind := node.Name.Name, "function"
				if node.Recv != nil {
					symbol, kind = nameOf(node.Recv.List[0].Type)+"."+symbol, "method"
				}
				range_ := extent{at(node.Pos()).line, at(node.End()).line, symbol}
				if _, seen := byPlace[place]; seen {
					continue
				}
				extents[place.path] = append(extents[place.path], range_)
				one := &candidate{Symbol: symbol, Name: node.Name.Name, Kind: kind, Path: place.path, Line: place.line}
				byPlace[place], own[one] = one, range_
			case *ast.GenDecl:
				for _, spec := range node.Specs {
					if found, ok := spec.(*ast.TypeSpec); ok {
						place := at(found.Name.Pos())
						if _, seen := byPlace[place]; seen {
							continue
						}
						one := &candidate{Symbol: found.Name.Name, Name: found.Name.Name, Kind: "class", Path: place.path, Line: place.line}
						byPlace[place] = one
						own[one] = extent{at(spec.Pos()).line, at(spec.End()).line, found.Name.Name}
					}
				}
			}
		}
	}
	seen := map[*candidate]map[spot]bool{}
	for ident, object := range l.info.Uses {
		if object == nil || !object.Pos().IsValid() {
			continue
		}
		one := byPlace[at(object.Pos())]
		if one == nil {
			continue
		}
		place := at(ident.Pos())
		if seen[one] == nil {
			seen[one] = map[spot]bool{}
		}
		if seen[one][place] {
			continue
		}
		seen[one][place] = true
		found := use{Path: place.path, Line: place.line}
		for _, range_ := range extents[place.path] {
			if range_.from <= place.line && place.line <= range_.to {
				found.In = range_.name
			}
		}
		range_ := own[one]
		if place.path == one.Path && range_.from <= place.line && place.line <= range_.to {
			found.Why = "inside itself"
			one.Also = append(one.Also, found)
		} else {
			one.Uses = append(one.Uses, found)
		}
	}
	var all []*candidate
	for place, one := range byPlace {
		if len(one.Uses) > 0 && !isTest(place.path) {
			all = append(all, one)
		}
	}
	sort.Slice(all, func(a, b int) bool {
		if all[a].Path != all[b].Path {
			return all[a].Path < all[b].Path
		}
		return all[a].Line < all[b].Line
	})
	random := mulberry32(20)
	for index := len(all) - 1; index > 0; index-- {
		other := int(random() * float64(index+1))
		all[index], all[other] = all[other], all[index]
	}
	isAbroad := func(one *candidate) bool {
		for _, use := range one.Uses {
			if use.Path != one.Path {
				return true
			}
		}
		return false
	}
	left := map[string]int{"function": 24, "method": 24, "class": 12}
	taken := map[*candidate]bool{}
	var drawn []*candidate
	for _, pass := range []struct {
		abroad bool
		most   int
	}{{true, 45}, {false, 60}} {
		for _, one := range all {
			if len(drawn) >= pass.most || taken[one] || left[one.Kind] == 0 || (pass.abroad && !isAbroad(one)) {
				continue
			}
			taken[one] = true
			left[one.Kind]--
			drawn = append(drawn, one)
		}
	}
	sort.Slice(drawn, func(a, b int) bool {
		if drawn[a].Path != drawn[b].Path {
			return drawn[a].Path < drawn[b].Path
		}
		return drawn[a].Line < drawn[b].Line
	})
	unseen := []string{}
	for path := range l.unseen {
		unseen = append(unseen, path)
	}
	sort.Strings(unseen)
	listed, _ := json.Marshal(unseen)
	var out strings.Builder
	fmt.Fprintf(&out, "{\n  \"repository\": %q,\n  \"commit\": %q,\n  \"language\": \"Go\",\n  \"judge\": \"go/types of %s\",\n  \"seed\": 20,\n  \"unseen\": %s,\n  \"symbols\": [\n",
		name, commit, runtime.Version(), listed)
	list := func(uses []use) string {
		sort.Slice(uses, func(a, b int) bool {
			if uses[a].Path != uses[b].Path {
				return uses[a].Path < uses[b].Path
			}
			return uses[a].Line < uses[b].Line
		})
		var lines []string
		for _, use := range uses {
			line, _ := json.Marshal(use)
			lines = append(lines, "\n        "+string(line))
		}
		if len(lines) == 0 {
			return "[]"
		}
		return "[" + strings.Join(lines, ",") + "\n      ]"
	}
	total := 0
	for index, one := range drawn {
		total += len(one.Uses)
		fmt.Fprintf(&out, "    { \"symbol\":%q,\"name\":%q,\"kind\":%q,\"path\":%q,\"line\":%d,\n      \"uses\": %s,\n      \"also\": %s }",
			one.Symbol, one.Name, one.Kind, one.Path, one.Line, list(one.Uses), list(one.Also))
		if index < len(drawn)-1 {
			out.WriteString(",")
		}
		out.WriteString("\n")
	}
	out.WriteString("  ]\n}\n")
	if err := os.WriteFile(output, []byte(out.String()), 0o644); err != nil {
		panic(err)
	}
	fmt.Printf("%s: %d candidates, %d drawn, %d uses\n", name, len(all), len(drawn), total)
}
