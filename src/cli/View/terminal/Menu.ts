/** A list to choose from, with the arrow keys or by typing a part of a label. */
import { type SelectItem, SelectList } from "@earendil-works/pi-tui/dist/components/select-list.js"
import { decodePrintableKey, matchesKey } from "@earendil-works/pi-tui/dist/keys.js"
import type { Component, Focusable } from "@earendil-works/pi-tui/dist/tui.js"
import * as DisplayWidth from "../../../message/DisplayWidth.ts"
import { sanitizeLine } from "../../../message/Sanitize.ts"
import type { Choice, Menu as Choices } from "../../../session/View.ts"
import * as TextLayout from "./TextLayout.ts"
import * as Theme from "./Theme.ts"

const MAX_ROWS = 10

/** Columns of the labels: those of a title of a conversation where there is room for what is about it beside them. */
const labelWidth = (columns: number): number => (columns >= 110 ? 62 : 48)

interface Item extends SelectItem {
  /** The description before it is cut. */
  readonly about?: string
}

export class Menu implements Component, Focusable {
  focused = false
  readonly #menu: Choices
  readonly #theme: Theme.Theme
  readonly #rows: () => number
  readonly #onChosen: (index: number | undefined) => void
  #filter = ""
  #items: ReadonlyArray<Item> = []
  #list: SelectList
  /** The list reads it each time that it is drawn. */
  readonly #layout = {
    maxPrimaryColumnWidth: labelWidth(0),
    truncatePrimary: ({ maxWidth, text }: { readonly text: string; readonly maxWidth: number }) =>
      DisplayWidth.cut(text, maxWidth),
  }

  /** `rows`: of the terminal. `onChosen` receives the index of the choice; undefined if the user cancels. */
  constructor(menu: Choices, theme: Theme.Theme, rows: () => number, onChosen: (index: number | undefined) => void) {
    this.#menu = menu
    this.#theme = theme
    this.#rows = rows
    this.#onChosen = onChosen
    this.#list = this.#makeList()
    this.#list.setSelectedIndex(menu.preselected)
  }

  handleInput(data: string): void {
    const typed = decodePrintableKey(data) ?? (data >= " " && !data.includes("\x1b") ? data : undefined)
    if (matchesKey(data, "backspace")) this.#setFilter(this.#filter.slice(0, -1))
    else if (typed !== undefined && typed !== "\x7f") this.#setFilter(this.#filter + sanitizeLine(typed))
    else this.#list.handleInput(data)
  }

  invalidate(): void {
    this.#list.invalidate()
  }

  render(columns: number): Array<string> {
    const title = `${sanitizeLine(this.#menu.title)}${this.#filter === "" ? "" : `: ${this.#filter}`}`
    const hint = this.#theme.quiet(TextLayout.cut("enter picks · esc none · type to filter these lines", columns))
    const label = labelWidth(columns)
    this.#layout.maxPrimaryColumnWidth = label
    // The list itself cuts without an ellipsis: two columns in front of the label, and two at the end of the row.
    const left = columns - Math.min(label, columns - 6) - 4
    for (const item of this.#items) {
      if (item.about !== undefined) item.description = DisplayWidth.cut(item.about, Math.max(1, left))
    }
    const rows = this.#list.render(columns).map((row) => TextLayout.cut(row, columns))
    return [this.#theme.strong(TextLayout.cut(title, columns)), ...rows, hint]
  }

  #setFilter(filter: string): void {
    this.#filter = filter
    this.#list = this.#makeList()
    if (filter === "") this.#list.setSelectedIndex(this.#menu.preselected)
  }

  #makeList(): SelectList {
    this.#items = this.#menu.choices.flatMap((choice, index) =>
      matches(choice, this.#filter)
        ? [
            {
              value: String(index),
              label: sanitizeLine(choice.label),
              ...(choice.about !== undefined && { about: sanitizeLine(choice.about) }),
            },
          ]
        : [],
    )
    const rows = Math.max(2, Math.min(MAX_ROWS, this.#rows() - 8))
    const list = new SelectList([...this.#items], rows, Theme.list(this.#theme), this.#layout)
    list.onSelect = ({ value }) => this.#onChosen(Number(value))
    list.onCancel = () => this.#onChosen(undefined)
    return list
  }
}

/** Whether all words of the filter occur. */
const matches = ({ about = "", label }: Choice, filter: string): boolean => {
  const text = `${label} ${about}`.toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
