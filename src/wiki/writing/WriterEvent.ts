/** The events of a run that writes a wiki, for its display and its sums. */
import * as Data from "effect/Data"
import type { Usage } from "../../message/Usage.ts"
import type { PageKind } from "../Page.ts"

/** The purpose of a request. */
export type Purpose = "plan" | "page" | "source" | "check" | "judgement"

export type WriterEvent = Data.TaggedEnum<{
  /** Says before the first request how much is to be written and judged. */
  Planned: { readonly pages: number; readonly touched: number }
  /** A request is sent. `page` is the name of the page; undefined for a plan. */
  Asked: {
    readonly purpose: Purpose
    readonly page: string | undefined
    readonly model: string
    /** Estimated tokens of the request. */
    readonly inputTokens: number
  }
  /** Its answer has arrived. `cost` is in US dollars; undefined if a price is unknown. */
  Answered: {
    readonly purpose: Purpose
    readonly page: string | undefined
    readonly usage: Usage
    readonly cost: number | undefined
  }
  /**
   * A page was written and handed over to be kept. `refused` statements and numbers were left out, `flaws` says why
   * statements about dependences between parts were.
   */
  PageWritten: {
    readonly page: string
    readonly kind: PageKind
    readonly title: string
    readonly statements: number
    readonly words: number
    readonly refused: { readonly statements: number; readonly numbers: number }
    readonly flaws: ReadonlyArray<string>
  }
  /** The statements of a page were held against the source. */
  Checked: {
    readonly page: string
    readonly statements: number
    readonly corrected: number
    readonly dropped: number
    readonly undecided: number
  }
  /** Statements whose symbols had changed were judged. */
  Judged: {
    readonly statements: number
    readonly corrected: number
    readonly dropped: number
    readonly undecided: number
  }
  /** A page stays as it was, or is missing. `reason` is written for the user. */
  Failed: { readonly page: string | undefined; readonly purpose: Purpose; readonly reason: string }
}>
export const WriterEvent = Data.taggedEnum<WriterEvent>()
