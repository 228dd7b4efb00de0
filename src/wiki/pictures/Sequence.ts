/** A flow as a picture: its steps as messages between the parts of the code, of calls that are resolved. Pure. */
import type { Kind, StepCalls } from "../flows/StepCalls.ts"
import * as Labels from "../Labels.ts"
import type { Citation, Page } from "../Page.ts"
import * as Places from "../Places.ts"
import type { Part } from "../Plan.ts"

export interface Sequence {
  readonly kind: "sequence"
  readonly lanes: ReadonlyArray<Lane>
  /** The steps of the flow, in order. */
  readonly messages: ReadonlyArray<Message>
}

/** A part of the code, or a file without a part. */
interface Lane {
  readonly label: string
  /** The name of the page that it leads to; undefined if there is none. */
  readonly page: string | undefined
}

export interface Message {
  /** Positions of lanes. They are the same for a call within a part, and for a step that is no call. */
  readonly from: number
  readonly to: number
  readonly text: string
  /**
   * How the call is made. A step about a single symbol, which is known already or the first one, is its `own`. One that
   * is `apart` cites symbols between which no call was found, neither from a symbol of an earlier step.
   */
  readonly kind: Kind | "own" | "apart"
}

/** Says what a message means that is no plain call; undefined for a call. */
export const notes: Readonly<Record<Message["kind"], string | undefined>> = {
  call: undefined,
  use: undefined,
  given: "through what it is given",
  later: "later",
  own: undefined,
  apart: "no call to it is resolved",
}

/** Returns whether a message is drawn as an arrow. */
export const isArrow = ({ kind }: Message): boolean => kind !== "own" && kind !== "apart"

/**
 * Shows the steps of a flow as messages between parts. A step cites what is called first, and then its caller; an arrow
 * is drawn only along a call that `calls` knows. Files without a part are a lane of their own.
 */
export const ofFlow = (
  page: Page,
  parts: ReadonlyArray<Pick<Part, "name" | "title" | "files" | "symbols">>,
  calls: StepCalls,
): Sequence | undefined => {
  const partOf = Places.finderOf(parts)
  const lanes = new Map<string, Lane>()
  const laneOf = (cited: Citation): number => {
    const { path } = cited
    const part = partOf(cited)
    const key = part?.name ?? ` ${path}`
    if (!lanes.has(key)) {
      lanes.set(key, part === undefined ? { label: path, page: undefined } : { label: part.title, page: part.name })
    }
    return Array.from(lanes.keys()).indexOf(key)
  }
  // The text above the steps may cite the start.
  const seen = page.sections.filter(({ form }) => form !== "steps").flatMap(({ blocks }) => blocks.flat())
  const before = seen.flatMap(({ citations }) => citations)
  const messages: Array<Message> = []
  for (const { blocks, form } of page.sections) {
    for (const [{ citations }] of form === "steps" ? blocks : []) {
      const [first] = citations
      if (first === undefined) continue
      const call = callIn(citations, before, calls)
      const isKnown = messages.length === 0 || before.some((each) => isSame(each, first))
      const isOwn = isKnown && citations.every((each) => isSame(each, first))
      const from = laneOf(call?.caller ?? first)
      const to = laneOf(call?.callee ?? first)
      messages.push({ from, to, text: textOf(call?.callee ?? first), kind: call?.kind ?? (isOwn ? "own" : "apart") })
      before.push(...citations.toReversed())
    }
  }
  return messages.length === 0 ? undefined : { kind: "sequence", lanes: Array.from(lanes.values()), messages }
}

interface Found {
  readonly caller: Citation
  readonly callee: Citation
  readonly kind: Kind
}

/**
 * Finds the call that a step is about: of its first symbol by the others, directly or through what they call, then the
 * other way round, and then by a symbol of an earlier step, the latest first.
 */
const callIn = (
  [first, ...others]: ReadonlyArray<Citation>,
  before: ReadonlyArray<Citation>,
  calls: StepCalls,
): Found | undefined => {
  if (first === undefined) return undefined
  const isOther = (each: Citation) => !isSame(each, first)
  const own = others.filter(isOther)
  for (const caller of own) {
    const kind = calls(caller, first) ?? throughOthers(caller, first, own, calls)
    if (kind !== undefined) return { caller, callee: first, kind }
  }
  for (const callee of own) {
    const kind = calls(first, callee)
    if (kind !== undefined) return { caller: first, callee, kind }
  }
  // A step about one symbol that came before says what that does by itself.
  if (own.length === 0 && before.some((each) => isSame(each, first))) return undefined
  for (const caller of before.toReversed()) {
    const kind = isOther(caller) ? calls(caller, first) : undefined
    if (kind !== undefined) return { caller, callee: first, kind }
  }
  return undefined
}

/**
 * Returns how one symbol leads to another by way of the others that a step cites, such as one that passes the call on.
 */
const throughOthers = (
  caller: Citation,
  callee: Citation,
  own: ReadonlyArray<Citation>,
  calls: StepCalls,
): Kind | undefined => {
  const reached = new Map<Citation, Kind>([[caller, "call"]])
  for (const [at, kind] of reached) {
    for (const next of [callee, ...own]) {
      const step = reached.has(next) ? undefined : calls(at, next)
      if (step === undefined) continue
      const way = kind === "call" || kind === "use" ? step : kind
      if (next === callee) return way
      reached.set(next, way)
    }
  }
  return undefined
}

const isSame = (one: Citation, other: Citation): boolean => one.path === other.path && one.symbol === other.symbol

const textOf = ({ path, symbol }: Citation): string => (symbol === undefined ? path : Labels.nameIn(path, symbol))
