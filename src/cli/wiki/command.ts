/** `vibe wiki`: the codebase, explained as pages. */
import * as Command from "../arguments/Command.ts"
import { json, root } from "../arguments/options.ts"
import { flag, operand, optional, text } from "../arguments/Parameter.ts"

export const wiki = Command.declare(
  "wiki",
  "Print a page of the wiki that 'vibe index' writes, or export all",
  {
    page: optional(operand("PAGE", "The name or the title of a page (default: the start page)")),
    check: flag("check", "List statements about code that is gone or changed; exit with 1 if any is gone"),
    export: optional(text("export", "DIR", "Write all pages to this folder as Markdown, with llms.txt")),
    site: flag("site", "With --export: write a site for a browser, which asks no server"),
    root,
    json,
  },
  ["vibe wiki", "vibe wiki loader", "vibe wiki --check", "vibe wiki --export site --site"],
)

export type Input = Command.InputOf<typeof wiki>
