/**
 * The class of a file: whether it is the code of a project, or what stands beside it. Coverage, landmarks and the order of
 * work are of the code first, and a search gives the other classes less weight.
 *
 * The lists follow the conventions of languages and their build tools, and those that GitHub's Linguist knows
 * (`vendor.yml`, `generated.rb`, `documentation.yml`). A name that many projects use for code of their own (`build`, `env`,
 * `cache`, `tools`) is in no list.
 */
import type { Declared } from "./Attributes.ts"
import * as Generated from "./internal/Generated.ts"
import type { CodeSymbol } from "./Symbols.ts"

export type { Declared }

/** In the order in which they are reported. */
export const all = ["code", "test", "example", "documentation", "generated", "vendored"] as const

/**
 * `test`: benchmarks and fixtures too. `generated`: written by a program, as builds, minified files and lock files are.
 * `vendored`: copies of other projects. `code`: all others, settings and data of the project among them.
 */
export type FileClass = (typeof all)[number]

/** The name of their files in a count by class. */
export const plurals: Readonly<Record<FileClass, string>> = {
  code: "code",
  test: "tests",
  example: "examples",
  documentation: "documentation",
  generated: "generated",
  vendored: "vendored",
}

/** `tests`, `generated files`: the same in a sentence. */
export const nounOf = (fileClass: FileClass): string =>
  fileClass === "generated" || fileClass === "vendored" ? `${fileClass} files` : plurals[fileClass]

/**
 * The class of the file at a path, which is relative to the root. `declared`: what attributes files say of it, which
 * overrides everything else. `isGenerated`: see `looksGenerated`.
 */
export const of = (path: string, declared: Declarations = {}, isGenerated = false): FileClass => {
  const stated = strongest.find((fileClass) => declared[fileClass] === true)
  if (stated !== undefined) return stated
  const folders = path.split("/")
  const name = folders.pop() ?? ""
  const found = rules.find(
    (rule) =>
      declared[rule.fileClass] !== false &&
      (matches(rule, folders, name, path) || (rule.fileClass === "generated" && isGenerated)),
  )
  return found?.fileClass ?? "code"
}

/** What attributes files can say; nothing of tests and examples. */
type Declarations = Declared & { readonly [Name in FileClass]?: boolean | undefined }

const strongest = ["vendored", "generated", "documentation"] as const

/**
 * Whether the text of a file shows that a program wrote it: by its header, by lines as of a minified file, or since
 * its functions, a hundred or more, differ in their names alone. O(length of the text).
 */
export const looksGenerated = (path: string, text: string, symbols: ReadonlyArray<CodeSymbol>): boolean =>
  Generated.hasHeader(path, text) ||
  Generated.isMinified(path, text) ||
  // Tests are often of one shape.
  (of(path) === "code" && Generated.hasOneShape(text, symbols))

interface Rule {
  readonly fileClass: FileClass
  /** Names of folders, at any depth. */
  readonly folders: RegExp
  /** Names of folders at the root, or at the root of a package of a monorepo. */
  readonly topFolders: RegExp
  /** Names of files. */
  readonly names: RegExp
  /** Paths that neither a folder nor a name identifies. */
  readonly paths: RegExp
}

const matches = ({ folders, names, paths, topFolders }: Rule, of: ReadonlyArray<string>, name: string, path: string) =>
  names.test(name) || of.some((folder) => folders.test(folder)) || topFolders.test(topFolder(of)) || paths.test(path)

/** `src` of `src/a/b.ts` and of `packages/a/src/b.ts`. */
const topFolder = ([first = "", , third = ""]: ReadonlyArray<string>): string =>
  monorepoFolders.test(first) ? third : first

const monorepoFolders = /^(?:packages|apps|crates|plugins|modules|projects|services)$/i

/** One pattern for whole names, without regard to case. */
const anyOf = (...names: ReadonlyArray<RegExp>): RegExp =>
  new RegExp(`^(?:${names.map(({ source }) => source).join("|")})$`, "i")

const none = /(?!)/

