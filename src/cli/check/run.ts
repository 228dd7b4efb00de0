/** Runs `vibe check`. */

import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as NodeFiles from "../../code/Files/Node.ts"
import * as Workspace from "../../code/Workspace.ts"
import { type IndexEntry, versionOf } from "../../index/IndexEntry.ts"
import type { Index } from "../../index/IndexStore.ts"
import * as IndexStore from "../../index/IndexStore.ts"
import * as PurposeMerge from "../../index/PurposeMerge.ts"
import type { PurposeFile } from "../../index/PurposeShards.ts"
import * as PurposesFile from "../../index/PurposesFile.ts"
import { displayPath, type Project as OpenProject } from "../../lookup/Project.ts"
import * as ChangedFiles from "../../review/ChangedFiles.ts"
import * as Findings from "../../review/Findings.ts"
import * as LeftOut from "../../review/LeftOut.ts"
import * as Review from "../../review/Review.ts"
import * as Revisions from "../../review/Revisions.ts"
import type { SymbolVersion } from "../../review/SymbolVersion.ts"
import * as Concerns from "../../wiki/Concerns.ts"
import { readWiki } from "../../wiki/reading/readWiki.ts"
import * as WikiFolder from "../../wiki/WikiStore/Folder.ts"
import * as WikiStore from "../../wiki/WikiStore.ts"
import { requireNoPolicy } from "../arguments/modelOptions.ts"
import { NotClean } from "../CommandError.ts"
import { DetailedFailure } from "../Failure.ts"
import { OptionalModel, layer as optionalModel } from "../layers/OptionalModel.ts"
import * as ReviewLayer from "../layers/ReviewLayer.ts"
import * as Project from "../project/Project.ts"
import * as Reviewed from "../review/Reviewed.ts"
import { Version } from "../Table.ts"
import * as Screen from "../terminal/Screen.ts"
import * as CheckText from "./CheckText.ts"
import type { Input } from "./command.ts"
import type { Judged } from "./judgeFindings.ts"

export const run = Effect.fn("cli.check")(function* (input: Input) {
  const { base, fix, json, path: within, root, sarif, strict } = input
  const { err, out } = yield* Screen.Screen
  if (json && sarif) return yield* new UsageError({ message: "--json and --sarif are two formats", command: "check" })
  if (Option.isNone(yield* OptionalModel)) yield* requireNoPolicy("check", input)
  const { folder, inRepository, repository } = yield* Reviewed.find(root, within, "check")
  const comparison = yield* Revisions.ofWorkingTree(folder, repository, Option.getOrUndefined(base))
  // Invalid settings fail, as in 'vibe diff', even if the index exists already.
  yield* Project.configuredSelection(folder)
  if (fix) yield* repair(folder)
  const unfinished = yield* findUnfinished(folder, (yield* PurposesFile.read(folder)).files)
  const { index, workspace } = yield* openOrMake(folder)
  const review = yield* Review.make(workspace, comparison)
  const known = yield* readKnown(index, review)
  const ofPurposes = Findings.find(
    review,
    known,
    review.purposes.map((file) => {
      const merged = unfinished.get(file.name)
      return {
        path: PurposesFile.pathOf(file),
        flaws: PurposeMerge.findFlaws(file.text),
        isUnmerged: merged !== undefined && merged !== file.text,
      }
    }),
  )
  const wiki = yield* ofWiki(index, workspace, review)
  const findings = [...wiki.findings, ...ofPurposes]
  // A statement that a model has found true is shown, and is nothing to mend.
  const open = findings.filter(({ verdict }) => verdict !== "holds")
  const show = displayPath(workspace.root, path.resolve("."))

  for (const notice of CheckText.notices(review, show)) yield* Screen.line(err, sanitizeLine(`vibe: ${notice}`))
  const leftOut = yield* LeftOut.find(folder)
  if (leftOut.files > 0) yield* Screen.line(err, `vibe: ${LeftOut.describe(leftOut)}`)
  // A model that was asked for and could judge nothing is a failure, whatever was found.
  const failure = wiki.refused ?? (strict && open.length > 0 ? new NotClean({ findings: open.length }) : undefined)
  if (json) {
    const object = CheckText.toJson(review, findings)
    if (failure !== undefined) return yield* new DetailedFailure({ failure, others: [], object })
    return yield* Screen.line(out, sanitizeJson(object))
  }
  if (sarif) {
    const { toSarif } = yield* Effect.promise(() => import("../../review/Sarif.ts"))
    yield* Screen.line(out, sanitizeJson(toSarif(open, inRepository, yield* Version)))
  } else {
    const columns = out.isTerminal ? yield* out.columns : undefined
    yield* Screen.line(out, CheckText.toText(review, findings, { style: out.style, columns, show }))
  }
  if (failure !== undefined) return yield* failure
}, Effect.scoped)

