/** Answers what a page asks about the wiki of the served folder. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import { sanitize, sanitizeLine } from "../base/Sanitize.ts"
import * as Labels from "../wiki/Labels.ts"
import type { Page, PageKind, Statement } from "../wiki/Page.ts"
import * as Drawing from "../wiki/pictures/Drawing.ts"
import type * as Picture from "../wiki/pictures/Picture.ts"
import { findStatements } from "../wiki/reading/findStatements.ts"
import * as PlainText from "../wiki/reading/PlainText.ts"
import { pictures } from "../wiki/reading/pictures.ts"
import * as Relevance from "../wiki/reading/Relevance.ts"
import { type Read, readWiki } from "../wiki/reading/readWiki.ts"
import * as StatementText from "../wiki/StatementText.ts"
import * as States from "../wiki/States.ts"
import * as WikiStore from "../wiki/WikiStore.ts"
import { Api } from "./Api.ts"
import { NotFound, NotKept } from "./api/Conversations.ts"
import type * as Contract from "./api/Wiki.ts"
import { ProjectIndex } from "./ProjectIndex.ts"

export const layer = HttpApiBuilder.group(Api, "wiki", (handlers) =>
  Effect.gen(function* () {
    const projects = yield* ProjectIndex
    const store = yield* WikiStore.WikiStore
    /** The wiki with the index; undefined if there is no index. */
    const read = Effect.gen(function* () {
      const { project } = yield* projects.current
      const wiki = yield* readWiki(store, project)
      return { wiki, project }
    }).pipe(
      Effect.catchIf(
        (error) => error._tag === "IndexError" && error.reason._tag === "NotIndexed",
        () => Effect.succeed(undefined),
      ),
      Effect.mapError((error) => new NotKept({ message: sanitizeLine(`${error.message}.`) })),
    )
    return handlers
      .handle("overview", () =>
        Effect.map(read, (found): Contract.Overview => {
          const pages = found?.wiki.pages.map(({ page }) => page) ?? []
          return {
            pages: pages.toSorted((one, other) => kinds[one.kind] - kinds[other.kind]).map(rowOf),
            flaws: (found?.wiki.flaws ?? []).map(({ flaw, path }) => ({
              path: sanitizeLine(path),
              flaw: sanitizeLine(flaw),
            })),
          }
        }),
      )
      .handle("page", ({ urlParams: { name } }) =>
        Effect.gen(function* () {
          const found = yield* read
          const page = found && WikiStore.pageOf(found.wiki, name)
          if (found === undefined || page === undefined) {
            return yield* new NotFound({ message: sanitizeLine(`The wiki has no page ${name}.`) })
          }
          const picture = yield* Effect.mapError(
            Effect.map(pictures(found.project, found.wiki, [page]), (pictureOf) => pictureOf(page)),
            (error) => new NotKept({ message: sanitizeLine(`${error.message}.`) }),
          )
          return pageOf(page, found.wiki, picture)
        }),
      )
      .handle("search", ({ urlParams: { text } }) =>
        Effect.gen(function* () {
          const found = yield* read
          if (found === undefined) return []
          const relevance = yield* Effect.mapError(
            Relevance.ofQuestion(found.project.index, text),
            (error) => new NotKept({ message: sanitizeLine(`${error.message}.`) }),
          )
          return search(found.wiki, text, relevance)
        }),
      )
  }),
)

const kinds: Readonly<Record<PageKind, number>> = { start: 0, part: 1, flow: 2 }

const rowOf = ({ kind, name, title }: Page): Contract.PageRow => ({ kind, name, title: sanitizeLine(title) })

const pageOf = (page: Page, { pages, states }: Read, picture: Picture.Picture | undefined): Contract.Page => {
  const names = new Set(pages.map(({ page }) => page.name))
  return {
    ...rowOf(page),
    sections: page.sections.map(({ blocks, form, title }) => ({
      ...(title !== undefined && { title: sanitizeLine(title) }),
      form,
      blocks: blocks.map((block) => block.map((statement) => statementOf(statement, states))),
    })),
    ...(picture !== undefined && { drawing: drawingOf(Drawing.draw(picture), names) }),
  }
}

const statementOf = (statement: Statement, states: States.States): Contract.Statement => {
  const [note] = PlainText.inWords(statement, states)
  const labels = Labels.choose(statement.citations)
  return {
    text: sanitize(statement.text).replaceAll(
      StatementText.PAGE_LINK,
      (_, title: string, page: string) => `[${title}](#/index/wiki~${page})`,
    ),
    author: statement.author,
    state: States.stateOf(statement, states),
    ...(statement.model !== undefined && { model: sanitizeLine(statement.model) }),
    ...(note !== undefined && { note }),
    citations: statement.citations.map((given) => {
      const { citation, entry, state } = states.of(given)
      return {
        path: sanitizeLine(citation.path),
        ...(citation.symbol !== undefined && { symbol: sanitizeLine(citation.symbol) }),
        label: sanitizeLine((labels.get(Labels.keyOf(given)) ?? "").replaceAll("`", "")),
        ...(entry !== undefined && { line: entry.startLine }),
        isGone: state === "gone",
      }
    }),
  }
}

/** A box leads to its page only if that exists: a plan may name one that is not written yet. */
const drawingOf = (drawing: Drawing.Drawing, names: ReadonlySet<string>): Contract.Drawing => ({
  ...drawing,
  boxes: drawing.boxes.map(({ page, ...box }) => ({
    ...box,
    label: sanitizeLine(box.label),
    text: sanitizeLine(box.text),
    ...(page !== undefined && names.has(page) && { page }),
  })),
  lines: drawing.lines.map(({ title, ...line }) => ({
    ...line,
    ...(title !== undefined && { title: sanitizeLine(title) }),
  })),
  texts: drawing.texts.map((each) => ({ ...each, text: sanitizeLine(each.text) })),
})

/** Returns the paragraphs, items and steps that answer a text, those of the best page first. */
const search = ({ pages }: Read, text: string, relevance: Relevance.Relevance): ReadonlyArray<Contract.Found> =>
  findStatements(
    text,
    pages.map(({ page }) => page),
    { relevance },
  ).flatMap(({ blocks, page }) =>
    blocks.map(({ statements }) => ({
      page: rowOf(page),
      text: sanitizeLine(statements.map(({ text }) => text).join(" ")),
    })),
  )
