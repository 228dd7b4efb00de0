/** What always stands below what was said: how the answer goes, what waits, and where the person writes. */
import type { Component } from "@earendil-works/pi-tui/dist/tui.js"
import { printableLine } from "../../../message/Printable.ts"
import { cut } from "./Lines.ts"
import * as ScrollbackItems from "./ScrollbackItems.ts"
import type { Theme } from "./Theme.ts"

/** As it stands. */
export interface State {
  /** Of the answer that is on its way. */
  readonly answering: { readonly elapsedMs: number; readonly tokens: number } | undefined
  /** What the person has said meanwhile. */
  readonly queued: ReadonlyArray<string>
  readonly model: string | undefined
}

/** The spinner turns as often. */
const FRAME_MS = 100

/** Of what waits, so many lines are shown. */
const MOST_QUEUED = 3

export const status = (state: State, columns: number, theme: Theme): ReadonlyArray<string> => {
  if (state.answering === undefined) return []
  const { elapsedMs, tokens } = state.answering
  const frame = Math.floor(elapsedMs / FRAME_MS)
  const words = [
    `${theme.spinner[frame % theme.spinner.length]} ${Math.floor(elapsedMs / 1000)} s`,
    ...(tokens === 0 ? [] : [`~${ScrollbackItems.thousands(tokens)} tokens`]),
    "esc stops",
  ]
  return [theme.quiet(cut(words.join(" · "), columns))]
}

export const queue = ({ queued }: State, columns: number, theme: Theme): ReadonlyArray<string> => {
  const more = queued.length - MOST_QUEUED
  return [
    ...queued.slice(0, MOST_QUEUED).map((text) => `waits: ${printableLine(text.slice(0, 1000))}`),
    ...(more > 0 ? [`… and ${more} more`] : []),
  ].map((line) => theme.quiet(cut(line, columns)))
}

/** In one line. */
export const hints = ({ model }: State): string =>
  [...(model === undefined ? [] : [printableLine(model)]), "/ commands", "@ files", "^O details", "^G editor"].join(
    " · ",
  )

/** Above what the person writes in. */
export const make = (state: () => State, writing: () => ReadonlyArray<Component>, theme: Theme): Component => {
  let drawn: { readonly state: State; readonly columns: number; readonly above: ReadonlyArray<string> } | undefined
  return {
    invalidate: () => {},
    render: (columns) => {
      const now = state()
      if (drawn?.state !== now || drawn.columns !== columns)
        drawn = { state: now, columns, above: [...status(now, columns, theme), ...queue(now, columns, theme)] }
      return [...drawn.above, ...writing().flatMap((component) => component.render(columns))]
    },
  }
}
