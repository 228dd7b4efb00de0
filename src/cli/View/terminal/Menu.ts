/** One of several, to be chosen: by the arrow keys, and by typing what it is called. */
import { SelectList } from "@earendil-works/pi-tui/dist/components/select-list.js"
import { decodePrintableKey, matchesKey } from "@earendil-works/pi-tui/dist/keys.js"
import type { Component, Focusable } from "@earendil-works/pi-tui/dist/tui.js"
import { printableLine } from "../../../message/Printable.ts"
import type { Choice, Menu as Choices } from "../../../session/View.ts"
import * as Lines from "./Lines.ts"
import * as Theme from "./Theme.ts"

const MOST_ROWS = 10

export class Menu implements Component, Focusable {
  focused = false
  readonly #menu: Choices
  readonly #theme: Theme.Theme
  readonly #rows: () => number
  readonly #chosen: (place: number | undefined) => void
  #typed = ""
  #list: SelectList

  /** Tells the place of what was chosen, or of none. `rows` are the terminal's. */
  constructor(menu: Choices, theme: Theme.Theme, rows: () => number, chosen: (place: number | undefined) => void) {
    this.#menu = menu
    this.#theme = theme
    this.#rows = rows
    this.#chosen = chosen
    this.#list = this.#listed()
    this.#list.setSelectedIndex(menu.preselected)
  }

  handleInput(data: string): void {
    const typed = decodePrintableKey(data) ?? (data >= " " && !data.includes("\x1b") ? data : undefined)
    if (matchesKey(data, "backspace")) this.#type(this.#typed.slice(0, -1))
    else if (typed !== undefined && typed !== "\x7f") this.#type(this.#typed + printableLine(typed))
    else this.#list.handleInput(data)
  }

  invalidate(): void {
    this.#list.invalidate()
  }

  render(columns: number): Array<string> {
    const title = `${printableLine(this.#menu.title)}${this.#typed === "" ? "" : `: ${this.#typed}`}`
    const hint = this.#theme.quiet(Lines.cut("enter picks · esc none · type to search", columns))
    const rows = this.#list.render(columns).map((row) => Lines.cut(row, columns))
    return [this.#theme.strong(Lines.cut(title, columns)), ...rows, hint]
  }

  #type(typed: string): void {
    this.#typed = typed
    this.#list = this.#listed()
    if (typed === "") this.#list.setSelectedIndex(this.#menu.preselected)
  }

  #listed(): SelectList {
    const items = this.#menu.choices.flatMap((choice, place) =>
      holds(choice, this.#typed)
        ? [
            {
              value: String(place),
              label: printableLine(choice.label),
              ...(choice.about !== undefined && { description: printableLine(choice.about) }),
            },
          ]
        : [],
    )
    const rows = Math.max(2, Math.min(MOST_ROWS, this.#rows() - 8))
    const list = new SelectList(items, rows, Theme.list(this.#theme), { maxPrimaryColumnWidth: 48 })
    list.onSelect = ({ value }) => this.#chosen(Number(value))
    list.onCancel = () => this.#chosen(undefined)
    return list
  }
}

const holds = ({ about = "", label }: Choice, letters: string): boolean =>
  `${label} ${about}`.toLowerCase().includes(letters.toLowerCase())
