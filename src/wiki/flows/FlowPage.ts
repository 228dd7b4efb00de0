/** The page of a flow without a model: what calls what from a symbol on, with the purposes that are known. Pure. */

import { anyOf } from "../../base/Prose.ts"
import { sanitizeLine } from "../../base/Sanitize.ts"
import { type IndexEntry, statementOf } from "../../index/IndexEntry.ts"
import * as Folders from "../internal/Folders.ts"
import * as Labels from "../Labels.ts"
import type { Citation, Page, Statement } from "../Page.ts"
import { uniqueName } from "../Parts.ts"
import type { Flow } from "../Plan.ts"
import * as StatementText from "../StatementText.ts"
import { type Call, type CallTree, citationOf } from "./CallTree.ts"

/** The most steps of a page, and the most flows of a wiki without a model. */
const MAX_STEPS = 12
export const MAX_FLOWS = 4

/** Returns the flow that begins with a call tree. `taken`: the names of other pages. */
export const flowOf = ({ calls: [start] }: CallTree, taken: ReadonlySet<string>): Flow | undefined => {
  if (start === undefined) return undefined
  const ofFlows = new Set(
    Array.from(taken).flatMap((name) => (name.startsWith(PREFIX) ? name.slice(PREFIX.length) : [])),
  )
  const { path, qualifiedName } = start.entry
  const folders = path.replace(/\.[^./]*$/, "")
  return {
    name: `${PREFIX}${uniqueName(`${folders}/${qualifiedName.replaceAll(".", "/")}/`, ofFlows)}`,
    title: `What ${sanitizeLine(Labels.nameIn(path, qualifiedName))} does, step by step`,
    start: citationOf(start),
  }
}

const PREFIX = "flow-"

/**
 * Makes the page of a flow; undefined if fewer than two steps are known, since one step is no flow. Functions that only
 * pass a call on (`Forwarding`) are named in the step of what they lead to.
 */
export const make = (
  { name, title }: Flow,
  tree: CallTree,
  forwarding: ReadonlySet<number> = new Set(),
): Page | undefined => {
  const calls = withoutForwarding(tree.calls, forwarding)
  const steps = chooseSteps(calls)
  const [start] = calls
  if (start === undefined || steps.length < 2) return undefined
  const isAll = tree.isComplete && steps.length === calls.length - 1
  const note: Statement = {
    text: `These calls were read from the code without a model${isAll ? "" : ", and some are left out"}. Those through events, tables and callbacks may be missing.`,
    kind: "pointer",
    author: "project",
    citations: [citationOf(start)],
  }
  return {
    name,
    kind: "flow",
    title,
    sections: [
      { form: "text", blocks: [[note]] },
      {
        title: "Steps",
        form: "steps",
        blocks: steps.flatMap((call): ReadonlyArray<[Statement]> => {
          const caller = call.caller === undefined ? undefined : calls[call.caller]
          return caller === undefined ? [] : [[stepOf(caller, call)]]
        }),
      },
    ],
  }
}

/** A call with the functions that pass it on, from the caller on. */
interface Step extends Call {
  readonly through: ReadonlyArray<Call>
  /** True if it calls nothing that is known. */
  readonly isEnd: boolean
}

/** Joins each call that is passed on with the one that it leads to. */
const withoutForwarding = (calls: ReadonlyArray<Call>, forwarding: ReadonlySet<number>): ReadonlyArray<Step> => {
  const left = calls.flatMap((_, at) => (forwarding.has(at) ? [] : [at]))
  const positions = new Map(left.map((at, position) => [at, position]))
  const callers = new Set(calls.map(({ caller }) => caller))
  return left.flatMap((at): ReadonlyArray<Step> => {
    const call = calls[at]
    if (call === undefined) return []
    const through: Array<Call> = []
    let { caller, depth, given, isInClosure } = call
    while (caller !== undefined && forwarding.has(caller)) {
      const passing = calls[caller]
      if (passing === undefined) break
      through.unshift(passing)
      isInClosure = passing.isInClosure
      given = passing.given
      caller = passing.caller
      depth -= 1
    }
    return [
      {
        ...call,
        depth,
        given,
        isInClosure,
        through,
        isEnd: !callers.has(at),
        caller: caller === undefined ? undefined : positions.get(caller),
      },
    ]
  })
}

