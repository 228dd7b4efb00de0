/** Draws the pictures of pages that were read, from the references as they are resolved now. */
import * as Effect from "effect/Effect"
import * as CachedWorkspace from "../../code/CachedWorkspace.ts"
import * as Workspace from "../../code/Workspace.ts"
import * as CachedIndex from "../../index/CachedIndex.ts"
import type { IndexError } from "../../index/IndexError.ts"
import type { Index } from "../../index/IndexStore.ts"
import * as FileGraph from "../FileGraph.ts"
import * as Calls from "../flows/Calls.ts"
import * as StepCalls from "../flows/StepCalls.ts"
import type { Page } from "../Page.ts"
import * as Parts from "../Parts.ts"
import * as Picture from "../pictures/Picture.ts"
import * as States from "../States.ts"
import type { Read } from "./readWiki.ts"

/**
 * Returns a function that draws each of some pages; it returns undefined for a page whose picture would show nothing.
 */
export const pictures: (
  project: { readonly workspace: Workspace.Workspace; readonly index: Index },
  wiki: Pick<Read, "plan" | "states">,
  pages: ReadonlyArray<Page>,
) => Effect.Effect<(page: Page) => Picture.Picture | undefined, IndexError> = Effect.fn("pictures")(function* (
  { index, workspace },
  { plan, states },
  pages,
) {
  const cached = CachedIndex.make(index)
  const graph = yield* FileGraph.read(cached, plan)
  const parts = plan?.parts ?? Parts.group(yield* cached.files, graph)
  const texts = CachedWorkspace.make(workspace)
  const reader = Calls.readerOf(cached, graph.files, (path) => Workspace.readText(texts, path))
  // A symbol that was moved is cited at its new place.
  const follow = (page: Page) => States.follow(page, states)
  const calls = yield* StepCalls.read(reader, pages.map(follow))
  return (page) => Picture.ofPage(follow(page), parts, graph, calls)
})
