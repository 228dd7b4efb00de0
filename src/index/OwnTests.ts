/** The tests of Rust that stand among the code, so that the class of their file says nothing of them. */

/** Modules that hold the tests of the file that they stand in. */
const MODULES = ["test", "tests"]

/** Files that are such a module, or that hold what tests share. A `*` stands for any characters. */
const FILES = ["test.rs", "tests.rs", "testing.rs", "test_*.rs"]

const ofModule = new RegExp(String.raw`(?:^|\.)(?:${MODULES.join("|")})(?:\.|$)`)
const ofFile = new RegExp(
  `(?:^|/)(?:${FILES.map((name) => name.replace(".", String.raw`\.`).replace("*", "[^/]*")).join("|")})$`,
)

/** Returns whether a symbol is such a module or stands in one. */
export const isOwnTest = ({
  path,
  qualifiedName,
}: {
  readonly path: string
  readonly qualifiedName: string
}): boolean => path.endsWith(".rs") && (ofModule.test(qualifiedName) || ofFile.test(path))

/** The path without its folders: they end where no character other than a slash can be trimmed any more. */
const FILE_NAME = "replace(f.path, rtrim(f.path, replace(f.path, '/', '')), '')"

/**
 * The condition of SQL on `symbol s join file f` that says the same as `isOwnTest`. It uses `iif` because SQLite may
 * compute both sides of an `and`, which takes seven times as long for files of other languages.
 */
export const IS_OWN_TEST = `iif(f.path glob '*.rs', ${[
  ...MODULES.map((name) => `'.' || s.qualified || '.' glob '*.${name}.*'`),
  ...FILES.map((name) => `${FILE_NAME} glob '${name}'`),
].join(" or ")}, 0)`
