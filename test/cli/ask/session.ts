/** Runs `vibe ask` again and again in one forest, without a process, with models that answer by a script. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { ConfigProvider, Effect, Layer, Logger, Option, Ref, type Scope } from "effect"
import * as Logging from "../../../src/base/Logging.ts"
import { ask } from "../../../src/cli/ask/command.ts"
import * as Cli from "../../../src/cli/Cli.ts"
import { entryWithoutLayer } from "../../../src/cli/Table.ts"
import * as Input from "../../../src/cli/terminal/Input.ts"
import * as Screen from "../../../src/cli/terminal/Screen.ts"
import * as NodeFiles from "../../../src/code/Files/Node.ts"
import * as OfferedTools from "../../../src/conversation/OfferedTools.ts"
import * as Forest from "../../../src/forest/Forest.ts"
import * as SqliteForestStore from "../../../src/forest/ForestStore/Sqlite.ts"
import type * as ForestStore from "../../../src/forest/ForestStore.ts"
import type { Block } from "../../../src/message/Block.ts"
import * as Ids from "../../../src/message/Ids.ts"
import * as Message from "../../../src/message/Message.ts"
import * as LanguageModel from "../../../src/model/LanguageModel.ts"
import { Blocked, InvalidRequest, ModelError } from "../../../src/model/ModelError.ts"
import * as ModelRegistry from "../../../src/model/ModelRegistry.ts"
import { Part } from "../../../src/model/Reply.ts"
import type { Request } from "../../../src/model/Request.ts"
import { LocalModels } from "../../../src/model/ServerModels.ts"
import type { Line } from "../../../src/provider/scripted/Scripted.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import * as ToolRegistry from "../../../src/tool/ToolRegistry.ts"
import * as ToolServers from "../../../src/tool/ToolServers.ts"
import { tableWith } from "../../utils/commands.ts"
import * as Local from "../../utils/Local.ts"

export const look = Tool.fromJsonSchema({
  name: "look",
  description: "",
  parameters: { type: "object" },
  run: () => Effect.succeed("so"),
})

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

interface Situation {
  /** The answers of each model, by its name. */
  readonly says?: Readonly<Record<string, ReadonlyArray<Line>>>
  readonly stdin?: string
  readonly isTerminal?: boolean
  readonly tools?: ReadonlyArray<Tool.Tool>
  /** The tools of the user's servers. */
  readonly served?: ToolServers.Opened
  readonly store?: Layer.Layer<ForestStore.ForestStore>
}

interface Session {
  /** The output of the last run on both streams, as it came. */
  readonly shown: Effect.Effect<string>
  /** The log so far. */
  readonly logged: ReadonlyArray<string>
  readonly vibe: (...argv: ReadonlyArray<string>) => Effect.Effect<Ended>
  /** The requests to models, oldest first. */
  readonly requests: ReadonlyArray<Request>
}

export const session = <E>(
  use: (session: Session) => Effect.Effect<void, E, Forest.Forest | Scope.Scope>,
  situation: Situation = {},
) => Effect.flatMap(open(situation), ({ context, ...session }) => Effect.provide(use(session), context))

/** A session that lasts until the scope closes, with its services. */
export const open = ({
  isTerminal = false,
  says = {},
  stdin,
  store = SqliteForestStore.layerMemory,
  tools = [],
  served,
}: Situation = {}) =>
  Effect.gen(function* () {
    const requests: Array<Request> = []
    const logged: Array<string> = []
    const written = yield* Ref.make<ReadonlyArray<Screen.Written>>([])
    const registry = ModelRegistry.ModelRegistry.of({
      providers: ["test"],
      known: Effect.succeed([]),
      open: ({ name }) =>
        Effect.map(Scripted.make(says[name] ?? ["Hello."], name), (model) =>
          LanguageModel.make(model.id, (request, say) =>
            Effect.suspend(() => {
              requests.push(request)
              return Effect.flatMap(model.generate(request), ({ blocks, finish, usage }) =>
                say([...blocks.flatMap(spoken), Part.Finish({ reason: finish, usage })]),
              )
            }),
          ),
        ),
    })
    const layer = Layer.mergeAll(
      Forest.layer.pipe(Layer.provideMerge(store), Layer.provide(Ids.layerSequence)),
      SqliteForestStore.layerFallback,
      Layer.succeed(Input.Stdin, { text: Effect.succeed(Option.fromNullable(stdin)) }),
      Layer.succeed(ModelRegistry.ModelRegistry, registry),
      Layer.succeed(LocalModels, { provider: "test", all: Effect.succeedNone }),
      Layer.succeed(OfferedTools.OfferedTools, () =>
        Effect.succeed({
          tools: ToolRegistry.make(tools),
          findSymbols: look,
          project: "A folder.",
          prompt: (served) => ["A folder and tools.", ...served].join(" "),
        }),
      ),
      Layer.succeed(ToolServers.ToolServers, ToolServers.of(served ?? ToolServers.none)),
      NodeFiles.layer,
      Screen.layerMemory(written, { isTerminal }),
      Logger.replace(
        Logger.defaultLogger,
        Logger.map(Logging.line, (line) => void logged.push(line)),
      ),
      Local.none,
      NodeContext.layer,
    )
    const context = yield* Layer.build(layer)
    const session: Session = {
      logged,
      requests,
      shown: Effect.map(Ref.get(written), (all) => all.map(({ text }) => text).join("")),
      vibe: (...argv) =>
        Effect.gen(function* () {
          yield* Ref.set(written, [])
          const code = yield* Cli.run(vibe, { argv: ["ask", ...argv], version: "1.2.3" })
          const all = yield* Ref.get(written)
          const on = (stream: "out" | "err") => all.flatMap(({ text, to }) => (to === stream ? [text] : [])).join("")
          return { code, out: on("out"), err: on("err") }
        }).pipe(Effect.provide(context), Effect.withConfigProvider(ConfigProvider.fromMap(new Map()))),
    }
    return { ...session, context }
  })

export const vibe = tableWith(entryWithoutLayer({ command: ask, run: () => import("../../../src/cli/ask/run.ts") }))

/** A word at a time, as a provider streams it. */
const spoken = (block: Block): ReadonlyArray<Part> => {
  switch (block.type) {
    case "text":
      return (block.text.match(/\S+\s*|\s+/g) ?? []).map((text) => Part.Text({ text }))
    case "tool-use":
      return [Part.ToolUse({ id: block.id, name: block.name, parameters: block.parameters })]
    default:
      return []
  }
}

export const one = ["--model", "test/one"]

export const blocks = new ModelError({ model: "scripted/one", reason: new Blocked({ message: "blocked" }) })

export const fails = new ModelError({ model: "scripted/two", reason: new InvalidRequest({ message: "no" }) })

/** The last text of the user in a request. */
export const lastWords = (request: Request | undefined) => {
  const message = request?.messages.findLast(({ role }) => role === "user")
  return message === undefined ? "" : Message.text(message)
}
