/** `search_text` and `file_search`: search all files for a regular expression. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { plural } from "../base/Prose.ts"
import { sanitizeLine } from "../base/Sanitize.ts"
import * as Repository from "../code/Repository.ts"
import type { Workspace } from "../code/Workspace.ts"
import * as Tool from "../tool/Tool.ts"
import * as SuggestPaths from "./internal/suggestPaths.ts"

/** The most matching lines in one result. */
const MAX_SEARCH_MATCHES = 100

/** The most characters that are shown of a matching line. */
const MAX_SHOWN_CHARS = 300

/** The most characters of a line that are searched; longer lines are generated. */
const MAX_SEARCHED_CHARS = 2_000

/** The most steps of a compiled pattern. A line costs steps times characters: a tenth of a second at the worst. */
const MAX_PATTERN_STEPS = 1_000

const MAX_SEARCH_MS = 10_000

/** The time after which the search yields to the event loop. */
const MAX_TURN_MS = 20

/**
 * Makes the tool. No pattern can block the run: RE2 takes time linear in the text, and only the beginning of a long
 * line is searched. The search yields between lines, so that it can be interrupted, and ends after `MAX_SEARCH_MS`.
 */
export const make = (workspace: Workspace): Tool.Tool => makeNamed("search_text", workspace)

/** The same tool for interviews. */
export const makeFileSearch = (codebase: Workspace): Tool.Tool =>
  makeNamed("file_search", SuggestPaths.fromWorkspace(codebase))

const makeNamed = (name: string, workspace: Workspace): Tool.Tool =>
  Tool.make({
    name,
    description: `Searches the text of all files for a regular expression (RE2 syntax: no look-around, no back-references), line by line. Shows each path with its lines below, line: text, ${MAX_SEARCH_MATCHES} lines at the most, and says what was not searched.`,
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
        const matches = yield* compile(pattern, ignoreCase)
        const { hidden, paths } = yield* filesAt(workspace, path)
        const search = yield* searchFiles(workspace, paths, matches)
        return [
          ...(search.found.length === 0
            ? [`no match for ${pattern} in ${plural(search.files, "file")}`]
            : search.found),
          ...(search.isFull ? [`(there are more: the first ${MAX_SEARCH_MATCHES} are shown)`] : []),
          ...describeUnsearched({
            ...search,
            hidden,
            late: search.isFull ? 0 : paths.length - search.files - search.unread,
          }),
        ].join("\n")
      }),
  })

interface Search {
  /** The path of each file with matches, and below it `line: text` for each. */
  readonly found: ReadonlyArray<string>
  /** True if there are more matches than `MAX_SEARCH_MATCHES`. */
  readonly isFull: boolean
  /** The number of files that were searched. */
  readonly files: number
  /** The number of files that could not be read. */
  readonly unread: number
  /** The number of lines of which only the beginning was searched. */
  readonly cut: number
}

const searchFiles = Effect.fnUntraced(function* (
  workspace: Workspace,
  paths: ReadonlyArray<string>,
  matches: (line: string) => boolean,
) {
  const clock = yield* Effect.clock
  const now = () => clock.unsafeCurrentTimeMillis()
  const found: Array<string> = []
  const counts = { matches: 0, files: 0, unread: 0, cut: 0 }
  const search = (isFull: boolean): Search => ({ found, isFull, ...counts })
  const deadline = now() + MAX_SEARCH_MS
  let begun = now()
  for (const path of paths) {
    const content = yield* Effect.either(workspace.read(path))
    if (Either.isLeft(content)) {
      counts.unread++
      continue
    }
    let isListed = false
    for (const [number, line] of content.right.text.split("\n").entries()) {
      if (now() - begun > MAX_TURN_MS) {
        yield* nextTurn
        begun = now()
        if (begun > deadline) return search(false)
      }
      if (line.length > MAX_SEARCHED_CHARS) counts.cut++
      if (!matches(line.slice(0, MAX_SEARCHED_CHARS))) continue
      if (counts.matches === MAX_SEARCH_MATCHES) return search(true)
      counts.matches++
      if (!isListed) found.push(sanitizeLine(path))
      isListed = true
      // `ToolResult.presentable` would take a text with a NUL for binary.
      const text = line.slice(0, MAX_SEARCHED_CHARS).trim().slice(0, MAX_SHOWN_CHARS).replaceAll("\0", "\ufffd")
      found.push(`${number + 1}: ${text}`)
    }
    counts.files++
  }
  return search(false)
})

/** Lets the event loop handle signals and timers, whatever scheduler runs the fiber. */
const nextTurn: Effect.Effect<void> = Effect.async((resume) => {
  const immediate = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(immediate))
})

/** Says what was not searched; empty if everything was. */
const describeUnsearched = (counts: Record<"hidden" | "unread" | "cut" | "late", number>): ReadonlyArray<string> => {
  const parts = [
    counts.hidden > 0
      ? `${counts.hidden} ${counts.hidden === 1 ? "entry that is" : "entries that are"} ignored, private or no ${counts.hidden === 1 ? "file" : "files"}`
      : "",
    counts.unread > 0
      ? `${plural(counts.unread, "file")} that ${counts.unread === 1 ? "is" : "are"} binary, too large or unreadable`
      : "",
    counts.cut > 0
      ? `${plural(counts.cut, "line")} beyond ${counts.cut === 1 ? "its" : "their"} first ${MAX_SEARCHED_CHARS} characters`
      : "",
    counts.late > 0 ? `${plural(counts.late, "file")} for want of time` : "",
  ].filter((part) => part !== "")
  return parts.length === 0 ? [] : [`(not searched: ${parts.join("; ")})`]
}

/** Compiles a pattern. RE2 is loaded at the first search, since most runs have none. */
const compile = (pattern: string, ignoreCase: boolean) =>
  Effect.promise(() => import("re2js")).pipe(
    Effect.flatMap(({ RE2JS }) => Effect.try(() => RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0))),
    Effect.catchAll(({ error }) =>
      Tool.fail(`the pattern ${pattern} is no regular expression: ${error instanceof Error ? error.message : error}`),
    ),
    Effect.filterOrElse(
      (compiled) => compiled.programSize() <= MAX_PATTERN_STEPS,
      () => Tool.fail(`the pattern ${pattern} repeats too much: it has more than ${MAX_PATTERN_STEPS} steps`),
    ),
    Effect.map((compiled) => (line: string) => compiled.test(line)),
  )

/** Returns the files below a folder, or the one file at the path. */
const filesAt = (workspace: Workspace, path: string) =>
  Repository.walk(workspace, path).pipe(
    Effect.map(({ files, hidden }) => ({ paths: files.map((file) => file.path), hidden })),
    Effect.catchIf(
      ({ reason }) => reason._tag === "NotAFolder",
      () => Effect.map(workspace.read(path), (file) => ({ paths: [file.path], hidden: 0 })),
    ),
    Tool.orFail,
  )
