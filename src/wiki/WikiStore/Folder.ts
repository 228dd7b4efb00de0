/**
 * The wiki in the folder `.vibe/wiki`: a file of Markdown for each page, the evidence in `statements.jsonl`, and the
 * plan in `plan.json`. Files are replaced atomically, and never over what a person has written meanwhile.
 */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { makeMutex } from "../../base/mutex.ts"
import { FileError, NotAFolder } from "../../code/FileError.ts"
import * as Files from "../../code/Files.ts"
import * as PurposeMerge from "../../index/PurposeMerge.ts"
import * as Evidence from "../Evidence.ts"
import * as Markdown from "../Markdown.ts"
import { PageName } from "../Page.ts"
import { Plan } from "../Plan.ts"
import * as WikiStore from "../WikiStore.ts"

/** The version of the format, which is in `plan.json`. */
const VERSION = 1

const PLAN = `${WikiStore.FOLDER}/plan.json`

/** Returns the name of the page that a file is; undefined for other files of the folder, which are left alone. */
const pageIn = (file: string): string | undefined => {
  const name = file.endsWith(EXTENSION) ? file.slice(0, -EXTENSION.length) : ""
  return isPageName(name) ? name : undefined
}

const EXTENSION = ".md"

const isPageName = Schema.is(PageName)

/** Far more than any page, and any number of them. */
const MAX_PAGE_BYTES = 1_000_000
const MAX_PAGES = 1_000
const MAX_EVIDENCE_BYTES = 100_000_000

const CONFLICT = "has the marks of a merge conflict"

export const layer: Layer.Layer<WikiStore.WikiStore, never, Files.Files> = Layer.effect(
  WikiStore.WikiStore,
  Effect.map(Files.Files, (files) => ({ open: (root) => Effect.sync(() => open(files, root)) })),
)

/** The texts of the files as they were read last, by path; undefined for one that does not exist. */
type Texts = Map<string, string | undefined>

