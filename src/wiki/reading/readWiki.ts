/** Reads the wiki of a project with the states of its statements, as the index has their symbols now. */
import * as Effect from "effect/Effect"
import * as Workspace from "../../code/Workspace.ts"
import type { IndexError } from "../../index/IndexError.ts"
import type { Index } from "../../index/IndexStore.ts"
import * as States from "../States.ts"
import type * as WikiStore from "../WikiStore.ts"

export interface Read extends WikiStore.Contents {
  readonly states: States.States
}

export const readWiki: (
  store: WikiStore.Service,
  project: { readonly workspace: Workspace.Workspace; readonly index: Index },
) => Effect.Effect<Read, WikiStore.StoreError | IndexError> = Effect.fn("readWiki")(function* (
  store,
  { index, workspace },
) {
  const wiki = yield* store.open(workspace.root)
  const contents = yield* wiki.read
  const states = yield* States.read(
    index,
    contents.pages.map(({ page }) => page),
    (path) => Workspace.readText(workspace, path),
  )
  return { ...contents, states }
})
