/** Reads the wiki of a project with the states of its statements, as the index has their symbols now. */
import * as Effect from "effect/Effect"
import type { Workspace } from "../../code/Workspace.ts"
import type { IndexError } from "../../index/IndexError.ts"
import type { Index } from "../../index/IndexStore.ts"
import * as States from "../States.ts"
import type * as WikiStore from "../WikiStore.ts"

export interface Read extends WikiStore.Contents {
  readonly states: States.States
}

/** Returns undefined if the wiki has no pages. */
export const readWiki: (
  store: WikiStore.Service,
  project: { readonly workspace: Workspace; readonly index: Index },
) => Effect.Effect<Read | undefined, WikiStore.StoreError | IndexError> = Effect.fn("readWiki")(function* (
  store,
  { index, workspace },
) {
  const wiki = yield* store.open(workspace.root)
  const contents = yield* wiki.read
  if (contents.pages.length === 0) return undefined
  const textOf = (path: string) =>
    workspace.read(path).pipe(
      Effect.map(({ text }) => text),
      Effect.orElseSucceed(() => undefined),
    )
  const states = yield* States.read(
    index,
    contents.pages.map(({ page }) => page),
    textOf,
  )
  return { ...contents, states }
})
