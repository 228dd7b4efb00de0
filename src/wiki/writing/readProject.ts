/** Reads from an index and its workspace what the requests of a wiki are made of. */
import { basename } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as DocumentSections from "../../base/DocumentSections.ts"
import { cached } from "../../base/mutex.ts"
import { nameOf, readManifest } from "../../base/ProjectDocuments.ts"
import * as CachedWorkspace from "../../code/CachedWorkspace.ts"
import * as Workspace from "../../code/Workspace.ts"
import * as CachedIndex from "../../index/CachedIndex.ts"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import type { IndexError } from "../../index/IndexError.ts"
import { callerKey, type GraphSymbol, type Index, type SymbolGraph } from "../../index/IndexStore.ts"
import * as ProjectOverview from "../../index/ProjectOverview.ts"
import * as Git from "../../review/Git.ts"
import * as Entries from "../Entries.ts"
import * as FileGraph from "../FileGraph.ts"
import * as Calls from "../flows/Calls.ts"
import * as CallTree from "../flows/CallTree.ts"
import * as Candidates from "../flows/Candidates.ts"
import * as Flows from "../flows/Flows.ts"
import * as Forwarding from "../flows/Forwarding.ts"
import * as TypeUse from "../flows/TypeUse.ts"
import * as Packages from "../Packages.ts"
import * as Parts from "../Parts.ts"
import type * as Places from "../Places.ts"
import type { Plan } from "../Plan.ts"
import * as ProjectFacts from "../ProjectFacts.ts"
import * as ReleaseFacts from "../ReleaseFacts.ts"
import * as States from "../States.ts"
import * as TestFacts from "../TestFacts.ts"
import * as Units from "../Units.ts"
import * as Branches from "./Branches.ts"
import * as BuildCondition from "./BuildCondition.ts"
import * as CallMark from "./CallMark.ts"
import * as Deciding from "./Deciding.ts"
import * as Documents from "./Documents.ts"
import type { Call } from "./FlowRequest.ts"
import * as Material from "./Material.ts"
import * as OldSource from "./OldSource.ts"
import type { Document, DocumentSection, Project } from "./Project.ts"

/** How many candidates for flows come before the central symbols, of which a plan would else see none. */
const FIRST = 16

/** How many symbols may be entry points. */
const MAX_ENTRIES = 12

