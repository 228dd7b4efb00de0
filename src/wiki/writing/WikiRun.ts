/** Writes the wiki of a project at the end of a run of `vibe index`, into its store. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Workspace } from "../../code/Workspace.ts"
import * as AfterRun from "../../indexing/AfterRun.ts"
import type { IndexError } from "../../indexing/IndexError.ts"
import { IndexEvent } from "../../indexing/IndexEvent.ts"
import type { Index } from "../../indexing/IndexStore.ts"
import * as Usage from "../../message/Usage.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import * as Markdown from "../Markdown.ts"
import type { Page } from "../Page.ts"
import * as States from "../States.ts"
import * as WikiStore from "../WikiStore.ts"
import * as MaterialLimits from "./MaterialLimits.ts"
import { readProject } from "./readProject.ts"
import * as WikiWriter from "./WikiWriter.ts"
import * as WriterEstimate from "./WriterEstimate.ts"
import type { WriterEvent } from "./WriterEvent.ts"

/** Needs the store of pages. Without a model that follows instructions nothing is written here. */
export const layer: Layer.Layer<never, never, WikiStore.WikiStore> = Layer.effect(
  AfterRun.AfterRun,
  Effect.map(
    WikiStore.WikiStore,
    (store): AfterRun.Service => ({
      run: (settings) =>
        settings.model.followsInstructions === false
          ? Effect.succeed(undefined)
          : write(store, settings).pipe(
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
  const { index, model, parallel, spend, thinking, watch, workspace } = settings
  const wiki = yield* store.open(workspace.root)
  const contents = yield* wiki.read
  const project = yield* readProject(index, workspace)
  if (project.files.length === 0) return undefined
  const flaw = contents.flaws.find(({ page, path }) => page === undefined && path.endsWith(PLAN))
  if (flaw !== undefined) return yield* failWith(settings, `${flaw.path} ${flaw.flaw}`)

  const before = new Map(contents.pages.map((document) => [document.page.name, document]))
  const states = yield* project.statesOf(contents.pages.map(({ page }) => page))
  const followed = contents.pages.map((document) => ({ ...document, page: States.follow(document.page, states) }))
  yield* wiki.keep({ pages: followed })

  const documentOf = (page: Page): Markdown.Document => {
    const known = before.get(page.name)
    return known === undefined ? Markdown.fromPage(page) : { ...known, page }
  }
  const keepPage = Effect.fnUntraced(function* (page: Page) {
    const { left } = yield* wiki.keep({ pages: [documentOf(page)] })
    if (left.includes(page.name)) yield* watch(IndexEvent.PageFailed({ page: page.name, reason: LEFT }))
  })

  const outcome = yield* WikiWriter.write<IndexError | WikiStore.StoreError>({
    model,
    thinking,
    parallel,
    project,
    plan: contents.plan,
    pages: followed.map(({ page }) => page),
    locked: new Set(contents.flaws.flatMap(({ page }) => page ?? [])),
    onPlan: (plan) => Effect.asVoid(wiki.keep({ plan })),
    onPage: keepPage,
    onRemove: (name) => Effect.asVoid(wiki.keep({ remove: [name] })),
    onEvent: (event) =>
      event._tag === "Answered"
        ? spend(event.usage, event.cost)
        : Effect.forEach(toIndexEvents(event), watch, { discard: true }),
    observer: {
      retry: ({ attempt, delay, error }) => watch(IndexEvent.Retrying({ attempt, delay, reason: error.message })),
      replaced: (by, error) => watch(IndexEvent.Replaced({ by: String(by), reason: error.message })),
    },
  })
  const report: AfterRun.WikiReport = {
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
  }
  return report
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

const LEFT = "a person has changed its file meanwhile, so it is left as it is"

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
