/**
 * The class of a file: whether it is the code of a project, or something beside the code. Coverage, landmarks and the
 * order of work are about the code first, and a search gives the other classes less weight.
 *
 * The lists follow the conventions of languages and their build tools, and those that GitHub's Linguist knows
 * (`vendor.yml`, `generated.rb`, `documentation.yml`). A name that many projects use for code of their own (`build`,
 * `env`, `cache`, `tools`) is in no list.
 */
import type { Declared } from "./Attributes.ts"
import * as Generated from "./internal/Generated.ts"
import type { CodeSymbol } from "./Symbols.ts"

export type { Declared }

/** The classes, in the order in which they are reported. */
export const all = ["code", "test", "example", "documentation", "generated", "vendored"] as const

/**
 * `test` includes benchmarks and fixtures. `generated` files are written by a program, like builds, minified files and
 * lock files. `vendored` files are copies of other projects. `code` is everything else, the settings and data of the
 * project among it.
 */
export type FileClass = (typeof all)[number]

/** The name of the files of each class in a count by class. */
export const plurals: Readonly<Record<FileClass, string>> = {
  code: "code",
  test: "tests",
  example: "examples",
  documentation: "documentation",
  generated: "generated",
  vendored: "vendored",
}

/** Returns the same name for use in a sentence: `tests`, `generated files`. */
export const nounOf = (fileClass: FileClass): string =>
  fileClass === "generated" || fileClass === "vendored" ? `${fileClass} files` : plurals[fileClass]

/**
 * Returns the class of the file at a path, which is relative to the root. `declared` holds what attributes files say
 * about it, and overrides everything else. For `isGenerated` see `looksGenerated`.
 */
export const of = (path: string, declared: Declarations = {}, isGenerated = false): FileClass => {
  const stated = strongest.find((fileClass) => declared[fileClass] === true)
  if (stated !== undefined) return stated
  const folders = path.split("/")
  const name = folders.pop() ?? ""
  // Below a source root a folder is a segment of a package, whatever its name is.
  const outer = folders.slice(0, sourceRootOf(folders))
  const found = rules.find(
    (rule) =>
      declared[rule.fileClass] !== false &&
      (matches(rule, rule.isOfPackages ? folders : outer, name, path) ||
        (rule.fileClass === "generated" && isGenerated)),
  )
  return found?.fileClass ?? "code"
}

/**
 * Returns the number of folders above the packages of a path: those of `src/main/java`, or the ones before the domain
 * that a package begins with, such as `com/acme`. All folders, if the path has no packages.
 */
const sourceRootOf = (folders: ReadonlyArray<string>): number => {
  const language = folders.findIndex(
    (folder, at) => languageFolder.test(folder) && mainFolder.test(folders[at - 1] ?? "") && folders[at - 2] === "src",
  )
  if (language !== -1) return language + 1
  const domain = folders.findIndex((folder, at) => domains.test(folder) && rootAbove.test(folders[at - 1] ?? ""))
  return domain === -1 ? folders.length : domain
}

/** The source sets and languages of Maven and Gradle: `src/main/java`, `src/commonMain/kotlin`. */
const mainFolder = /^(?:main|\w+Main)$/
const languageFolder = /^(?:java|kotlin|scala|groovy|resources)$/

/** Domains that packages begin with, and the folders that hold them. */
const domains = /^(?:com|org|net|io|edu|gov|dev|de|fr|uk|cn|jp|ch|eu|me)$/
const rootAbove = /^(?:src|java|kotlin|scala|source|sources)$/

/** The classes that a file is (true) or is not (false). Attributes files cannot declare tests and examples. */
export type Declarations = Declared & { readonly [Name in FileClass]?: boolean | undefined }

const strongest = ["vendored", "generated", "documentation"] as const

/**
 * Returns whether the text of a file shows that a program wrote it: by its header, by lines as long as those of a
 * minified file, by the helpers of a bundler, or because a hundred or more functions differ in their names alone. Takes
 * O(length of the text).
 */
export const looksGenerated = (path: string, text: string, symbols: ReadonlyArray<CodeSymbol>): boolean =>
  Generated.hasHeader(path, text) ||
  Generated.isMinified(path, text) ||
  Generated.isCompiled(path, text) ||
  // Tests often have one shape, so only code is checked for it.
  (of(path) === "code" && Generated.hasOneShape(text, symbols))

/**
 * Returns whether a file that its name alone makes tests is code of the project, such as the tests that
 * templates of Jinja can call (`src/jinja2/tests.py`): Django's module of that name has to name a test
 * framework. Takes O(length of the text).
 */
export const isNamedLikeTests = (path: string, text: string): boolean => {
  const folder = path.slice(0, path.lastIndexOf("/") + 1)
  return (
    /(?:^|\/)tests\.py$/.test(path) &&
    of(`${folder}code.py`) === "code" &&
    /^(?:async )?(?:def|class)\s/m.test(text) &&
    !testFramework.test(text)
  )
}

const testFramework = /\b(?:unittest|pytest|doctest|hypothesis|nose|\w*TestCase|\w*TestSuite)\b|^\s*assert\s/m