const stepOf = (caller: Call, callee: Step): Statement => {
  const { purpose, kind } = callee.entry
  const verb = callee.isPassed ? "passes on" : kind === "function" || kind === "method" ? "calls" : "uses"
  const by = callee.through.length === 0 ? "" : ` through ${callee.through.map(codeOf).join(" and ")}`
  const where = callee.isInClosure ? ", in a function inside it" : ""
  const { given, unknown } = callee
  const isOwn = given?.by?.qualifiedName === caller.entry.qualifiedName && given.by.path === caller.entry.path
  const giver = given?.by === undefined || isOwn ? "" : `, given by ${codeOf({ entry: given.by })}`
  const what =
    given === undefined
      ? `${codeOf(caller)} ${verb} ${codeOf(callee)}${by}${where}`
      : `${codeOf(caller)} calls what ${codeText(given.holder)} holds${where}, ${given.isLater ? "which may lead to" : "such as"} ${codeOf(callee)}${by}${giver}`
  const places = callee.variants.length === 0 ? "" : `, in ${placesOf([callee, ...callee.variants])}`
  // The way goes on through what only its callers know.
  const [next] = callee.isEnd ? unknown : []
  const onward = next === undefined ? "" : ` It calls what it is given as ${codeText(next)}.`
  const reason =
    purpose === undefined || purpose.weak !== undefined ? "" : ` (${shorten(statementOf(purpose), callee.entry.name)})`
  return {
    text: StatementText.sanitize(`${what}${places}${reason}.${onward}`),
    kind: "claim",
    author: "project",
    // The callee comes first, since the step says what that is for.
    citations: distinct([
      citationOf(callee),
      citationOf(caller),
      ...callee.variants.map(citationOf),
      ...callee.through.map(citationOf),
      ...(given?.by === undefined ? [] : [citationOf({ entry: given.by, ordinal: 0 })]),
    ]),
  }
}

/** Names the files of definitions, each as short as tells it from the others: "`a_linux.go`, `b.go` or `c.go`". */
const placesOf = (calls: ReadonlyArray<Pick<Call, "entry">>): string =>
  anyOf(Folders.fromCommonFolder(calls.map(({ entry }) => entry.path)).map(codeText))

/** A name as code. A backtick in it, which some languages allow in operators, would end the code. */
const codeOf = ({ entry }: Pick<Call, "entry">): string => codeText(Labels.nameIn(entry.path, entry.qualifiedName))

const codeText = (text: string): string => `\`${sanitizeLine(text).replaceAll("`", "'")}\``

const distinct = (citations: ReadonlyArray<Citation>): ReadonlyArray<Citation> => {
  const keys = citations.map(Labels.keyOf)
  return citations.filter((_, at) => keys.indexOf(keys[at] ?? "") === at)
}

/** The most characters of a purpose. */
const MAX_PURPOSE = 140

/**
 * Makes a purpose fit for brackets: one line without markup, in lower case, without its full stop and without the name
 * of the symbol, with which comments in Go begin.
 */
const shorten = (purpose: string, name: string): string => {
  const whole = sanitizeLine(purpose.replaceAll(/\s+/g, " ").trim()).replaceAll(/[[\]<>\\`]/g, "")
  const line = whole.startsWith(`${name} `) && !whole.startsWith(`${name} is `) ? whole.slice(name.length + 1) : whole
  const cut =
    line.length <= MAX_PURPOSE ? line.replace(/[.:;]$/, "") : `${line.slice(0, MAX_PURPOSE).replace(/\s+\S*$/, "")} …`
  return /^[A-Z][a-z]+(?![\w.])/.test(cut) ? `${cut.charAt(0).toLowerCase()}${cut.slice(1)}` : cut
}

/** Errors by their names and by what they inherit from; a function makes them when the flow ends early. */
const isError = ({ kind, name, signature }: IndexEntry): boolean =>
  /(?:Exception|Error)$/.test(name) || (kind === "class" && /\w*(?:Exception|Error)\b/.test(signature))

/** Names of what tells or checks something, and decides nothing. */
const isAside = /^_{0,2}(?:debug|log|trace|warn|assert|deprecat)(?:[A-Z_\d]|ed?\b|s?$|ing)/i

/**
 * Chooses calls until there are enough, each with its caller before it: those that lead to most others and to another
 * file first, then the nearer ones. Returns them in the order of the tree.
 */
const chooseSteps = <A extends Call>(calls: ReadonlyArray<A>): ReadonlyArray<A> => {
  const chosen = new Set([0])
  // A reader of the code does not see where a call through something given leads, so what follows comes first.
  const joints: Array<number> = []
  for (const { caller, given } of calls) joints.push((joints[caller ?? -1] ?? 0) + (given === undefined ? 0 : 1))
  const sizes = calls.map(() => 1)
  for (const [at, { caller }] of Array.from(calls.entries()).toReversed()) {
    if (caller !== undefined) sizes[caller] = (sizes[caller] ?? 1) + (sizes[at] ?? 1)
  }
  const weigh = ({ caller, depth, entry, isRepeated }: A, at: number): number => {
    const crosses = entry.path !== calls[caller ?? 0]?.entry.path
    return (
      (crosses ? 0 : 1.5) +
      0.6 * depth -
      0.7 * Math.log2(sizes[at] ?? 1) +
      (entry.purpose === undefined ? 0.5 : 0) +
      (entry.kind === "class" ? 0.75 : 0) +
      (isRepeated ? 1 : 0) +
      (isError(entry) ? 3 : 0) +
      (isAside.test(entry.name) ? 3 : 0) -
      2 * (joints[at] ?? 0)
    )
  }
  while (chosen.size <= MAX_STEPS) {
    let [best, least] = [-1, Number.POSITIVE_INFINITY]
    for (const [at, call] of calls.entries()) {
      if (chosen.has(at) || call.caller === undefined || !chosen.has(call.caller)) continue
      const weight = weigh(call, at)
      if (weight < least) [best, least] = [at, weight]
    }
    if (best === -1) break
    chosen.add(best)
  }
  return calls.filter((_, at) => at > 0 && chosen.has(at))
}
