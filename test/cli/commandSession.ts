/** Runs commands one after the other in one project, without a process, with a model that answers by a script. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Effect, Layer, Option, Ref } from "effect"
import * as Embedders from "../../src/app/Embedders.ts"
import * as Models from "../../src/app/Models.ts"
import * as Cli from "../../src/cli/Cli.ts"
import { index } from "../../src/cli/index/command.ts"
import * as IndexDisplay from "../../src/cli/index/IndexDisplay.ts"
import { Cluster } from "../../src/cli/index/run.ts"
import { OptionalModel } from "../../src/cli/layers/OptionalModel.ts"
import { query } from "../../src/cli/query/command.ts"
import { show } from "../../src/cli/show/command.ts"
import * as exchangesLayer from "../../src/cli/show/exchangesLayer.ts"
import { status } from "../../src/cli/status/command.ts"
import { entryWithoutLayer } from "../../src/cli/Table.ts"
import * as Screen from "../../src/cli/terminal/Screen.ts"
import * as NodeFiles from "../../src/code/Files/Node.ts"
import * as Forest from "../../src/forest/Forest.ts"
import * as SqliteForestStore from "../../src/forest/ForestStore/Sqlite.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as ModelCatalog from "../../src/model/ModelCatalog.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import { Git } from "../../src/review/Git.ts"
import { tableWith } from "../utils/commands.ts"
import * as Indexing from "../utils/Indexing.ts"

export const files = {
  "/repo/src/retry.ts": [
    "/** Decides how long to wait before asking again. */",
    "export const backoff = (attempt: number) => 1000 * 2 ** attempt",
    "",
    "export class Patience {",
    "  /** Waits. */",
    "  wait() {",
    "    return backoff(1)",
    "  }",
    "}",
  ].join("\n"),
  "/repo/src/other.ts": 'import { backoff } from "./retry.ts"\n\nexport const wait = () => backoff(2)\n',
}

export const script = [
  Scripted.calls([
    "create_index_entry",
    { entries: [{ path: "src/retry.ts", symbol: "Patience", purpose: "Sits\u001b[2J out a busy provider" }] },
  ]),
  "That is all.",
]

export const waits = { path: "src/other.ts", symbol: "wait", purpose: "Waits for as long as the second attempt has to" }

export const vibe = tableWith(
  entryWithoutLayer({ command: index, run: () => import("../../src/cli/index/run.ts") }),
  entryWithoutLayer({ command: query, run: () => import("../../src/cli/query/run.ts") }),
  entryWithoutLayer({ command: show, run: () => import("../../src/cli/show/run.ts") }),
  entryWithoutLayer({ command: status, run: () => import("../../src/cli/status/run.ts") }),
)

type Run = (...argv: ReadonlyArray<string>) => Effect.Effect<{ code: number; out: string; err: string }>

/** Runs commands until its scope closes. */
const open = (files: Readonly<Record<string, string>>, answers: Scripted.Script) =>
  Effect.gen(function* () {
    const written = yield* Ref.make<ReadonlyArray<Screen.Written>>([])
    const screen = Screen.layerMemory(written)
    const observer = IndexDisplay.layer({ json: false }).pipe(Layer.provide(screen))
    // The forest that the run talks in: layers are made once.
    const forest = Forest.layer.pipe(Layer.provide([SqliteForestStore.layerMemory, Ids.layer]))
    const indexing = Indexing.layer(files, Scripted.layer(answers), observer)
    const models = Layer.mergeAll(Models.layer, Embedders.layer, ModelCatalog.layer).pipe(
      Layer.provide(NodeFiles.layer),
    )
    const ranking = Layer.succeed(OptionalModel, Option.none())
    const noCluster = Layer.succeed(Cluster, Option.none())
    // The folder is in no repository.
    const noGit = Layer.succeed(Git, { run: () => Effect.dieMessage("git is not to be run") })
    const exchanges = Layer.provide(exchangesLayer.layerOf, forest)
    const commands = Layer.mergeAll(ranking, noCluster, noGit, exchanges)
    const layer = Layer.mergeAll(indexing, observer, models, commands, forest, screen, NodeContext.layer)
    const context = yield* Layer.build(layer)
    const run: Run = (...argv) =>
      Effect.gen(function* () {
        yield* Ref.set(written, [])
        const code = yield* Cli.run(vibe, { argv, version: "1.2.3" })
        const all = yield* Ref.get(written)
        const on = (stream: "out" | "err") => all.flatMap(({ text, to }) => (to === stream ? [text] : [])).join("")
        return { code, out: on("out"), err: on("err") }
      }).pipe(Effect.provide(context))
    return run
  })

/** The whole command line, over a repository in memory: one line after the other, on the same index. */
export const session = (
  files: Readonly<Record<string, string>>,
  use: (run: Run) => Effect.Effect<void>,
  answers: Scripted.Script = script,
) => Effect.scoped(Effect.flatMap(open(files, answers), use))

/** A session with an index. It lasts until the scope closes. */
export const openIndexed = Effect.tap(open(files, script), (run) => run("index", "/repo"))
