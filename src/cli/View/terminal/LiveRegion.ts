/**
 * The last lines of a terminal, which may still change. The lines above them belong to the terminal's scrollback: they
 * are written once, in order, and never touched again, neither by a frame nor by a resize.
 */
import type { Terminal } from "@earendil-works/pi-tui/dist/terminal.js"
import { type Component, TuiBase, type TuiStopOptions } from "@earendil-works/pi-tui/dist/tui.js"
import { visibleWidth } from "@earendil-works/pi-tui/dist/utils.js"
import type { ScrollbackItem } from "./ScrollbackItem.ts"

export class LiveRegion extends TuiBase {
  override readonly mode = "regular"

  /** The items that are not in the scrollback yet, oldest first. */
  #items: ReadonlyArray<ScrollbackItem> = []
  /** The lines below the items: status and prompt. */
  readonly #footer: Component
  readonly #requestFrame: () => void

  /** The lines on the screen, from the first that may change on. */
  #screen: ReadonlyArray<string> = []
  /** The number of lines of the first items that did not fit on the screen. */
  #hidden = 0
  /** The position of the cursor, from the first line of `#screen` on. */
  #row = 0
  #column = 0
  #columns = 0
  #rows = 0

  /** `requestFrame` is called when `renderNow` should be, soon. */
  constructor(terminal: Terminal, footer: Component, requestFrame: () => void) {
    super(terminal, true)
    this.#requestFrame = requestFrame
    this.#footer = footer
  }

  get items(): ReadonlyArray<ScrollbackItem> {
    return this.#items
  }

  add(items: ReadonlyArray<ScrollbackItem>): void {
    this.replace([], items)
  }

  /**
   * Puts `others` in the place of the first of `old`, or at the end if none of `old` is left. Items in the scrollback
   * stay there.
   */
  replace(old: ReadonlyArray<ScrollbackItem>, others: ReadonlyArray<ScrollbackItem>): void {
    const index = this.#items.findIndex((item) => old.includes(item))
    const kept = this.#items.filter((item) => !old.includes(item))
    this.#items = index === -1 ? kept.concat(others) : [...kept.slice(0, index), ...others, ...kept.slice(index)]
    this.requestRender()
  }

  /** Draws a frame, and leaves all final items to the scrollback. */
  commit(): void {
    this.renderNow()
    this.#commitFinalItems()
  }

  /**
   * Erases the lines that may change, so that another program can use the terminal. The next frame draws them again.
   */
  conceal(): void {
    this.commit()
    this.terminal.write(`${up(this.#row)}\r\x1b[J`)
    this.#forget()
  }

  /**
   * Erases the screen, and draws the lines that may still change again at its top. The scrollback of the terminal
   * stays.
   */
  clearScreen(): void {
    this.#items = this.#items.filter(({ isFinal }) => !isFinal)
    this.terminal.write("\x1b[H\x1b[2J")
    this.#forget()
    this.requestRender()
  }

  override requestRender(): void {
    this.#requestFrame()
  }

  protected override doRender(): void {
    if (this.stopped) return
    const { columns, rows } = this.terminal
    const clear = this.#clearAfterResize(columns, rows)
    const footer = this.#footer.render(columns)
    const cursor = this.extractCursorPosition(footer, footer.length)
    const from = firstVisible(footer.length, rows, cursor?.row ?? 0)
    const bottom = footer.slice(from, from + rows)

    const { final, live } = this.#divide(columns, rows - bottom.length)
    const lines = [...final, ...live, ...bottom].map(trimLine)
    const row = final.length + live.length + (cursor === null ? bottom.length - 1 : cursor.row - from)
    this.#draw(clear, lines, Math.max(0, row), cursor?.col ?? 0)
    this.#screen = lines.slice(final.length)
    this.#row -= final.length
  }

  /** Leaves all items on the screen, with the cursor below them. */
  protected override beforeTerminalStop({ preserveScreen = false }: TuiStopOptions): void {
    if (preserveScreen) return
    const { columns } = this.terminal
    const clear = this.#clearAfterResize(columns, this.terminal.rows)
    const lines = this.#items.flatMap((item) => item.render(columns)).map(trimLine)
    this.#items = []
    this.#draw(clear, [...lines, ""], lines.length, 0)
    this.#forget()
  }