const open = (files: Files.Service, root: string): WikiStore.Wiki => {
  /** Pages are written in parallel, and their evidence is in one file, which each of them reads and replaces. */
  const exclusively = makeMutex()
  const known: Texts = new Map()
  const place = (relative: string) => path.join(root, ...relative.split("/"))

  const readText = (relative: string, most: number): Effect.Effect<string | undefined, FileError> => {
    const file = place(relative)
    return files.readReal(file, most).pipe(
      Effect.map(({ bytes }): string | undefined => decoder.decode(bytes)),
      Effect.catchIf(
        ({ reason }) => reason._tag === "NotFound",
        () => Effect.succeed(undefined),
      ),
      Effect.tap((text) => Effect.sync(() => known.set(relative, text))),
    )
  }

  const names = Effect.gen(function* () {
    const folder = place(WikiStore.FOLDER)
    const { entries, realPath } = yield* files.list(folder)
    if (realPath !== folder) return yield* new FileError({ path: folder, reason: new NotAFolder() })
    return entries.flatMap(({ name, stat }) => (stat.kind === "file" ? (pageIn(name) ?? []) : [])).slice(0, MAX_PAGES)
  }).pipe(
    Effect.catchIf(
      ({ reason }) => reason._tag === "NotFound",
      (): Effect.Effect<ReadonlyArray<string>> => Effect.succeed([]),
    ),
  )

  const readEvidence = Effect.map(readText(WikiStore.STATEMENTS, MAX_EVIDENCE_BYTES), (text) =>
    Evidence.parse(text ?? ""),
  )

  const readPlan = Effect.gen(function* () {
    const marked = yield* readText(PLAN, MAX_EVIDENCE_BYTES)
    if (marked === undefined) return { plan: undefined, flaw: undefined }
    const text = marked.replace(BYTE_ORDER_MARK, "")
    const version = decodeVersion(text)
    if (Either.isRight(version) && version.right.version > VERSION) {
      return yield* new WikiStore.NewerWiki({ path: place(PLAN), version: version.right.version })
    }
    const plan = decodePlan(text)
    if (Either.isRight(plan)) return { plan: plan.right.plan, flaw: undefined }
    return { plan: undefined, flaw: isConflicted(text) ? CONFLICT : "is no plan of a wiki" }
  })

  const read: WikiStore.Wiki["read"] = Effect.gen(function* () {
    const { flaw, plan } = yield* readPlan
    const evidence = yield* readEvidence
    const pages: Array<Markdown.Document> = []
    const flaws: Array<WikiStore.Flaw> = flaw === undefined ? [] : [{ path: PLAN, flaw }]
    if (evidence.invalid.length > 0) {
      flaws.push({ path: WikiStore.STATEMENTS, flaw: `has lines that are damaged (${evidence.invalid.length})` })
    }
    for (const name of yield* names) {
      const relative = pathOf(name)
      const text = yield* Effect.either(readText(relative, MAX_PAGE_BYTES))
      if (Either.isLeft(text)) {
        flaws.push({ path: relative, flaw: text.left.reason.message, page: name })
      } else if (isConflicted(text.right ?? "")) {
        flaws.push({ path: relative, flaw: CONFLICT, page: name })
      } else if (text.right !== undefined) {
        const document = Markdown.parse(name, text.right)
        pages.push({ ...document, page: Evidence.join(document.page, evidence.lines) })
      }
    }
    return { pages, plan, flaws }
  }).pipe(exclusively, Effect.withSpan("WikiStore.read"))

  const makeFolders = Effect.gen(function* () {
    for (const folder of [".vibe", WikiStore.FOLDER]) yield* files.makeFolder(place(folder))
  })

  /** Replaces a file by a text if that differs from its present one. Returns whether it did. */
  const replace = Effect.fnUntraced(function* (relative: string, text: string) {
    const before = known.get(relative)
    if (before === text) return false
    yield* makeFolders
    yield* files.write(place(relative), text, { bytes: bytesOf(before) })
    known.set(relative, text)
    return true
  })

  const keep: WikiStore.Wiki["keep"] = Effect.fn("WikiStore.keep")(function* ({ pages = [], plan, remove = [] }) {
    // A new text of the plan or of the evidence is made from what is on disk now; pages
    // are compared with what was read.
    const present = yield* readPlan
    if (plan !== undefined && present.flaw !== undefined) {
      return yield* new WikiStore.DamagedWiki({ path: place(PLAN), flaw: present.flaw })
    }
    const evidence = yield* readEvidence
    const left: Array<string> = []
    const due = pages.map(Markdown.normalize)
    const changed = new Set([...due.map(({ page }) => page.name), ...remove])
    const added = due.flatMap(({ page }) => Evidence.linesOf(page))
    // Statements without evidence would be taken for those of a person, so that of new pages comes first, and that of
    // earlier pages is removed last. An end between the two steps leaves lines that nothing uses.
    const others = evidence.lines.filter(({ page }) => !changed.has(page))
    const earlier = evidence.lines.filter(({ page }) => changed.has(page))
    yield* replace(WikiStore.STATEMENTS, Evidence.render({ ...evidence, lines: union(evidence.lines, added) }))
    const written: Array<string> = []
    for (const document of due) {
      const { name } = document.page
      const result = yield* Effect.either(
        isConflicted(known.get(pathOf(name)) ?? "")
          ? Effect.succeed(undefined)
          : replace(pathOf(name), Markdown.print(document)),
      )
      if (Either.isLeft(result) && result.left.reason._tag !== "Changed") return yield* result.left
      if (Either.isLeft(result) || result.right === undefined) left.push(name)
      else if (result.right) written.push(name)
    }
    const removed: Array<string> = []
    for (const name of remove) {
      const before = known.get(pathOf(name))
      if (before === undefined) continue
      const result = yield* Effect.either(files.remove(place(pathOf(name)), encoder.encode(before)))
      if (Either.isRight(result) || result.left.reason._tag === "NotFound") removed.push(name)
      else if (result.left.reason._tag === "Changed") left.push(name)
      else return yield* result.left
    }
    for (const name of removed) known.delete(pathOf(name))
    const isLeft = new Set(left)
    const lines = [
      ...others,
      ...earlier.filter(({ page }) => isLeft.has(page)),
      ...added.filter(({ page }) => !isLeft.has(page)),
    ]
    yield* replace(WikiStore.STATEMENTS, Evidence.render({ ...evidence, lines }))
    if (plan !== undefined) yield* replace(PLAN, `${JSON.stringify(encodePlan({ version: VERSION, plan }), null, 2)}\n`)
    return { written, removed, left }
  }, exclusively)

  return { read, keep }
}

/** Throws for a text that is not the name of a page, since its path could lead out of the folder. */
const pathOf = (page: string): string => {
  if (!isPageName(page)) throw new Error(`not the name of a page: ${page}`)
  return `${WikiStore.FOLDER}/${page}${EXTENSION}`
}

/** Adds lines that are not there yet. */
const union = (known: ReadonlyArray<Evidence.Line>, added: ReadonlyArray<Evidence.Line>) => {
  const texts = new Set(known.map((line) => JSON.stringify(line)))
  return [...known, ...added.filter((line) => !texts.has(JSON.stringify(line)))]
}

const isConflicted = (text: string): boolean =>
  text.split("\n").some((line) => PurposeMerge.isMarker(line) && /^[<>]/.test(line))

const Stored = Schema.Struct({ version: Schema.NonNegativeInt, plan: Plan })

const decodeVersion = Schema.decodeUnknownEither(Schema.parseJson(Schema.Struct({ version: Schema.NonNegativeInt })))
const decodePlan = Schema.decodeUnknownEither(Schema.parseJson(Stored))
const encodePlan = Schema.encodeSync(Stored)

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/** Some editors begin a file with it. JSON may not; pages and evidence are read by trimmed lines. */
const BYTE_ORDER_MARK = /^\uFEFF/
const encoder = new TextEncoder()

const bytesOf = (text: string | undefined): Uint8Array | undefined =>
  text === undefined ? undefined : encoder.encode(text)
