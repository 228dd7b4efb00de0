/**
 * Saves a text while it is written: one save at a time, merged if another side was quicker, and kept in the browser
 * while there is no server.
 */
import type { ChangeSet } from "@codemirror/state"
import { type Conversations, describeError, Refused, request } from "../../Client.ts"
import { readDraft, writeDraft } from "../../Drafts.ts"
import { type Known, normalize, receive, type Version } from "./Merge.ts"

/** A message about the save; empty if everything is saved. */
export type Status = string

interface Surface {
  readonly text: () => string
  readonly change: (changes: ChangeSet) => void
  readonly onStatus: (status: Status) => void
}

/** The data that is kept over a reload: the text, and the version that it was made from. */
interface Kept {
  readonly now: string
  readonly known: Known
}

const readKept = (name: string): Kept | undefined => {
  try {
    // Only this module writes the draft: if both fields are there, they have the types that it wrote.
    const kept = JSON.parse(readDraft(name)) as Partial<Kept>
    return kept.now === undefined || kept.known === undefined ? undefined : (kept as Kept)
  } catch {
    return undefined
  }
}

/** A pause in the typing after which the text is sent, and the time between attempts, in milliseconds. */
const pause = 300
const retry = 2000

/**
 * Returns true if the server may accept the same text later: with the token of a new server, or when there is room on
 * the disk.
 */
const isTemporary = ({ status }: Refused) => status === 401 || status === 429 || status >= 500

export class Saver {
  /** The initial text, with the edits of an earlier visit that were not saved. */
  readonly initial: string
  private known: Known
  private isSaving = false
  private isEnded = false
  /** The text that arrived from the server during a save: it may contain what was saved. */
  private held: Version | undefined
  /** The text that the server refuses, however often it is sent. */
  private refused: string | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly name: string
  private readonly path: string
  private readonly surface: Surface
  private readonly first: Version

  constructor(conversation: string, first: Version, surface: Surface) {
    this.name = `document:${conversation}`
    this.path = `/conversations/${conversation}/document`
    this.surface = surface
    this.first = first
    const kept = readKept(this.name)
    this.initial = kept?.now ?? normalize(first.text)
    this.known = kept?.known ?? { base: { text: normalize(first.text), version: first.version }, sent: undefined }
  }

  /** Starts saving. Call it when the editor has the initial text. */
  begin(): void {
    this.receive(this.first, true)
    if (this.isUnsaved()) this.schedule(0)
    addEventListener("pagehide", this.keep)
  }

  end(): void {
    this.keep()
    this.isEnded = true
    clearTimeout(this.timer)
    removeEventListener("pagehide", this.keep)
  }

  onEdit(): void {
    this.schedule(pause)
  }

  /**
   * Receives the text that the server has now. `isState` is true for a response to the request after a connection:
   * earlier events may be lost.
   */
  receive(document: Version, isState = false): void {
    if (this.isSaving) {
      if (this.held === undefined || document.version > this.held.version || isState) this.held = document
      return
    }
    this.merge(document, isState)
    if (this.isUnsaved() && isState) this.schedule(0)
  }

  private merge(document: Version, isState: boolean) {
    const { changes, known } = receive(this.known, this.surface.text(), document, isState)
    this.known = known
    if (changes !== undefined && !changes.empty) this.surface.change(changes)
    this.keep()
    if (!this.isUnsaved()) this.surface.onStatus("")
  }

  private isUnsaved() {
    return this.surface.text() !== this.known.base.text
  }

  private schedule(delay: number) {
    if (this.isSaving || this.isEnded) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.save(), delay)
  }

  private async save() {
    const text = this.surface.text()
    if (this.isSaving || this.isEnded || text === this.refused) return
    if (!this.isUnsaved()) return this.surface.onStatus("")
    this.isSaving = true
    this.known = { ...this.known, sent: text }
    this.keep()
    let next: number | undefined
    let lost = false
    try {
      const saved = await request<Conversations.Document>("PUT", this.path, { text, version: this.known.base.version })
      this.merge(saved, false)
      this.surface.onStatus("")
      this.refused = undefined
      next = pause
    } catch (error) {
      // The only refusal of a save with a `document` is `Outdated` of the contract.
      const current =
        error instanceof Refused ? (error.body as { readonly document?: Version } | undefined)?.document : undefined
      if (current !== undefined) {
        // The save was refused, so the server does not have the text.
        this.known = { ...this.known, sent: undefined }
        this.merge(current, false)
        next = 0
      } else {
        lost = !(error instanceof Refused)
        if (error instanceof Refused && !isTemporary(error)) {
          this.refused = text
          this.known = { ...this.known, sent: undefined }
        }
        const what = text === this.refused ? "Not saved" : "Not saved yet"
        const why = describeError(error).replace(/\.$/, "")
        const kept = this.keep() ? "Your words are kept here." : "Do not close this page."
        this.surface.onStatus(`${what}: ${why}. ${kept}`)
        next = retry
      }
    }
    this.isSaving = false
    const { held } = this
    this.held = undefined
    if (held !== undefined) this.merge(held, lost)
    if (this.isUnsaved()) this.schedule(next)
  }

  /** Keeps the text over a reload while the server does not have it. Returns true if it could. */
  private readonly keep = (): boolean => {
    if (this.isEnded) return true
    const now = this.surface.text()
    if (now === this.known.base.text && this.known.sent === undefined) return writeDraft(this.name, "")
    return writeDraft(this.name, JSON.stringify({ now, known: this.known } satisfies Kept))
  }
}
