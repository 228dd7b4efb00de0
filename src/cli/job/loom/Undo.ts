/** The work of `vibe loom undo`. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Forest from "../../../forest/Forest.ts"
import type { ForestError } from "../../../forest/ForestError.ts"
import * as NodeName from "../../../forest/NodeName.ts"
import * as Operation from "../../../forest/Operation.ts"
import { sanitizeJson, sanitizeLine } from "../../../message/Sanitize.ts"
import * as Change from "../../loom/Change.ts"
import * as Screen from "../../terminal/Screen.ts"

export interface Input {
  /** The number of an operation, or a node: then the latest operation in its tree. */
  readonly operation: Option.Option<string>
  readonly json: boolean
}

/** What the user does by hand: the commands of `vibe loom`. */
export const own = "loom"

/** Operations that are looked through for one that is under way. */
const RECENT = 100

/** Without a name the latest of the user's own commands, never of an exploration, a chat, or what is under way. */
export const run = Effect.fn("cli.loom.undo")(function* ({ json, operation }: Input) {
  const { err, out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const undone = yield* Option.match(operation, {
    onNone: () => forest.undo(undefined, own),
    onSome: (name) => (/^\d+$/.test(name) ? numbered(name) : inTreeOf(name)),
  })
  if (json) return yield* Screen.line(out, sanitizeJson({ undone }))
  for (const each of undone) yield* Screen.line(out, Change.undone(each))
  if (Option.isSome(operation)) return
  for (const { author, id, isUnderWay } of yield* forest.history(RECENT)) {
    if (!isUnderWay || !Operation.isBy(author, own) || undone.some((each) => each.id > id)) continue
    yield* Screen.line(err, sanitizeLine(`vibe: ${id} ${author} is still under way, and stays`))
  }
})

const inTreeOf = Effect.fnUntraced(function* (name: string) {
  const forest = yield* Forest.Forest
  const { root } = yield* forest.path(yield* NodeName.resolve(name), { last: 0 })
  return yield* forest.undo(root.id)
})

/** A bookmark and the beginning of an id may be a number, too. */
const numbered = Effect.fnUntraced(function* (name: string) {
  const forest = yield* Forest.Forest
  const undone = forest.undoOperation(Number(name))
  return yield* Effect.catchIf(undone, isMissing, (error) =>
    Effect.mapError(inTreeOf(name), (other) => (other._tag === "NoSuchNode" ? error : other)),
  )
})

const isMissing = ({ reason }: ForestError): boolean => reason._tag === "NoOperation"
