/** The tests that stand in the files that they test. */

/**
 * An SQL condition on `symbol s join file f`: Rust has its unit tests in a module `tests` (or `test`) of the file itself, so the
 * class of the file says nothing of them.
 */
export const IS_OWN_TEST =
  "f.language is 'rust' and (s.qualified in ('test', 'tests') or s.qualified glob 'test.*' or s.qualified glob 'tests.*')"
