/** Joins the wiki to the end of a run of `vibe index`: what is written then, and what the report says of it. */
import * as Effect from "effect/Effect"
import type { AfterRun, EndedRun } from "../explore/IndexingOrchestrator.ts"
import type { WikiReport } from "../index/WikiReport.ts"
import type * as WikiStore from "./WikiStore.ts"
import { type WriteError, type Writer, type Written, writeWiki } from "./writeWiki.ts"

export interface Options {
  /** Returns the writer of a run: a model that writes pages. Undefined if the run has none, which is the default. */
  readonly writerOf?: ((run: EndedRun) => Writer<WriteError> | undefined) | undefined
}

/** Makes the function that a run calls at its end. */
export const make =
  (store: WikiStore.Service, { writerOf }: Options = {}): AfterRun =>
  (run) =>
    store.open(run.workspace.root).pipe(
      Effect.flatMap((wiki) =>
        writeWiki({ index: run.index, workspace: run.workspace, wiki, writer: writerOf?.(run) }),
      ),
      Effect.map(toReport),
      Effect.catchAll((error) => Effect.succeed({ ...nothing, failure: error.message })),
    )

const toReport = ({
  flaws: [flaw, ...others],
  gone,
  left,
  model,
  pages,
  removed,
  touched,
  written,
}: Written): WikiReport => ({
  pages,
  written,
  removed,
  left,
  gone,
  touched,
  model: model ?? null,
  failure:
    flaw === undefined
      ? null
      : `${flaw.path} ${flaw.flaw}, and was left as it is${others.length === 0 ? "" : `; so were ${others.length} more`}`,
})

const nothing: WikiReport = {
  pages: 0,
  written: [],
  removed: [],
  left: [],
  gone: 0,
  touched: 0,
  failure: null,
  model: null,
}
