/** Where the person writes. */
import { Editor, type EditorTheme } from "@earendil-works/pi-tui/dist/components/editor.js"
import type { TUI } from "@earendil-works/pi-tui/dist/tui.js"
import { printable } from "../../../../message/Printable.ts"
import * as Pastes from "./Pastes.ts"

/** From so many characters or lines on a text is shown as how much it is. */
const LONG = { characters: 1000, lines: 10 }

/** Below so many rows none is spent on a border. */
const FEW_ROWS = 8

export class Prompt extends Editor {
  constructor(tui: TUI, theme: EditorTheme, history: ReadonlyArray<string>) {
    super(tui, theme, { autocompleteMaxVisible: 6 })
    for (const text of history) this.remember(text)
  }

  /** To be called up again, by the arrow keys. What is long is not: it would be shown whole. */
  remember(text: string): void {
    if (!isLong(text)) this.addToHistory(printable(text))
  }

  /** Puts words in place of what is written. */
  write(text: string): void {
    this.setText("")
    if (isLong(text)) this.#paste(text)
    else this.setText(printable(text))
  }

  /** As the person means it, pasted texts in full. */
  get words(): string {
    return this.getExpandedText()
  }

  override handleInput(data: string): void {
    if (data.startsWith(Pastes.START)) this.#paste(data.slice(Pastes.START.length).replace(Pastes.END, ""))
    else super.handleInput(data)
  }

  /** The terminal's own cursor is shown, so that no colour is needed to tell where it is. */
  override render(width: number): Array<string> {
    const lines = super.render(width).map((line) => line.replaceAll("\x1b[7m", "").replaceAll("\x1b[0m", ""))
    return this.tui.terminal.rows < FEW_ROWS ? lines.slice(1) : lines
  }

  #paste(text: string): void {
    const lines = text
      // Some multiplexers say a line break by the key it is typed with.
      .replaceAll("\x1b[106;5u", "\n")
      .replaceAll("\x1b[109;5u", "\n")
      .replaceAll(/\r\n?/g, "\n")
    super.handleInput(`${Pastes.START}${printable(lines)}${Pastes.END}`)
  }
}

const isLong = (text: string): boolean =>
  text.length > LONG.characters || text.split("\n", LONG.lines + 1).length > LONG.lines
