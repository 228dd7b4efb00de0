/** The model of a run of `vibe index` as the writer of a wiki, and what it will cost. */
import * as Effect from "effect/Effect"
import type { Workspace } from "../../code/Workspace.ts"
import { IndexEvent } from "../../explore/IndexEvent.ts"
import type { EndedRun } from "../../explore/IndexingOrchestrator.ts"
import type { Index } from "../../index/IndexStore.ts"
import type { ModelReport } from "../../index/WikiReport.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import * as WikiStore from "../WikiStore.ts"
import type { WriteError, Writer } from "../writeWiki.ts"
import * as MaterialLimits from "./MaterialLimits.ts"
import { readProject } from "./readProject.ts"
import * as WikiWriter from "./WikiWriter.ts"
import * as WriterEstimate from "./WriterEstimate.ts"
import type { WriterEvent } from "./WriterEvent.ts"

/** Returns the writer of a run; undefined if its model follows no instructions, or has refused everything before. */
export const writerOf = ({
  canAsk,
  model,
  parallel,
  spend,
  thinking,
  watch,
}: EndedRun): Writer<WriteError> | undefined =>
  model.followsInstructions === false || !canAsk
    ? undefined
    : ({ index, workspace, ...writing }) =>
        Effect.gen(function* () {
          const project = yield* readProject(index, workspace, writing.plan)
          if (project.files.length === 0) return undefined
          const outcome = yield* WikiWriter.write<WriteError>({
            ...writing,
            model,
            thinking,
            parallel,
            project,
            onEvent: (event) =>
              event._tag === "Answered"
                ? spend(event.usage, event.cost)
                : Effect.forEach(toIndexEvents(event), watch, { discard: true }),
            observer: {
              retry: ({ attempt, delay, error }) =>
                watch(IndexEvent.Retrying({ attempt, delay, reason: error.message })),
              replaced: (by, error) => watch(IndexEvent.Replaced({ by: String(by), reason: error.message })),
            },
          })
          return toReport(outcome)
        })

const toReport = ({ plan: _plan, ...outcome }: WikiWriter.Outcome): ModelReport => ({
  ...outcome,
  reason: outcome.reason ?? null,
  cost: outcome.cost ?? null,
})

/** Estimates what the wiki takes beside the explanations of a run. A wiki that cannot be read counts as none. */
export const estimate = Effect.fn("WikiRun.estimate")(function* (
  workspace: Workspace,
  index: Index,
  model: Pick<LanguageModel.Service, "limits">,
) {
  const store = yield* WikiStore.WikiStore
  const contents = yield* Effect.flatMap(store.open(workspace.root), ({ read }) => read).pipe(
    Effect.map(({ pages, plan }) => ({ plan, pages: pages.map(({ page }) => page) })),
    Effect.orElseSucceed(() => ({ plan: undefined, pages: [] })),
  )
  return yield* WriterEstimate.make(
    yield* readProject(index, workspace, contents.plan),
    MaterialLimits.of(model),
    contents,
  )
})

const toIndexEvents = (event: WriterEvent): ReadonlyArray<IndexEvent> => {
  switch (event._tag) {
    case "Planned":
      return [IndexEvent.PagesPlanned({ pages: event.pages, statements: event.touched })]
    case "PageWritten": {
      const { page, title, words } = event
      return [IndexEvent.PageWritten({ page, title, words })]
    }
    case "Failed":
      return [IndexEvent.PageFailed({ page: event.page, reason: event.reason })]
    case "Asked":
    case "Answered":
    case "Checked":
    case "Judged":
      return []
  }
}
