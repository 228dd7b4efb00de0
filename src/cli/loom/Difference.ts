/** In what two conversations differ, word by word, from where they part. Pure. */
import { diffWordsWithSpace } from "diff"
import type * as Forest from "../../forest/Forest.ts"
import type { Node } from "../../forest/Node.ts"
import * as NodeText from "../../forest/NodeText.ts"
import { plural } from "../../message/Plural.ts"

export interface Difference {
  /** Messages that both have, from the beginning. */
  readonly common: number
  readonly isSameTree: boolean
  /** Messages that only one of them has. */
  readonly onlyInOne: number
  readonly onlyInOther: number
  /** What follows what they have in common, in order. */
  readonly pieces: ReadonlyArray<Piece>
}

export interface Piece {
  readonly kind: "same" | "removed" | "added"
  readonly text: string
}

/** Milliseconds after which two long texts are told apart as wholes. */
const PATIENCE = 5000

export const between = (one: Forest.Path, other: Forest.Path): Difference => {
  const isSameTree = one.root.id === other.root.id
  const parting = one.nodes.findIndex(({ id }, at) => id !== other.nodes[at]?.id)
  const common = isSameTree ? (parting === -1 ? one.nodes.length : parting) : 0
  const [before, after] = [one.nodes.slice(common), other.nodes.slice(common)]
  return {
    common,
    isSameTree,
    onlyInOne: before.length,
    onlyInOther: after.length,
    pieces: compared(...aligned(turns(before), turns(after), one.nodes[common - 1]?.message.role)),
  }
}

/** As git shows words: `[-gone-]{+new+}`. */
export const text = ({ common, isSameTree, onlyInOne, onlyInOther, pieces }: Difference): string => {
  const parted = isSameTree ? `${plural(common, "message")} in common` : "of two trees"
  const heading = `${parted}; then ${onlyInOne} in the first, ${onlyInOther} in the second`
  if (pieces.length === 0) return heading
  return [heading, "", pieces.map(marked).join("").trimEnd()].join("\n")
}

const marked = ({ kind, text }: Piece): string => {
  switch (kind) {
    case "same":
      return text
    case "removed":
      return `[-${text}-]`
    case "added":
      return `{+${text}+}`
  }
}

/** What one says in one go; in several messages, as an edit leaves them, it reads as one. */
interface Turn {
  readonly role: string
  readonly text: string
}

const turns = (nodes: ReadonlyArray<Node>): ReadonlyArray<Turn> => {
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

/** Where one side alone goes on with what was said last in common, the other says nothing there. */
const aligned = (
  before: ReadonlyArray<Turn>,
  after: ReadonlyArray<Turn>,
  last: string | undefined,
): readonly [before: ReadonlyArray<Turn>, after: ReadonlyArray<Turn>] => {
  const goesOn = (turns: ReadonlyArray<Turn>) => last !== undefined && turns[0]?.role === last
  const nothing = { role: last ?? "", text: "" }
  if (before.length === 0 || after.length === 0 || goesOn(before) === goesOn(after)) return [before, after]
  return goesOn(before) ? [before, [nothing, ...after]] : [[nothing, ...before], after]
}

/** Turn by turn: words where the same one speaks, the whole where not. */
const compared = (before: ReadonlyArray<Turn>, after: ReadonlyArray<Turn>): ReadonlyArray<Piece> => {
  const pieces: Array<Piece> = []
  for (let at = 0; at < Math.max(before.length, after.length); at++) {
    const [one, other] = [before[at], after[at]]
    if (at > 0) pieces.push({ kind: "same", text: "\n\n" })
    if (one !== undefined && one.role === other?.role) {
      pieces.push({ kind: "same", text: `${one.role}: ` }, ...words(one.text, other.text))
      continue
    }
    if (one !== undefined) pieces.push({ kind: "removed", text: `${one.role}: ${one.text}` })
    if (one !== undefined && other !== undefined) pieces.push({ kind: "same", text: "\n\n" })
    if (other !== undefined) pieces.push({ kind: "added", text: `${other.role}: ${other.text}` })
  }
  return pieces
}

const words = (before: string, after: string): ReadonlyArray<Piece> => {
  const changes = diffWordsWithSpace(before, after, { timeout: PATIENCE }) ?? [
    { value: before, added: false, removed: true },
    { value: after, added: true, removed: false },
  ]
  return changes.map(({ added, removed, value }) => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: value,
  }))
}
