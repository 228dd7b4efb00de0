/**
 * A text that several write at once, from the side of one of them: each side's change is a change set against the last text
 * that the server is known to have, and theirs is mapped over ours. No words of anyone are lost, and none come twice.
 */
import { diff } from "@codemirror/merge"
import { ChangeSet } from "@codemirror/state"

export interface Version {
  readonly text: string
  readonly version: number
}

/** What is known of the server. All of it can be kept over a reload. */
export interface Known {
  /** The last text that the server is known to have had. */
  readonly base: Version
  /** What was sent to be saved, and may or may not have arrived. */
  readonly sent: string | undefined
}

/** Line ends must be `\n` alone on both sides: CodeMirror counts any of them as one character. */
export const normalize = (text: string): string => text.replace(/\r\n?/g, "\n")

/** The changes that make `b` of `a`. */
const changesBetween = (a: string, b: string): ChangeSet =>
  ChangeSet.of(
    diff(a, b, { scanLimit: 10_000, timeout: 200 }).map(({ fromA, fromB, toA, toB }) => ({
      from: fromA,
      to: toA,
      insert: b.slice(fromB, toB),
    })),
    a.length,
  )

/** What the server's text means for the text `now`: the changes to make to it, and what is known then. */
interface Received {
  readonly known: Known
  readonly changes: ChangeSet | undefined
}

/**
 * The server has `document`. Older news is no news, unless it is the server's state after a connection was lost (`isState`):
 * a server that was started anew may count anew.
 */
export const receive = (known: Known, now: string, document: Version, isState = false): Received => {
  const { base, sent } = known
  const text = normalize(document.text)
  if (document.version <= base.version && !isState) return { known, changes: undefined }
  const next: Known = { base: { text, version: document.version }, sent: undefined }
  // Our own text comes back: the next version has it, or another that was not changed since.
  if (text === sent || text === base.text || text === now) return { known: next, changes: undefined }
  // At the next version another change came first, so that ours was refused. Later ones can contain ours.
  const mayContainOurs = sent !== undefined && (isState || document.version > base.version + 1)
  const from = mayContainOurs ? withOurs(base.text, sent, text) : base.text
  return { known: next, changes: changesBetween(from, text).map(changesBetween(from, now)) }
}

/** The text that `theirs` was made from: what was sent, where all that it added is there, else what was known. */
const withOurs = (base: string, sent: string, theirs: string): string => {
  const added: Array<string> = []
  changesBetween(base, sent).iterChanges((_fromA, _toA, _fromB, _toB, inserted) => {
    if (inserted.length > 0) added.push(inserted.toString())
  })
  let at = 0
  for (const piece of added) {
    const found = theirs.indexOf(piece, at)
    if (found === -1) return base
    at = found + piece.length
  }
  return sent
}
