/** Writes the wiki of a project at the end of a run of `vibe index`, into its store. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Workspace } from "../../code/Workspace.ts"
import * as AfterRun from "../../explore/AfterRun.ts"
import { IndexEvent } from "../../explore/IndexEvent.ts"
import type { Index } from "../../index/IndexStore.ts"
import * as Usage from "../../message/Usage.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import * as WikiStore from "../WikiStore.ts"
import { type WriteError, type Writer, type Writing, writeWiki } from "../writeWiki.ts"
import * as MaterialLimits from "./MaterialLimits.ts"
import { readProject } from "./readProject.ts"
import * as WikiWriter from "./WikiWriter.ts"
import * as WriterEstimate from "./WriterEstimate.ts"
import type { WriterEvent } from "./WriterEvent.ts"

/** Needs the store of pages. A model that follows no instructions writes none: the pages say what the project says. */
export const layer: Layer.Layer<never, never, WikiStore.WikiStore> = Layer.effect(
  AfterRun.AfterRun,
  Effect.map(
    WikiStore.WikiStore,
    (store): AfterRun.Service => ({
      run: (settings) =>
        write(store, settings).pipe(
          // The purposes of the run are stored, so a wiki that cannot be is no failure of the run.
          Effect.catchTags({
            NewerWiki: ({ message }) => failWith(settings, message),
            DamagedWiki: ({ message }) => failWith(settings, message),
          }),
        ),
    }),
  ),
)

const write = Effect.fnUntraced(function* (store: WikiStore.Service, settings: AfterRun.Settings) {
  const { index, model, workspace } = settings
  const wiki = yield* store.open(workspace.root)
  const { flaws } = yield* wiki.read
  const ofPlan = flaws.find(({ page, path }) => page === undefined && path.endsWith(PLAN))
  if (ofPlan !== undefined) return yield* failWith(settings, `${ofPlan.path} ${ofPlan.flaw}`)
  let outcome: WikiWriter.Outcome | undefined
  const locked = new Set(flaws.flatMap(({ page }) => page ?? []))
  const writer: Writer<WriteError> = (writing) =>
    Effect.map(writePages(settings, writing, locked), (written) => {
      outcome = written
    })
  const { left } = yield* writeWiki({
    index,
    workspace,
    wiki,
    writer: model.followsInstructions === false ? undefined : writer,
  })
  for (const page of left) yield* settings.watch(IndexEvent.PageFailed({ page, reason: LEFT }))
  return outcome === undefined ? undefined : toReport(outcome)
})

/** Lets the model write what is missing. A project without code has nothing for it. */
const writePages = Effect.fnUntraced(function* (
  { model, parallel, spend, thinking, watch }: AfterRun.Settings,
  { index, onPage, onPlan, onRemove, pages, plan, workspace }: Writing<WriteError>,
  locked: ReadonlySet<string>,
) {
  const project = yield* readProject(index, workspace)
  if (project.files.length === 0) return undefined
  return yield* WikiWriter.write<WriteError>({
    model,
    thinking,
    parallel,
    project,
    plan,
    pages,
    locked,
    onPlan,
    onPage,
    onRemove,
    onEvent: (event) =>
      event._tag === "Answered"
        ? spend(event.usage, event.cost)
        : Effect.forEach(toIndexEvents(event), watch, { discard: true }),
    observer: {
      retry: ({ attempt, delay, error }) => watch(IndexEvent.Retrying({ attempt, delay, reason: error.message })),
      replaced: (by, error) => watch(IndexEvent.Replaced({ by: String(by), reason: error.message })),
    },
  })
})

const toReport = (outcome: WikiWriter.Outcome): AfterRun.WikiReport => ({
  outcome: outcome.outcome,
  reason: outcome.reason ?? null,
  written: outcome.written,
  missing: outcome.missing,
  checked: outcome.checked,
  judged: outcome.judged,
  refused: outcome.refused,
  requests: outcome.requests,
  usage: outcome.usage,
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
  return yield* WriterEstimate.make(yield* readProject(index, workspace), MaterialLimits.of(model), contents)
})

const PLAN = "plan.json"

const LEFT = "a person has changed its file meanwhile, or it has the marks of a merge conflict; it is left as it is"

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

const failWith = ({ watch }: AfterRun.Settings, reason: string): Effect.Effect<AfterRun.WikiReport> =>
  Effect.as(watch(IndexEvent.PageFailed({ page: undefined, reason })), {
    outcome: "failed",
    reason,
    written: [],
    missing: [],
    checked: nothing,
    judged: nothing,
    refused: { statements: 0, numbers: 0 },
    requests: 0,
    usage: Usage.none,
    cost: 0,
  })

const nothing = { statements: 0, corrected: 0, dropped: 0 }
