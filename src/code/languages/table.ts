/**
 * The table of languages: how the files of each are named, how its symbols are found, and the modules that read them. A
 * module is loaded when a file of its language is met for the first time.
 */
import type { ReadRoutes } from "../internal/routes/Route.ts"
import type { ModuleResolver } from "../ModuleRules.ts"
import type { Patterns } from "../Symbols/internal/patterns/Declarations.ts"
import type { CompactNode } from "../Symbols/internal/references/CompactTree.ts"
import type { OutlineModule } from "../Symbols/internal/treeSitter/Grammar.ts"
import type { CodeSymbol, OutlineMethod } from "../Symbols.ts"
import * as Cpp from "./cpp/modules.ts"
import * as CSharp from "./csharp/modules.ts"
import * as Ecma from "./ecma/modules.ts"
import * as Elixir from "./elixir/modules.ts"
import * as Go from "./go/modules.ts"
import * as Java from "./java/modules.ts"
import * as Kotlin from "./kotlin/modules.ts"
import * as Lua from "./lua/modules.ts"
import { type NameRow, texts, unread } from "./nameOnly.ts"
import * as Php from "./php/modules.ts"
import * as Python from "./python/modules.ts"
import * as Ruby from "./ruby/modules.ts"
import * as Rust from "./rust/modules.ts"
import * as Scala from "./scala/modules.ts"
import * as Swift from "./swift/modules.ts"

/** The names of a language and of its files: words in lower case, with spaces between them. */
interface Named {
  /** `typescript`, `python`, … Two entries of the same id differ in their grammars. */
  readonly id: string
  readonly extensions: string
  /** Whole names of files. */
  readonly names?: string
  /** Programs in a `#!` line, without their versions. */
  readonly interpreters?: string
}

/** A reader of references, which turns a file and its symbols into what `References.encode` writes. */
export interface ReferencesModule {
  /** Reads them off the text. */
  readonly read?: (text: string, symbols: ReadonlyArray<CodeSymbol>) => string
  /** Reads them off the tree of tree-sitter. */
  readonly readTree?: (root: CompactNode, text: string, symbols: ReadonlyArray<CodeSymbol>) => string
}

/** A reader of the routes that files register with the web frameworks of a language. */
export interface RoutesModule {
  readonly readRoutes: ReadRoutes
}

/** A language in the table. */
export interface Entry extends Named {
  readonly outline: OutlineMethod
  /** The tree-sitter grammar; `undefined` for languages that are not parsed with one. */
  readonly grammar: string | undefined
  /** Loads the rules by which the trees of the grammar are outlined. */
  readonly loadOutline?: () => Promise<OutlineModule>
  /** Loads the patterns of a language without a grammar. */
  readonly loadPatterns?: () => Promise<Patterns>
  /** Loads the reader of references. Those of TypeScript and JavaScript are read off the tokens of the scanner. */
  readonly loadReferences?: () => Promise<ReferencesModule>
  /** Loads the reader of routes. */
  readonly loadRoutes?: () => Promise<RoutesModule>
  /** Resolves module specifiers. It is no promise, since references are resolved within a transaction. */
  readonly modules?: ModuleResolver
}

type Row = Omit<Entry, "outline" | "grammar">

