/** Runs `vibe show`. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
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
import { PurposeExchanges } from "./PurposeExchanges.ts"

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

/** Prints the symbols, file or folder that the argument names. */
const show = Effect.fnUntraced(function* (input: Input, project: OpenProject, found: Found, options: string) {
  const { history, json, why } = input
  const { err, out } = yield* Screen.Screen
  const { displayPath, index, repositories, workspace } = project
  const { declarations, folder, named, outline, overloads } = found
  const exchanges = why ? yield* PurposeExchanges : Option.none()
  const historyOf = (entry: IndexEntry) =>
    Effect.flatMap(History, (module) => Effect.map(module.read(project, entry), (found) => [module, found] as const))
  const map = folder?.path === "." ? yield* index.map : undefined
  if (folder !== undefined && json) {
    const ofProject = folder.path === "." ? { map: map ?? null } : {}
    const ofFolder = { ...RepositoryPath.toJson(repositories, folder.path), ...FolderText.toJson(folder) }
    return yield* Screen.line(out, sanitizeJson({ ...ofFolder, ...ofProject, ...(repositories && { repositories }) }))
  }
  if (json) {
    const symbols = yield* Effect.forEach([...named, ...outline], (entry) =>
      Effect.zipWith(
        usesOf(index, entry),
        Option.isSome(exchanges)
          ? Effect.zipWith(Evidence.read(workspace, entry), exchanges.value.toJson(entry), (evidence, exchange) => ({
              evidence,
              ...exchange,
            }))
          : Effect.succeed({}),
        (uses, exchange) => ({
          ...RepositoryPath.toJson(repositories, entry.path),
          ...SymbolText.symbol(entry, uses, overloads.get(entry), declarations.get(entry)),
          ...exchange,
        }),
      ).pipe(
        Effect.flatMap((symbol) =>
          history && named.includes(entry)
            ? Effect.map(historyOf(entry), ([module, found]) => ({ ...symbol, history: module.toJson(found) }))
            : Effect.succeed(symbol),
        ),
      ),
    )
    return yield* Screen.line(out, sanitizeJson({ symbols, ...(repositories && { repositories }) }))
  }
  const columns = out.isTerminal ? yield* out.columns : SymbolText.UNLIMITED
  if (folder !== undefined) {
    if (map !== undefined) yield* Screen.line(out, `${yield* Screen.wrapFor(out, map)}\n`)
    return yield* Screen.line(out, FolderText.format(folder, displayPath, out.style, columns))
  }
  const details = yield* Effect.forEach(named, (entry) =>
    Effect.zipWith(
      usesOf(index, entry),
      Option.isSome(exchanges)
        ? Effect.flatMap(Evidence.read(workspace, entry), (evidence) =>
            exchanges.value.toText(entry, {
              style: out.style,
              columns,
              evidence: Evidence.toText(evidence, displayPath, out.style, columns),
            }),
          )
        : Effect.succeed([]),
      ({ mentions, references }, exchange) => {
        const shown = new IndexEntry({ ...entry, path: displayPath(entry.path) })
        return [
          SymbolText.heading(shown, out.style, columns, CodeColours.of(out.style)?.paint, declarations.get(entry)),
          ...SymbolText.overloadLines(overloads.get(entry), out.style, columns),
          ...SymbolText.declarationLines(
            entry,
            declarations.get(entry)?.map((each) => new IndexEntry({ ...each, path: displayPath(each.path) })),
            out.style,
            columns,
          ),
          ...SymbolText.doc(shown, columns),
          ...SymbolText.usedBy(
            {
              references: references.map((reference) => ({ ...reference, path: displayPath(reference.path) })),
              mentions: mentions.map((mention) => ({ ...mention, path: displayPath(mention.path) })),
            },
            out.style,
            columns,
            `vibe show ${options}--callers lists the lines`,
          ),
          ...exchange,
        ].join("\n")
      },
    ).pipe(
      Effect.flatMap((text) =>
        history
          ? Effect.map(historyOf(entry), ([module, found]) =>
              [text, ...module.toText(found, out.style, columns)].join("\n"),
            )
          : Effect.succeed(text),
      ),
    ),
  )
  const list = outline.map((entry) => SymbolText.row(entry, out.style, columns)).join("\n")
  const summary = yield* summaryOf(project, outline)
  const about = summary === undefined ? [] : [wrap(sanitizeLine(FileSummary.toText(summary)), columns).join("\n")]
  yield* Screen.line(out, [...details, ...about, ...(outline.length === 0 ? [] : [list])].join("\n\n"))
  const file = outline[0] === undefined ? undefined : (yield* index.filesIn(outline[0].path))[0]
  if (file?.note !== undefined) yield* Screen.line(err, sanitizeLine(`vibe: ${displayPath(file.path)}: ${file.note}`))
})

/** Returns what the file of an outline is for; undefined if nothing says it, or if it cannot be read. */
const summaryOf = Effect.fnUntraced(function* ({ index, workspace }: OpenProject, outline: ReadonlyArray<IndexEntry>) {
  const [first] = outline
  const text = first && (yield* Workspace.readText(workspace, first.path))
  if (first === undefined || text === undefined) return undefined
  return FileSummary.of(first.path, text, outline, yield* index.fileEntry(first.path))
})

const usesOf = (index: Index, entry: IndexEntry) =>
  Effect.all({ references: index.references(entry), mentions: index.mentions(entry.name) })
