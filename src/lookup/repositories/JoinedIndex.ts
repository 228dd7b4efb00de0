/**
 * Joins the indexes of several repositories. Its paths begin with the name of a repository. References stay within a
 * repository, since no index knows what another one has.
 */
import * as Effect from "effect/Effect"
import { mapInParallel } from "../../base/concurrency.ts"
import * as Coverage from "../../index/Coverage.ts"
import { IndexEntry } from "../../index/IndexEntry.ts"
import type { IndexError } from "../../index/IndexError.ts"
import type { FileChange, Hit, Index, Refreshed, Status, SymbolGraph } from "../../index/IndexStore.ts"
import * as Corpus from "../../search/Corpus.ts"
import * as NameSimilarity from "../../search/NameSimilarity.ts"
import * as Ranking from "../../search/Ranking.ts"
import * as RepositoryPath from "./RepositoryPath.ts"

export interface Member {
  readonly name: string
  readonly index: Index
}

export const make = (members: ReadonlyArray<Member>): Index => {
  const each = <A, E>(run: (index: Index, outer: Outer) => Effect.Effect<ReadonlyArray<A>, E>) =>
    Effect.map(
      Effect.forEach(members, ({ index, name }) => run(index, outerOf(name))),
      (lists) => lists.flat(),
    )
  /** Asks the index that a path belongs to. Returns `none` if the path belongs to no repository. */
  const at = <A, E>(
    joined: string,
    none: A,
    run: (index: Index, inside: string, outer: Outer) => Effect.Effect<A, E>,
  ): Effect.Effect<A, E> => {
    const member = RepositoryPath.repositoryOf(members, joined)
    return member === undefined
      ? Effect.succeed(none)
      : run(member.index, RepositoryPath.split(joined)[1], outerOf(member.name))
  }
  const ofEntry = <A, E>(
    entry: IndexEntry,
    none: A,
    run: (index: Index, inside: IndexEntry, outer: Outer) => Effect.Effect<A, E>,
  ) => at(entry.path, none, (index, path, outer) => run(index, withPath(entry, path), outer))

  const files = Effect.map(
    each((index, outer) => Effect.map(index.files, (files) => files.map(outer.place))),
    (files) => files.toSorted(byPath),
  )

  const search: Index["search"] = Effect.fn("JoinedIndex.search")(function* (text, options) {
    const { limit, path = RepositoryPath.ALL, ...others } = options
    if (path !== RepositoryPath.ALL) {
      return yield* at<ReadonlyArray<Hit>, IndexError>(path, [], (index, inside, outer) =>
        Effect.map(index.search(text, { ...options, path: inside }), (hits) => hits.map(outer.hit)),
      )
    }
    const corpora = yield* Effect.forEach(members, ({ index }) => index.corpus(text, others.also))
    const corpus = Corpus.sum(corpora)
    const lists = yield* Effect.forEach(members, ({ index, name }) =>
      Effect.map(index.search(text, { ...others, limit, corpus }), (hits) => hits.map(outerOf(name).hit)),
    )
    return Ranking.merge(lists, ({ entry, match, score }) => match ?? { score, kind: entry.kind, nameMatch: undefined })
      .slice(0, limit)
      .map(({ answer, score }) => ({ entry: answer.entry, score }))
  })

  return {
    refresh: Effect.map(
      mapInParallel(members, ({ index, name }) => Effect.map(index.refresh, outerOf(name).refreshed)),
      sumRefreshed,
    ),
    refreshPaths: (paths) => {
      const byName = Map.groupBy(paths, (path) => RepositoryPath.split(path)[0])
      const changed = members.filter(({ name }) => byName.has(name))
      const refreshed = mapInParallel(changed, ({ index, name }) =>
        Effect.map(
          index.refreshPaths((byName.get(name) ?? []).map((path) => RepositoryPath.split(path)[1])),
          outerOf(name).refreshed,
        ),
      )
      return Effect.map(refreshed, sumRefreshed)
    },
    isMade: Effect.every(members, ({ index }) => index.isMade),
    files,
    filesIn: (path) =>
      path === RepositoryPath.ALL
        ? files
        : at(path, [], (index, inside, outer) => Effect.map(index.filesIn(inside), (files) => files.map(outer.place))),
    sizesIn: (path) =>
      path === RepositoryPath.ALL
        ? files
        : at(path, [], (index, inside, outer) => Effect.map(index.sizesIn(inside), (files) => files.map(outer.place))),
    unreadable: each((index, outer) => Effect.map(index.unreadable, (paths) => paths.map(outer.path))),
    symbolsIn: (path) => at(path, [], (index, inside, outer) => Effect.map(index.symbolsIn(inside), outer.entries)),
    symbolsOf: (path, text, stat) =>
      at(path, [], (index, inside, outer) => Effect.map(index.symbolsOf(inside, text, stat), outer.entries)),
    fileEntry: (path) =>
      at<IndexEntry | undefined, IndexError>(path, undefined, (index, inside, outer) =>
        Effect.map(index.fileEntry(inside), (entry) => entry && outer.entry(entry)),
      ),
    find: (symbol, path) =>
      path === undefined
        ? each((index, outer) => Effect.map(index.find(symbol), outer.entries))
        : at(path, [], (index, inside, outer) =>
            // A path that is only the name of a repository means anywhere in it.
            Effect.map(index.find(symbol, inside === RepositoryPath.ALL ? undefined : inside), outer.entries),
          ),
    routes: (typed) =>
      each((index, outer) =>
        Effect.map(index.routes(typed), (routes) =>
          routes.map(({ entry, handler }) => ({ entry: outer.entry(entry), handler })),
        ),
      ),
    nearest: (symbol, options = {}) => {
      const { limit = 5, path } = options
      if (path !== undefined) {
        return at(path, [], (index, inside, outer) =>
          Effect.map(
            index.nearest(symbol, { limit, ...(inside !== RepositoryPath.ALL && { path: inside }) }),
            outer.entries,
          ),
        )
      }
      const distance = NameSimilarity.distanceFrom(symbol)
      const far = ({ name, qualifiedName }: IndexEntry) => distance(name, qualifiedName) ?? Number.MAX_VALUE
      return Effect.map(
        each((index, outer) => Effect.map(index.nearest(symbol, { limit }), outer.entries)),
        (entries) =>
          entries.toSorted((one, other) => far(one) - far(other) || other.usedBy - one.usedBy).slice(0, limit),
      )
    },
    membersOf: (container, limit) =>
      Effect.map(
        each((index, outer) => Effect.map(index.membersOf(container, limit), outer.entries)),
        (entries) => entries.toSorted(byUse).slice(0, limit),
      ),
    references: (entry) =>
      ofEntry(entry, [], (index, inside, outer) =>
        Effect.map(index.references(inside), (references) => references.map(outer.place)),
      ),
    callees: (entry) =>
      ofEntry(entry, [], (index, inside, outer) =>
        Effect.map(index.callees(inside), (callees) =>
          callees.map((callee) => ({ ...callee, entry: outer.entry(callee.entry) })),
        ),
      ),
    fileUses: each((index, outer) =>
      Effect.map(index.fileUses, (all) =>
        all.map(({ count, from, to }) => ({ from: outer.path(from), to: outer.path(to), count })),
      ),
    ),
    symbolUses: (paths) => {
      const byName = Map.groupBy(paths, (path) => RepositoryPath.split(path)[0])
      return Effect.map(
        Effect.forEach(members, ({ index, name }) => {
          const { place } = outerOf(name)
          const inside = (byName.get(name) ?? []).map((path) => RepositoryPath.split(path)[1])
          return Effect.map(index.symbolUses(inside), (all) =>
            all.map(({ count, from, to }) => ({ from: place(from), to: place(to), count })),
          )
        }),
        (lists) => lists.flat(),
      )
    },
    symbolGraph: Effect.map(
      Effect.forEach(members, ({ index, name }) =>
        Effect.map(index.symbolGraph, ({ symbols, uses }) => ({ symbols: symbols.map(outerOf(name).place), uses })),
      ),
      joinGraphs,
    ),
    dependents: (entry, options) =>
      ofEntry(entry, { dependents: [], counts: [], isComplete: true }, (index, inside, outer) =>
        Effect.map(index.dependents(inside, options), (found) => ({
          ...found,
          dependents: found.dependents.map(outer.place),
        })),
      ),
    inheritance: (entry) =>
      ofEntry(entry, { bases: [], derived: [] }, (index, inside, outer) =>
        Effect.map(index.inheritance(inside), ({ bases, derived }) => ({
          bases: outer.entries(bases),
          derived: outer.entries(derived),
        })),
      ),
    resolvedLines: (name, path) =>
      at<ReadonlySet<number>, IndexError>(path, new Set(), (index, inside) => index.resolvedLines(name, inside)),
    overloadsIn: (path) =>
      at<ReadonlySet<string>, IndexError>(path, new Set(), (index, inside) => index.overloadsIn(inside)),
    callersIn: (path, which) =>
      at<ReadonlyMap<string, ReadonlyArray<string>>, IndexError>(path, new Map(), (index, inside) =>
        index.callersIn(inside, which),
      ),
    termCounts: (terms) =>
      Effect.map(
        Effect.forEach(members, ({ index }) => index.termCounts(terms)),
        (all) => ({
          counts: new Map(terms.map((term) => [term, sum(all.map(({ counts }) => counts.get(term) ?? 0))])),
          anywhere: new Set(all.flatMap(({ anywhere }) => Array.from(anywhere))),
          symbols: sum(all.map(({ symbols }) => symbols)),
        }),
      ),
    // A frontend has the names of its backend's fields and routes, so names in other repositories are returned, too.
    mentions: (name) =>
      Effect.map(
        each((index, outer) => Effect.map(index.mentions(name), (mentions) => mentions.map(outer.place))),
        (mentions) => mentions.toSorted((one, other) => other.count - one.count),
      ),
    documented: each((index, outer) => Effect.map(index.documented, outer.entries)),
    weak: each((index, outer) => Effect.map(index.weak, outer.entries)),
    landmarks: (limit) =>
      Effect.map(
        each((index, outer) => Effect.map(index.landmarks(limit), outer.entries)),
        (entries) => entries.toSorted(byUse).slice(0, limit),
      ),
    central: (limit, path = RepositoryPath.ALL) =>
      path === RepositoryPath.ALL
        ? Effect.map(
            Effect.forEach(members, ({ index, name }) => Effect.map(index.central(limit), outerOf(name).entries)),
            (lists) => interleave(lists).slice(0, limit),
          )
        : at(path, [], (index, inside, outer) => Effect.map(index.central(limit, inside), outer.entries)),
    record: (purposes) => {
      const byName = Map.groupBy(purposes, ({ entry }) => RepositoryPath.split(entry.path)[0])
      return Effect.forEach(
        members,
        ({ index, name }) => {
          const own = byName.get(name) ?? []
          return own.length === 0
            ? Effect.void
            : index.record(
                own.map(({ entry, ...purpose }) => ({
                  ...purpose,
                  entry: withPath(entry, RepositoryPath.split(entry.path)[1]),
                })),
              )
        },
        { discard: true },
      )
    },
    ensureRecorded: Effect.forEach(members, ({ index }) => index.ensureRecorded, { discard: true }),
    // Each repository has a map of its own, written by a run, which is about one repository.
    map: Effect.succeed(undefined),
    recordMap: () => Effect.dieMessage("a map is of one repository"),
    corpus: (text, also) =>
      Effect.map(
        Effect.forEach(members, ({ index }) => index.corpus(text, also)),
        Corpus.sum,
      ),
    search,
    status: Effect.map(
      Effect.forEach(members, ({ index }) => index.status),
      sumStatus,
    ),
  }
}

