/** The language of a file, by its name, and how its symbols are found. */

export interface Language {
  /** `typescript`, `python`, … */
  readonly id: string
  /** The tree-sitter grammar; `undefined` for languages that are not parsed with one. */
  readonly grammar: string | undefined
  readonly outline: OutlineMethod
}

/**
 * How the symbols of a language are found. `grammar`: by parsing. `patterns`: by what looks like a declaration, which is
 * approximate. `scripts`: in the scripts that its files embed. `none`: not at all, although its files are source code.
 * `text`: it defines no symbols: prose, data, settings, and recipes of builds.
 */
export type OutlineMethod = "grammar" | "patterns" | "scripts" | "none" | "text"

/** `undefined` for names of no known language: `LICENSE`, `data.bin`. */
export const of = (path: string): Language | undefined => {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase()
  const [stem = "", ...extensions] = name.split(".")
  // The stem is for `Dockerfile.dev` and `Makefile.am`.
  return byName.get(name) ?? byExtension.get(extensions.at(-1) ?? "") ?? byName.get(stem)
}

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
  ["text", undefined, "txt text log"],
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

/** The ids of the languages in which symbols are found in that way, in alphabetical order. */
export const withOutline = (method: OutlineMethod): ReadonlyArray<string> =>
  [...new Set(rows.flatMap(([[id], outline]) => (outline === method ? [id] : [])))].sort()
