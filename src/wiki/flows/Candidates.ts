/** Proposes the symbols at which flows through a project may begin, by what they reach along the references. Pure. */
import * as Language from "../../code/Language.ts"
import type { GraphSymbol, SymbolGraph } from "../../index/IndexStore.ts"
import { isOwnTest } from "../../index/OwnTests.ts"
import type { Entry } from "../Entries.ts"
import type { FileGraph } from "../FileGraph.ts"
import { compare } from "../FileGraph.ts"
import * as Places from "../Places.ts"
import type { Part } from "../Plan.ts"
import * as UserActions from "./UserActions.ts"

/** Why a flow may begin at a symbol. */
type Reason = "main" | "offered" | "action" | "used" | "handler" | "uncalled" | "implicit"

export interface Candidate extends Pick<GraphSymbol, "path" | "qualifiedName" | "startLine"> {
  readonly reason: Reason
  /** How many parts have symbols that it reaches, with its own. */
  readonly parts: number
  /** The positions in the graph of the symbols that it reaches, sorted. */
  readonly reached: ReadonlyArray<number>
}

/** Says why a flow may begin at a candidate. */
export const reasons: Readonly<Record<Reason, string>> = {
  main: "the start of a program",
  offered: "offered to the users of the project",
  action: "named by a verb of the documents",
  used: "used by tests, examples or the README",
  handler: "registered, or named like a handler",
  uncalled: "called by no other code",
  implicit: "called when an object is made or used",
}

/** How far calls are followed, and how many symbols of a flow are looked at. */
export const MAX_DEPTH = 6
const MAX_REACHED = 400

/** The most candidates of a project, and those of one file and of one name. */
const MAX_CANDIDATES = 24
const MAX_ALIKE = 3

/** A symbol that more files than this use is a helper, unless the project is very large. */
const MIN_HUB_USERS = 12
const HUB_SHARE = 0.05

/** A symbol in a file of helpers that no more files than this use is no helper itself. */
const FEW_USERS = 3

/**
 * Returns whether a call is left out of a flow, since most code makes it: many files use the symbol, or it is one of a
 * file of helpers (`FileGraph.hubs`). What such a file calls in itself, or offers to few, is a step like any other.
 */
export const isHelper =
  ({ files, hubs }: Pick<FileGraph, "files" | "hubs">) =>
  ({ path, usedBy }: Pick<GraphSymbol, "path" | "usedBy">, by: Pick<GraphSymbol, "path">): boolean =>
    usedBy > Math.max(MIN_HUB_USERS, files.length * HUB_SHARE) ||
    (hubs.has(path) && path !== by.path && usedBy > FEW_USERS)

/** Names that say that something runs when it is asked for, or as the whole. */
const namedLikeHandler =
  /^(?:run|start|serve|listen|dispatch|execute|handle|on|__call__|__invoke|wsgi_app|ServeHTTP)$|^(?:on|handle)[A-Z_]|^(?!(?:get|set|add|create|make|choose|find|build|new|remove|resolve|parse|default|with|use|static)(?:[A-Z_]|$))\w*(?:Handler|_handler|Command|_command)$/

/**
 * Names of what a language calls by itself: constructors, methods with two underscores, and those that print or end.
 */
const namedImplicitly =
  /^(?:constructor|initialize|__(?!call__$|invoke$)\w+|fmt|drop|clone|eq|hash|toString|ToString|to_s|String|Error|finalize|dispose|Dispose)$/

/** Hints of the project itself at where it begins. */
export interface Known {
  /** The names of functions that the README calls. */
  readonly shown?: ReadonlySet<string> | undefined
  /** How often the documents have verbs (`UserActions`). */
  readonly actions?: ReadonlyMap<string, number> | undefined
  /** The files that manifests name, with the function where they say it; `main` otherwise. */
  readonly entries?: ReadonlyArray<Pick<Entry, "path" | "symbol">> | undefined
}

/**
 * Returns the candidates, the best first: by their reason, by the parts that they reach, and by how many
 * tests, examples and other files beside the code use them. A flow goes through two parts at least,
 * unless the project has only one.
 */
