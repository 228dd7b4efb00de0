/** The language of a file, by its name. */

export interface Language {
  /** `typescript`, `python`, … */
  readonly id: string
  /** The tree-sitter grammar; `undefined` for languages without outlines, whose files are listed and searched as text. */
  readonly grammar: string | undefined
}

/** `undefined` for names of no known language: `LICENSE`, `data.bin`. */
export const of = (path: string): Language | undefined => {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase()
  const [stem = "", ...extensions] = name.split(".")
  // The stem is for `Dockerfile.dev` and `Makefile.am`.
  return byName.get(name) ?? byExtension.get(extensions.at(-1) ?? "") ?? byName.get(stem)
}

/** Language, grammar, extensions, and whole names, all in lower case. */
type Row = readonly [id: string, grammar: string | undefined, extensions: string, names?: string]

const rows: ReadonlyArray<Row> = [
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

  ["markdown", undefined, "md mdx markdown"],
  ["json", undefined, "json jsonc json5 jsonl ndjson webmanifest", ".babelrc .eslintrc .prettierrc .swcrc"],
  ["yaml", undefined, "yaml yml"],
  ["toml", undefined, "toml", "pipfile"],
  ["ini", undefined, "ini cfg conf properties editorconfig env", ".npmrc .gitconfig"],
  ["xml", undefined, "xml xsd xsl xslt plist csproj vbproj fsproj props targets resx svg wsdl"],
  ["html", undefined, "html htm xhtml"],
  ["vue", undefined, "vue"],
  ["svelte", undefined, "svelte"],
  ["astro", undefined, "astro"],
  ["scss", undefined, "scss sass"],
  ["less", undefined, "less"],
  ["sql", undefined, "sql psql ddl"],
  ["graphql", undefined, "graphql gql"],
  ["protobuf", undefined, "proto"],
  ["kotlin", undefined, "kt kts"],
  ["swift", undefined, "swift"],
  ["scala", undefined, "scala sc sbt"],
  ["groovy", undefined, "groovy gradle", "jenkinsfile"],
  ["clojure", undefined, "clj cljs cljc edn"],
  ["dart", undefined, "dart"],
  ["objective-c", undefined, "m mm"],
  ["fsharp", undefined, "fs fsi fsx"],
  ["visual-basic", undefined, "vb vbs bas"],
  ["haskell", undefined, "hs lhs"],
  ["ocaml", undefined, "ml mli"],
  ["elm", undefined, "elm"],
  ["elixir", undefined, "ex exs"],
  ["erlang", undefined, "erl hrl"],
  ["lua", undefined, "lua"],
  ["perl", undefined, "pl pm t"],
  ["r", undefined, "r rmd"],
  ["julia", undefined, "jl"],
  ["zig", undefined, "zig"],
  ["nim", undefined, "nim"],
  ["solidity", undefined, "sol"],
  ["assembly", undefined, "s asm"],
  // There is a grammar, but V8 takes 20 s to compile it.
  ["powershell", undefined, "ps1 psm1 psd1"],
  ["batch", undefined, "bat cmd"],
  ["fish", undefined, "fish"],
  ["makefile", undefined, "mk mak", "makefile gnumakefile"],
  ["cmake", undefined, "cmake", "cmakelists.txt"],
  ["dockerfile", undefined, "dockerfile", "dockerfile containerfile"],
  ["terraform", undefined, "tf tfvars hcl"],
  ["nix", undefined, "nix"],
  ["latex", undefined, "tex sty cls bib"],
  ["restructuredtext", undefined, "rst"],
  ["asciidoc", undefined, "adoc asciidoc"],
  ["csv", undefined, "csv tsv"],
  ["text", undefined, "txt text log"],
]

const table = (words: (row: Row) => string | undefined): ReadonlyMap<string, Language> =>
  new Map(
    rows.flatMap((row) => {
      const language: Language = { id: row[0], grammar: row[1] }
      return (words(row)?.split(" ") ?? []).map((word) => [word, language] as const)
    }),
  )

const byName = table(([, , , names]) => names)
const byExtension = table(([, , extensions]) => extensions)
