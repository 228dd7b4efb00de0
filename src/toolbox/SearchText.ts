/** `search_text`: a regular expression over all files. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Repository from "../code/Repository.ts"
import type { Workspace } from "../code/Workspace.ts"
import { plural } from "../message/Plural.ts"
import * as Tool from "../tool/Tool.ts"

/** The most lines that one search shows. */
const most = 100

/** The most of a matching line that is shown, in characters. */
const shown = 300

/** The most of a line that is searched, in characters: what is longer was not written to be read. */
const reach = 2_000

/** Steps of a compiled pattern: a line costs their number times its length, here a tenth of a second at the worst. */
const mostSteps = 1_000

/** Milliseconds that a search may take, and that it may take in one go. */
const patience = 10_000
const turn = 20

/**
 * A model cannot hang the run with a pattern: RE2 matches in time linear to the text, a line is searched only so far,
 * and between two lines the search gives way, to an interruption too, and ends when it has taken too long.
 */
export const make = (workspace: Workspace): Tool.Tool => named("search_text", workspace)

/** The same by another name. */
export const named = (name: string, workspace: Workspace): Tool.Tool =>
  Tool.make({
    name,
    description: `Searches the text of all files for a regular expression (RE2 syntax: no look-around, no back-references), line by line. Shows path:line: text, ${most} lines at the most, and says what was not searched.`,
    parameters: Schema.Struct({
      pattern: Schema.NonEmptyString.pipe(Schema.maxLength(1000)).annotations({
        description: "The regular expression, of at most 1000 characters",
      }),
      path: Schema.optional(Schema.String.annotations({ description: "A folder or file to search in" })),
      ignoreCase: Schema.optional(Schema.Boolean.annotations({ description: "Whether A matches a" })),
    }),
    readOnly: true,
    run: ({ ignoreCase = false, path = ".", pattern }) =>
      Effect.gen(function* () {
        const matches = yield* matcher(pattern, ignoreCase)
        const { hidden, paths } = yield* within(workspace, path)
        const search = yield* searched(workspace, paths, matches)
        return [
          ...(search.found.length === 0
            ? [`no match for ${pattern} in ${plural(search.files, "file")}`]
            : search.found),
          ...(search.isFull ? [`(there are more: the first ${most} are shown)`] : []),
          ...leftOut({ ...search, hidden, late: search.isFull ? 0 : paths.length - search.files - search.unread }),
        ].join("\n")
      }),
  })

interface Search {
  /** `path:line: text` */
  readonly found: ReadonlyArray<string>
  /** There are more than `most`. */
  readonly isFull: boolean
  /** How many files were searched, */
  readonly files: number
  /** and how many could not be, */
  readonly unread: number
  /** and how many lines were too long. */
  readonly cut: number
}

const searched = Effect.fnUntraced(function* (
  workspace: Workspace,
  paths: ReadonlyArray<string>,
  matches: (line: string) => boolean,
) {
  const clock = yield* Effect.clock
  const now = () => clock.unsafeCurrentTimeMillis()
  const found: Array<string> = []
  const counts = { files: 0, unread: 0, cut: 0 }
  const search = (isFull: boolean): Search => ({ found, isFull, ...counts })
  const deadline = now() + patience
  let begun = now()
  for (const path of paths) {
    const content = yield* Effect.either(workspace.read(path))
    if (Either.isLeft(content)) {
      counts.unread++
      continue
    }
    for (const [number, line] of content.right.text.split("\n").entries()) {
      if (now() - begun > turn) {
        yield* nextTurn
        begun = now()
        if (begun > deadline) return search(false)
      }
      if (line.length > reach) counts.cut++
      if (!matches(line.slice(0, reach))) continue
      if (found.length === most) return search(true)
      // A NUL would make the whole result pass for binary.
      found.push(`${path}:${number + 1}: ${line.slice(0, reach).trim().slice(0, shown).replaceAll("\0", "\ufffd")}`)
    }
    counts.files++
  }
  return search(false)
})

/** Lets Node look at signals and timers, whatever scheduler runs the fiber. */
const nextTurn: Effect.Effect<void> = Effect.async((resume) => {
  const immediate = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(immediate))
})

/** In words; nothing where all was searched. */
const leftOut = (counts: Record<"hidden" | "unread" | "cut" | "late", number>): ReadonlyArray<string> => {
  const parts = [
    counts.hidden > 0
      ? `${counts.hidden} ${counts.hidden === 1 ? "entry that is" : "entries that are"} ignored, private or no ${counts.hidden === 1 ? "file" : "files"}`
      : "",
    counts.unread > 0
      ? `${plural(counts.unread, "file")} that ${counts.unread === 1 ? "is" : "are"} binary, too large or unreadable`
      : "",
    counts.cut > 0
      ? `${plural(counts.cut, "line")} beyond ${counts.cut === 1 ? "its" : "their"} first ${reach} characters`
      : "",
    counts.late > 0 ? `${plural(counts.late, "file")} for want of time` : "",
  ].filter((part) => part !== "")
  return parts.length === 0 ? [] : [`(not searched: ${parts.join("; ")})`]
}

/** Loaded by the first search: most runs have none. */
const matcher = (pattern: string, ignoreCase: boolean) =>
  Effect.promise(() => import("re2js")).pipe(
    Effect.flatMap(({ RE2JS }) => Effect.try(() => RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0))),
    Effect.catchAll(({ error }) =>
      Tool.fail(`the pattern ${pattern} is no regular expression: ${error instanceof Error ? error.message : error}`),
    ),
    Effect.filterOrElse(
      (compiled) => compiled.programSize() <= mostSteps,
      () => Tool.fail(`the pattern ${pattern} repeats too much: it has more than ${mostSteps} steps`),
    ),
    Effect.map((compiled) => (line: string) => compiled.test(line)),
  )

/** The files of a folder and of those in it, or the one file that is named. */
const within = (workspace: Workspace, path: string) =>
  Repository.walk(workspace, path).pipe(
    Effect.map(({ files, hidden }) => ({ paths: files.map((file) => file.path), hidden })),
    Effect.catchIf(
      ({ reason }) => reason._tag === "NotAFolder",
      () => Effect.map(workspace.read(path), (file) => ({ paths: [file.path], hidden: 0 })),
    ),
    Tool.orFail,
  )
