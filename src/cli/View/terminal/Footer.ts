/** The lines below the conversation: progress of the answer, queued messages, and the prompt. */
import type { Component } from "@earendil-works/pi-tui/dist/tui.js"
import { sanitizeLine } from "../../../base/Sanitize.ts"
import * as ScrollbackItem from "./ScrollbackItem.ts"
import { cut } from "./TextLayout.ts"
import type { Theme } from "./Theme.ts"

export interface State {
  /** Undefined while no answer is in progress. */
  readonly answering:
    | {
        readonly elapsedMs: number
        readonly tokens: number
        /** The last line of stderr of an agent that answers; empty if there is no agent. */
        readonly diagnostic: string
      }
    | undefined
  /** Messages that wait for the end of the answer. */
  readonly queued: ReadonlyArray<string>
  readonly model: string | undefined
}

/** How long the spinner shows one of its characters. */
const SPINNER_FRAME_MS = 100

const MAX_QUEUED_LINES = 3

const status = (state: State, columns: number, theme: Theme): ReadonlyArray<string> => {
  if (state.answering === undefined) return []
  const { diagnostic, elapsedMs, tokens } = state.answering
  const frame = Math.floor(elapsedMs / SPINNER_FRAME_MS)
  const facts = [
    `${theme.spinner[frame % theme.spinner.length]} ${Math.floor(elapsedMs / 1000)} s`,
    ...(tokens === 0 ? [] : [`~${ScrollbackItem.formatCount(tokens)} tokens`]),
    "esc stops",
  ]
  return [...(diagnostic === "" ? [] : [sanitizeLine(diagnostic)]), facts.join(" · ")].map((line) =>
    theme.quiet(cut(line, columns)),
  )
}

const queue = ({ queued }: State, columns: number, theme: Theme): ReadonlyArray<string> => {
  const more = queued.length - MAX_QUEUED_LINES
  return [
    ...queued.slice(0, MAX_QUEUED_LINES).map((text) => `waits: ${sanitizeLine(text.slice(0, 1000))}`),
    ...(more > 0 ? [`… and ${more} more`] : []),
  ].map((line) => theme.quiet(cut(line, columns)))
}

/** The hints, on one line. */
export const hints = ({ model }: State): string =>
  [...(model === undefined ? [] : [sanitizeLine(model)]), "/ commands", "@ files", "^O details", "^G editor"].join(
    " · ",
  )

/** `focused` returns the prompt, below the menu if there is one. */
export const make = (state: () => State, focused: () => ReadonlyArray<Component>, theme: Theme): Component => {
  let cached: { readonly state: State; readonly columns: number; readonly above: ReadonlyArray<string> } | undefined
  return {
    invalidate: () => {},
    render: (columns) => {
      const now = state()
      if (cached?.state !== now || cached.columns !== columns)
        cached = { state: now, columns, above: [...status(now, columns, theme), ...queue(now, columns, theme)] }
      return [...cached.above, ...focused().flatMap((component) => component.render(columns))]
    },
  }
}
