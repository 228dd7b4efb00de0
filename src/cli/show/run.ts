/** Runs `vibe show`. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { cachedByKey } from "../../base/mutex.ts"
import { plural } from "../../base/Prose.ts"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import type { Style } from "../../base/Style.ts"
import { UsageError } from "../../base/UsageError.ts"
import { wrap } from "../../base/wrap.ts"
import * as Workspace from "../../code/Workspace.ts"
import { IndexEntry } from "../../index/IndexEntry.ts"
import type { Index } from "../../index/IndexStore.ts"
import * as FileSummary from "../../lookup/FileSummary.ts"
import * as FolderText from "../../lookup/FolderText.ts"
import { type Found, findSymbols } from "../../lookup/findSymbols.ts"
import type { Project as OpenProject } from "../../lookup/Project.ts"
import * as RepositoryPath from "../../lookup/repositories/RepositoryPath.ts"
import * as SymbolText from "../../lookup/SymbolText.ts"
import * as Project from "../project/Project.ts"
import * as Repositories from "../project/Repositories.ts"
import * as CodeColours from "../terminal/CodeColours.ts"
import * as Screen from "../terminal/Screen.ts"
import type { Input } from "./command.ts"
import * as Evidence from "./Evidence.ts"
import { type Service as Exchanges, PurposeExchanges } from "./PurposeExchanges.ts"

export const run = Effect.fn("cli.show")(function* (input: Input) {
  const { err } = yield* Screen.Screen
  const isAboutRelations = input.callers || input.callees || input.impact
  yield* checkOptions(input, isAboutRelations)
  const openWith = Effect.fnUntraced(function* (root: Input["root"]) {
    const { options, project } = yield* Repositories.open({ ...input, root }, "show")
    return { options, project, found: yield* findSymbols(project, input.symbol) }
  })
  const { found, options, project } = yield* Effect.catchAll(openWith(input.root), (error) =>
    Effect.flatMap(Project.findElsewhere(input.root, input.symbol), (root) =>
      Option.isNone(root) ? Effect.fail(error) : openWith(root),
    ),
  )
  yield* isAboutRelations
    ? Effect.flatMap(Relations, (relations) => relations.show(input, project, withoutRoutes(found)))
    : show(input, project, found, options)
  const { namesakes, named } = found
  const { history, json, symbol, why } = input
  if (namesakes > 0) {
    const counted = namesakes === 1 ? "a symbol has" : `${namesakes} symbols have`
    yield* Screen.line(err, sanitizeLine(`vibe: ${counted} that name, too: vibe show ${options}:${symbol}`))
  }
  const names = project.repositories?.map(({ name }) => name).filter((name) => isIn(name, named)) ?? []
  const [first] = names
  if (first !== undefined && names.length > 1) {
    const one = `vibe show ${options}${first}:${symbol.replace(/^:/, "")}`
    yield* Screen.line(err, sanitizeLine(`vibe: ${names.join(" and ")} have that name; of one of them: ${one}`))
  }
  if ((why || history) && !json && named.length === 0) {
    const option = why ? "--why" : "--history"
    yield* Screen.line(err, `vibe: ${option} is about one symbol: vibe show ${option} PATH:NAME`)
  }
}, Effect.scoped)

const checkOptions = (
  { depth, history, impact, limit, why }: Input,
  isAboutRelations: boolean,
): Effect.Effect<void, UsageError> => {
  const refuse = (message: string) => Effect.fail(new UsageError({ message, command: "show" }))
  if ((why || history) && isAboutRelations) {
    return refuse(`option '${why ? "--why" : "--history"}' goes without '--callers', '--callees' and '--impact'`)
  }
  if (Option.isSome(depth) && !impact) return refuse("option '--depth' needs '--impact'")
  if (Option.isSome(limit) && !isAboutRelations) {
    return refuse("option '--limit' needs '--callers', '--callees' or '--impact'")
  }
  return Effect.void
}

/** The uses of a route are those of its handlers, if it has any. */
const withoutRoutes = (found: Found): Found => {
  const handlers = found.named.filter(({ kind }) => kind !== "route")
  return handlers.length === 0 ? found : { ...found, named: handlers }
}

/** The modules are loaded only if they are asked for. */
const Relations = Effect.promise(() => import("./relations.ts"))

const History = Effect.promise(() => import("./History.ts"))

const isIn = (repository: string, entries: ReadonlyArray<IndexEntry>): boolean =>
  entries.some(({ path }) => RepositoryPath.split(path)[0] === repository)

/** The project, what the argument names in it, and what the options ask about that. */
interface Shown {
  readonly project: OpenProject
  readonly found: Found
  /** The options by which `vibe show` finds the same project again. */
  readonly options: string
  readonly exchanges: Option.Option<Exchanges>
  readonly hasHistory: boolean
  /** `Index.mentions`, which reads all files, once for each name. */
  readonly mentions: Index["mentions"]
}

/** The most symbols of one name that are printed. `init` or `handle` may be the name of thousands. */
const MAX_NAMED = 100