/** Turns what one index returns into values with joined paths. */
interface Outer {
  readonly path: (inside: string) => string
  readonly place: <A extends { readonly path: string }>(one: A) => A
  readonly entry: (entry: IndexEntry) => IndexEntry
  readonly entries: (entries: ReadonlyArray<IndexEntry>) => ReadonlyArray<IndexEntry>
  readonly hit: (hit: Hit) => Hit
  readonly refreshed: (refreshed: Refreshed) => Refreshed
}

const outerOf = (name: string): Outer => {
  const path = (inside: string) => RepositoryPath.join(name, inside)
  const place = <A extends { readonly path: string }>(one: A): A => ({ ...one, path: path(one.path) })
  const entry = (entry: IndexEntry) => withPath(entry, path(entry.path))
  return {
    path,
    place,
    entry,
    entries: (entries) => entries.map(entry),
    hit: (hit) => ({ ...hit, entry: entry(hit.entry) }),
    refreshed: (refreshed) => ({ ...refreshed, changes: refreshed.changes?.map(place) }),
  }
}

const withPath = (entry: IndexEntry, path: string): IndexEntry => new IndexEntry({ ...entry, path })

/** Numbers the symbols of all graphs one after another. */
const joinGraphs = (graphs: ReadonlyArray<SymbolGraph>): SymbolGraph => {
  let before = 0
  const uses = graphs.flatMap((graph) => {
    const start = before
    before += graph.symbols.length
    return graph.uses.map((targets) => targets.map((target) => start + target))
  })
  return { symbols: graphs.flatMap(({ symbols }) => symbols), uses }
}

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((sum, number) => sum + number, 0)

