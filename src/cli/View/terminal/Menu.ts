/** A list to choose from, with the arrow keys, by typing a part of a line, or by a search. */
import { type SelectItem, SelectList } from "@earendil-works/pi-tui/dist/components/select-list.js"
import { decodePrintableKey, matchesKey } from "@earendil-works/pi-tui/dist/keys.js"
import type { Component, Focusable } from "@earendil-works/pi-tui/dist/tui.js"
import * as DisplayWidth from "../../../base/DisplayWidth.ts"
import { sanitizeLine } from "../../../base/Sanitize.ts"
import type { Choice, Menu as Choices } from "../../../conversation/View.ts"
import * as TextLayout from "./TextLayout.ts"
import * as Theme from "./Theme.ts"

const MAX_ROWS = 10

/** The fewest characters of a filter that is searched: fewer would be found nearly everywhere. */
const MIN_SEARCHED = 2

/** Finds choices by more than their lines. */
export interface Search {
  /** The label names what is searched: `in a message`. */
  readonly label: string
  /**
   * Ends the previous search, and calls `onFound` later with the indices of the choices. Empty `words` only end the
   * search.
   */
  readonly find: (words: string, onFound: (indices: ReadonlyArray<number>) => void) => void
}

/**
 * The columns of the labels. On a wide terminal they hold the title of a conversation, and its description has room
 * beside it.
 */
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
  readonly #search: Search | undefined
  #filter = ""
  /** The choices that the search has found for the filter. */
  #found: ReadonlyArray<number> = []
  #items: ReadonlyArray<Item> = []
  #list: SelectList
  /** The list reads it each time that it is drawn. */
  readonly #layout = {
    maxPrimaryColumnWidth: labelWidth(0),
    truncatePrimary: ({ maxWidth, text }: { readonly text: string; readonly maxWidth: number }) =>
      DisplayWidth.cut(text, maxWidth),
  }

  /** `rows` are those of the terminal. `onChosen` receives the index of the choice; undefined if the user cancels. */
  constructor(
    menu: Choices,
    theme: Theme.Theme,
    rows: () => number,
    onChosen: (index: number | undefined) => void,
    search?: Search,
  ) {
    this.#search = search
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
    const filtered = this.#search === undefined ? "to filter these lines" : `to filter, also ${this.#search.label}`
    const hint = this.#theme.quiet(TextLayout.cut(`enter picks · esc none · type ${filtered}`, columns))
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
    this.#found = []
    this.#list = this.#makeList()
    if (filter === "") this.#list.setSelectedIndex(this.#menu.preselected)
    // This also runs for too short a filter, so that the previous search ends.
    this.#search?.find(filter.trim().length < MIN_SEARCHED ? "" : filter, (indices) => this.#showFound(indices))
  }

  /** Adds the choices below those whose lines match, and keeps the selection. */
  #showFound(indices: ReadonlyArray<number>): void {
    const selected = this.#list.getSelectedItem()?.value
    this.#found = indices
    this.#list = this.#makeList()
    const index = this.#items.findIndex(({ value }) => value === selected)
    if (index > 0) this.#list.setSelectedIndex(index)
  }

  #makeList(): SelectList {
    const toItem = (index: number, { about, label }: Choice): Item => ({
      value: String(index),
      label: sanitizeLine(label),
      ...(about !== undefined && { about: sanitizeLine(about) }),
    })
    const inLines = this.#menu.choices.flatMap((choice, index) =>
      matches(choice, this.#filter) ? [toItem(index, choice)] : [],
    )
    const label = this.#search?.label ?? ""
    const inText = this.#found.flatMap((index) => {
      const choice = this.#menu.choices[index]
      if (choice === undefined || matches(choice, this.#filter)) return []
      return [toItem(index, { ...choice, about: [label, choice.about ?? []].flat().join(" · ") })]
    })
    this.#items = [...inLines, ...inText]
    const rows = Math.max(2, Math.min(MAX_ROWS, this.#rows() - 8))
    const list = new SelectList([...this.#items], rows, Theme.list(this.#theme), this.#layout)
    list.onSelect = ({ value }) => this.#onChosen(Number(value))
    list.onCancel = () => this.#onChosen(undefined)
    return list
  }
}

/** Returns whether all words of the filter occur. */
const matches = ({ about = "", label }: Choice, filter: string): boolean => {
  const text = `${label} ${about}`.toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