/** Prints the symbols, file or folder that the argument names. */
const show = Effect.fnUntraced(function* (input: Input, project: OpenProject, found: Found, options: string) {
  const { history, json, why } = input
  const { err, out } = yield* Screen.Screen
  const { displayPath, index } = project
  const { folder, named, outline } = found
  const some = named.slice(0, MAX_NAMED)
  const more = named.length - some.length
  const exchanges = why ? yield* PurposeExchanges : Option.none()
  const mentions = cachedByKey(index.mentions)
  const shown: Shown = { project, found: { ...found, named: some }, options, exchanges, hasHistory: history, mentions }
  if (folder !== undefined) return yield* showFolder(project, folder, json)
  if (json) return yield* Screen.line(out, sanitizeJson(yield* toJson(shown, more)))
  const columns = out.isTerminal ? yield* out.columns : SymbolText.UNLIMITED
  const details = yield* Effect.forEach(some, (entry) => detailsOf(shown, entry, out.style, columns))
  const list = outline.map((entry) => SymbolText.row(entry, out.style, columns)).join("\n")
  const summary = yield* summaryOf(project, outline)
  const about = summary === undefined ? [] : [wrap(sanitizeLine(FileSummary.toText(summary)), columns).join("\n")]
  yield* Screen.line(out, [...details, ...about, ...(outline.length === 0 ? [] : [list])].join("\n\n"))
  if (more > 0) {
    yield* Screen.line(err, `vibe: ${plural(more, "more symbol")} of that name: 'vibe show FILE' lists those of a file`)
  }
  const file = outline[0] === undefined ? undefined : (yield* index.filesIn(outline[0].path))[0]
  if (file?.note !== undefined) yield* Screen.line(err, sanitizeLine(`vibe: ${displayPath(file.path)}: ${file.note}`))
})

const showFolder = Effect.fnUntraced(function* (
  { displayPath, index, repositories }: OpenProject,
  folder: NonNullable<Found["folder"]>,
  isJson: boolean,
) {
  const { out } = yield* Screen.Screen
  const isProject = folder.path === "."
  const map = isProject ? yield* index.map : undefined
  if (isJson) {
    const ofFolder = { ...RepositoryPath.toJson(repositories, folder.path), ...FolderText.toJson(folder) }
    const ofProject = isProject ? { map: map ?? null } : {}
    return yield* Screen.line(out, sanitizeJson({ ...ofFolder, ...ofProject, ...(repositories && { repositories }) }))
  }
  if (map !== undefined) yield* Screen.line(out, `${yield* Screen.wrapFor(out, map)}\n`)
  const columns = out.isTerminal ? yield* out.columns : SymbolText.UNLIMITED
  yield* Screen.line(out, FolderText.format(folder, displayPath, out.style, columns))
})

const historyOf = (project: OpenProject, entry: IndexEntry) =>
  Effect.flatMap(History, (module) => Effect.map(module.read(project, entry), (found) => [module, found] as const))

const toJson = Effect.fnUntraced(function* (shown: Shown, more: number) {
  const { exchanges, found, hasHistory, project } = shown
  const { repositories, workspace } = project
  const { declarations, named, outline, overloads } = found
  const symbols = yield* Effect.forEach([...named, ...outline], (entry) =>
    Effect.gen(function* () {
      const uses = yield* usesOf(shown, entry)
      const why = Option.isNone(exchanges)
        ? {}
        : { evidence: yield* Evidence.read(workspace, entry), ...(yield* exchanges.value.toJson(entry)) }
      const symbol = {
        ...RepositoryPath.toJson(repositories, entry.path),
        ...SymbolText.symbol(entry, uses, overloads.get(entry), declarations.get(entry)),
        ...why,
      }
      if (!hasHistory || !named.includes(entry)) return symbol
      const [module, history] = yield* historyOf(project, entry)
      return { ...symbol, history: module.toJson(history) }
    }),
  )
  return { symbols, more, ...(repositories && { repositories }) }
})

/** Returns the text about one symbol. */
const detailsOf = Effect.fnUntraced(function* (shown: Shown, entry: IndexEntry, style: Style, columns: number) {
  const { exchanges, found, hasHistory, options, project } = shown
  const { declarations, overloads } = found
  const { displayPath, workspace } = project
  const displayed = <A extends { readonly path: string }>(place: A): A => ({ ...place, path: displayPath(place.path) })
  const { mentions, references } = yield* usesOf(shown, entry)
  const entryShown = new IndexEntry(displayed(entry))
  const declared = declarations.get(entry)
  const lines = [
    SymbolText.heading(entryShown, style, columns, CodeColours.of(style)?.paint, declared),
    ...SymbolText.overloadLines(overloads.get(entry), style, columns),
    ...SymbolText.declarationLines(
      entry,
      declared?.map((each) => new IndexEntry(displayed(each))),
      style,
      columns,
    ),
    ...SymbolText.doc(entryShown, columns),
    ...SymbolText.usedBy(
      { references: references.map(displayed), mentions: mentions.map(displayed) },
      style,
      columns,
      `vibe show ${options}--callers lists the lines`,
    ),
  ]
  if (Option.isSome(exchanges)) {
    const evidence = Evidence.toText(yield* Evidence.read(workspace, entry), displayPath, style, columns)
    lines.push(...(yield* exchanges.value.toText(entry, { style, columns, evidence })))
  }
  if (hasHistory) {
    const [module, history] = yield* historyOf(project, entry)
    lines.push(...module.toText(history, style, columns))
  }
  return lines.join("\n")
})

/** Returns what the file of an outline is for; undefined if nothing says it, or if it cannot be read. */
const summaryOf = Effect.fnUntraced(function* ({ index, workspace }: OpenProject, outline: ReadonlyArray<IndexEntry>) {
  const [first] = outline
  const text = first && (yield* Workspace.readText(workspace, first.path))
  if (first === undefined || text === undefined) return undefined
  return FileSummary.of(first.path, text, outline, yield* index.fileEntry(first.path))
})

const usesOf = ({ mentions, project }: Shown, entry: IndexEntry) =>
  Effect.all({ references: project.index.references(entry), mentions: mentions(entry.name) })
