/** The language of a file, by its name or its `#!` line, and how its symbols are found. */

export interface Language {
  /** `typescript`, `python`, … */
  readonly id: string
  /** The tree-sitter grammar; `undefined` for languages that are not parsed with one. */
  readonly grammar: string | undefined
  readonly outline: OutlineMethod
}

/**
 * How the symbols of a language are found. `grammar` parses the file. `patterns` looks for text that resembles a
 * declaration, which is approximate. `scripts` reads the scripts that the files embed. `none` finds no symbols,
 * although the files are source code. `text` files define no symbols: prose, data, settings, and build recipes.
 */
export type OutlineMethod = "grammar" | "patterns" | "scripts" | "none" | "text"

/**
 * Returns the language of a file; `undefined` for names of no known language, such as `LICENSE` and `data.bin`. `text`
 * is that of the file, whose `#!` line counts if its name has no extension.
 */
export const of = (path: string, text = ""): Language | undefined => {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase()
  const [stem = "", ...extensions] = name.split(".")
  // The stem is for `Dockerfile.dev` and `Makefile.am`.
  const named = byName.get(name) ?? byExtension.get(extensions.at(-1) ?? "") ?? byName.get(stem)
  if (named !== undefined) return named
  if (extensions.length === 0) return byExtension.get(ofInterpreter(text))
  return extensions.at(-1) === "inc" ? byExtension.get(ofIncluded(text)) : undefined
}

/** Returns the extension of the language of a file that others include: `.inc` is used for C, C++, PHP and others. */
const ofIncluded = (text: string): string =>
  /^\s{0,200}<\?(?:php|=|\s)/.test(text) ? "php" : likeC.test(text) ? "cpp" : ""

