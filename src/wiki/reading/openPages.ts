/** Makes the pages of a project that lookups show (`Pages` of `lookup/Project`), from the wiki as it is at each call. */
import * as Effect from "effect/Effect"
import { sanitizeLine } from "../../base/Sanitize.ts"
import type { Pages, Project } from "../../lookup/Project.ts"
import * as Tokens from "../../message/Tokens.ts"
import { START } from "../Page.ts"
import * as WikiStore from "../WikiStore.ts"
import * as findPage from "./findPage.ts"
import * as PlainText from "./PlainText.ts"
import { readWiki } from "./readWiki.ts"

/** The most tokens of a page, whatever a caller allows. */
const MAX_TOKENS = 1_000

/** Nothing is read before a page is asked for. */
export const openPages = (
  project: Pick<Project, "workspace" | "index">,
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
      forQuestion: (question) =>
        Effect.map(read, (wiki) => {
          const pages = wiki?.pages.map(({ page }) => page) ?? []
          const page = findPage.forQuestion(question, pages)
          return page === undefined
            ? undefined
            : `(the wiki explains this as a whole: '${sanitizeLine(page.title)}' in ${WikiStore.FOLDER}/${page.name}.md)`
        }),
    }
  })

/** Says how to see the other pages. */
const partLines = ({ plan }: Pick<WikiStore.Contents, "plan">): ReadonlyArray<string> =>
  plan === undefined || plan.parts.length === 0
    ? []
    : [`(pages of parts: show their folder, or read ${WikiStore.FOLDER}/)`]
