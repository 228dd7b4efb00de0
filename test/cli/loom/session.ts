/** Runs the commands of `vibe loom` one after the other in one forest, without a process. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert } from "@effect/vitest"
import { Effect, Layer, Option, Ref } from "effect"
import * as Command from "../../../src/cli/arguments/Command.ts"
import * as Cli from "../../../src/cli/Cli.ts"
import * as Read from "../../../src/cli/loom/readCommands.ts"
import * as Write from "../../../src/cli/loom/writeCommands.ts"
import { entryWithoutLayer } from "../../../src/cli/Table.ts"
import * as Confirm from "../../../src/cli/terminal/Confirm.ts"
import * as Input from "../../../src/cli/terminal/Input.ts"
import * as Pager from "../../../src/cli/terminal/Pager.ts"
import * as Screen from "../../../src/cli/terminal/Screen.ts"
import * as NodeFiles from "../../../src/code/Files/Node.ts"
import * as Forest from "../../../src/forest/Forest.ts"
import * as SqliteForestStore from "../../../src/forest/ForestStore/Sqlite.ts"
import * as Ids from "../../../src/message/Ids.ts"
import * as ModelCatalog from "../../../src/model/ModelCatalog.ts"
import * as ModelRegistry from "../../../src/model/ModelRegistry.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import * as ToolServers from "../../../src/tool/ToolServers.ts"
import { unite } from "../../utils/commands.ts"
import * as Local from "../../utils/Local.ts"

/** The commands of loom on the services of a test. */
export const vibe = [
  {
    heading: "Talk",
    rows: [
      {
        command: Command.group("loom", "Talks"),
        load: async () => ({
          entries: unite([
            entryWithoutLayer({ command: Write.append, run: () => import("../../../src/cli/loom/append.ts") }),
            entryWithoutLayer({
              command: Write.bookmark,
              run: async () => ({ run: (await import("../../../src/cli/loom/bookmarks.ts")).bookmark }),
            }),
            entryWithoutLayer({
              command: Write.copy,
              run: async () => ({ run: (await import("../../../src/cli/loom/changes.ts")).copy }),
            }),
            entryWithoutLayer({
              command: Write.join,
              run: async () => ({ run: (await import("../../../src/cli/loom/changes.ts")).join }),
            }),
            entryWithoutLayer({
              command: Write.move,
              run: async () => ({ run: (await import("../../../src/cli/loom/changes.ts")).move }),
            }),
            entryWithoutLayer({
              command: Write.switchCommand,
              run: async () => ({ run: (await import("../../../src/cli/loom/bookmarks.ts")).switchTo }),
            }),
            entryWithoutLayer({
              command: Read.bookmarks,
              run: async () => ({ run: (await import("../../../src/cli/loom/bookmarks.ts")).bookmarks }),
            }),
            entryWithoutLayer({ command: Read.diff, run: () => import("../../../src/cli/loom/diff.ts") }),
            entryWithoutLayer({
              command: Write.edit,
              run: async () => ({ run: (await import("../../../src/cli/loom/changes.ts")).edit }),
            }),
            entryWithoutLayer({ command: Read.exportCommand, run: () => import("../../../src/cli/loom/export.ts") }),
            entryWithoutLayer({ command: Write.generate, run: () => import("../../../src/cli/loom/generate.ts") }),
            entryWithoutLayer({ command: Write.importCommand, run: () => import("../../../src/cli/loom/import.ts") }),
            entryWithoutLayer({
              command: Read.history,
              run: async () => ({ run: (await import("../../../src/cli/loom/undo.ts")).history }),
            }),
            entryWithoutLayer({ command: Read.log, run: () => import("../../../src/cli/loom/log.ts") }),
            entryWithoutLayer({
              command: Write.redo,
              run: async () => ({ run: (await import("../../../src/cli/loom/undo.ts")).redo }),
            }),
            entryWithoutLayer({
              command: Write.purge,
              run: async () => ({ run: (await import("../../../src/cli/loom/maintenance.ts")).purge }),
            }),
            entryWithoutLayer({ command: Write.deleteCommand, run: () => import("../../../src/cli/loom/delete.ts") }),
            entryWithoutLayer({
              command: Read.roots,
              run: async () => ({ run: (await import("../../../src/cli/loom/trees.ts")).roots }),
            }),
            entryWithoutLayer({ command: Read.search, run: () => import("../../../src/cli/loom/search.ts") }),
            entryWithoutLayer({
              command: Read.show,
              run: async () => ({ run: (await import("../../../src/cli/loom/trees.ts")).show }),
            }),
            entryWithoutLayer({
              command: Write.split,
              run: async () => ({ run: (await import("../../../src/cli/loom/changes.ts")).split }),
            }),
            entryWithoutLayer({
              command: Read.tree,
              run: async () => ({ run: (await import("../../../src/cli/loom/trees.ts")).tree }),
            }),
            entryWithoutLayer({
              command: Write.undo,
              run: async () => ({ run: (await import("../../../src/cli/loom/undo.ts")).undo }),
            }),
            entryWithoutLayer({
              command: Read.verify,
              run: async () => ({ run: (await import("../../../src/cli/loom/maintenance.ts")).verify }),
            }),
          ]),
        }),
      },
    ],
  },
]

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

