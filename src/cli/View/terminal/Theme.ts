/** How what is shown looks: by colours, and without any. */
import type { EditorTheme } from "@earendil-works/pi-tui/dist/components/editor.js"
import type { MarkdownTheme } from "@earendil-works/pi-tui/dist/components/markdown.js"
import type { SelectListTheme } from "@earendil-works/pi-tui/dist/components/select-list.js"
import * as Style from "../../terminal/Style.ts"

export interface Theme extends Style.Style {
  readonly italic: (text: string) => string
  /** Code within a sentence. */
  readonly code: (text: string) => string
  readonly added: (text: string) => string
  readonly removed: (text: string) => string
  readonly alarming: (text: string) => string
  /** One column wide, each. */
  readonly marks: {
    readonly running: string
    readonly done: string
    readonly failed: string
  }
  /** What turns while something goes on. */
  readonly spinner: ReadonlyArray<string>
}

const same = (text: string): string => text

/** Says by characters what the other says by colours. */
export const plain: Theme = {
  ...Style.plain,
  italic: same,
  code: (text) => `\`${text}\``,
  added: same,
  removed: same,
  alarming: same,
  marks: { running: "*", done: "+", failed: "!" },
  spinner: ["|", "/", "-", "\\"],
}

/** The terminal's own palette, which fits its background. */
export const coloured: Theme = {
  ...Style.coloured,
  italic: (text) => `\x1b[3m${text}\x1b[23m`,
  code: (text) => `\x1b[36m${text}\x1b[39m`,
  added: (text) => `\x1b[32m${text}\x1b[39m`,
  removed: (text) => `\x1b[31m${text}\x1b[39m`,
  alarming: (text) => `\x1b[1;31m${text}\x1b[22;39m`,
  marks: { running: "⚙", done: "✓", failed: "✗" },
  spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
}

export const markdown = (theme: Theme): MarkdownTheme => ({
  heading: same,
  link: same,
  linkUrl: theme.quiet,
  code: theme.code,
  codeBlock: same,
  codeBlockBorder: theme.quiet,
  quote: theme.italic,
  quoteBorder: theme.quiet,
  hr: theme.quiet,
  listBullet: same,
  bold: theme.strong,
  italic: theme.italic,
  strikethrough: (text) => `~~${text}~~`,
  underline: same,
})

export const list = (theme: Theme): SelectListTheme => ({
  selectedPrefix: same,
  selectedText: theme.strong,
  description: theme.quiet,
  scrollInfo: theme.quiet,
  noMatch: () => theme.quiet("  nothing of that name"),
})

export const editor = (theme: Theme): EditorTheme => ({ borderColor: theme.quiet, selectList: list(theme) })
