/**
 * Makes the same pages as `openPages` for a process that answers its first question as soon as it can: a project
 * without a wiki, and a question that no page answers, load and read nothing.
 */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Files from "../../code/Files.ts"
import type { Pages } from "../../lookup/Project.ts"
import * as WikiStore from "../WikiStore.ts"
import { asksForWhole } from "./asksForWhole.ts"
import type { openPages } from "./openPages.ts"

export const latePages = (
  project: Parameters<typeof openPages>[0],
): Effect.Effect<Pages, never, Files.Files | WikiStore.WikiStore> =>
  Effect.map(Effect.context<Files.Files | WikiStore.WikiStore>(), (context): Pages => {
    const folder = path.join(project.workspace.root, ...WikiStore.FOLDER.split("/"))
    const hasWiki = Effect.flatMap(Files.Files, ({ stat }) => stat(folder)).pipe(
      Effect.as(true),
      // If it cannot be read for another reason, the reader says so.
      Effect.catchAll(({ reason }) => Effect.succeed(reason._tag !== "NotFound")),
    )
    const late = <A>(none: A, get: (pages: Pages) => Effect.Effect<A>): Effect.Effect<A> =>
      Effect.gen(function* () {
        if (!(yield* hasWiki)) return none
        const { openPages } = yield* Effect.promise(() => import("./openPages.ts"))
        return yield* get(yield* openPages(project))
      }).pipe(Effect.provide(context))
    return {
      ofFolder: (folder, tokens) => late(undefined, (pages) => pages.ofFolder(folder, tokens)),
      forQuestion: (question, tokens) =>
        asksForWhole(question) ? late([], (pages) => pages.forQuestion(question, tokens)) : Effect.succeed([]),
    }
  })
