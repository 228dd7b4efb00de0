/** Where the person writes. */
import { Editor, type EditorTheme } from "@earendil-works/pi-tui/dist/components/editor.js"
import type { TUI } from "@earendil-works/pi-tui/dist/tui.js"
import { visibleWidth } from "@earendil-works/pi-tui/dist/utils.js"
import { printable } from "../../../message/Printable.ts"
import { cut } from "./Lines.ts"
import * as Pastes from "./Pastes.ts"

/** From so many characters or lines on a text is shown as how much it is. */
const LONG = { characters: 1000, lines: 10 }

/** In fewer the editor does not know how to wrap: what does not fit is cut off by the terminal. */
const LEAST_COLUMNS = 8

/** The only line that is not as wide as the terminal. */
const NO_BORDER = ""

export interface Options {
  /** What was said earlier, oldest first. */
  readonly history: ReadonlyArray<string>
  /** Stands above what is written. */
  readonly hints: () => string
}

export class Prompt extends Editor {
  readonly #hints: () => string

  constructor(tui: TUI, theme: EditorTheme, { history, hints }: Options) {
    super(tui, theme, { autocompleteMaxVisible: 6 })
    this.#hints = hints
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
    return super
      .render(Math.max(width, LEAST_COLUMNS))
      .filter((line) => line !== NO_BORDER)
      .map((line) => line.replaceAll("\x1b[7m", ""))
  }

  protected override renderTopBorder(width: number, hiddenLineCount: number): string {
    if (hiddenLineCount > 0) return super.renderTopBorder(width, hiddenLineCount)
    const words = cut(`─ ${this.#hints()} `, width)
    return this.borderColor(words + "─".repeat(width - visibleWidth(words)))
  }

  /**
   * None, as long as it says nothing: below the cursor there is to be nothing that a narrower terminal wraps, since some
   * move the cursor along with it.
   */
  protected override renderBottomBorder(width: number, hiddenLineCount: number): string {
    return hiddenLineCount > 0 ? super.renderBottomBorder(width, hiddenLineCount) : NO_BORDER
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
