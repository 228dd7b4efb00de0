/** The styles of the screen, with and without colours. */
import type { EditorTheme } from "@earendil-works/pi-tui/dist/components/editor.js"
import type { MarkdownTheme } from "@earendil-works/pi-tui/dist/components/markdown.js"
import type { SelectListTheme } from "@earendil-works/pi-tui/dist/components/select-list.js"
import * as Style from "../../../base/Style.ts"

export interface Theme extends Style.Style {
  readonly italic: (text: string) => string
  /** Inline code. */
  readonly code: (text: string) => string
  readonly strikethrough: (text: string) => string
  readonly keyword: (text: string) => string
  readonly number: (text: string) => string
  readonly added: (text: string) => string
  readonly removed: (text: string) => string
  readonly error: (text: string) => string
  /** Each is one column wide. */
  readonly marks: {
    readonly running: string
    readonly done: string
    readonly failed: string
  }
  /** The frames of the progress indicator. */
  readonly spinner: ReadonlyArray<string>
}

const unstyled = (text: string): string => text

/** Characters make the distinctions that colours make in the other theme. */
export const plain: Theme = {
  ...Style.plain,
  italic: unstyled,
  code: (text) => `\`${text}\``,
  strikethrough: (text) => `~~${text}~~`,
  keyword: unstyled,
  number: unstyled,
  added: unstyled,
  removed: unstyled,
  error: unstyled,
  marks: { running: "*", done: "+", failed: "!" },
  spinner: ["|", "/", "-", "\\"],
}

/** The palette of the terminal, which fits its background. */
export const coloured: Theme = {
  ...Style.coloured,
  italic: (text) => `\x1b[3m${text}\x1b[23m`,
  code: (text) => `\x1b[36m${text}\x1b[39m`,
  strikethrough: (text) => `\x1b[9m${text}\x1b[29m`,
  keyword: (text) => `\x1b[35m${text}\x1b[39m`,
  number: (text) => `\x1b[33m${text}\x1b[39m`,
  added: (text) => `\x1b[32m${text}\x1b[39m`,
  removed: (text) => `\x1b[31m${text}\x1b[39m`,
  error: (text) => `\x1b[1;31m${text}\x1b[22;39m`,
  marks: { running: "⚙", done: "✓", failed: "✗" },
  spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
}

export const markdown = (theme: Theme): MarkdownTheme => ({
  heading: unstyled,
  link: unstyled,
  linkUrl: theme.quiet,
  code: theme.code,
  codeBlock: unstyled,
  codeBlockBorder: theme.quiet,
  quote: theme.italic,
  quoteBorder: theme.quiet,
  hr: theme.quiet,
  listBullet: unstyled,
  bold: theme.strong,
  italic: theme.italic,
  strikethrough: theme.strikethrough,
  underline: unstyled,
})

export const list = (theme: Theme): SelectListTheme => ({
  selectedPrefix: unstyled,
  selectedText: theme.strong,
  description: theme.quiet,
  scrollInfo: theme.quiet,
  noMatch: () => theme.quiet("  no match"),
})

export const editor = (theme: Theme): EditorTheme => ({ borderColor: theme.quiet, selectList: list(theme) })