/** Git is used if the program has it, to find the sources of before. `plan`: that of an earlier run. */
export const readProject: (
  index: Index,
  workspace: Workspace.Workspace,
  plan?: Pick<Plan, "parts"> | undefined,
) => Effect.Effect<Project<IndexError>, IndexError> = Effect.fn("Wiki.readProject")(function* (index, workspace, plan) {
  const git = Option.getOrUndefined(yield* Effect.serviceOption(Git.Git))
  const files = yield* index.files
  const graph = yield* FileGraph.read(index, plan)
  const overview = yield* ProjectOverview.read(workspace, files)

  const texts = CachedWorkspace.make(workspace)
  const textOf = (path: string) => Workspace.readText(texts, path)

  const sourceOf = ({ endLine, path, startLine }: IndexEntry): Effect.Effect<string | undefined> =>
    Effect.map(textOf(path), (text) => (text === undefined ? undefined : OldSource.linesOf(text, startLine, endLine)))

  const symbols = new Map<string, ReadonlyArray<Material.Item>>()
  const symbolsIn = (path: string): Effect.Effect<ReadonlyArray<Material.Item>, IndexError> =>
    Effect.suspend(() => {
      const known = symbols.get(path)
      if (known !== undefined) return Effect.succeed(known)
      return Effect.gen(function* () {
        const entries = yield* index.symbolsIn(path)
        const declared = yield* index.overloadsIn(path)
        const text = yield* textOf(path)
        const conditionsOf = Branches.conditionsIn(path, text?.split("\n") ?? [])
        const items = withoutOverloads(Material.itemsOf(entries), declared).map((item) =>
          withConditions(item, conditionsOf),
        )
        symbols.set(path, items)
        return items
      })
    })
  const lines = new Map<string, number>()
  const linesOf = (path: string): Effect.Effect<number, IndexError> =>
    Effect.suspend(() => {
      const known = lines.get(path)
      if (known !== undefined) return Effect.succeed(known)
      return Effect.map(index.symbolsIn(path), (entries) => {
        // Functions of a module in Lua are members of a table of one line, and stand below it.
        let sum = 0
        let last = 0
        for (const { endLine, startLine } of entries) {
          sum += Math.max(0, endLine - Math.max(last, startLine - 1))
          last = Math.max(last, endLine)
        }
        lines.set(path, sum)
        return sum
      })
    })
  /** Git is asked once for each, since many statements cite the same symbol. */
  const sourcesBefore = new Map<string, string | undefined>()
  const itemOf = (entry: IndexEntry): Effect.Effect<Material.Item, IndexError> =>
    Effect.map(
      symbolsIn(entry.path),
      (items) =>
        items.find(
          ({ entry: other }) => other?.qualifiedName === entry.qualifiedName && other.startLine === entry.startLine,
        ) ?? { path: entry.path, entry, ordinal: 0 },
    )

  /** Returns what a symbol uses. A line on which a class is made or called comes before one that has it as a type. */
  const usesOf = Effect.fnUntraced(function* (by: IndexEntry) {
    const source = yield* sourceOf(by)
    return yield* Effect.forEach(yield* index.callees(by), ({ entry, lines }) => {
      const isType = (line: number) =>
        TypeUse.isInDeclaration(by, entry, [line]) ||
        (source !== undefined && TypeUse.isInTypes(by, source, entry, [line]))
      const made = lines.find((line) => !isType(line))
      return Effect.map(itemOf(entry), (item) => ({
        item,
        line: made ?? lines[0] ?? entry.startLine,
        isType: made === undefined,
      }))
    })
  })

  const releases = ReleaseFacts.linesByPath(yield* ReleaseFacts.read({ files, textOf }))
  const ranks = new Map(Array.from(releases.keys(), (path, at) => [path, at]))
  const rankOf = (path: string) => (path.includes("/") ? 1 + (ranks.get(path) ?? ranks.size) : 0)
  const documents = yield* Effect.forEach(
    // Files at the root say more than workflows, and these more than scripts.
    files
      .filter(({ path }) => Documents.isDocument(path))
      .toSorted((one, other) => rankOf(one.path) - rankOf(other.path)),
    ({ path }) =>
      Effect.map(textOf(path), (text): ReadonlyArray<Document> => {
        const lines = text === undefined ? [] : Documents.linesOf(path, text, releases.get(path))
        // A script or a workflow without a command to tell of would only take room.
        if (text === undefined || (path.includes("/") && lines.length === 0)) return []
        return [{ item: { path, entry: undefined, ordinal: 0, hash: States.hashOf(text) }, lines }]
      }),
  )
  const folders = Parts.group(files, graph)
  const readings = CachedIndex.make(index)
  const { indirect } = Calls.readerOf(readings, graph.files, textOf)
  const readme = yield* Packages.readmes(files, textOf)
  const prose = yield* ProjectFacts.readDocuments(files, overview.readme?.path, textOf)
  const { starts } = yield* Flows.find(readings, graph, folders, {
    indirect,
    readme,
    documents: prose.map(({ text }) => text).join("\n"),
    entries: yield* Entries.read(new Set(files.map(({ path }) => path)), textOf),
  })
  const found = yield* Effect.forEach(starts, ({ entry, reason }) =>
    Effect.gen(function* () {
      const source = yield* sourceOf(entry)
      const item = yield* itemOf(entry)
      const isLast = entry.name !== "main" && source !== undefined && Forwarding.isForwarding(entry, source)
      return { item, reason: Candidates.reasons[reason], isLast }
    }),
  )
  // A flow that begins at a function that only passes a call on tells the same as one that begins at what it calls.
  const candidates = found
    .toSorted((one, other) => Number(one.isLast) - Number(other.isLast))
    .map(({ item, reason }) => ({ item, reason }))
  const central = yield* index.central(MAX_ENTRIES)
  // A symbol that something calls may begin a flow all the same, such as the method behind an exported value.
  const known = new Set(candidates.map(({ item }) => Material.keyOf(item)))
  const centralItems = yield* Effect.forEach(
    central.filter(({ kind }) => kind === "function" || kind === "method"),
    itemOf,
  )
  const centralCandidates = yield* Effect.filter(
    centralItems
      .filter((item) => !known.has(Material.keyOf(item)))
      .map((item) => ({ item, reason: "central to the project" })),
    ({ item: { entry } }) =>
      entry === undefined
        ? Effect.succeed(false)
        : Effect.map(sourceOf(entry), (source) => source !== undefined && !Deciding.isTrivial(entry, source)),
  )
  const packages = (yield* Packages.read(files, textOf))
    .slice(0, MAX_PACKAGES)
    .map(
      ({ about = "", item, name }) =>
        `${item.path}: ${name}${about === "" ? "" : `, ${Material.cut(about, MAX_TITLE)}`}`,
    )
  const callsFrom = Effect.fnUntraced(function* (start: IndexEntry) {
    const tree = yield* CallTree.follow(index, graph, start, { sourceOf, indirect })
    const forwarding = yield* Forwarding.find(tree, sourceOf)
    return yield* Effect.forEach(tree.calls, (call, at) =>
      Effect.map(itemOf(call.entry), (item) => toCall(item, call, forwarding.has(at))),
    )
  })
  /** The calls of each flow are asked for by all flows of the plan, so that none tells what another one does. */
  const walks = new Map<string, ReadonlyArray<Call>>()
  const users = cached(Effect.map(readings.symbolGraph, usersIn))
  const readmePath = overview.readme?.path
  const readmeAll = readmePath === undefined ? undefined : yield* textOf(readmePath)
  const readmeText =
    readmePath === undefined || readmeAll === undefined ? undefined : { path: readmePath, text: readmeAll }
  const project: Project<IndexError> = {
    about: {
      name: yield* nameOfProject(workspace, overview, textOf),
      readme: overview.readme,
      manifests: [...overview.manifests, ...packages],
      documents: titlesOf(prose),
    },
    files: graph.files,
    units: Units.divide(files, graph),
    folders,
    uses: graph.placeUses,
    heads: graph.heads,
    documents: documents.flat().slice(0, MAX_DOCUMENTS),
    entries: yield* Effect.forEach(central, itemOf),
    sections: Effect.sync(() =>
      [...(readmeText === undefined ? [] : [readmeText]), ...prose].flatMap(({ path, text }) => sectionsOf(path, text)),
    ),
    testHelpers: Effect.gen(function* () {
      const tests = files.filter((file) => file.class === "test").map(({ path }) => path)
      const shared = TestFacts.sharedBy(tests, yield* index.fileUses)
      const items = yield* Effect.forEach(shared, ({ path, users }) =>
        // No reference leads to what pytest gives to the tests by name.
        Effect.map(symbolsIn(path), (all) => all.filter(({ entry }) => isHelper(entry, users === 0 ? 0 : MIN_USERS))),
      )
      return items
        .flat()
        .toSorted((one, other) => (other.entry?.usedBy ?? 0) - (one.entry?.usedBy ?? 0))
        .slice(0, MAX_HELPERS)
    }),
    candidates: [...candidates.slice(0, FIRST), ...centralCandidates, ...candidates.slice(FIRST)],
    callsFrom: (item) =>
      Effect.suspend(() => {
        const key = Material.keyOf(item)
        const known = walks.get(key)
        if (known !== undefined || item.entry === undefined) return Effect.succeed(known ?? [])
        return Effect.tap(callsFrom(item.entry), (calls) => Effect.sync(() => walks.set(key, calls)))
      }),
    statesOf: (pages) => States.read(index, pages, textOf),
    symbolsIn,
    linesOf,
    callees: (item) => (item.entry === undefined ? Effect.succeed([]) : usesOf(item.entry)),
    users: ({ entry }) =>
      entry === undefined ? Effect.succeed([]) : Effect.map(users, (all) => all.get(keyOfSymbol(entry)) ?? []),
    givenCalls: ({ entry }) =>
      entry === undefined
        ? Effect.succeed([])
        : Effect.flatMap(indirect(entry), (joints) =>
            Effect.forEach(
              joints.flatMap(({ holder, line, targets }) => targets.map((target) => ({ holder, line, target }))),
              ({ holder, line, target }) =>
                Effect.map(itemOf(target.entry), (item) => ({
                  item,
                  line,
                  isType: false,
                  holder,
                  by: target.by?.qualifiedName,
                })),
            ),
          ),
    sourceOf: ({ entry, path }) => (entry === undefined ? textOf(path) : sourceOf(entry)),
    conditionOf: (path) =>
      BuildCondition.canHave(path)
        ? Effect.map(textOf(path), (text) => (text === undefined ? undefined : BuildCondition.read(path, text)))
        : Effect.succeed(undefined),
    sourceBefore: (citation) =>
      Effect.suspend(() => {
        const key = JSON.stringify([citation.path, citation.symbol, citation.ordinal, citation.hash])
        if (git === undefined || sourcesBefore.has(key)) return Effect.succeed(sourcesBefore.get(key))
        return Effect.map(OldSource.find(git, index, workspace.root, citation), (source) => {
          sourcesBefore.set(key, source)
          return source
        })
      }),
  }
  return project
})

