/**
 * Finds what a function calls through a variable, a parameter, a property or a table: the functions that resolved code
 * gives it, such as those that are registered with `push` or `use`, or passed to its constructor.
 */

import * as Effect from "effect/Effect"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import type { IndexError } from "../../index/IndexError.ts"
import * as Frames from "./Frames.ts"
import * as HeldValues from "./HeldValues.ts"
import * as IndirectCalls from "./IndirectCalls.ts"

/** A call through something that holds a function. */
export interface Joint {
  /** The text that holds the function, as the code writes it: `$handler`, `self.app`. */
  readonly holder: string
  readonly line: number
  /** The symbols that it may call, in the order in which they were found. Empty if only its callers know. */
  readonly targets: ReadonlyArray<Target>
}

export interface Target {
  readonly entry: IndexEntry
  /** The symbol in which it is given; undefined outside of all symbols. */
  readonly by: IndexEntry | undefined
  /** True if what it returns is given, or what a closure returns, so that the call leads to it in two steps or more. */
  readonly isLater: boolean
}

/** Returns the calls of a function through what it holds, in the order of their lines. */
export type Find = (entry: IndexEntry) => Effect.Effect<ReadonlyArray<Joint>, IndexError>

/** The most targets of a call. */
const MAX_TARGETS = 8

/**
 * Makes the search for a project. `files`: those of the code, whose registrations count; `textOf` reads a file. It
 * looks the same symbols up again and again, so a search for many functions should be given a `CachedIndex`.
 */
export const make = (
  index: Frames.Lookups,
  files: ReadonlyArray<string>,
  textOf: (path: string) => Effect.Effect<string | undefined>,
): Find => {
  const frames = Frames.make(index, textOf)
  const held = HeldValues.make(frames, files)
  const found = new Map<string, ReadonlyArray<Joint>>()

  const targetsOf = Effect.fnUntraced(function* (entry: IndexEntry, frame: Frames.Frame, holder: IndirectCalls.Holder) {
    const targets = new Map<string, Target>()
    for (const value of yield* held.of(frame, holder)) {
      const target = yield* held.targetOf(value, frame.family)
      if (target === undefined || (target.path === entry.path && target.startLine === entry.startLine)) continue
      const isLater = value.isLater === true
      targets.set(`${target.path} ${target.startLine}`, { entry: target, by: value.by, isLater })
    }
    return Array.from(targets.values()).slice(0, MAX_TARGETS)
  })

  const jointsIn = Effect.fnUntraced(function* (
    entry: IndexEntry,
    frame: Frames.Frame,
    candidates: ReadonlyArray<Candidate>,
  ) {
    const joints: Array<Joint> = []
    for (const { call, isGiven } of candidates) {
      const { at, holder, text } = call
      const line = Frames.lineAt(frame, frame.start + at)
      if ((yield* frames.resolve(frame, holder.name, line)) !== undefined) continue
      const targets = yield* targetsOf(entry, frame, holder)
      if (targets.length > 0 || isGiven) joints.push({ holder: text, line, targets })
    }
    return joints
  })

  return Effect.fnUntraced(function* (entry) {
    const key = `${entry.path} ${entry.startLine}`
    const known = found.get(key)
    if (known !== undefined) return known
    const frame = Frames.runs.has(entry.kind) ? yield* frames.frameOf(entry) : undefined
    const candidates = frame === undefined ? [] : candidatesIn(entry, frame)
    // Most functions call nothing that they are given.
    const joints = frame === undefined || candidates.length === 0 ? [] : yield* jointsIn(entry, frame, candidates)
    found.set(key, joints)
    return joints
  })
}

/** A call in a function of what may hold another one. */
interface Candidate {
  readonly call: IndirectCalls.IndirectCall
  /** True if the function is called by the name of a parameter, of the function itself or of one within it. */
  readonly isGiven: boolean
}

/** Lists the first call of each holder in the text of a function, without names that hold nothing. */
const candidatesIn = (entry: IndexEntry, frame: Frames.Frame): ReadonlyArray<Candidate> => {
  const { end, family, start } = frame
  const body = Frames.bodyOf(frame)
  let parameters: ReadonlySet<string> | undefined
  const isParameter = (name: string): boolean => {
    parameters ??= new Set([
      ...IndirectCalls.parametersOf(body, entry.name, family),
      ...IndirectCalls.closureParameters(body, family),
    ])
    return parameters.has(name)
  }
  const holders = new Set<string>()
  const candidates: Array<Candidate> = []
  for (const call of IndirectCalls.read(frame.text.slice(start, end), body, family)) {
    if (holders.has(call.text)) continue
    holders.add(call.text)
    const { kind, name } = call.holder
    // Most names stand in a function once, where it calls them. Nothing in it gives them a value.
    if (kind === "variable" && body.indexOf(name) === body.lastIndexOf(name)) continue
    const isGiven = kind === "variable" && isParameter(name)
    // A name that is no parameter and is assigned nothing holds nothing. This takes less time than to look it up.
    if (kind === "variable" && !isGiven && !IndirectCalls.isAssigned(body, name, family)) continue
    candidates.push({ call, isGiven })
  }
  return candidates
}