/** Languages that tree-sitter parses. */
const parsed: ReadonlyArray<Row & Required<Pick<Entry, "loadOutline">> & { readonly grammar: string }> = [
  {
    id: "typescript",
    grammar: "typescript",
    extensions: "ts mts cts",
    interpreters: "deno ts-node tsx",
    loadOutline: () => import("./ecma/outline.ts"),
    loadRoutes: () => import("./ecma/routes.ts"),
    modules: Ecma,
  },
  {
    id: "typescript",
    grammar: "tsx",
    extensions: "tsx",
    loadOutline: () => import("./ecma/outline.ts"),
    loadRoutes: () => import("./ecma/routes.ts"),
    modules: Ecma,
  },
  {
    id: "javascript",
    grammar: "javascript",
    extensions: "js mjs cjs jsx",
    interpreters: "node nodejs bun",
    loadOutline: () => import("./ecma/outline.ts"),
    loadRoutes: () => import("./ecma/routes.ts"),
    modules: Ecma,
  },
  {
    id: "python",
    grammar: "python",
    extensions: "py pyi pyw",
    names: "sconstruct sconscript",
    interpreters: "python pypy uv",
    loadOutline: () => import("./python/outline.ts"),
    loadReferences: () => import("./python/references.ts"),
    loadRoutes: () => import("./python/routes.ts"),
    modules: Python,
  },
  {
    id: "go",
    grammar: "go",
    extensions: "go",
    loadOutline: () => import("./go/outline.ts"),
    loadReferences: () => import("./go/references.ts"),
    loadRoutes: () => import("./go/routes.ts"),
    modules: Go,
  },
  {
    id: "rust",
    grammar: "rust",
    extensions: "rs",
    loadOutline: () => import("./rust/outline.ts"),
    loadReferences: () => import("./rust/references.ts"),
    loadRoutes: () => import("./rust/routes.ts"),
    modules: Rust,
  },
  {
    id: "java",
    grammar: "java",
    extensions: "java",
    loadOutline: () => import("./java/outline.ts"),
    loadReferences: () => import("./java/references.ts"),
    loadRoutes: () => import("./java/routes.ts"),
    modules: Java,
  },
  // @vscode/tree-sitter-wasm has no grammar of C: that of C++ reads all but K&R-style definitions.
  {
    id: "c",
    grammar: "cpp",
    extensions: "c h",
    loadOutline: () => import("./cpp/outline.ts"),
    loadReferences: () => import("./cpp/references.ts"),
    modules: Cpp,
  },
  {
    id: "cpp",
    grammar: "cpp",
    extensions: "cc cpp cxx c++ hh hpp hxx h++ ipp inl cppm ixx ino cu cuh",
    loadOutline: () => import("./cpp/outline.ts"),
    loadReferences: () => import("./cpp/references.ts"),
    modules: Cpp,
  },
  {
    id: "csharp",
    grammar: "c-sharp",
    extensions: "cs csx",
    loadOutline: () => import("./csharp/outline.ts"),
    loadReferences: () => import("./csharp/references.ts"),
    loadRoutes: () => import("./csharp/routes.ts"),
    modules: CSharp,
  },
  {
    id: "ruby",
    grammar: "ruby",
    extensions: "rb rake gemspec ru podspec",
    names: "gemfile rakefile podfile vagrantfile guardfile capfile brewfile fastfile dangerfile",
    interpreters: "ruby jruby",
    loadOutline: () => import("./ruby/outline.ts"),
    loadReferences: () => import("./ruby/references.ts"),
    loadRoutes: () => import("./ruby/routes.ts"),
    modules: Ruby,
  },
  {
    id: "php",
    grammar: "php",
    extensions: "php phtml",
    interpreters: "php",
    loadOutline: () => import("./php/outline.ts"),
    loadReferences: () => import("./php/references.ts"),
    loadRoutes: () => import("./php/routes.ts"),
    modules: Php,
  },
  {
    id: "bash",
    grammar: "bash",
    extensions: "sh bash zsh ksh bats",
    names: ".bashrc .bash_profile .bash_aliases .profile .zshrc .zshenv .envrc",
    interpreters: "sh bash dash ash zsh ksh bats",
    loadOutline: () => import("./bash/outline.ts"),
  },
  { id: "css", grammar: "css", extensions: "css", loadOutline: () => import("./css/outline.ts") },
]

const jvm = () => import("./patterns/jvm.ts")
const braces = () => import("./patterns/braces.ts")
const scripting = () => import("./patterns/scripting.ts")
const schemas = () => import("./patterns/schemas.ts")

