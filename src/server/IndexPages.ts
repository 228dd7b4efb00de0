/** Reads the contents of the index as pages show them. */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import { sanitize, sanitizeLine } from "../base/Sanitize.ts"
import * as FileClass from "../code/FileClass.ts"
import type { IndexEntry } from "../index/IndexEntry.ts"
import { statementOf } from "../index/IndexEntry.ts"
import type { Dependent, IndexedFile } from "../index/IndexStore.ts"
import * as FolderPurpose from "../lookup/FolderPurpose.ts"
import { atLines } from "../lookup/findSymbols.ts"
import type { Project } from "../lookup/Project.ts"
import * as Relations from "../lookup/Relations.ts"
import type * as Api from "./api/Index.ts"

export const symbolOf = (entry: IndexEntry): Api.SymbolRow => {
  const { endLine, isMajor, kind, path, purpose, qualifiedName, signature, startLine, usedBy } = entry
  return {
    path,
    line: startLine,
    endLine,
    name: sanitizeLine(qualifiedName),
    kind,
    signature: sanitizeLine(signature),
    usedBy,
    isMajor,
    ...(purpose !== undefined && {
      purpose: {
        text: sanitizeLine(statementOf(purpose)),
        origin: purpose.origin,
        ...(purpose.model !== undefined && { model: sanitizeLine(purpose.model) }),
        isStale: purpose.stale,
        ...(purpose.weak !== undefined && { weak: sanitizeLine(purpose.weak) }),
      },
    }),
  }
}

/** The most symbols of a folder that are listed as those that the rest is built on. */
const MAX_CENTRAL = 12
/** The most folders in which documents are read for a purpose. */
const MAX_DESCRIBED = 60
const MAX_DOCUMENTS = 2

/** Returns the folder or file at a path of the index; `.` is the root. Undefined if the index has nothing there. */
export const place = Effect.fnUntraced(function* ({ index, workspace }: Project, at: string) {
  const where = at === "" ? "." : at.replace(/\/+$/, "")
  const below = yield* index.filesIn(where)
  if (below.length === 0) return undefined
  if (below[0]?.path === where) {
    const file = yield* Effect.option(workspace.read(where))
    const symbols =
      file._tag === "Some" ? yield* index.symbolsOf(where, file.value.text) : yield* index.symbolsIn(where)
    const text = file._tag === "Some" && symbols.length === 0 ? file.value.text : ""
    const lines = text === "" ? [] : shownLines(text.replace(/\n$/, "").split("\n"))
    const found: Api.Place = { type: "file", path: where, symbols: symbols.map(symbolOf), lines }
    return found
  }
  const firstFolder = (file: string) => {
    const [first, ...rest] = path.posix.relative(where, file).split("/")
    return rest.length === 0 ? undefined : first
  }
  const inside = Map.groupBy(below, ({ path }) => firstFolder(path))
  const files = inside.get(undefined) ?? []
  inside.delete(undefined)
  const folders = Array.from(inside, ([name = "", files]) => ({ path: path.posix.join(where, name), files })).sort(
    (one, other) => (one.path < other.path ? -1 : 1),
  )
  const described = yield* Effect.forEach(folders, (folder, n) =>
    Effect.map(
      n < MAX_DESCRIBED ? purposeOf(workspace, folder.path, folder.files) : Effect.succeed(undefined),
      (purpose): Api.Folder => ({ path: folder.path, ...countsOf(folder.files), ...(purpose && { purpose }) }),
    ),
  )
  const found: Api.Place = {
    type: "folder",
    path: where,
    folders: described,
    files: files.map(({ class: kind, language, major, note, open, path, symbols }) => ({
      path,
      class: kind,
      symbols,
      major,
      open,
      ...(language !== undefined && { language }),
      ...(note !== undefined && { note: sanitizeLine(note) }),
    })),
    central: (yield* index.central(MAX_CENTRAL, where)).map(symbolOf),
  }
  return found
})

const countsOf = (files: ReadonlyArray<IndexedFile>) => ({
  files: files.length,
  symbols: sum(files, ({ symbols }) => symbols),
  major: sum(files, ({ major }) => major),
  open: sum(files, ({ open }) => open),
})

const sum = <A>(all: ReadonlyArray<A>, of: (one: A) => number): number => all.reduce((total, one) => total + of(one), 0)

