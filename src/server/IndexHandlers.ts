/** Handles requests about the index. */

import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { timeOf } from "../base/Prose.ts"
import { sanitize, sanitizeLine } from "../base/Sanitize.ts"
import * as FileClass from "../code/FileClass.ts"
import type { FileError } from "../code/FileError.ts"
import * as BatchRun from "../explore/BatchRun.ts"
import * as Estimate from "../explore/Estimate.ts"
import { MAX_ITERATIONS } from "../explore/IndexingOrchestrator.ts"
import * as Forest from "../forest/Forest.ts"
import { ForestError } from "../forest/ForestError.ts"
import type { IndexEntry } from "../index/IndexEntry.ts"
import type { IndexError } from "../index/IndexError.ts"
import * as ProjectMap from "../index/ProjectMap.ts"
import type { RunProgress } from "../index/RunProgress.ts"
import * as AnswerText from "../lookup/AnswerText.ts"
import * as Query from "../lookup/Query.ts"
import * as ModelId from "../message/ModelId.ts"
import { NodeId } from "../message/NodeId.ts"
import * as Cost from "../model/Cost.ts"
import * as Git from "../review/Git.ts"
import type { GitError } from "../review/GitError.ts"
import * as PurposeHistory from "../review/PurposeHistory.ts"
import * as IndexTools from "../toolbox/IndexTools.ts"
import { Api } from "./Api.ts"
import { NotFound, NotKept, Refused } from "./api/Conversations.ts"
import type { History, Run, Status, Why } from "./api/Index.ts"
import { EventHub } from "./EventHub.ts"
import { sentence, toFailure } from "./Failures.ts"
import * as Pages from "./IndexPages.ts"
import { IndexRuns, STOPPED } from "./IndexRuns.ts"
import { type Current, ProjectIndex } from "./ProjectIndex.ts"
import { Served } from "./Served.ts"

/** The most search results. */
const MAX_HITS = 20