/** The most helpers of tests, and the fewest other files that use one. */
const MAX_HELPERS = 8
const MIN_USERS = 3

const isHelper = (entry: IndexEntry | undefined, least: number): boolean =>
  entry?.isMajor === true && /^(?:function|method|class)$/.test(entry.kind) && entry.usedBy >= least

const keyOfSymbol = ({ path, qualifiedName, startLine }: Pick<GraphSymbol, "path" | "qualifiedName" | "startLine">) =>
  `${path}\0${startLine}\0${qualifiedName}`

/** Returns the users of each symbol in other files, by its key. */
const usersIn = ({ symbols, uses }: SymbolGraph): ReadonlyMap<string, ReadonlyArray<Places.Target>> => {
  const users = new Map<string, Array<Places.Target>>()
  for (const [from, targets] of uses.entries()) {
    const user = symbols[from]
    for (const to of targets) {
      const used = symbols[to]
      if (user === undefined || used === undefined || user.path === used.path) continue
      const own = users.get(keyOfSymbol(used)) ?? []
      own.push({ path: user.path, symbol: user.qualifiedName })
      users.set(keyOfSymbol(used), own)
    }
  }
  return users
}

const withConditions = (item: Material.Item, conditionsOf: ReturnType<typeof Branches.conditionsIn>): Material.Item => {
  const found = item.entry === undefined ? [] : conditionsOf(item.entry.startLine)
  return found.length === 0 ? item : { ...item, conditions: found }
}

