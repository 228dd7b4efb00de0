/**
 * The lines at the end of a terminal that can still change. What is above them belongs to the terminal's scrollback:
 * it is written once, in order, and never touched again, neither by a frame nor by a resize.
 */
import type { Terminal } from "@earendil-works/pi-tui/dist/terminal.js"
import { type Component, TuiBase, type TuiStopOptions } from "@earendil-works/pi-tui/dist/tui.js"
import { visibleWidth } from "@earendil-works/pi-tui/dist/utils.js"
import type { ScrollbackItem } from "./ScrollbackItem.ts"

export class LiveRegion extends TuiBase {
  override readonly mode = "regular"

  /** What was said and is still here, oldest first. */
  #pieces: ReadonlyArray<ScrollbackItem> = []
  /** What always stands below it: the status, where the person writes. */
  readonly #below: Component
  readonly #frameWanted: () => void

  /** On the screen, from the first line that can change on. */
  #shown: ReadonlyArray<string> = []
  /** How many lines of the first pieces did not fit on it. */
  #hidden = 0
  /** Where the cursor stands, from the first line shown on. */
  #row = 0
  #column = 0
  #columns = 0
  #rows = 0

  /** Asks for a frame by `frameWanted`; who is asked calls `renderNow` when it is time. */
  constructor(terminal: Terminal, below: Component, frameWanted: () => void) {
    super(terminal, true)
    this.#frameWanted = frameWanted
    this.#below = below
  }

  get pieces(): ReadonlyArray<ScrollbackItem> {
    return this.#pieces
  }

  add(pieces: ReadonlyArray<ScrollbackItem>): void {
    this.replace([], pieces)
  }

  /** Puts others where the first of them was, else at the end. Those that were left to the scrollback stay there. */
  replace(old: ReadonlyArray<ScrollbackItem>, others: ReadonlyArray<ScrollbackItem>): void {
    const place = this.#pieces.findIndex((piece) => old.includes(piece))
    const kept = this.#pieces.filter((piece) => !old.includes(piece))
    this.#pieces = place === -1 ? kept.concat(others) : [...kept.slice(0, place), ...others, ...kept.slice(place)]
    this.requestRender()
  }

  /** Draws what there is, and leaves all that will not change any more to the scrollback. */
  settle(): void {
    this.renderNow()
    this.#leave()
  }

  /** Takes away what can change, so that others can use the terminal; the next frame draws it anew. */
  conceal(): void {
    this.settle()
    this.terminal.write(`${up(this.#row)}\r\x1b[J`)
    this.#forget()
  }

  override requestRender(): void {
    this.#frameWanted()
  }

  protected override doRender(): void {
    if (this.stopped) return
    const { columns, rows } = this.terminal
    const cleared = this.#clearedByResize(columns, rows)
    const below = this.#below.render(columns)
    const cursor = this.extractCursorPosition(below, below.length)
    const from = firstOf(below.length, rows, cursor?.row ?? 0)
    const bottom = below.slice(from, from + rows)

    const { left, live } = this.#divided(columns, rows - bottom.length)
    const lines = [...left, ...live, ...bottom].map(finished)
    const row = left.length + live.length + (cursor === null ? bottom.length - 1 : cursor.row - from)
    this.#draw(cleared, lines, Math.max(0, row), cursor?.col ?? 0)
    this.#shown = lines.slice(left.length)
    this.#row -= left.length
  }

  /** What was said stays, and the cursor stands below it. */
  protected override beforeTerminalStop({ preserveScreen = false }: TuiStopOptions): void {
    if (preserveScreen) return
    const { columns } = this.terminal
    const cleared = this.#clearedByResize(columns, this.terminal.rows)
    const lines = this.#pieces.flatMap((piece) => piece.render(columns)).map(finished)
    this.#pieces = []
    this.#draw(cleared, [...lines, ""], lines.length, 0)
    this.#forget()
  }