export const layer = HttpApiBuilder.group(Api, "index", (handlers) =>
  Effect.gen(function* () {
    const projects = yield* ProjectIndex
    const runs = yield* IndexRuns
    const forest = yield* Forest.Forest
    const git = yield* Git.Git
    const { publish } = yield* EventHub
    const { openModel } = yield* Served
    const { root } = projects.workspace

    const current = Effect.mapError(projects.current, indexFailure)

    const statusOf = Effect.fnUntraced(function* ({ isRefreshing, notice, project: { index } }: Current) {
      const status = yield* index.status
      const map = yield* index.map
      const run = yield* runs.last
      const elsewhere = run?.state === "running" ? undefined : yield* projects.elsewhere
      const found: Status = {
        root,
        indexed: true,
        files: status.files,
        symbols: status.symbols,
        major: status.majorSymbols,
        covered: status.covered,
        stale: status.stale,
        weak: status.weak,
        byModel: status.purposes.model,
        byComment: status.purposes.comment,
        classes: FileClass.all.flatMap((name) => {
          const { covered, files, majorSymbols } = status.classes[name]
          return files === 0 ? [] : [{ name: FileClass.plurals[name], files, major: majorSymbols, covered }]
        }),
        isElsewhere: elsewhere !== undefined,
        ...(elsewhere?.progress !== undefined && { elsewhere: runOf(elsewhere.progress) }),
        isRefreshing,
        ...(notice !== undefined && { notice: sentence(notice) }),
        ...(map !== undefined && { map: sanitize(map) }),
        ...(run !== undefined && { run }),
      }
      return found
    })

    /** Returns the status of a folder without an index. */
    const notIndexed = Effect.map(
      runs.last,
      (run): Status => ({
        root,
        indexed: false,
        ...noCounts,
        ...(run !== undefined && { run }),
      }),
    )

    /** Finds the symbol at a line. Fails with `NotFound` if there is none. */
    const symbolAt = (path: string, line: number) =>
      Effect.gen(function* () {
        const { project } = yield* current
        const found = yield* Effect.mapError(Pages.find(project, path, line), indexFailure)
        if (found === undefined) {
          return yield* new NotFound({ message: sanitizeLine(`The index has no symbol at ${path}:${line}.`) })
        }
        return { project, found }
      })

    const modelNamed = (name: string) =>
      Effect.gen(function* () {
        const id = ModelId.parse(name)
        if (Either.isLeft(id)) return yield* new Refused({ message: sanitizeLine(`${name} names no model.`) })
        return yield* Effect.mapError(openModel(id.right), (message) => new Refused({ message }))
      })

    return handlers
      .handle("status", () =>
        projects.current.pipe(
          Effect.flatMap(statusOf),
          Effect.catchIf(
            (error) => error._tag === "IndexError" && error.reason._tag === "NotIndexed",
            () => notIndexed,
          ),
          Effect.mapError(indexFailure),
        ),
      )
      .handle("structure", () =>
        Effect.flatMap(projects.make, statusOf).pipe(
          Effect.zipLeft(publish({ type: "index" })),
          Effect.mapError(indexFailure),
        ),
      )
      .handle("place", ({ urlParams: { path } }) =>
        Effect.gen(function* () {
          const { project } = yield* current
          const found = yield* Effect.mapError(Pages.place(project, path), indexFailure)
          return found ?? (yield* new NotFound({ message: sanitizeLine(`The index has nothing at ${path || "."}.`) }))
        }),
      )
      .handle("symbol", ({ urlParams: { line, path } }) =>
        Effect.flatMap(symbolAt(path, line), ({ found, project }) =>
          Effect.mapError(Pages.symbolPage(project, found), indexFailure),
        ),
      )
      .handle("graph", ({ urlParams: { line, path } }) =>
        Effect.flatMap(symbolAt(path, line), ({ found, project }) =>
          Effect.mapError(Pages.graph(project, found), indexFailure),
        ),
      )
      .handle("why", ({ urlParams: { line, path } }) =>
        Effect.flatMap(symbolAt(path, line), ({ found }) => why(found.entry)).pipe(
          Effect.provideService(Forest.Forest, forest),
        ),
      )
      .handle("history", ({ urlParams: { line, path } }) =>
        Effect.gen(function* () {
          const { found, project } = yield* symbolAt(path, line)
          const siblings = yield* Effect.mapError(
            project.index.find(found.entry.qualifiedName, found.entry.path),
            indexFailure,
          )
          return yield* PurposeHistory.read(root, found.entry, siblings).pipe(
            Effect.map(historyOf),
            Effect.catchTag("GitError", (error) =>
              Effect.succeed<History>({ versions: [], more: 0, notice: noHistory(error) }),
            ),
            Effect.provideService(Git.Git, git),
          )
        }),
      )
      .handle("search", ({ urlParams: { path, text } }) =>
        Effect.gen(function* () {
          if (text.trim() === "") return []
          const { project } = yield* current
          const options = { limit: MAX_HITS, ...(path !== undefined && path !== "" && { path }) }
          const answers = yield* Effect.mapError(Query.answer(project, text, options), indexFailure)
          const pieces = AnswerText.pieces(answers)
          return answers.map(({ hit }, at) => ({ symbol: Pages.symbolOf(hit.entry), pieces: pieces[at] ?? [] }))
        }),
      )
      .handle("estimate", ({ payload: { model: name } }) =>
        Effect.gen(function* () {
          const model = yield* modelNamed(name)
          const { project } = yield* Effect.mapError(projects.make, indexFailure)
          const { index, workspace } = project
          const measured = yield* Effect.gen(function* () {
            return yield* Estimate.make(workspace, index, IndexTools.make(workspace, index).tools, {
              ...BatchRun.limitsFor(model),
              rootPath: root,
              isMapDue: ProjectMap.isDue(yield* index.map, yield* index.files, 0),
              maxRequests: MAX_ITERATIONS,
            })
          }).pipe(Effect.mapError(indexFailure))
          const workOf = (work: Estimate.Work) => {
            const cost = Cost.of(Estimate.usageOf(work), model.price)
            return {
              symbols: work.symbols,
              requests: work.requests,
              tokens: { input: work.inputTokens, output: work.outputTokens },
              ...(cost !== undefined && { cost }),
            }
          }
          return {
            model: String(model.id),
            one: workOf(measured.one),
            all: workOf(measured.all),
            explorations: Estimate.explorations(measured),
          }
        }),
      )
      .handle("start", ({ payload: { all, model: name } }) =>
        Effect.gen(function* () {
          const begun = yield* runs.start(yield* modelNamed(name), all)
          return begun ?? (yield* new Refused({ message: "A run is under way already." }))
        }),
      )
      .handle("stop", () =>
        Effect.map(runs.stop, (isStopped) => ({
          message: isStopped ? STOPPED : "No run is under way.",
        })),
      )
  }),
)