const toCall = (
  item: Material.Item,
  { depth, given, isInClosure, isPassed, isRepeated, lines, unknown, variants }: CallTree.Call,
  isForwarding: boolean,
): Call => {
  const marks = [
    ...(isForwarding ? ["only passes the call on"] : []),
    ...(given === undefined
      ? []
      : [
          /^["']/.test(given.holder)
            ? `named by the string ${given.holder}: what this is passed to calls it`
            : `through ${given.holder}${given.by === undefined ? "" : `, given by ${given.by.qualifiedName}`}${given.isLater ? ", by way of what that returns" : ""}`,
        ]),
    ...(isPassed ? [CallMark.PASSED] : []),
    ...(isInClosure ? [CallMark.IN_CLOSURE] : []),
    ...(variants.length === 0
      ? []
      : [
          `or, for another build, in ${variants
            .slice(0, 3)
            .map(({ entry }) => entry.path)
            .join(", ")}`,
        ]),
    ...(unknown.length === 0 ? [] : [`calls what it is given: ${unknown.slice(0, 3).join(", ")}`]),
    ...(isRepeated ? [CallMark.REPEATED] : []),
  ]
  return {
    depth,
    item,
    line: lines[0],
    mark: marks.length === 0 ? undefined : marks.join("; "),
  }
}

/** Writes the title of each document, with its sections if there are few documents. */
const titlesOf = (documents: ReadonlyArray<ProjectFacts.Document>): ReadonlyArray<string> =>
  documents.slice(0, ProjectFacts.MAX_DOCUMENTS).flatMap(({ path, text }) => {
    const title = ProjectFacts.titleOrOpening(text)
    const titles = documents.length > FEW_DOCUMENTS ? [] : sectionsOf(path, text).map(({ title }) => title)
    const own = titles.filter((each) => each !== title && !/^(?:table of )?contents$/i.test(each))
    const sections = own.length < 2 ? "" : `; sections: ${Material.cut(own.join(", "), MAX_SECTIONS)}`
    return title === undefined && sections === "" ? [] : [`${path}: ${Material.cut(title ?? "", MAX_TITLE)}${sections}`]
  })

/** The sections of more documents than this would be too many, and their titles say enough. */
const FEW_DOCUMENTS = 4

/** The most characters of the titles of the sections of a document. */
const MAX_SECTIONS = 700

const sectionsOf = (path: string, text: string): ReadonlyArray<DocumentSection> =>
  DocumentSections.read(text)
    .filter(({ title }) => title !== "")
    .map(({ lines, title }) => ({ path, title, text: lines.join("\n") }))

/** The most manifests, scripts and other documents that the start page can cite. */
const MAX_DOCUMENTS = 14

/** The most packages of a repository that requests name. */
const MAX_PACKAGES = 12

/** The most characters of the title of a document, and of what a package says of itself. */
const MAX_TITLE = 80

/** Returns the name that the project has in its README or its manifests, or else that of the folder. */
const nameOfProject = Effect.fnUntraced(function* (
  workspace: Workspace.Workspace,
  { manifests, readme }: ProjectOverview.Overview,
  textOf: (path: string) => Effect.Effect<string | undefined>,
) {
  const names = yield* Effect.forEach(manifests, (line) => {
    const path = line.slice(0, line.indexOf(":"))
    return Effect.map(textOf(path), (text) => (text === undefined ? undefined : readManifest(path, text).name))
  })
  const text = readme === undefined ? undefined : yield* textOf(readme.path)
  const known = names.filter((name) => name !== undefined)
  return nameOf(text, known) ?? basename(workspace.root)
})

/** Leaves out what only declares types for the one symbol that has the body: it decides nothing, and is no evidence. */
const withoutOverloads = (
  items: ReadonlyArray<Material.Item>,
  declared: ReadonlySet<string>,
): ReadonlyArray<Material.Item> => {
  if (declared.size === 0) return items
  const isOverload = ({ entry }: Material.Item) => entry !== undefined && declared.has(callerKey(entry))
  const bodies = Map.groupBy(
    items.filter((item) => !isOverload(item)),
    ({ entry }) => entry?.qualifiedName,
  )
  return items.filter((item) => !isOverload(item) || bodies.get(item.entry?.qualifiedName)?.length !== 1)
}