/** Matches a line that only C or C++ has. Assemblers have `%define` and `.macro`, and some have `#include` too. */
const likeC =
  /^(?:#[ \t]*(?:include[ \t]*[<"]|define[ \t]+\w+\(|if[ \t]+defined|ifdef|ifndef|undef)|(?:static|extern|typedef|template|namespace|struct|class|inline|const)\b|[A-Z_][A-Z0-9_]{2,80}\()/m

/** Returns the extension of a name, in lower case: `vhd` for `a.tar.VHD`; empty for `LICENSE` and `.gitignore`. */
export const extensionOf = (path: string): string => {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase()
  const dot = name.lastIndexOf(".")
  return dot > 0 ? name.slice(dot + 1) : ""
}

/**
 * Returns the extension that files of the interpreter in a `#!` line have: `py` for `#!/usr/bin/env -S python3.12 -u`.
 */
const ofInterpreter = (text: string): string => {
  const [, program = "", words = ""] = /^#![ \t]*(\S{1,200})([^\n]{0,200})/.exec(text) ?? []
  const isEnv = /(?:^|\/)env$/.test(program)
  const called = isEnv ? words.split(/\s+/).find((word) => word !== "" && !/^-|=/.test(word)) : program
  const name = called?.slice(called.lastIndexOf("/") + 1).replace(/-?[\d.]+$/, "")
  return interpreters.get(name?.toLowerCase() ?? "") ?? ""
}

const interpreters: ReadonlyMap<string, string> = new Map(
  [
    "py python pypy uv",
    "js node nodejs bun",
    "ts deno ts-node tsx",
    "sh sh bash dash ash zsh ksh bats",
    "rb ruby jruby",
    "pl perl",
    "php php",
    "lua lua luajit",
    "r rscript",
    "jl julia",
    "exs elixir",
    "groovy groovy",
    "scala scala",
    "swift swift",
    "ps1 pwsh",
    "hs runhaskell runghc",
    "fish fish",
    "tcl tclsh wish expect",
    "scm guile racket",
    "ml ocaml",
    "clj bb clojure",
    "awk awk gawk mawk",
    "mk make",
  ].flatMap((line) => {
    const [extension = "", ...names] = line.split(" ")
    return names.map((name) => [name, extension] as const)
  }),
)

/** Language, grammar, extensions, and whole names, all in lower case. */
type Row = readonly [id: string, grammar: string | undefined, extensions: string, names?: string]

const parsed: ReadonlyArray<Row> = [
  ["typescript", "typescript", "ts mts cts"],
  ["typescript", "tsx", "tsx"],
  ["javascript", "javascript", "js mjs cjs jsx"],
  ["python", "python", "py pyi pyw", "sconstruct sconscript"],
  ["go", "go", "go"],
  ["rust", "rust", "rs"],
  ["java", "java", "java"],
  // @vscode/tree-sitter-wasm has no grammar of C: that of C++ reads all but K&R-style definitions.
  ["c", "cpp", "c h"],
  ["cpp", "cpp", "cc cpp cxx c++ hh hpp hxx h++ ipp inl cppm ixx ino cu cuh"],
  ["csharp", "c-sharp", "cs csx"],
  [
    "ruby",
    "ruby",
    "rb rake gemspec ru podspec",
    "gemfile rakefile podfile vagrantfile guardfile capfile brewfile fastfile dangerfile",
  ],
  ["php", "php", "php phtml"],
  ["bash", "bash", "sh bash zsh ksh bats", ".bashrc .bash_profile .bash_aliases .profile .zshrc .zshenv .envrc"],
  ["css", "css", "css"],
]

/** Each has patterns in `Symbols/internal/patterns`. */
const approximate: ReadonlyArray<Row> = [
  ["kotlin", undefined, "kt kts"],
  ["swift", undefined, "swift"],
  ["objective-c", undefined, "m mm"],
  ["scala", undefined, "scala sc sbt"],
  ["groovy", undefined, "groovy gradle", "jenkinsfile"],
  ["dart", undefined, "dart"],
  ["lua", undefined, "lua luau"],
  ["perl", undefined, "pl pm t"],
  ["r", undefined, "r"],
  ["julia", undefined, "jl"],
  ["elixir", undefined, "ex exs"],
  ["haskell", undefined, "hs"],
  ["zig", undefined, "zig"],
  ["solidity", undefined, "sol"],
  // There is a grammar, but V8 takes 20 s to compile it.
  ["powershell", undefined, "ps1 psm1 psd1"],
  ["sql", undefined, "sql psql ddl"],
  ["graphql", undefined, "graphql gql"],
  ["protobuf", undefined, "proto"],
  ["terraform", undefined, "tf"],
]

const embedding: ReadonlyArray<Row> = [
  ["vue", undefined, "vue"],
  ["svelte", undefined, "svelte"],
  ["astro", undefined, "astro"],
]

const unknown: ReadonlyArray<Row> = [
  ["scss", undefined, "scss sass"],
  ["less", undefined, "less"],
  ["clojure", undefined, "clj cljs cljc"],
  ["fsharp", undefined, "fs fsi fsx"],
  ["visual-basic", undefined, "vb vbs bas"],
  ["ocaml", undefined, "ml mli"],
  ["elm", undefined, "elm"],
  ["erlang", undefined, "erl hrl"],
  ["fortran", undefined, "f f90 f95 f03 f08 for"],
  ["pascal", undefined, "pas pp dpr"],
  ["crystal", undefined, "cr"],
  ["coffeescript", undefined, "coffee"],
  ["nim", undefined, "nim"],
  ["tcl", undefined, "tcl"],
  ["lisp", undefined, "lisp el scm rkt"],
  ["literate-haskell", undefined, "lhs"],
  ["r-markdown", undefined, "rmd"],
  ["notebook", undefined, "ipynb"],
  ["assembly", undefined, "s asm"],
  ["wgsl", undefined, "wgsl"],
  ["glsl", undefined, "glsl vert frag"],
  ["fish", undefined, "fish"],
  ["nix", undefined, "nix"],
  ["abap", undefined, "abap"],
  ["ada", undefined, "ada adb ads"],
  ["antlr", undefined, "g4"],
  ["applescript", undefined, "applescript"],
  ["autohotkey", undefined, "ahk"],
  ["awk", undefined, "awk"],
  ["bicep", undefined, "bicep"],
  ["cairo", undefined, "cairo"],
  ["capnp", undefined, "capnp"],
  ["cobol", undefined, "cob cbl cpy"],
  ["coldfusion", undefined, "cfm cfc"],
  ["cue", undefined, "cue"],
  ["cython", undefined, "pyx pxd pxi"],
  ["d", undefined, "d di"],
  ["dhall", undefined, "dhall"],
  ["eex", undefined, "eex leex heex"],
  ["ejs", undefined, "ejs"],
  ["erb", undefined, "erb"],
  ["fennel", undefined, "fnl"],
  ["flatbuffers", undefined, "fbs"],
  ["gdscript", undefined, "gd"],
  ["gleam", undefined, "gleam"],
  ["haml", undefined, "haml"],
  ["handlebars", undefined, "hbs handlebars mustache"],
  ["haxe", undefined, "hx"],
  ["hlsl", undefined, "hlsl"],
  ["idris", undefined, "idr"],
  ["jinja", undefined, "j2 jinja jinja2 njk"],
  ["jsonnet", undefined, "jsonnet libsonnet"],
  ["jsp", undefined, "jsp"],
  ["lean", undefined, "lean"],
  ["lex", undefined, "l ll"],
  ["liquid", undefined, "liquid"],
  ["metal", undefined, "metal"],
  ["mojo", undefined, "mojo"],
  ["move", undefined, "move"],
  ["odin", undefined, "odin"],
  ["openscad", undefined, "scad"],
  ["prisma", undefined, "prisma"],
  ["prolog", undefined, "pro prolog"],
  ["pug", undefined, "pug jade"],
  ["purescript", undefined, "purs"],
  ["qml", undefined, "qml"],
  ["razor", undefined, "cshtml razor"],
  ["reason", undefined, "re rei"],
  ["rego", undefined, "rego"],
  ["rescript", undefined, "res resi"],
  ["slim", undefined, "slim"],
  ["smalltalk", undefined, "st"],
  ["starlark", undefined, "bzl bazel star"],
  ["stylus", undefined, "styl"],
  ["template", undefined, "tpl tmpl"],
  ["thrift", undefined, "thrift"],
  ["twig", undefined, "twig"],
  ["vala", undefined, "vala vapi"],
  ["verilog", undefined, "v vh sv svh"],
  ["vhdl", undefined, "vhd vhdl"],
  ["vim", undefined, "vim"],
  ["vyper", undefined, "vy"],
  ["webassembly", undefined, "wat wast"],
  ["yacc", undefined, "y yy"],
]

const texts: ReadonlyArray<Row> = [
  ["markdown", undefined, "md mdx markdown"],
  ["json", undefined, "json jsonc json5 jsonl ndjson webmanifest", ".babelrc .eslintrc .prettierrc .swcrc"],
  ["yaml", undefined, "yaml yml"],
  ["toml", undefined, "toml", "pipfile"],
  ["ini", undefined, "ini cfg conf properties editorconfig env", ".npmrc .gitconfig"],
  ["edn", undefined, "edn"],
  ["xml", undefined, "xml xsd xsl xslt plist csproj vbproj fsproj props targets resx svg wsdl"],
  ["html", undefined, "html htm xhtml"],
  ["dockerfile", undefined, "dockerfile", "dockerfile containerfile"],
  ["makefile", undefined, "mk mak", "makefile gnumakefile"],
  ["cmake", undefined, "cmake", "cmakelists.txt"],
  ["batch", undefined, "bat cmd"],
  ["hcl", undefined, "tfvars hcl"],
  ["latex", undefined, "tex sty cls bib"],
  ["restructuredtext", undefined, "rst"],
  ["asciidoc", undefined, "adoc asciidoc"],
  ["csv", undefined, "csv tsv"],
  ["gettext", undefined, "po pot"],
  ["diff", undefined, "diff patch"],
  ["text", undefined, "txt text log lock sum mod snap map pem crt in"],
]

const rows: ReadonlyArray<readonly [Row, OutlineMethod]> = [
  ...parsed.map((row) => [row, "grammar"] as const),
  ...approximate.map((row) => [row, "patterns"] as const),
  ...embedding.map((row) => [row, "scripts"] as const),
  ...unknown.map((row) => [row, "none"] as const),
  ...texts.map((row) => [row, "text"] as const),
]

const table = (words: (row: Row) => string | undefined): ReadonlyMap<string, Language> =>
  new Map(
    rows.flatMap(([row, outline]) => {
      const language: Language = { id: row[0], grammar: row[1], outline }
      return (words(row)?.split(" ") ?? []).map((word) => [word, language] as const)
    }),
  )

const byName = table(([, , , names]) => names)
const byExtension = table(([, , extensions]) => extensions)

/** Returns the ids of the languages in which symbols are found in that way, in alphabetical order. */
export const withOutline = (method: OutlineMethod): ReadonlyArray<string> =>
  [...new Set(rows.flatMap(([[id], outline]) => (outline === method ? [id] : [])))].sort()
