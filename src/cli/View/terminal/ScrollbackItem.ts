/** A part of a conversation on the screen: lines that follow from a width, with an empty one before them or none. */
import type { Component } from "@earendil-works/pi-tui/dist/tui.js"

export interface ScrollbackItem extends Component {
  /** It will not change any more by itself: it may be left to the terminal's scrollback. */
  isFinal: boolean
}

/** Draws once for a width, until it is invalidated. */
export const make = (
  draw: (columns: number) => ReadonlyArray<string>,
  { isSettled = true, isTight = false }: { readonly isSettled?: boolean; readonly isTight?: boolean } = {},
): ScrollbackItem => {
  let drawn: { readonly columns: number; readonly lines: Array<string> } | undefined
  return {
    isFinal: isSettled,
    invalidate: () => {
      drawn = undefined
    },
    render: (columns) => {
      if (drawn?.columns !== columns) {
        const lines = draw(columns)
        drawn = { columns, lines: lines.length === 0 || isTight ? [...lines] : ["", ...lines] }
      }
      return drawn.lines
    },
  }
}
