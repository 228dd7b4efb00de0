/** `vibe wiki`: the codebase, explained as pages, and what they say about a question. */
import * as Command from "../arguments/Command.ts"
import { json, root } from "../arguments/options.ts"
import { flag, operand, optional, repeated, text } from "../arguments/Parameter.ts"

export const wiki = Command.declare(
  "wiki",
  "Print, ask or export the pages that 'vibe index' writes",
  {
    words: repeated(operand("TEXT", "The name or title of a page, or a question (default: the start page)")),
    check: flag("check", "List statements about code that is gone or changed; exit with 1 if any is gone"),
    export: optional(text("export", "DIR", "Write all pages to this folder as Markdown, with llms.txt")),
    site: flag("site", "With --export: write a site for a browser, which asks no server"),
    root,
    json,
  },
  [
    "vibe wiki",
    "vibe wiki loader",
    "vibe wiki how are plugins found",
    "vibe wiki --check",
    "vibe wiki --export site --site",
  ],
)

export type Input = Command.InputOf<typeof wiki>