const purposeOf = Effect.fnUntraced(function* (
  workspace: Project["workspace"],
  folder: string,
  files: ReadonlyArray<IndexedFile>,
) {
  const names = files
    .map((file) => file.path)
    .filter((file) => path.posix.dirname(file) === folder)
    .map((file) => path.posix.basename(file))
  for (const name of FolderPurpose.documentsOf(folder, names).slice(0, MAX_DOCUMENTS)) {
    const text = yield* Effect.option(workspace.read(`${folder}/${name}`))
    const purpose = text._tag === "None" ? undefined : FolderPurpose.read(folder, name, text.value.text)
    if (purpose !== undefined) return sanitizeLine(purpose)
  }
  return undefined
})

/**
 * Finds the symbol at a line, as its file is now, together with the text of the file. Undefined if there is no symbol.
 */
export const find = Effect.fnUntraced(function* ({ index, workspace }: Project, at: string, line: number) {
  const file = yield* Effect.option(workspace.read(at))
  const text = file._tag === "Some" ? file.value.text : undefined
  const symbols = text === undefined ? yield* index.symbolsIn(at) : yield* index.symbolsOf(at, text)
  const [entry] = [...symbols.filter(({ startLine }) => startLine === line), ...atLines(symbols, line, line)]
  return entry === undefined ? undefined : { entry, symbols, text }
})

type Found = NonNullable<Effect.Effect.Success<ReturnType<typeof find>>>

/** The most lines of a symbol or a file that a page shows. */
const MAX_LINES = 400
const MAX_RELATED = 60
const DEPTH = 5

const shownLines = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.slice(0, MAX_LINES).map((line) => sanitize(line.replace(/\r$/, "")).toWellFormed())

export const symbolPage = Effect.fnUntraced(function* (project: Project, { entry, symbols, text }: Found) {
  // The callers are the first step of the impact: on the whole page, uses of a symbol's members count as uses of the
  // symbol.
  const wanted = { callers: false, callees: true, impact: true, depth: DEPTH, limit: MAX_RELATED }
  const { callees, impact } = yield* Relations.find(project, entry, wanted)
  const lines = text?.split("\n").slice(entry.startLine - 1, entry.endLine) ?? []
  const used = impact?.found.dependents.filter(({ distance }) => distance === 1) ?? []
  const all = impact?.found.counts.find(({ distance }) => distance === 1)?.symbols ?? 0
  const page: Api.SymbolPage = {
    symbol: symbolOf(entry),
    ...(entry.doc !== undefined && { doc: sanitize(entry.doc) }),
    source: shownLines(lines),
    moreLines: Math.max(0, lines.length - MAX_LINES),
    members: symbols.filter(({ container }) => container === entry.qualifiedName).map(symbolOf),
    callers: yield* Effect.forEach(used, (dependent) => relatedOf(project, dependent)),
    moreCallers: Math.max(0, all - used.length),
    callees: (callees?.resolved ?? []).map(({ entry, lines }) => ({
      path: entry.path,
      line: entry.startLine,
      name: sanitizeLine(entry.qualifiedName),
      lines: [...lines],
    })),
    moreCallees: callees?.more ?? 0,
    impact: (impact?.found.counts ?? []).map(({ distance, files, symbols }) => ({ distance, files, symbols })),
    isImpactComplete: impact?.found.isComplete ?? true,
  }
  return page
})

const relatedOf = ({ index }: Project, { lines, path, symbol }: Dependent) =>
  Effect.map(
    symbol === undefined ? Effect.succeed([]) : index.find(symbol, path),
    ([entry]): Api.Related => ({
      path,
      line: entry?.startLine ?? lines[0] ?? 1,
      ...(symbol !== undefined && { name: sanitizeLine(symbol) }),
      lines: [...lines],
    }),
  )

/**
 * The most nodes of each layer next to the symbol, and of each layer beyond: 36 on both sides together, which remain
 * readable.
 */
const NEAR = 8
const FAR = 10
/**
 * The most dependents from which the nodes to draw are chosen: a drawn node of the second layer uses a drawn node of
 * the first.
 */
const MAX_DEPENDENTS = 2_000

/**
 * Returns two layers of callers and two of callees. A symbol's use of itself is left out, and each symbol is in one
 * layer.
 */
