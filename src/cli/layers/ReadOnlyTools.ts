/** Tools that read a codebase and change nothing. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as NodeFiles from "../../code/Files/Node.ts"
import * as NodeWatcher from "../../code/Watcher/Node.ts"
import * as Workspace from "../../code/Workspace.ts"
import type * as OfferedTools from "../../conversation/OfferedTools.ts"
import * as Freshness from "../../index/Freshness.ts"
import * as Sqlite from "../../index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../index/IndexStore.ts"
import * as ProjectPrompt from "../../lookup/ProjectPrompt.ts"
import * as Tool from "../../tool/Tool.ts"
import * as FindSymbols from "../../toolbox/FindSymbols.ts"
import * as IndexTools from "../../toolbox/IndexTools.ts"
import { openPages } from "../../wiki/reading/openPages.ts"
import * as WikiFolder from "../../wiki/WikiStore/Folder.ts"
import * as Project from "../project/Project.ts"
import * as CodeLayer from "./CodeLayer.ts"

/**
 * The tools of a folder, the same with and without an index. If there is none, the structure is made in memory when a
 * tool first needs it; nothing is written into a folder that the user has not indexed.
 */
export const available = Effect.fn("ReadOnlyTools.available")(function* (folder?: string) {
  const code = yield* Layer.build(CodeLayer.layer)
  const { index, isIndexed, workspace } = yield* Effect.provide(open(Option.fromNullable(folder)), code)
  // The folders are watched from the first call of a tool on, so that a call needs no walk if nothing has changed.
  const watch = yield* NodeWatcher.make().watch(workspace)
  const freshness = yield* Freshness.make(index, { watch })
  // Files change during a conversation.
  const notice = isIndexed ? Effect.map(freshness.ensure(), Freshness.describe) : ensureMade(freshness)
  const pages = yield* Effect.provide(
    openPages({ workspace, index, displayPath: (path) => path }),
    Layer.provide(WikiFolder.layer, NodeFiles.layer),
  )
  const facts = yield* ProjectPrompt.read(workspace, isIndexed ? index : undefined, isIndexed ? pages : undefined)
  const offered: OfferedTools.Offered = {
    tools: IndexTools.makeReadOnly(workspace, index, notice),
    findSymbols: Tool.withNotice(notice, FindSymbols.make(workspace, index)),
    project: ProjectPrompt.describe(facts),
    prompt: (served) => ProjectPrompt.format(facts, served),
  }
  return offered
})

const open = Effect.fnUntraced(function* (root: Option.Option<string>) {
  const existing = Effect.map(Project.open(root), (project) => ({ ...project, isIndexed: true }))
  return yield* Effect.catchIf(
    existing,
    (error) => error._tag === "IndexError" && error.reason._tag === "NotIndexed",
    () => inMemory(Option.getOrElse(root, () => ".")),
  )
})

/** Waits for the whole structure: before there is one, every answer would be empty. */
const ensureMade = ({ ensure }: Freshness.Freshness) =>
  Effect.flatMap(ensure(MAKING_LIMIT), (state) =>
    state._tag === "Outdated"
      ? Tool.fail(`the code cannot be read: ${state.error.message}`)
      : Effect.succeed(Freshness.describe(state)),
  )

/** The longest wait for the structure, which is below the limit of a call (`ToolRegistry.TIMEOUT`). */
const MAKING_LIMIT = "100 seconds"

const inMemory = Effect.fnUntraced(function* (folder: string) {
  const store = yield* Layer.build(Sqlite.layerMemory)
  const workspace = yield* Workspace.open(folder, yield* Project.configuredSelection(folder))
  const index = yield* Effect.flatMap(IndexStore.IndexStore, ({ open }) => open(workspace)).pipe(Effect.provide(store))
  return { workspace, index, isIndexed: false }
})