const sumRefreshed = (all: ReadonlyArray<Refreshed>): Refreshed => {
  const changes: ReadonlyArray<FileChange> | undefined = all.every(({ changes }) => changes !== undefined)
    ? all.flatMap(({ changes = [] }) => changes)
    : undefined
  return {
    files: sum(all.map(({ files }) => files)),
    symbols: sum(all.map(({ symbols }) => symbols)),
    parsed: sum(all.map(({ parsed }) => parsed)),
    removed: sum(all.map(({ removed }) => removed)),
    hidden: sum(all.map(({ hidden }) => hidden)),
    changes,
  }
}

const sumStatus = (all: ReadonlyArray<Status>): Status => {
  const of = (count: (status: Status) => number) => sum(all.map(count))
  return {
    files: of(({ files }) => files),
    partialFiles: of(({ partialFiles }) => partialFiles),
    symbols: of(({ symbols }) => symbols),
    purposes: { model: of(({ purposes }) => purposes.model), comment: of(({ purposes }) => purposes.comment) },
    copies: of(({ copies }) => copies),
    stale: of(({ stale }) => stale),
    weak: of(({ weak }) => weak),
    open: of(({ open }) => open),
    majorSymbols: of(({ majorSymbols }) => majorSymbols),
    covered: of(({ covered }) => covered),
    classes: Coverage.sum(all.map(({ classes }) => classes)),
    bytesOnDisk: of(({ bytesOnDisk }) => bytesOnDisk),
  }
}

/**
 * Takes the first of each list, then the second of each. How central a symbol is cannot be compared across
 * repositories.
 */
const interleave = <A>(lists: ReadonlyArray<ReadonlyArray<A>>): ReadonlyArray<A> =>
  Array.from({ length: Math.max(0, ...lists.map(({ length }) => length)) }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  ).flat()

const byUse = (one: IndexEntry, other: IndexEntry): number => other.usedBy - one.usedBy

const byPath = (one: { readonly path: string }, other: { readonly path: string }): number =>
  one.path < other.path ? -1 : one.path > other.path ? 1 : 0