/** Finds the statements of the wiki that the change concerns. A wiki that cannot be read is said to be so. */
const ofWiki = Effect.fnUntraced(function* (index: Index, workspace: Workspace.Workspace, review: Review.Review) {
  const { err } = yield* Screen.Screen
  const notChecked = ({ message }: WikiStore.StoreError) =>
    Effect.as(Screen.line(err, sanitizeLine(`vibe: the wiki is not checked: ${message}`)), undefined)
  const wiki = yield* readWiki(yield* WikiStore.WikiStore, { index, workspace }).pipe(
    Effect.catchTags({ NewerWiki: notChecked, DamagedWiki: notChecked, FileError: notChecked }),
  )
  const unjudged = (findings: ReadonlyArray<Findings.Finding>): Judged => ({ findings, refused: undefined })
  if (wiki === undefined) return unjudged([])
  const pages = wiki.pages.map(({ page }) => page)
  const findings = Concerns.find(review, pages, wiki.states)
  const model = yield* OptionalModel
  if (Option.isNone(model)) return unjudged(findings)
  const { judgeFindings } = yield* Effect.promise(() => import("./judgeFindings.ts"))
  return yield* judgeFindings(model.value, { index, workspace }, pages, findings)
})

const repair = Effect.fnUntraced(function* (folder: string) {
  const { err } = yield* Screen.Screen
  const { files } = yield* PurposesFile.read(folder)
  const unfinished = yield* findUnfinished(folder, files)
  for (const file of files) {
    const path = PurposesFile.pathOf(file)
    const merged = unfinished.get(file.name)
    const repaired = merged ?? PurposeMerge.repair(file.text)
    if (repaired !== file.text) yield* PurposesFile.replace(folder, file, repaired)
    if (merged !== undefined) {
      yield* Screen.line(err, `vibe: ${path} has both sides of the merge; 'git add ${path}' says so to Git`)
    } else if (repaired !== file.text) yield* Screen.line(err, `vibe: ${path} is repaired`)
  }
})

/** Finds files of purposes that Git has left with a conflict, and returns their merged texts by name. */
const findUnfinished = Effect.fnUntraced(function* (folder: string, files: ReadonlyArray<PurposeFile>) {
  const unfinished = new Map<string, string>()
  for (const [path, stages] of yield* ChangedFiles.stagesOf(folder, [PurposesFile.PATH, PurposesFile.FOLDER])) {
    const file = files.find((file) => PurposesFile.pathOf(file) === path)
    if (file === undefined) continue
    const texts = yield* ChangedFiles.texts(folder, [...stages.values()], PurposesFile.MAX_BYTES)
    const textOf = (stage: number) => texts.get(stages.get(stage) ?? "")
    const base = textOf(1) ?? ""
    // A side that removed the file as a whole removed no purpose.
    const sides = { base, ours: textOf(2) ?? base, theirs: textOf(3) ?? base }
    unfinished.set(file.name, PurposeMerge.mergeUnfinished(sides, file.text))
  }
  return unfinished
})

/** Returns the index of a folder, brought up to date. If there is none, its structure is made; no model is asked. */
const openOrMake = (folder: string) =>
  Project.open(Option.some(folder)).pipe(
    Effect.catchIf(
      (error) => error._tag === "IndexError" && error.reason._tag === "NotIndexed",
      () =>
        Effect.gen(function* () {
          const store = yield* IndexStore.IndexStore
          const workspace = yield* Workspace.open(folder, yield* Project.configuredSelection(folder))
          const index = yield* store.open(workspace)
          yield* index.refresh
          return { workspace, index } satisfies Pick<OpenProject, "workspace" | "index">
        }),
    ),
  )

/** Reads the purposes that the index has for the changed files. */
const readKnown = Effect.fnUntraced(function* (index: Index, { files }: Review.Review) {
  const paths = new Set(files.map(({ path }) => path))
  const classes = new Map(
    (yield* index.files).flatMap((file) => (paths.has(file.path) ? [[file.path, file.class] as const] : [])),
  )
  const entries = new Map<string, IndexEntry>()
  for (const path of paths) {
    for (const entry of yield* index.symbolsIn(path)) entries.set(versionOf(entry), entry)
  }
  const known: Findings.Known = {
    entryOf: ({ hash, path, qualifiedName }: SymbolVersion) => entries.get(`${path}\0${qualifiedName}\0${hash}`),
    classOf: (path) => classes.get(path),
  }
  return known
})

/** Compares states of a repository, and has the wiki of its project, and the model of `--model`. */
export const layer = (input: Input) =>
  Layer.provideMerge(
    Layer.provideMerge(Layer.provide(WikiFolder.layer, NodeFiles.layer), ReviewLayer.layer),
    optionalModel(input.model, { ...input, command: "check", offline: "judges no statements" }),
  )