export const find = (
  { symbols, uses }: SymbolGraph,
  graph: Pick<FileGraph, "files" | "hubs">,
  parts: ReadonlyArray<Pick<Part, "name" | "files" | "symbols">>,
  { actions = new Map(), entries = [], shown = new Set() }: Known = {},
): ReadonlyArray<Candidate> => {
  const ownerOf = Places.finderOf(parts)
  const partOf = symbols.map(({ path, qualifiedName }) => ownerOf({ path, symbol: qualifiedName })?.name)
  const isCut = isHelper(graph)
  const called = new Set(uses.flat())
  const users = usersOf({ symbols, uses })
  const exported = new Map<string, number>()
  for (const { isExported, qualifiedName } of symbols) {
    if (isExported) exported.set(nameOf(qualifiedName), (exported.get(nameOf(qualifiedName)) ?? 0) + 1)
  }
  const candidates = symbols.flatMap((symbol, position): ReadonlyArray<Candidate & { readonly weight: number }> => {
    if (!symbol.isCallable || isOwnTest(symbol)) return []
    const outside = Math.max(0, symbol.usedBy - (users[position]?.size ?? 0))
    const name = nameOf(symbol.qualifiedName)
    const isShown = symbol.isExported && shown.has(name) && (exported.get(name) ?? 0) <= MAX_NAMED
    const isDone = symbol.isExported && symbol.usedBy > 0 ? UserActions.usesOf(actions, name) : 0
    const entry = entries.findIndex(
      ({ path, symbol: named = "main" }) => path === symbol.path && named === symbol.qualifiedName,
    )
    const reason =
      entry >= 0 ? "main" : reasonOf(symbol, called.has(position), isShown || outside >= MIN_USERS, isDone > 0)
    if (reason === undefined) return []
    const reached = reach(uses, position, (other, from) => {
      const [target, by] = [symbols[other], symbols[from]]
      return target === undefined || by === undefined || isCut(target, by)
    })
    if (reached.length < 3) return []
    const names = new Set(reached.map((other) => partOf[other]))
    names.delete(undefined)
    if (names.size < Math.min(2, parts.length)) return []
    const { path, qualifiedName, startLine } = symbol
    const use = 1 + Math.log2(1 + outside + (isShown ? SHOWN : 0) + Math.min(SHOWN, isDone)) / 4
    const isHidden = reason === "uncalled" && !symbol.isExported
    const size = Math.min(1, Math.log2(reached.length) / FULL_SIZE)
    const named = entry === 0 ? FIRST_ENTRY : entry > 0 ? ENTRY : 1
    const weight = weights[reason] * named * Math.sqrt(names.size) * use * size * (isHidden ? HIDDEN : 1)
    return [{ path, qualifiedName, startLine, reason, parts: names.size, reached, weight }]
  })
  const alike = new Map<string, number>()
  const isNew = (key: string): boolean => {
    const count = (alike.get(key) ?? 0) + 1
    alike.set(key, count)
    return count <= MAX_ALIKE
  }
  return candidates
    .sort(
      (one, other) =>
        other.weight - one.weight ||
        other.reached.length - one.reached.length ||
        compare(one.path, other.path) ||
        one.startLine - other.startLine,
    )
    .filter(({ path, qualifiedName }) => isNew(path) && isNew(` ${nameOf(qualifiedName)}`))
    .slice(0, MAX_CANDIDATES)
    .map(({ weight: _, reached, ...candidate }) => ({
      ...candidate,
      reached: reached.toSorted((one, other) => one - other),
    }))
}

/** Returns the other files of the code that use each symbol. */
const usersOf = ({ symbols, uses }: SymbolGraph): ReadonlyArray<ReadonlySet<string>> => {
  const users = symbols.map(() => new Set<string>())
  for (const [from, targets] of uses.entries()) {
    const path = symbols[from]?.path
    for (const to of targets) if (path !== undefined && path !== symbols[to]?.path) users[to]?.add(path)
  }
  return users
}

/** How many files beside the code must use a symbol that is called in the code, too, so that a flow may begin at it. */
const MIN_USERS = 3

/** The README shows what most users call, and counts as so many files. */
const SHOWN = 8

