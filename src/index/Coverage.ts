/** The share of a codebase that is explained: first of the code, then of the other classes of files. */
import { plural } from "../base/Prose.ts"
import * as FileClass from "../code/FileClass.ts"

export interface ClassCoverage {
  readonly files: number
  readonly symbols: number
  readonly majorSymbols: number
  /** Major symbols with a purpose that is not stale, and those of which a model said that they need none. */
  readonly covered: number
}

/** The coverage of each class of files. */
export interface Coverage {
  readonly code: ClassCoverage
  readonly test: ClassCoverage
  readonly example: ClassCoverage
  readonly documentation: ClassCoverage
  readonly generated: ClassCoverage
  readonly vendored: ClassCoverage
}

const none: ClassCoverage = { files: 0, symbols: 0, majorSymbols: 0, covered: 0 }

/** Makes a coverage. Classes that are not given have no files. */
export const make = (classes: { readonly [Name in FileClass.FileClass]?: ClassCoverage | undefined }): Coverage => ({
  code: classes.code ?? none,
  test: classes.test ?? none,
  example: classes.example ?? none,
  documentation: classes.documentation ?? none,
  generated: classes.generated ?? none,
  vendored: classes.vendored ?? none,
})

/** Adds the coverage of several codebases, class by class. */
export const sum = (coverages: ReadonlyArray<Coverage>): Coverage => {
  const of = (name: FileClass.FileClass) => coverages.map((coverage) => coverage[name]).reduce(add, none)
  return make(Object.fromEntries(FileClass.all.map((name) => [name, of(name)])))
}

/**
 * The classes that count: only the code or, if no code has major symbols, all of them. That happens in a repository of
 * tests, or if attributes mark everything as generated.
 */
export type Focus = "code" | "all"

export const focusOf = (coverage: Coverage): Focus => (coverage.code.majorSymbols > 0 ? "code" : "all")

/** The sum over the classes that count. */
export const ofFocus = (coverage: Coverage): ClassCoverage =>
  focusOf(coverage) === "code" ? coverage.code : FileClass.all.map((name) => coverage[name]).reduce(add, none)

const add = (one: ClassCoverage, other: ClassCoverage): ClassCoverage => ({
  files: one.files + other.files,
  symbols: one.symbols + other.symbols,
  majorSymbols: one.majorSymbols + other.majorSymbols,
  covered: one.covered + other.covered,
})

/** Writes `310 major symbols in code`, and leaves out "in code" if no other class has major symbols. */
export const describeFocus = (coverage: Coverage): string => {
  const count = plural(ofFocus(coverage).majorSymbols, "major symbol")
  return focusOf(coverage) === "code" && beside(coverage).length > 0 ? `${count} in code` : count
}

/** Writes `; tests: 12 of 487, examples: 0 of 31`, or an empty text. */
export const describeBeside = (coverage: Coverage): string => {
  const others = beside(coverage).map(
    (name) => `${FileClass.plurals[name]}: ${coverage[name].covered} of ${coverage[name].majorSymbols}`,
  )
  return focusOf(coverage) === "all" || others.length === 0 ? "" : `; ${others.join(", ")}`
}

/**
 * Says that no code has major symbols, and counts the files of the classes that have some. Undefined if there is code,
 * or no major symbol at all.
 */
export const describeLackOfCode = (coverage: Coverage): string | undefined => {
  const others = beside(coverage)
  return focusOf(coverage) === "code" || others.length === 0
    ? undefined
    : `no code has major symbols, so that all files count alike: ${others
        .map((name) => `${FileClass.plurals[name]} ${coverage[name].files}`)
        .join(", ")}`
}

/** Classes other than code that have major symbols. */
const beside = (coverage: Coverage): ReadonlyArray<FileClass.FileClass> =>
  FileClass.all.filter((name) => name !== "code" && coverage[name].majorSymbols > 0)