/** Languages without a grammar, whose declarations are found by patterns. */
const approximate: ReadonlyArray<Row & Required<Pick<Entry, "loadPatterns">>> = [
  {
    id: "kotlin",
    extensions: "kt kts",
    loadPatterns: async () => (await jvm()).kotlin,
    loadReferences: () => import("./kotlin/references.ts"),
    loadRoutes: () => import("./java/routes.ts"),
    modules: Kotlin,
  },
  {
    id: "swift",
    extensions: "swift",
    interpreters: "swift",
    loadPatterns: async () => (await braces()).swift,
    loadReferences: () => import("./swift/references.ts"),
    modules: Swift,
  },
  { id: "objective-c", extensions: "m mm", loadPatterns: async () => (await braces()).objectiveC },
  {
    id: "scala",
    extensions: "scala sc sbt",
    interpreters: "scala",
    loadPatterns: async () => (await jvm()).scala,
    loadReferences: () => import("./scala/references.ts"),
    modules: Scala,
  },
  {
    id: "groovy",
    extensions: "groovy gradle",
    names: "jenkinsfile",
    interpreters: "groovy",
    loadPatterns: async () => (await jvm()).groovy,
  },
  { id: "dart", extensions: "dart", loadPatterns: async () => (await braces()).dart },
  {
    id: "lua",
    extensions: "lua luau",
    interpreters: "lua luajit",
    loadPatterns: async () => (await import("./lua/patterns.ts")).patterns,
    loadReferences: () => import("./lua/references.ts"),
    modules: Lua,
  },
  { id: "perl", extensions: "pl pm t", interpreters: "perl", loadPatterns: async () => (await scripting()).perl },
  { id: "r", extensions: "r", interpreters: "rscript", loadPatterns: async () => (await scripting()).r },
  { id: "julia", extensions: "jl", interpreters: "julia", loadPatterns: async () => (await scripting()).julia },
  {
    id: "elixir",
    extensions: "ex exs",
    interpreters: "elixir",
    loadPatterns: async () => (await import("./elixir/patterns.ts")).patterns,
    loadReferences: () => import("./elixir/references.ts"),
    modules: Elixir,
  },
  {
    id: "haskell",
    extensions: "hs",
    interpreters: "runhaskell runghc",
    loadPatterns: async () => (await import("./haskell/patterns.ts")).patterns,
  },
  { id: "zig", extensions: "zig", loadPatterns: async () => (await braces()).zig },
  { id: "solidity", extensions: "sol", loadPatterns: async () => (await braces()).solidity },
  // There is a grammar, but V8 takes 20 s to compile it.
  {
    id: "powershell",
    extensions: "ps1 psm1 psd1",
    interpreters: "pwsh",
    loadPatterns: async () => (await scripting()).powerShell,
  },
  { id: "sql", extensions: "sql psql ddl", loadPatterns: async () => (await schemas()).sql },
  { id: "graphql", extensions: "graphql gql", loadPatterns: async () => (await schemas()).graphQl },
  { id: "protobuf", extensions: "proto", loadPatterns: async () => (await schemas()).protobuf },
  { id: "terraform", extensions: "tf", loadPatterns: async () => (await schemas()).terraform },
]

/** Languages whose files embed scripts of another one. */
const embedding: ReadonlyArray<Row> = [
  { id: "vue", extensions: "vue", modules: Ecma },
  { id: "svelte", extensions: "svelte", modules: Ecma },
  { id: "astro", extensions: "astro" },
]

const toNamed = (rows: ReadonlyArray<NameRow>): ReadonlyArray<Named> =>
  rows.map(([id, extensions, names = "", interpreters = ""]) => ({ id, extensions, names, interpreters }))

const withOutline = (
  rows: ReadonlyArray<Row & { readonly grammar?: string }>,
  outline: OutlineMethod,
): ReadonlyArray<Entry> => rows.map((row) => ({ grammar: undefined, ...row, outline }))

export const entries: ReadonlyArray<Entry> = [
  ...withOutline(parsed, "grammar"),
  ...withOutline(approximate, "patterns"),
  ...withOutline(embedding, "scripts"),
  ...withOutline(toNamed(unread), "none"),
  ...withOutline(toNamed(texts), "text"),
]