interface Rule {
  readonly fileClass: FileClass
  /** Segments of a package count as folders: a package may hold generated or vendored code. */
  readonly isOfPackages?: true
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

/** Returns `src` for `src/a/b.ts` and for `packages/a/src/b.ts`. */
const topFolder = ([first = "", , third = ""]: ReadonlyArray<string>): string =>
  monorepoFolders.test(first) ? third : first

const monorepoFolders = /^(?:packages|apps|crates|plugins|modules|projects|services)$/i

/** One pattern for whole names, without regard to case. */
const anyOf = (...names: ReadonlyArray<RegExp>): RegExp =>
  new RegExp(`^(?:${names.map(({ source }) => source).join("|")})$`, "i")

const none = /(?!)/

/** The first rule that matches decides. */
const rules: ReadonlyArray<Rule> = [
  {
    fileClass: "vendored",
    isOfPackages: true,
    folders: anyOf(
      /_?vendor(?:ed)?|third[-_]?party|3rd[-_]?party/,
      /node_modules|jspm_packages|bower_components|site-packages|\.venv|\.yarn|.+\.(?:xc)?framework/,
    ),
    topFolders: none,
    names: anyOf(
      // These have a version in the name, or are libraries of one file that web pages load.
      /.+-\d+\.\d+(?:\.\d+)?(?:[.-]min)?\.(?:js|css)/,
      /(?:jquery|jquery-ui|underscore|lodash|modernizr|html5shiv)(?:[.-]slim|[.-]min)*\.js|(?:bootstrap|normalize|font-awesome)\.css/,
      /sqlite3(?:ext)?\.[ch]|stb_\w+\.h|catch(?:_amalgamated)?\.hpp|doctest\.h|cpplint\.py/,
      // Package managers and build tools put these into a checkout.
      /ez_setup\.py|get-pip\.py|distribute_setup\.py|gradlew(?:\.bat)?|mvnw(?:\.cmd)?|\.pnp\.c?js|\.pnp\.loader\.mjs/,
      /ltmain\.sh|config\.(?:guess|sub)|install-sh|aclocal\.m4|libtool\.m4/,
    ),
    // Deeper in a project the code itself may be about `vendors`, `deps` and `external`, and also about `pods` in small
    // letters.
    paths:
      /^(?:vendors|deps|externals?|extern|subprojects|venv)\/|(?:^|\/)(?:Pods|Carthage|Godeps|(?:public|static|assets|js|css)\/vendors)\//,
  },
  {
    fileClass: "generated",
    isOfPackages: true,
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
      // Tasks of Elixir have the verb `gen` in their names: `phx.gen.ex`.
      /.+[._]generated\.\w+|.+\.gen\.(?!exs?$)\w+|.+_gen\.go|zz_generated\..+|bindata\.go|.+\.zep\.(?:c|h|php)/,
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
      // Projects beside the one that they test: `Acme.Tests`, `acme-tests`, `acme_test`, `tests.unit`. A library for
      // tests may be called `acme-test`, and data for a standard `acme-specs`.
      /.+[._-]tests|.+[._]test|tests[._-].+|.+\.specs?|.+[._-]benchmarks?/,
    ),
    // A package may have a module `testing` for its users' tests.
    topFolders: anyOf(/testing|t/),
    names: anyOf(
      // `mocks` is missing on purpose: in a project that makes mocks it is the code.
      /test_.+\.pyi?|conftest\.py|(?:.+[._-])?mock\.[cm]?[jt]sx?|.+[._-](?:test|tests|spec|specs|e2e|bench|cy|stories)\.\w+/,
      // The module of tests that Rust and Django keep beside the code; in other languages
      // `tests` may be what is counted.
      /tests\.(?:rs|py)/,
      /.+\.(?:snap|feature)|phpunit\.xml(?:\.dist)?|(?:jest|vitest|karma|cypress|playwright)\.(?:conf|config|setup|workspace)\.(?:\w+\.)*\w+/,
    ),
    // The case of letters decides: `UserTest.java` and `AppUITests/` are tests, but `latest.java` is not.
    paths: new RegExp(
      [
        /[a-z\d]Test(?:s|Cases?)?\.(?:java|kts?|scala|groovy|swift|cs|fs|vb|php|m|mm)$|[a-z\d]IT\.(?:java|kt|groovy)$/,
        /[a-z\d]Specs?\.(?:kts?|scala|groovy|swift|hs|cs)$|[a-z\dI]Tests\/|[a-z\d]Specs\/|[a-z\d]Test(?:Utilities|Utils|Helpers|Fixtures|Support)\//,
        // Source sets of Gradle: `src/androidTest`, `src/testFixtures`.
        /(?:^|\/)src\/(?:[a-z]\w*Test|test[A-Z]\w*)\//,
      ]
        .map(({ source }) => source)
        .join("|"),
    ),
  },
  {
    fileClass: "example",
    // Go leaves out folders that begin with an underscore.
    folders: anyOf(/_?(?:examples?|samples|demos?)/),
    topFolders: anyOf(/sample|tutorials?|playgrounds?/),
    names: anyOf(/.+[._-](?:example|sample)\.\w+/),
    paths: none,
  },
  {
    fileClass: "documentation",
    folders: anyOf(/docs?|documentation/),
    topFolders: anyOf(/man|guides?/),
    names: anyOf(
      /.+\.(?:md|mdx|markdown|rst|adoc|asciidoc|rdoc|textile|pod)/,
      /(?:readme|changelog|changes|history|news|contributing|contributors|authors|copying|notice|security|code_of_conduct|todo)(?:\.(?:md|txt|rst))?/,
      /(?:(?:mit|apache|bsd|gpl|third[-_]party)[-_])?licen[cs]es?(?:-(?:mit|apache|bsd|isc|mpl|l?gpl|boost)[\w.-]*)?(?:\.(?:md|txt|rst))?/,
    ),
    paths: none,
  },
]