/**
 * Returns the run of another process. It has published its progress in a file of the folder, which anyone may have
 * written.
 */
const runOf = (progress: RunProgress): Run => ({
  ...progress,
  model: sanitizeLine(progress.model),
  activity: sanitizeLine(progress.activity),
  state: "running",
  found: [],
})

const noCounts: Omit<Status, "root" | "indexed" | "run" | "map" | "notice"> = {
  files: 0,
  symbols: 0,
  major: 0,
  covered: 0,
  stale: 0,
  weak: 0,
  byModel: 0,
  byComment: 0,
  classes: [],
  isElsewhere: false,
  isRefreshing: false,
}

const indexFailure = (error: FileError | IndexError): NotFound | NotKept =>
  error._tag === "IndexError" && error.reason._tag === "NotIndexed"
    ? new NotFound({ message: "This folder has no index." })
    : new NotKept({ message: sanitizeLine(`${error.message}.`) })

const historyOf = (history: PurposeHistory.PurposeHistory): History => {
  const notice = PurposeHistory.describe(history)
  return {
    versions: history.versions.map(({ commit, isCurrent, model, text, weak }) => ({
      text: sanitizeLine(text),
      model: sanitizeLine(model),
      isCurrent,
      ...(weak !== undefined && { weak: sanitizeLine(weak) }),
      ...(commit !== undefined && {
        commit: { ...commit, author: sanitizeLine(commit.author), title: sanitizeLine(commit.title) },
      }),
    })),
    more: history.more,
    ...(notice !== undefined && { notice: sentence(notice) }),
  }
}

const noHistory = (error: GitError): string =>
  error.reason._tag === "NotARepository"
    ? "This folder is in no Git repository, so earlier sentences are not kept."
    : sanitizeLine(sentence(error.message))

/** Tells how a purpose came to be, with its conversation if this forest has it. */
const why = Effect.fnUntraced(function* ({ isSelfExplanatory, purpose }: IndexEntry) {
  if (isSelfExplanatory === true)
    return { summary: "A model found nothing to say that name and signature do not." } satisfies Why
  if (purpose === undefined) return { summary: "It has no purpose yet." } satisfies Why
  if (purpose.node === undefined) return { summary: "No model wrote this: it is the symbol's comment." } satisfies Why
  const forest = yield* Forest.Forest
  const path = yield* forest.path(NodeId.make(purpose.node), { last: MAX_PATH }).pipe(
    Effect.map(({ nodes }) => nodes),
    Effect.catchIf(
      (error) => error instanceof ForestError && error.reason._tag === "NotFound",
      () => Effect.succeed([]),
    ),
    Effect.mapError(toFailure),
  )
  const answer = path.at(-1)
  const request = path.findLast(({ message }) => message.role === "user")
  const model = sanitizeLine(purpose.model ?? "a model")
  if (answer === undefined)
    return { summary: `${model} wrote this in a conversation that is not kept here.` } satisfies Why
  const found: Why = {
    summary: `${model} wrote this at ${timeOf(answer.createdAt)}.`,
    answer: answer.id,
    ...(request !== undefined && { request: request.id }),
  }
  return found
})

/** The most messages before an answer that are searched for the question, which is only a few messages before it. */
const MAX_PATH = 40
