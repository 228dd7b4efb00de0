/** Runs `vibe wiki`. */

import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { cut } from "../../base/DisplayWidth.ts"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import { unbroken, wrapHanging } from "../../base/wrap.ts"
import { NoSuchSymbol } from "../../lookup/NoSuchSymbol.ts"
import * as NameSimilarity from "../../search/NameSimilarity.ts"
import { type Page, START } from "../../wiki/Page.ts"
import * as PageText from "../../wiki/PageText.ts"
import { findStatements } from "../../wiki/reading/findStatements.ts"
import { pictures } from "../../wiki/reading/pictures.ts"
import * as Relevance from "../../wiki/reading/Relevance.ts"
import { readWiki } from "../../wiki/reading/readWiki.ts"
import * as States from "../../wiki/States.ts"
import * as WikiFolder from "../../wiki/WikiStore/Folder.ts"
import * as WikiStore from "../../wiki/WikiStore.ts"
import { NotClean } from "../CommandError.ts"
import * as CodeLayer from "../layers/CodeLayer.ts"
import * as Project from "../project/Project.ts"
import * as Screen from "../terminal/Screen.ts"
import type { Input } from "./command.ts"

export const run = Effect.fn("cli.wiki")(function* (input: Input) {
  const { err, out } = yield* Screen.Screen
  if (input.site && Option.isNone(input.export)) return yield* usageError("--site needs --export and a folder")
  const asked = input.words.join(" ").trim()
  if (asked !== "" && (input.check || Option.isSome(input.export))) {
    return yield* usageError("--check and --export are about all pages, so they take none")
  }
  const project = yield* Project.open(input.root)
  const wiki = yield* readWiki(yield* WikiStore.WikiStore, project)
  for (const { flaw, path } of wiki.flaws) {
    yield* Screen.line(err, sanitizeLine(`vibe: ${path} ${flaw}, and is left out`))
  }
  const { pages: documents, plan, states } = wiki
  const pages = documents.map(({ page }) => page)
  if (pages.length === 0) {
    return yield* usageError(`there is no wiki in ${sanitizeLine(project.workspace.root)} yet: 'vibe index' writes it`)
  }
  if (input.check) return yield* check(pages, states, input.json)
  if (Option.isSome(input.export)) {
    const { exportWiki } = yield* Effect.promise(() => import("./export.ts"))
    return yield* exportWiki({
      documents,
      plan,
      states,
      folder: path.resolve(input.export.value),
      isSite: input.site,
      project,
    })
  }
  const options = {
    states,
    style: out.style,
    columns: out.isTerminal ? yield* out.columns : undefined,
    displayPath: project.displayPath,
  }
  const wanted = asked === "" ? START : asked
  const page = pageNamed(pages, wanted)
  if (page === undefined) {
    const answers = findStatements(asked, pages, { relevance: yield* Relevance.ofQuestion(project.index, asked) })
    if (answers.length === 0) return yield* noSuchPage(pages, wanted)
    if (input.json) {
      const object = { question: asked, answers: answers.map((answer) => PageText.answerToJson(answer, states)) }
      return yield* Screen.line(out, sanitizeJson(object))
    }
    const lines = answers.flatMap((answer) => [...PageText.answerLines(answer, options), ""])
    const names = answers.slice(0, MAX_NAMED).map(({ page }) => `vibe wiki ${page.name}`)
    const last =
      options.columns === undefined
        ? [`Whole pages: ${names.join(", ")}`]
        : wrapHanging(`Whole pages: ${names.map(unbroken).join(", ")}`, Math.max(20, options.columns), 2)
    return yield* Screen.line(out, [...lines, ...last.map(out.style.quiet)].join("\n"))
  }
  if (input.json) {
    const object = { ...PageText.toJson(page, states), pages: pages.map(({ name, title }) => ({ page: name, title })) }
    return yield* Screen.line(out, sanitizeJson(object))
  }
  const pictureOf = yield* pictures(project, wiki, [page])
  yield* Screen.line(out, PageText.lines(page, { ...options, picture: pictureOf(page) }).join("\n"))
}, Effect.scoped)

const usageError = (message: string) => new UsageError({ message, command: "wiki" })

/** The most pages that are named below an answer. */
const MAX_NAMED = 3

/** Returns the page with a name, a file or a title. */
export const pageNamed = (pages: ReadonlyArray<Page>, asked: string): Page | undefined => {
  const name = asked.replace(/\.md$/, "").toLowerCase()
  return (
    pages.find((page) => page.name === name) ?? pages.find(({ title }) => title.toLowerCase() === asked.toLowerCase())
  )
}

/** The most columns of what was asked that an error repeats. */
const MAX_ASKED = 60

/** The most near names that an error lists. */
const MAX_NEAR = 5

/** Returns the error for a text that is no page and that no page says anything about, with near names, or all pages. */
export const noSuchPage = (pages: ReadonlyArray<Page>, asked: string): NoSuchSymbol => {
  const distance = NameSimilarity.distanceFrom(asked.replace(/\.md$/, "").toLowerCase())
  const nearest = pages
    .flatMap((page) => {
      const near = [page.name, page.title].flatMap((each) => distance(each, each) ?? [])
      return near.length === 0 ? [] : [{ name: page.name, distance: Math.min(...near) }]
    })
    .sort((one, other) => one.distance - other.distance)
    .slice(0, MAX_NEAR)
    .map(({ name }) => name)
  const all = pages.map(({ name }) => (name === START ? `${name} (the start page)` : name))
  const others = nearest.length > 0 ? "" : `; its pages: ${all.join(", ")}`
  return new NoSuchSymbol({
    symbol: asked,
    problem: `the wiki has no page '${cut(asked, MAX_ASKED)}' and says nothing of it${others}`,
    nearest,
  })
}

/** Lists the statements that are gone, stale, touched or not checked, page by page. Fails if any is gone. */
const check = Effect.fnUntraced(function* (pages: ReadonlyArray<Page>, states: States.States, json: boolean) {
  const { out } = yield* Screen.Screen
  const found = pages.flatMap((page) =>
    States.statementsOf(page).flatMap((statement) => {
      const state = States.stateOf(statement, states)
      return state === "holds" || state === "moved" ? [] : [{ page, statement, state }]
    }),
  )
  if (json) {
    const object = found.map(({ page, statement }) => ({
      page: page.name,
      ...PageText.statementToJson(statement, states),
    }))
    yield* Screen.line(out, sanitizeJson({ statements: object }))
  } else {
    for (const { page, state, statement } of found) {
      const cited = statement.citations
        .filter(
          (citation) => state === "unchecked" || states.of(citation).state === (state === "stale" ? "touched" : state),
        )
        .map(({ path, symbol }) => (symbol === undefined ? path : `${path}:${symbol}`))
      yield* Screen.line(
        out,
        sanitizeLine(`${WikiStore.FOLDER}/${page.name}.md: ${state}: ${cited.join(", ")}: ${statement.text}`),
      )
    }
  }
  const gone = found.filter(({ state }) => state === "gone").length
  if (gone > 0) return yield* new NotClean({ findings: gone })
})

export const layer = Layer.provideMerge(WikiFolder.layer, CodeLayer.layer)