  /** Lines of pieces that do not fit on the screen any more, and those that are to be on it. */
  #divided(columns: number, room: number): { readonly left: Array<string>; readonly live: Array<string> } {
    const drawn = this.#pieces.map((piece) => piece.render(columns))
    const height = drawn.reduce((sum, lines) => sum + lines.length, 0)
    let pieces = 0
    let gone = 0
    while (height - gone > room && this.#pieces[pieces]?.isFinal === true) gone += drawn[pieces++]?.length ?? 0
    const all = drawn.flat()
    // What may change and does not fit is seen once it is settled: else lines would stand in the scrollback twice.
    this.#hidden = Math.max(0, all.length - gone - room)
    this.#pieces = this.#pieces.slice(pieces)
    return { left: all.slice(0, gone), live: all.slice(gone + this.#hidden) }
  }

  /** Gives up the first lines on the screen, as they stand there. */
  #leave(): void {
    if (this.#hidden > 0) return
    let lines = 0
    let pieces = 0
    for (const piece of this.#pieces) {
      const drawn = piece.render(this.#columns)
      if (!piece.isFinal || drawn.some((line, index) => finished(line) !== this.#shown[lines + index])) break
      lines += drawn.length
      pieces++
    }
    this.#pieces = this.#pieces.slice(pieces)
    this.#shown = this.#shown.slice(lines)
    this.#row -= lines
  }

  /** Where the size has changed: what takes the lines away as the terminal has wrapped them, to be drawn anew. */
  #clearedByResize(columns: number, rows: number): string {
    const isResized = this.#columns !== 0 && (columns !== this.#columns || rows !== this.#rows)
    let cleared = ""
    if (isResized) {
      this.#leave()
      const above = this.#shown.slice(0, this.#row)
      cleared = `${up(above.reduce((sum, line) => sum + height(line, columns), 0))}\r\x1b[J`
      this.#forget()
    }
    this.#columns = columns
    this.#rows = rows
    return cleared
  }

  #forget(): void {
    this.#shown = []
    this.#row = 0
    this.#column = 0
  }

  /** Turns what is shown into these lines, writing those that differ, in one go. */
  #draw(cleared: string, lines: ReadonlyArray<string>, row: number, column: number): void {
    const changes = this.#changes(lines)
    if (cleared === "" && changes === "" && row === this.#row && column === this.#column) return
    const cursor = `${vertically(row - this.#row)}\x1b[${column + 1}G`
    // Synchronised, and never wrapped by a terminal that takes a character for wider than it is here.
    this.terminal.write(`\x1b[?2026h\x1b[?25l\x1b[?7l${cleared}${changes}${cursor}\x1b[?7h\x1b[?25h\x1b[?2026l`)
    this.#row = row
    this.#column = column
  }

  #changes(lines: ReadonlyArray<string>): string {
    const shown = this.#shown
    if (lines.length === shown.length) {
      return lines.map((line, row) => (line === shown[row] ? "" : `${this.#moveTo(row)}\r\x1b[2K${line}`)).join("")
    }
    const first = lines.findIndex((line, row) => line !== shown[row])
    const from = first === -1 ? lines.length : first
    // A row below the last one is only there once a line feed has made it.
    const start = from > 0 && from >= shown.length ? `${this.#moveTo(shown.length - 1)}\r\n` : `${this.#moveTo(from)}\r`
    const rows = [...lines, ...shown.slice(lines.length).map(() => "")]
    this.#row = rows.length - 1
    // Row by row: what is erased from the first row on in one go, tmux takes into its history.
    return `${start}${rows
      .slice(from)
      .map((line) => `\x1b[2K${line}`)
      .join("\r\n")}`
  }

  #moveTo(row: number): string {
    const move = vertically(row - this.#row)
    this.#row = row
    return move
  }
}

const up = (rows: number): string => (rows > 0 ? `\x1b[${rows}A` : "")

const vertically = (rows: number): string => (rows > 0 ? `\x1b[${rows}B` : up(-rows))

/** How many rows a line takes that was written in a wider terminal. */
const height = (line: string, columns: number): number => Math.max(1, Math.ceil(visibleWidth(line) / columns))

/** Where to begin, of more lines than there are rows, so that the row of the cursor is seen. */
const firstOf = (lines: number, rows: number, cursor: number): number =>
  Math.max(0, Math.min(lines - rows, cursor), cursor - rows + 1)

/** Without the spaces that would be wrapped in a narrower terminal; styles end with their line, and not within it. */
const finished = (line: string): string => {
  const trimmed = line.replaceAll("\x1b[0m", "").replaceAll("\t", "   ").trimEnd()
  return trimmed.includes("\x1b") ? `${trimmed}\x1b[0m` : trimmed
}
