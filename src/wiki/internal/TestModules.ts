/** Tells the tests that stand in files of the code apart. Pure. */

/** Returns whether a symbol belongs to tests: those of Rust stand in modules of the code. */
export const isInTestModule = ({
  path,
  qualifiedName,
}: {
  readonly path: string
  readonly qualifiedName: string
}): boolean =>
  path.endsWith(".rs") &&
  (/(?:^|\.)tests?\./.test(qualifiedName) || /(?:^|\/)(?:tests?|testing|test_\w+)\.rs$/.test(path))