/** A name that more exported symbols have may mean another one in the README. */
const MAX_NAMED = 3

/** A flow that reaches two to this power of symbols is long enough. */
const FULL_SIZE = 5

/** The factors of what a manifest names first, and of what else it names: other functions may be called `main`, too. */
const FIRST_ENTRY = 2
const ENTRY = 1.5

/** The factor of what neither code calls nor another file can use. */
const HIDDEN = 0.75

/** How much a candidate counts by its reason: what has no caller may also just be unused, or wire others up. */
const weights: Readonly<Record<Reason, number>> = {
  main: 4,
  offered: 2.4,
  action: 1.4,
  used: 2,
  handler: 1.5,
  uncalled: 1,
  implicit: 0.5,
}

const nameOf = (qualifiedName: string): string => qualifiedName.slice(qualifiedName.lastIndexOf(".") + 1)

const reasonOf = (symbol: GraphSymbol, isCalled: boolean, isUsed: boolean, isDone: boolean): Reason | undefined => {
  const name = nameOf(symbol.qualifiedName)
  if (name === "main") return "main"
  if (namedImplicitly.test(name)) return "implicit"
  if (symbol.isOffered) return "offered"
  if (isDone) return "action"
  if (isUsed && symbol.isExported) return "used"
  // A module may import at its top what its functions call, which is no registration.
  if (namedLikeHandler.test(name) || (symbol.isUsedOutside && !isCalled)) return "handler"
  return isCalled ? undefined : "uncalled"
}

/** Returns what is reached from a symbol within `MAX_DEPTH` calls, the nearest first. */
const reach = (
  uses: SymbolGraph["uses"],
  start: number,
  isCut: (position: number, by: number) => boolean,
): ReadonlyArray<number> => {
  const found = new Set([start])
  let level = [start]
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const next: Array<number> = []
    for (const position of level) {
      for (const target of uses[position] ?? []) {
        if (found.size >= MAX_REACHED) return Array.from(found)
        if (found.has(target) || isCut(target, position)) continue
        found.add(target)
        next.push(target)
      }
    }
    level = next
  }
  return Array.from(found)
}

/** Two flows that share more than this of what the smaller one reaches tell the same, and so do two of one name. */
const SAME_SHARE = 0.6

/**
 * Chooses flows that tell different things: the best candidates without those that mostly repeat an earlier one. If a
 * project holds several packages, by `packageOf`, the best of each comes before the second of any.
 */
export const choose = <A extends Candidate>(
  candidates: ReadonlyArray<A>,
  most: number,
  packageOf: (path: string) => string | undefined = () => undefined,
): ReadonlyArray<A> => {
  const chosen: Array<A> = []
  const turns = new Map<string | undefined, number>()
  const turnOf = new Map<A, number>()
  for (const candidate of candidates) {
    const own = new Set(candidate.reached)
    const repeats = chosen.some(({ qualifiedName, reached }) => {
      if (nameOf(qualifiedName) === nameOf(candidate.qualifiedName)) return true
      const shared = reached.filter((position) => own.has(position)).length
      return shared > SAME_SHARE * Math.min(own.size, reached.length)
    })
    if (repeats) continue
    const name = packageOf(candidate.path)
    turnOf.set(candidate, turns.get(name) ?? 0)
    turns.set(name, (turns.get(name) ?? 0) + 1)
    chosen.push(candidate)
  }
  const isFirst = (candidate: A) => turnOf.get(candidate) === 0
  return [...chosen.filter(isFirst), ...chosen.filter((candidate) => !isFirst(candidate))].slice(0, most)
}

/**
 * Says why a project has no flows: the languages whose uses are not resolved. Undefined if uses between symbols are
 * resolved at all.
 */
export const whyNone = ({ symbols, uses }: SymbolGraph, languages: ReadonlyArray<string>): string | undefined => {
  if (symbols.length === 0) return "The code has no functions that the index knows."
  if (uses.some((targets) => targets.length > 0)) return undefined
  const named = languages.length === 0 ? "this code" : languages.map(Language.nameOf).join(", ")
  return `No call is resolved in ${named}, so no flow can be followed.`
}
