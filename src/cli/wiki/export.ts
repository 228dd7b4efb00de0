/** `vibe wiki --export`: writes the pages of a wiki to a folder. */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import { plural } from "../../base/Prose.ts"
import { sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as Files from "../../code/Files.ts"
import * as Output from "../../code/Output.ts"
import type { Project } from "../../lookup/Project.ts"
import * as Export from "../../wiki/Export.ts"
import type * as Markdown from "../../wiki/Markdown.ts"
import type { Page } from "../../wiki/Page.ts"
import type { Plan } from "../../wiki/Plan.ts"
import * as Drawing from "../../wiki/pictures/Drawing.ts"
import * as Svg from "../../wiki/pictures/Svg.ts"
import { pictures } from "../../wiki/reading/pictures.ts"
import type * as States from "../../wiki/States.ts"
import * as Screen from "../terminal/Screen.ts"

interface Options {
  readonly documents: ReadonlyArray<Markdown.Document>
  readonly plan: Plan | undefined
  readonly states: States.States
  /** An absolute path. */
  readonly folder: string
  readonly isSite: boolean
  readonly project: Project
}

/** Writes all files. A folder with other files is refused, since one of them could have the name of a page. */
export const exportWiki = Effect.fn("cli.wiki.export")(function* (options: Options) {
  const { documents, folder, isSite, states } = options
  const { err } = yield* Screen.Screen
  yield* requireOwn(folder, isSite)
  const wiki = { pages: documents, states }
  const files = isSite ? Export.toSite({ ...wiki, drawingOf: yield* drawings(options) }) : Export.toMarkdown(wiki)
  const base = yield* Output.nearestFolder(path.dirname(folder))
  const output = yield* Output.open(base, folder)
  for (const { name, text } of files) yield* output.write(path.join(folder, name), text)
  const first = path.join(folder, isSite ? "index.html" : "llms.txt")
  yield* Screen.line(err, sanitizeLine(`wrote ${plural(documents.length, "page")} to ${folder}; begin with ${first}`))
})

/** The file by which a folder is known to be an earlier export. */
const markOf = (isSite: boolean): string => (isSite ? "search.js" : "llms.txt")

const requireOwn = Effect.fnUntraced(function* (folder: string, isSite: boolean) {
  const files = yield* Files.Files
  const listed = yield* Effect.either(files.list(folder))
  if (listed._tag === "Left") return
  const names = listed.right.entries.map(({ name }) => name)
  if (names.length === 0 || names.includes(markOf(isSite))) return
  return yield* new UsageError({
    message: `--export: ${sanitizeLine(folder)} has other files, which could be overwritten: name an empty folder, or one that does not exist`,
    command: "wiki",
  })
})

const drawings = Effect.fnUntraced(function* ({ documents, plan, project, states }: Options) {
  const pictureOf = yield* pictures(
    project,
    { plan, states },
    documents.map(({ page }) => page),
  )
  return (page: Page): string | undefined => {
    const picture = pictureOf(page)
    return picture === undefined
      ? undefined
      : Svg.toSvg(Drawing.draw(picture), {
          id: "picture",
          label: page.title,
          linkOf: (name) => `${name}.html`,
        })
  }
})
