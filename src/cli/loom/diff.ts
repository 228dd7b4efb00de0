/** `vibe loom diff`: how two conversations differ, word by word, from the message at which they part. */
import { diffWordsWithSpace } from "diff"
import * as Effect from "effect/Effect"
import { plural } from "../../base/Prose.ts"
import { sanitizeJson } from "../../base/Sanitize.ts"
import * as Forest from "../../forest/Forest.ts"
import type { ForestError } from "../../forest/ForestError.ts"
import * as MessageParts from "../../forest/MessageParts.ts"
import type { Node } from "../../forest/Node.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as NodeText from "../../forest/NodeText.ts"
import type { NodeId } from "../../message/NodeId.ts"
import * as Pager from "../terminal/Pager.ts"
import * as Screen from "../terminal/Screen.ts"
import type { DiffInput } from "./readCommands.ts"

export const run = Effect.fn("cli.loom.diff")(function* ({ json, noPager, one, other }: DiffInput) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const [before, after] = yield* readBranches(forest, yield* NodeName.resolve(one), yield* NodeName.resolve(other))
  const [first] = before.nodes
  const isPart = first !== undefined && first.parent !== before.root.id && before.nodes[0]?.id === after.nodes[0]?.id
  const difference = compare(before, after, isPart ? (yield* forest.depth(first.id)) - 1 : 0)
  if (json) return yield* Screen.line(out, sanitizeJson(difference))
  yield* Pager.print(out, format(difference), { noPager })
})

/** The number of messages of both paths that are read first. */
const FIRST_READ = 32

/**
 * Reads both paths from the same node on, with as few messages as contain the point at which they part. Two trees have
 * no such point, and are read whole.
 */
const readBranches = (
  forest: Forest.Service,
  one: NodeId,
  other: NodeId,
  last = FIRST_READ,
): Effect.Effect<readonly [one: Forest.Path, other: Forest.Path], ForestError> =>
  Effect.gen(function* () {
    const before = yield* forest.path(one, { last })
    const after = yield* forest.path(other, { last })
    if (before.root.id !== after.root.id) return [yield* forest.path(one), yield* forest.path(other)]
    const ids = new Set(after.nodes.map(({ id }) => id))
    const common = before.nodes.findIndex(({ id }) => ids.has(id))
    if (common !== -1) {
      const start = before.nodes[common]?.id
      const from = after.nodes.findIndex(({ id }) => id === start)
      return [
        { ...before, nodes: before.nodes.slice(common) },
        { ...after, nodes: after.nodes.slice(from) },
      ]
    }
    const isWhole = before.nodes.length < last && after.nodes.length < last
    return isWhole ? [before, after] : yield* readBranches(forest, one, other, last * 4)
  })

interface Difference {
  /** The number of messages that both begin with. */
  readonly common: number
  readonly isSameTree: boolean
  /** The number of messages after the common ones. */
  readonly onlyInOne: number
  readonly onlyInOther: number
  /** The differences after the common messages, in order. */
  readonly pieces: ReadonlyArray<Piece>
}

interface Piece {
  readonly kind: "same" | "removed" | "added"
  readonly text: string
}

/** After this time two long texts are shown as wholly different. */
const WORD_DIFF_TIMEOUT_MS = 5000

/** `earlier` is the number of messages in front of both, which are the same. */
export const compare = (one: Forest.Path, other: Forest.Path, earlier = 0): Difference => {
  const isSameTree = one.root.id === other.root.id
  // A message that only one of them continues is not in common.
  const [first, second] = [MessageParts.joinAll(one.nodes), MessageParts.joinAll(other.nodes)]
  const parting = first.findIndex(({ id }, at) => id !== second[at]?.id)
  const common = isSameTree ? (parting === -1 ? first.length : parting) : 0
  const [before, after] = [first.slice(common), second.slice(common)]
  return {
    common: earlier + common,
    isSameTree,
    onlyInOne: before.length,
    onlyInOther: after.length,
    pieces: compareTurns(...align(toTurns(before), toTurns(after), first[common - 1]?.message.role)),
  }
}

/** Marks differences in the style of `git diff --word-diff`: `[-removed-]{+added+}`. */
export const format = ({ common, isSameTree, onlyInOne, onlyInOther, pieces }: Difference): string => {
  const start = isSameTree ? `${plural(common, "message")} in common` : "of two trees"
  const heading = `${start}; then ${onlyInOne} in the first, ${onlyInOther} in the second`
  if (pieces.length === 0) return heading
  return [heading, "", pieces.map(mark).join("").trimEnd()].join("\n")
}

const mark = ({ kind, text }: Piece): string => {
  switch (kind) {
    case "same":
      return text
    case "removed":
      return `[-${text}-]`
    case "added":
      return `{+${text}+}`
  }
}

/** Adjacent messages of one role, joined: an edit or a split may have divided a text into several messages. */
interface Turn {
  readonly role: string
  readonly text: string
}

const toTurns = (nodes: ReadonlyArray<Node>): ReadonlyArray<Turn> => {
  const turns: Array<Turn> = []
  for (const node of nodes) {
    const last = turns.at(-1)
    const turn = { role: node.message.role, text: NodeText.words(node) }
    if (last?.role === turn.role && turn.role !== "tool") {
      turns[turns.length - 1] = { ...turn, text: last.text + turn.text }
    } else turns.push(turn)
  }
  return turns
}

/** If only one side continues the role of the last common message, the other gets an empty turn in its place. */
const align = (
  before: ReadonlyArray<Turn>,
  after: ReadonlyArray<Turn>,
  last: string | undefined,
): readonly [before: ReadonlyArray<Turn>, after: ReadonlyArray<Turn>] => {
  const continues = (turns: ReadonlyArray<Turn>) => last !== undefined && turns[0]?.role === last
  const empty = { role: last ?? "", text: "" }
  if (before.length === 0 || after.length === 0 || continues(before) === continues(after)) return [before, after]
  return continues(before) ? [before, [empty, ...after]] : [[empty, ...before], after]
}

/** Compares turn by turn: by words if the roles are equal, otherwise as wholes. */
const compareTurns = (before: ReadonlyArray<Turn>, after: ReadonlyArray<Turn>): ReadonlyArray<Piece> => {
  const pieces: Array<Piece> = []
  for (let at = 0; at < Math.max(before.length, after.length); at++) {
    const [one, other] = [before[at], after[at]]
    if (at > 0) pieces.push({ kind: "same", text: "\n\n" })
    if (one !== undefined && one.role === other?.role) {
      pieces.push({ kind: "same", text: `${one.role}: ` }, ...compareWords(one.text, other.text))
      continue
    }
    if (one !== undefined) pieces.push({ kind: "removed", text: `${one.role}: ${one.text}` })
    if (one !== undefined && other !== undefined) pieces.push({ kind: "same", text: "\n\n" })
    if (other !== undefined) pieces.push({ kind: "added", text: `${other.role}: ${other.text}` })
  }
  return pieces
}

const compareWords = (before: string, after: string): ReadonlyArray<Piece> => {
  const changes = diffWordsWithSpace(before, after, { timeout: WORD_DIFF_TIMEOUT_MS }) ?? [
    { value: before, added: false, removed: true },
    { value: after, added: true, removed: false },
  ]
  return changes.map(({ added, removed, value }) => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: value,
  }))
}
