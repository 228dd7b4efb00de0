/**
 * Makes the pages of a project that lookups show (`Pages` of `lookup/Project`), from the wiki as it is at each call.
 */
import * as Effect from "effect/Effect"
import { sanitizeLine } from "../../base/Sanitize.ts"
import type { DisplayPath, Pages, Project } from "../../lookup/Project.ts"
import * as Tokens from "../../message/Tokens.ts"
import * as CitedPlaces from "../CitedPlaces.ts"
import { START, type Statement } from "../Page.ts"
import * as StatementText from "../StatementText.ts"
import type * as States from "../States.ts"
import * as WikiStore from "../WikiStore.ts"
import * as findPage from "./findPage.ts"
import type { Limits } from "./findStatements.ts"
import * as PlainText from "./PlainText.ts"
import { readWiki } from "./readWiki.ts"

/** The most tokens of a page, whatever a caller allows. */
const MAX_TOKENS = 1_000

/** Nothing is read before a page is asked for. */
export const openPages = (
  project: Pick<Project, "workspace" | "index" | "displayPath">,
): Effect.Effect<Pages, never, WikiStore.WikiStore> =>
  Effect.map(WikiStore.WikiStore, (store): Pages => {
    // The index answers without a wiki, so one that cannot be read is only logged.
    const read = readWiki(store, project).pipe(
      Effect.catchAll((error) => Effect.as(Effect.logWarning(`The wiki is not used: ${error.message}`), undefined)),
    )
    return {
      ofFolder: (folder, tokens) =>
        Effect.map(read, (wiki) => {
          if (wiki === undefined) return undefined
          const name = findPage.ofFolder(folder, wiki.plan ?? { parts: [] })
          const page = name === undefined ? undefined : WikiStore.pageOf(wiki, name)
          if (page === undefined) return undefined
          const parts = page.name === START ? partLines(wiki) : []
          const lines = [...PlainText.linesOf(page, wiki.states), ...parts]
          return Tokens.joinFitting(lines, Math.min(tokens, MAX_TOKENS)).split("\n")
        }),
      forQuestion: (question, tokens) =>
        Effect.map(read, (wiki) => {
          if (wiki === undefined) return []
          const answers = findPage.forQuestion(
            question,
            wiki.pages.map(({ page }) => page),
            { limits: LIMITS },
          )
          const [first] = answers
          if (first === undefined) return []
          const page = `'${sanitizeLine(first.page.title)}' in ${WikiStore.FOLDER}/${first.page.name}.md`
          const lines = [
            `(the wiki explains this as a whole: ${page})`,
            ...answers.flatMap(({ blocks }) =>
              blocks.flatMap(({ statements }) =>
                statements.map((statement) => lineOf(statement, wiki.states, project.displayPath)),
              ),
            ),
          ]
          return lines.slice(0, Math.max(1, Tokens.countFitting(lines, tokens)))
        }),
    }
  })

/** Returns a statement in a line, with its places and what a reader should know of it. */
const lineOf = (statement: Statement, states: States.States, displayPath: DisplayPath): string => {
  const places = CitedPlaces.of(statement, states).map((place) => CitedPlaces.toText(place, displayPath))
  const notes = [...(places.length === 0 ? [] : [places.join(", ")]), ...PlainText.inWords(statement, states)]
  return sanitizeLine([`- ${StatementText.toPlain(statement.text)}`, ...notes].join("  "))
}

/** About 280 tokens with the places: the code takes most of an answer. */
const LIMITS: Limits = { statements: 6, characters: 650 }

/** Says how to see the other pages. */
const partLines = ({ plan }: Pick<WikiStore.Contents, "plan">): ReadonlyArray<string> =>
  plan === undefined || plan.parts.length === 0
    ? []
    : [`(pages of parts: show their folder, or read ${WikiStore.FOLDER}/)`]
