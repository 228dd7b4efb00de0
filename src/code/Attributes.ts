/**
 * The rules of `.gitattributes` files about the class of files, by gitattributes(5): `linguist-generated`,
 * `linguist-vendored` and `linguist-documentation`, which GitHub reads too.
 */
import * as Effect from "effect/Effect"
import * as Shape from "../base/Shape.ts"
import { compileGlob } from "./internal/glob.ts"
import type { File, Workspace } from "./Workspace.ts"

/** `false` says that a file is not of that class; a missing key says nothing. */
export interface Declared {
  readonly vendored?: boolean | undefined
  readonly generated?: boolean | undefined
  readonly documentation?: boolean | undefined
}

/** A line of an attributes file. */
export interface Rule {
  /** The folder of the file, relative to the root, with a slash at its end; empty for the root. */
  readonly folder: string
  readonly pattern: string
  /** `null` takes back an earlier rule: `!linguist-generated`. */
  readonly says: ReadonlyArray<readonly [name: keyof Declared, value: boolean | null]>
}

/** A limit for all attributes files together, because each rule is tried for each file. */
const MAX_RULES = 1_000

/**
 * Reads the rules of a workspace, the outermost folder first. `files` are those of a walk, of which only attributes
 * files (`isAttributes`) matter. An attributes file that cannot be read has no rules.
 */
export const read = (workspace: Workspace, files: ReadonlyArray<File>): Effect.Effect<ReadonlyArray<Rule>> =>
  Effect.map(
    Effect.forEach(files.filter(({ path }) => isAttributes(path)).sort(byDepth), (file) =>
      Effect.match(workspace.read(file), {
        onFailure: () => ({ folder: "", text: "" }),
        onSuccess: ({ text }) => ({ folder: file.path.slice(0, -FILE_NAME.length), text }),
      }),
    ),
    parse,
  )

/** Returns whether this is the path of an attributes file. */
export const isAttributes = (path: string): boolean => path === FILE_NAME || path.endsWith(`/${FILE_NAME}`)

const FILE_NAME = ".gitattributes"

const byDepth = (one: File, other: File): number => one.path.split("/").length - other.path.split("/").length

/**
 * Parses the rules of files, given as the folder and the text of each. Lines about other attributes, and malformed
 * lines, are skipped. A macro (`[attr]built linguist-generated`) stands for its attributes; as in Git, only the root
 * defines macros.
 */
export const parse = (
  files: ReadonlyArray<{ readonly folder: string; readonly text: string }>,
): ReadonlyArray<Rule> => {
  const macros = new Map<string, Rule["says"]>()
  const rules: Array<Rule> = []
  for (const { folder, text } of files) {
    // Most attributes files are about line endings alone.
    if (!text.includes("linguist-") && macros.size === 0) continue
    for (const line of text.split(/\r?\n/)) {
      // A pattern with spaces is quoted.
      const [, quoted, plain, rest = ""] = /^[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s"]\S*))[ \t]+(.*)$/.exec(line) ?? []
      const pattern = quoted?.replaceAll(/\\(["\\])/g, "$1") ?? plain
      if (pattern === undefined || pattern.startsWith("#") || pattern.startsWith("!")) continue
      const says = rest.split(/\s+/).flatMap((word) => macros.get(word) ?? attribute(word))
      if (says.length === 0) continue
      if (!pattern.startsWith("[attr]")) rules.push({ folder, pattern, says })
      else if (folder === "") macros.set(pattern.slice("[attr]".length), says)
    }
  }
  return rules.slice(0, MAX_RULES)
}

/** Reads rules that were stored with `JSON.stringify`; returns no rules for any other text. */
export const fromJson = (text: string | undefined): ReadonlyArray<Rule> => Shape.readOrUndefined(rulesJson, text) ?? []

const rulesJson = Shape.json(
  Shape.list(
    Shape.struct({
      folder: Shape.text,
      pattern: Shape.text,
      says: Shape.list(Shape.pair(Shape.oneOf("vendored", "generated", "documentation"), Shape.nullOr(Shape.boolean))),
    }),
  ),
)

const attribute = (word: string): Rule["says"] => {
  const [, sign, name, value] = /^([-!]?)linguist-(vendored|generated|documentation)(?:=(\S*))?$/.exec(word) ?? []
  return sign === undefined || !isDeclarable(name)
    ? []
    : [[name, sign === "!" ? null : sign === "" && value !== "false"]]
}

const isDeclarable = (name: string | undefined): name is keyof Declared =>
  name === "vendored" || name === "generated" || name === "documentation"

/**
 * Returns a function from a path to its attributes by these rules. For each attribute the last rule that matches
 * counts.
 */
export const matcher = (rules: ReadonlyArray<Rule>): ((path: string) => Declared) => {
  const compiled = rules.map(({ folder, pattern, says }) => ({ folder, says, matches: compileGlob(pattern) }))
  return (path) => {
    const declared: { -readonly [Name in keyof Declared]: boolean | undefined } = {}
    for (const { folder, matches, says } of compiled) {
      if (!path.startsWith(folder) || !matches(path.slice(folder.length))) continue
      for (const [name, value] of says) declared[name] = value ?? undefined
    }
    return declared
  }
}