export const graph = Effect.fnUntraced(function* (project: Project, { entry }: Found) {
  const { index } = project
  const nodes = new Map<string, Api.GraphNode>()
  const edges = new Map<string, Api.Graph["edges"][number]>()
  const more: Array<Api.Graph["more"][number]> = []
  const key = (one: { readonly path: string; readonly line: number }) => `${one.path}:${one.line}`
  const add = (one: IndexEntry, layer: number): string => {
    const id = key({ path: one.path, line: one.startLine })
    if (!nodes.has(id)) {
      nodes.set(id, {
        id,
        path: one.path,
        line: one.startLine,
        name: sanitizeLine(one.qualifiedName),
        kind: one.kind,
        ...(one.purpose !== undefined && { purpose: sanitizeLine(statementOf(one.purpose)) }),
        layer,
      })
    }
    return id
  }
  const connect = (from: string, to: string) => {
    if (from !== to) edges.set(`${from}\n${to}`, { from, to })
  }
  const center = add(entry, 0)

  // Callers in code come first, then those with the most users.
  const { counts, dependents } = yield* index.dependents(entry, { depth: 2, withMembers: true, limit: MAX_DEPENDENTS })
  const layers = Map.groupBy(dependents, ({ distance }) => distance)
  const users = Map.groupBy(layers.get(2) ?? [], ({ uses }) => uses)
  const usersOf = ({ symbol }: Dependent) => (symbol === undefined ? 0 : (users.get(symbol)?.length ?? 0))
  const order = (one: Dependent) => FileClass.all.indexOf(one.class)
  const names = new Map<string, string>([[entry.qualifiedName, center]])
  for (const [distance, limit] of [
    [1, NEAR],
    [2, FAR],
  ] as const) {
    const layer = (layers.get(distance) ?? []).toSorted((a, b) => order(a) - order(b) || usersOf(b) - usersOf(a))
    let shown = 0
    for (const one of layer) {
      const to = names.get(one.uses) ?? (distance === 1 ? center : undefined)
      // A symbol that uses one that is not drawn has no place.
      if (to === undefined) continue
      if (shown >= limit) break
      const [found] = one.symbol === undefined ? [] : yield* index.find(one.symbol, one.path)
      const line = found?.startLine ?? one.lines[0] ?? 1
      const id = found === undefined ? key({ path: one.path, line }) : add(found, -distance)
      if (found === undefined && !nodes.has(id)) {
        nodes.set(id, { id, path: one.path, line, name: path.posix.basename(one.path), kind: "file", layer: -distance })
      }
      if (one.symbol !== undefined && !names.has(one.symbol)) names.set(one.symbol, id)
      connect(id, to)
      shown += 1
    }
    const all = counts.find((count) => count.distance === distance)?.symbols ?? 0
    if (all > shown) more.push({ layer: -distance, count: all - shown })
  }

  // Callees in code come first, then those with the most users.
  const rank = (one: IndexEntry) => (FileClass.of(one.path) === "code" ? 0 : 1)
  const calleesOf = (one: IndexEntry) =>
    Effect.map(index.callees(one), (all) =>
      all
        .map((callee) => callee.entry)
        .filter(
          (each) => key({ path: each.path, line: each.startLine }) !== key({ path: one.path, line: one.startLine }),
        )
        .sort((a, b) => rank(a) - rank(b) || b.usedBy - a.usedBy),
    )
  const called = yield* calleesOf(entry)
  const near = called.slice(0, NEAR)
  for (const one of near) connect(center, add(one, 1))
  if (called.length > near.length) more.push({ layer: 1, count: called.length - near.length })
  let far = 0
  const left = new Set<string>()
  for (const one of near) {
    for (const next of yield* calleesOf(one)) {
      const id = key({ path: next.path, line: next.startLine })
      if (!nodes.has(id) && far >= FAR) left.add(id)
      else {
        if (!nodes.has(id)) far += 1
        const to = add(next, 2)
        // A line within a layer would cross the others.
        if (nodes.get(to)?.layer !== 1) connect(key({ path: one.path, line: one.startLine }), to)
      }
    }
  }
  if (left.size > 0) more.push({ layer: 2, count: left.size })
  const found: Api.Graph = { nodes: [...nodes.values()], edges: [...edges.values()], more }
  return found
})