/** The first that matches decides. */
const rules: ReadonlyArray<Rule> = [
  {
    fileClass: "vendored",
    folders: anyOf(
      /_?vendor(?:ed)?|third[-_]?party|3rd[-_]?party/,
      /node_modules|jspm_packages|bower_components|site-packages|\.venv|\.yarn|.+\.(?:xc)?framework/,
    ),
    topFolders: none,
    names: anyOf(
      // A version in the name, and libraries of one file that pages carry.
      /.+-\d+\.\d+(?:\.\d+)?(?:[.-]min)?\.(?:js|css)/,
      /(?:jquery|jquery-ui|underscore|lodash|modernizr|html5shiv)(?:[.-]slim|[.-]min)*\.js|(?:bootstrap|normalize|font-awesome)\.css/,
      /sqlite3(?:ext)?\.[ch]|stb_\w+\.h|catch(?:_amalgamated)?\.hpp|doctest\.h|cpplint\.py/,
      // What package managers and build tools put into a checkout.
      /ez_setup\.py|get-pip\.py|distribute_setup\.py|gradlew(?:\.bat)?|mvnw(?:\.cmd)?|\.pnp\.c?js|\.pnp\.loader\.mjs/,
      /ltmain\.sh|config\.(?:guess|sub)|install-sh|aclocal\.m4|libtool\.m4/,
    ),
    // Deeper in a project `vendors`, `deps` and `external` may be what it is about, and so may `pods` in small letters.
    paths:
      /^(?:vendors|deps|externals?|extern|subprojects|venv)\/|(?:^|\/)(?:Pods|Carthage|Godeps|(?:public|static|assets|js|css)\/vendors)\//,
  },
  {
    fileClass: "generated",
    folders: anyOf(
      /dist|__generated__|_?generated(?:[-_](?:src|sources?|code))?|__pycache__|deriveddata/,
      /\.next|\.nuxt|\.output|\.svelte-kit|\.turbo|\.parcel-cache|\.docusaurus|\.idea|htmlcov|.+\.egg-info/,
    ),
    topFolders: anyOf(/_build|out-tsc/),
    names: anyOf(
      /.+[.-]min\.(?:js|mjs|cjs|css)|.+\.(?:js|mjs|cjs|css)\.map/,
      // Protocol buffers, gRPC, Thrift.
      /.+(?:\.pb|\.pb\.gw|_grpc\.pb)\.(?:go|cc|h|m|ts|js|swift|dart|validate\.go)|.+_pb2(?:_grpc)?\.pyi?|.+_pb\.(?:js|d\.ts|rb|ts)/,
      /.+\.(?:g|freezed|mocks|gr)\.dart|.+\.(?:designer|g|g\.i|feature)\.(?:cs|vb)/,
      /.+[._]generated\.\w+|.+\.gen\.\w+|.+_gen\.go|zz_generated\..+|bindata\.go|.+\.zep\.(?:c|h|php)/,
      // Lock files.
      /.+\.lock|.+[.-]lock\.(?:json|yaml|yml|hcl)|\.terraform\.lock\.hcl|npm-shrinkwrap\.json|bun\.lockb/,
      /go\.(?:work\.)?sum|package\.resolved|packages\.lock\.json|gradle\.lockfile|.+\.xcuserstate|.+\.nib/,
    ),
    paths: /(?:^|\/)build\/(?:libs?|dist|js|css|static|assets|generated|classes|intermediates|outputs?|temp[^/]*)\//i,
  },
  {
    fileClass: "test",
    folders: anyOf(
      /__tests__|__mocks__|__snapshots__|__fixtures__|tests?|(?:unit|integration|runtime|smoke)-?tests?|specs?|e2e|cypress/,
      /fixtures?|test-?_?(?:data|cases|fixtures|resources|suites?)|bench(?:marks?|es)?|asv_bench/,
    ),
    // A package may have a module `testing` for those that test with it.
    topFolders: anyOf(/testing|t/),
    names: anyOf(
      // Not `mocks`: of a project that makes mocks it is the code.
      /test_.+\.pyi?|conftest\.py|(?:.+[._-])?mock\.[cm]?[jt]sx?|.+[._-](?:test|tests|spec|specs|e2e|bench|cy|stories)\.\w+/,
      /.+\.(?:snap|feature)|phpunit\.xml(?:\.dist)?|(?:jest|vitest|karma|cypress|playwright)\.(?:conf|config|setup|workspace)\.(?:\w+\.)*\w+/,
    ),
    // By the case of letters: `UserTest.java`, `AppUITests/`, but `latest.java`.
    paths:
      /[a-z\d]Tests?\.(?:java|kts?|scala|groovy|swift|cs|fs|vb|php|m|mm)$|[a-z\d]Spec\.(?:kts?|scala|groovy|swift|hs)$|[a-z\dI]Tests\//,
  },
  {
    fileClass: "example",
    folders: anyOf(/examples?|samples|demos?/),
    topFolders: anyOf(/sample|tutorials?|playgrounds?/),
    names: anyOf(/.+[._-](?:example|sample)\.\w+/),
    paths: none,
  },
  {
    fileClass: "documentation",
    folders: anyOf(/docs?|documentation/),
    topFolders: anyOf(/man|guides?/),
    names: anyOf(
      /.+\.(?:md|mdx|markdown|rst|adoc|asciidoc)/,
      /(?:readme|changelog|changes|history|news|contributing|contributors|authors|copying|licen[cs]e|notice|security|code_of_conduct|todo)(?:\.(?:md|txt|rst))?/,
    ),
    paths: none,
  },
]
