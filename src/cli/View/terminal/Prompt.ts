/** The input field. */
import { Editor, type EditorTheme } from "@earendil-works/pi-tui/dist/components/editor.js"
import { matchesKey } from "@earendil-works/pi-tui/dist/keys.js"
import type { TUI } from "@earendil-works/pi-tui/dist/tui.js"
import { visibleWidth } from "@earendil-works/pi-tui/dist/utils.js"
import { sanitize } from "../../../base/Sanitize.ts"
import * as BracketedPaste from "./BracketedPaste.ts"
import type { PictureChips } from "./PictureChips.ts"
import { cut } from "./TextLayout.ts"

/** A text from this size on is shown as a placeholder with its length. */
const COLLAPSED_FROM = { characters: 1000, lines: 10 }

/** The editor cannot wrap in fewer columns: the terminal cuts the lines off. */
const MIN_COLUMNS = 8

/** A missing border. All other lines are as wide as the terminal. */
const NO_BORDER = ""

export interface Options {
  /** Earlier messages, oldest first. */
  readonly history: ReadonlyArray<string>
  /** The text of the top border. */
  readonly hints: () => string
  readonly chips: PictureChips
  /** Takes a paste in place of the field; returns false to leave it to the field. */
  readonly takePaste: (text: string) => boolean
}

/** The sequences by which terminals encode these keys. */
const KEYS = { pageDown: "\x1b[6~", end: "\x1b[F" }

/** The most messages that can be searched. */
const MAX_SENT = 500

export class Prompt extends Editor {
  readonly #hints: () => string
  readonly #chips: PictureChips
  readonly #takePaste: (text: string) => boolean
  /** The texts that were sent, each once, the latest first. */
  #sent: ReadonlyArray<string> = []

  constructor(tui: TUI, theme: EditorTheme, { chips, history, hints, takePaste }: Options) {
    super(tui, theme, { autocompleteMaxVisible: 6 })
    this.#hints = hints
    this.#chips = chips
    this.#takePaste = takePaste
    for (const text of history) this.remember(text)
  }

  /** Earlier messages, the latest first. */
  get sent(): ReadonlyArray<string> {
    return this.#sent
  }

  /**
   * Adds a text to the history, for the arrow keys. Long texts are left out of it: the editor would show them in full.
   */
  remember(text: string): void {
    if (text.trim() === "") return
    this.#sent = [text, ...this.#sent.filter((other) => other !== text)].slice(0, MAX_SENT)
    if (!isLong(text)) this.addToHistory(sanitize(text))
  }

  /** Empties the field. The text can be recalled like a message that was sent. */
  discard(): void {
    this.remember(this.text)
    this.setText("")
  }

  /** Replaces the text. */
  write(text: string): void {
    this.setText("")
    if (isLong(text)) this.insertPaste(text)
    else this.setText(sanitize(text))
  }

  /** The text, with pastes in full. */
  get text(): string {
    return this.getExpandedText()
  }

  override handleInput(data: string): void {
    if (data.startsWith(BracketedPaste.START)) {
      const text = data.slice(BracketedPaste.START.length).replace(BracketedPaste.END, "")
      if (!this.#takePaste(text)) this.insertPaste(text)
    } else if (matchesKey(data, "backspace")) {
      const { col, line } = this.getCursor()
      const chip = this.#chips.endOf((this.getLines()[line] ?? "").slice(0, col))
      for (const _ of chip ?? " ") super.handleInput(data)
    } else {
      const before = this.getText()
      super.handleInput(data)
      // The editor puts the cursor at the start of what it recalls.
      if (matchesKey(data, "up") && this.getText() !== before) this.#moveToEnd()
    }
  }

  #moveToEnd(): void {
    for (let last = -1; this.getCursor().line !== last; ) {
      last = this.getCursor().line
      super.handleInput(KEYS.pageDown)
    }
    super.handleInput(KEYS.end)
  }

  /** Removes the editor's reverse-video cursor: the terminal's own cursor is shown, which needs no colours. */
  override render(width: number): Array<string> {
    return super
      .render(Math.max(width, MIN_COLUMNS))
      .filter((line) => line !== NO_BORDER)
      .map((line) => line.replaceAll("\x1b[7m", ""))
  }

  protected override renderTopBorder(width: number, hiddenLineCount: number): string {
    if (hiddenLineCount > 0) return super.renderTopBorder(width, hiddenLineCount)
    const title = cut(`─ ${this.#hints()} `, width)
    return this.borderColor(title + "─".repeat(width - visibleWidth(title)))
  }

  /**
   * An empty border is left out: a terminal that becomes narrower may move the cursor when it wraps a line below it.
   */
  protected override renderBottomBorder(width: number, hiddenLineCount: number): string {
    return hiddenLineCount > 0 ? super.renderBottomBorder(width, hiddenLineCount) : NO_BORDER
  }

  /** Inserts a paste at the cursor; a long text as a placeholder. */
  insertPaste(text: string): void {
    const lines = text
      // Some multiplexers encode a line break as its key.
      .replaceAll("\x1b[106;5u", "\n")
      .replaceAll("\x1b[109;5u", "\n")
      .replaceAll(/\r\n?/g, "\n")
    super.handleInput(`${BracketedPaste.START}${sanitize(lines)}${BracketedPaste.END}`)
  }
}

const isLong = (text: string): boolean =>
  text.length > COLLAPSED_FROM.characters || text.split("\n", COLLAPSED_FROM.lines + 1).length > COLLAPSED_FROM.lines
