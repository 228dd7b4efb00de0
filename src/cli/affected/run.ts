/** Runs `vibe affected`. */
import * as nodePath from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { plural } from "../../base/Prose.ts"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as AffectedTests from "../../lookup/AffectedTests.ts"
import { findPath, pathsOf } from "../../lookup/findPath.ts"
import type { DisplayPath, Project as OpenProject } from "../../lookup/Project.ts"
import * as Review from "../../review/Review.ts"
import * as Revisions from "../../review/Revisions.ts"
import * as SymbolDiff from "../../review/SymbolDiff.ts"
import { TestsNotKnown } from "../CommandError.ts"
import { DetailedFailure } from "../Failure.ts"
import * as Project from "../project/Project.ts"
import * as Reviewed from "../review/Reviewed.ts"
import * as Screen from "../terminal/Screen.ts"
import type { Input } from "./command.ts"

export const run = Effect.fn("cli.affected")(function* (input: Input) {
  const { err, out } = yield* Screen.Screen
  const project = yield* Project.open(input.root)
  const { changes, subject, title } = yield* changesOf(project, input)
  const { tests, unknown } = yield* AffectedTests.find(project.index, changes)
  const targets = Array.from(new Set(tests.map(({ path }) => targetOf(path, project.displayPath))))
  const failure =
    input.strict && AffectedTests.isUncertain(unknown) ? new TestsNotKnown({ reasons: reasonsOf(unknown) }) : undefined
  if (input.json) {
    const object = { compared: title, targets, tests, unknown, certain: !AffectedTests.isUncertain(unknown) }
    if (failure !== undefined) return yield* new DetailedFailure({ failure, others: [], object })
    return yield* Screen.line(out, sanitizeJson(object))
  }
  for (const target of targets) yield* Screen.line(out, sanitizeLine(target))
  if (targets.length === 0) yield* Screen.line(err, sanitizeLine(`vibe: no test is known to depend on ${subject}`))
  for (const reason of reasonsOf(unknown)) yield* Screen.line(err, sanitizeLine(`vibe: ${reason}`))
  if (failure !== undefined) return yield* failure
}, Effect.scoped)

interface Compared {
  readonly changes: ReadonlyArray<AffectedTests.Change>
  /** The states that were compared, in words. */
  readonly title: string
  /** Names what has changed, as the end of a sentence. */
  readonly subject: string
}

/** Reads the arguments as files of the project if all of them are, and else as one commit or range. */
const changesOf = Effect.fnUntraced(function* (project: OpenProject, { change, root }: Input) {
  const [first = "HEAD", ...others] = change
  const known = yield* Effect.forEach(change, (typed) => isInIndex(project, typed))
  if (change.length > 0 && (others.length > 0 || known[0] === true)) {
    const found = yield* Effect.forEach(change, (typed) => findPath(project, typed))
    const files = yield* Effect.forEach(found, (path) => project.index.filesIn(path))
    const changes = files.flat().map(({ path }) => ({ path, symbols: undefined, removed: [] }))
    const title = plural(changes.length, "file")
    const compared: Compared = { changes, title, subject: title }
    return compared
  }
  const { folder, repository } = yield* Reviewed.find(
    Option.orElse(root, () => Option.some(project.workspace.root)),
    Option.none(),
    "affected",
  )
  const comparison = yield* Revisions.ofRange(folder, repository, first)
  if (comparison.to !== Revisions.WORKING_TREE && /\.\./.test(first) && !/\.\.(?:HEAD|@)?$/.test(first)) {
    return yield* new UsageError({
      message: `'${first}' ends at a commit that is not checked out: tests are found in the files that are here`,
      command: "affected",
    })
  }
  const review = yield* Review.make(project.workspace, comparison)
  const { title } = comparison
  const compared: Compared = { changes: changesIn(review), title, subject: `what has changed; compared ${title}` }
  return compared
})

const isInIndex = ({ index, workspace }: OpenProject, typed: string) =>
  Effect.map(
    Effect.forEach(pathsOf(workspace, typed), (path) => index.filesIn(path)),
    (found) => found.some((files) => files.length > 0),
  )

/** Returns the changes of a review by file. A file in which no symbol differs counts as a whole. */
const changesIn = ({ changes, others }: Review.Review): ReadonlyArray<AffectedTests.Change> => {
  const byPath = new Map<string, { symbols: Array<string>; removed: Array<string> }>()
  const at = (path: string) => {
    const known = byPath.get(path) ?? { symbols: [], removed: [] }
    byPath.set(path, known)
    return known
  }
  for (const change of changes) {
    const { path, qualifiedName } = SymbolDiff.subjectOf(change)
    if (change.change === "removed") at(path).removed.push(qualifiedName)
    // The members of a class are changes of their own.
    else if (change.change !== "changed" || change.extent !== "members") at(path).symbols.push(qualifiedName)
    if (change.change === "renamed" || change.change === "moved") at(path).removed.push(change.before.qualifiedName)
  }
  return [
    ...Array.from(byPath, ([path, { removed, symbols }]) => ({ path, symbols, removed })),
    ...others.map(({ path }) => ({ path, symbols: undefined, removed: [] })),
  ]
}

/** Returns what a test runner takes: a file, and for Go the folder of a package. */
const targetOf = (path: string, displayPath: DisplayPath): string => {
  if (!path.endsWith(".go")) return displayPath(path)
  const folder = displayPath(nodePath.posix.dirname(path))
  return folder.startsWith(".") || nodePath.isAbsolute(folder) ? folder : `./${folder}`
}

/** The most files that are named in a line. */
const MAX_NAMED = 5

const listPaths = (paths: ReadonlyArray<string>): string =>
  `${paths.slice(0, MAX_NAMED).join(", ")}${paths.length > MAX_NAMED ? " …" : ""}`

/** Says what cannot be known, a sentence for each reason. */
const reasonsOf = ({
  filesNotResolved,
  filesWithoutSymbols,
  isCut,
  testsWithName,
}: AffectedTests.Unknown): ReadonlyArray<string> => [
  ...(filesWithoutSymbols.length === 0
    ? []
    : [
        `not known: which tests read ${plural(filesWithoutSymbols.length, "changed file")} without symbols (${listPaths(filesWithoutSymbols)})`,
      ]),
  ...(filesNotResolved.length === 0
    ? []
    : [`not known: uses are not resolved in the language of ${listPaths(filesNotResolved)}`]),
  ...(testsWithName.length === 0
    ? []
    : [
        `not known: ${plural(testsWithName.length, "more test")} only with a name of the change (${listPaths(testsWithName.map(({ path }) => path))})`,
      ]),
  ...(isCut ? ["not known: the search ended at its limits"] : []),
]