  /** `final` has the lines that scroll off the screen for good, and `live` those that stay on it. */
  #divide(columns: number, room: number): { readonly final: Array<string>; readonly live: Array<string> } {
    const drawn = this.#items.map((item) => item.render(columns))
    const height = drawn.reduce((sum, lines) => sum + lines.length, 0)
    let items = 0
    let scrolled = 0
    while (height - scrolled > room && this.#items[items]?.isFinal === true) scrolled += drawn[items++]?.length ?? 0
    const all = drawn.flat()
    // Lines that may change and do not fit stay hidden until they are final: otherwise the scrollback would have them
    // twice.
    this.#hidden = Math.max(0, all.length - scrolled - room)
    this.#items = this.#items.slice(items)
    return { final: all.slice(0, scrolled), live: all.slice(scrolled + this.#hidden) }
  }

  /** Leaves the first items to the scrollback, as far as they are final and on the screen as they are. */
  #commitFinalItems(): void {
    if (this.#hidden > 0) return
    let lines = 0
    let items = 0
    for (const item of this.#items) {
      const drawn = item.render(this.#columns)
      if (!item.isFinal || drawn.some((line, index) => trimLine(line) !== this.#screen[lines + index])) break
      lines += drawn.length
      items++
    }
    this.#items = this.#items.slice(items)
    this.#screen = this.#screen.slice(lines)
    this.#row -= lines
  }

  /**
   * The sequence that erases, after a resize, the lines as the terminal has wrapped them; empty if the size is the
   * same.
   */
  #clearAfterResize(columns: number, rows: number): string {
    const isResized = this.#columns !== 0 && (columns !== this.#columns || rows !== this.#rows)
    let clear = ""
    if (isResized) {
      this.#commitFinalItems()
      const above = this.#screen.slice(0, this.#row)
      clear = `${up(above.reduce((sum, line) => sum + wrappedHeight(line, columns), 0))}\r\x1b[J`
      this.#forget()
    }
    this.#columns = columns
    this.#rows = rows
    return clear
  }

  #forget(): void {
    this.#screen = []
    this.#row = 0
    this.#column = 0
  }

  /** Replaces the lines on the screen, with one write of those that differ. */
  #draw(clear: string, lines: ReadonlyArray<string>, row: number, column: number): void {
    const changes = this.#changes(lines)
    if (clear === "" && changes === "" && row === this.#row && column === this.#column) return
    const cursor = `${moveRows(row - this.#row)}\x1b[${column + 1}G`
    // Synchronised output without automatic wrapping, since terminals differ in the widths of characters.
    this.terminal.write(`\x1b[?2026h\x1b[?25l\x1b[?7l${clear}${changes}${cursor}\x1b[?7h\x1b[?25h\x1b[?2026l`)
    this.#row = row
    this.#column = column
  }

  #changes(lines: ReadonlyArray<string>): string {
    const screen = this.#screen
    if (lines.length === screen.length) {
      return lines.map((line, row) => (line === screen[row] ? "" : `${this.#moveTo(row)}\r\x1b[2K${line}`)).join("")
    }
    const first = lines.findIndex((line, row) => line !== screen[row])
    const from = first === -1 ? lines.length : first
    // Only a line feed creates a row below the last one.
    const start =
      from > 0 && from >= screen.length ? `${this.#moveTo(screen.length - 1)}\r\n` : `${this.#moveTo(from)}\r`
    const rows = [...lines, ...screen.slice(lines.length).map(() => "")]
    this.#row = rows.length - 1
    // The rows are erased one by one: tmux copies whatever is erased to the end of the screen into its history.
    return `${start}${rows
      .slice(from)
      .map((line) => `\x1b[2K${line}`)
      .join("\r\n")}`
  }

  #moveTo(row: number): string {
    const move = moveRows(row - this.#row)
    this.#row = row
    return move
  }
}

const up = (rows: number): string => (rows > 0 ? `\x1b[${rows}A` : "")

const moveRows = (rows: number): string => (rows > 0 ? `\x1b[${rows}B` : up(-rows))

/** The rows of a line that was written on a wider terminal. */
const wrappedHeight = (line: string, columns: number): number => Math.max(1, Math.ceil(visibleWidth(line) / columns))

/** The first line to show of more than there are rows, so that the cursor is visible. */
const firstVisible = (lines: number, rows: number, cursor: number): number =>
  Math.max(0, Math.min(lines - rows, cursor), cursor - rows + 1)

/** Removes trailing spaces, which a narrower terminal would wrap. Styles are reset once, at the end of the line. */
const trimLine = (line: string): string => {
  const trimmed = line.replaceAll("\x1b[0m", "").replaceAll("\t", "   ").trimEnd()
  return trimmed.includes("\x1b") ? `${trimmed}\x1b[0m` : trimmed
}