export type Run = (...argv: ReadonlyArray<string>) => Effect.Effect<Ended>

/** `test/asked` answers with the parameters of its request. */
export const model = ModelRegistry.ModelRegistry.of({
  providers: ["test"],
  known: Effect.succeed([]),
  open: ({ name }) =>
    Scripted.make(
      name === "asked"
        ? ({ maxOutputTokens, temperature }) => `temperature ${temperature}, at most ${maxOutputTokens}`
        : ["Roses are red."],
    ),
})

type Written = Ref.Ref<ReadonlyArray<Screen.Written>>

export const nothingWritten: Effect.Effect<Written> = Ref.make<ReadonlyArray<Screen.Written>>([])

/** Runs commands until its scope closes. Ids are n-0, n-1, …; time stands still at the beginning of time. */
const open = (
  stdin: Option.Option<string> = Option.none(),
  confirm: Confirm.Service = { ask: () => Effect.succeedNone },
  terminal: { readonly columns?: number; readonly pager?: Pager.Service; readonly written?: Written } = {},
) =>
  Effect.gen(function* () {
    const written = terminal.written ?? (yield* nothingWritten)
    const layer = Layer.mergeAll(
      Forest.layer.pipe(Layer.provideMerge(SqliteForestStore.layerMemory), Layer.provide(Ids.layerSequence)),
      Layer.succeed(Input.Stdin, { text: Effect.succeed(stdin) }),
      Layer.succeed(Confirm.Confirm, confirm),
      Layer.succeed(ModelRegistry.ModelRegistry, model),
      ModelCatalog.layer,
      Layer.succeed(ToolServers.ToolServers, ToolServers.of(ToolServers.none)),
      terminal.pager === undefined ? Pager.layerNone : Layer.succeed(Pager.Pager, terminal.pager),
      Screen.layerMemory(written, { isTerminal: terminal.columns !== undefined, columns: terminal.columns }),
      Local.none,
      NodeFiles.layer,
      NodeContext.layer,
    )
    const context = yield* Layer.build(layer)
    const run: Run = (...argv) =>
      Effect.gen(function* () {
        yield* Ref.set(written, [])
        const code = yield* Cli.run(vibe, {
          argv: ["loom", ...argv],
          version: "1.2.3",
          position: () => ({ person: "ann", folder: "/work" }),
        })
        const all = yield* Ref.get(written)
        const on = (stream: "out" | "err") => all.flatMap(({ text, to }) => (to === stream ? [text] : [])).join("")
        return { code, out: on("out"), err: on("err") }
      }).pipe(Effect.provide(context))
    return run
  })

export const session = <E>(
  use: (run: Run) => Effect.Effect<void, E>,
  ...services: Parameters<typeof open>
): Effect.Effect<void, E> => Effect.scoped(Effect.flatMap(open(...services), use))

const begin = (run: Run) =>
  Effect.gen(function* () {
    yield* run("append", "--system", "Be kind", "Hello")
    yield* run("append", "@", "Hi", "there", "--role", "assistant")
  })

/** The conversation of `talk`, for commands that change nothing. It lasts until the scope closes. */
export const openTalk = Effect.tap(open(), begin)

/** n-0 is the root, n-1 "Hello" of the user, n-2 "Hi there" of an assistant. */
export const talk = <E>(
  use: (run: Run) => Effect.Effect<void, E>,
  stdin?: Option.Option<string>,
  confirm?: Confirm.Service,
) => session((run) => Effect.zipRight(begin(run), use(run)), stdin, confirm)

export const out = (ended: Effect.Effect<Ended>) =>
  Effect.map(ended, ({ code, err, out }) => {
    assert.strictEqual(code, 0, err)
    return out.trimEnd()
  })

export const object = (ended: Effect.Effect<Ended>) =>
  Effect.map(out(ended), (text) => {
    assert.lengthOf(text.split("\n"), 1)
    return JSON.parse(text)
  })
