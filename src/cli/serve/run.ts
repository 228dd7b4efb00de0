/** Runs `vibe serve`. */
import { randomBytes } from "node:crypto"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { openOnce } from "../../base/mutex.ts"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as Workspace from "../../code/Workspace.ts"
import * as KnownProviders from "../../config/KnownProviders.ts"
import * as ReviseDocument from "../../conversation/document/ReviseDocument.ts"
import * as TextFile from "../../conversation/document/TextFile.ts"
import * as OfferedTools from "../../conversation/OfferedTools.ts"
import * as Operation from "../../forest/Operation.ts"
import * as LanguageModel from "../../model/LanguageModel.ts"
import { ModelError, Unsupported } from "../../model/ModelError.ts"
import * as ModelRegistry from "../../model/ModelRegistry.ts"
import type * as Served from "../../server/Served.ts"
import * as Server from "../../server/Server.ts"
import * as Site from "../../server/Site.ts"
import * as ToolServers from "../../tool/ToolServers.ts"
import * as ChosenModel from "../conversation/ChosenModel.ts"
import * as SystemPrompt from "../conversation/SystemPrompt.ts"
import * as Failure from "../Failure.ts"
import * as Project from "../project/Project.ts"
import * as Screen from "../terminal/Screen.ts"
import { FIRST_PORT, type Input, LAST_PORT } from "./command.ts"
import * as PageOpener from "./PageOpener.ts"
import * as ServedModels from "./ServedModels.ts"
import * as Token from "./Token.ts"

export const run = Effect.fn("cli.serve")(function* (input: Input) {
  const { host, json, path: folder } = input
  const { err, out } = yield* Screen.Screen
  const { value: token, warning } = yield* Token.resolve(input)
  yield* Project.requireOwn(folder)
  const workspace = yield* Workspace.open(folder, yield* Project.selectionFor(folder))
  const { root } = workspace
  const site = Site.make(yield* findPage)
  const { failure, served } = yield* makeServed(input, root)
  const listening = yield* listen(host, Option.getOrUndefined(input.port))
  const { port } = listening
  const services = yield* Layer.build(Server.services(served, workspace))
  const names = [host, os.hostname(), ...input.allowHost].map((name) => name.toLowerCase())
  const mcp = yield* openOnce(
    Effect.flatMap(
      Effect.promise(() => import("./ServedMcp.ts")),
      ({ open }) => open(root),
    ),
  )
  const opener = PageOpener.make()
  yield* Server.serve(listening, { names, port, token, redeem: opener.redeem, site, mcp }).pipe(
    Effect.provide(services),
    // Lists show this folder for the conversations that begin here.
    Effect.locally(Operation.folder, root),
  )
  const address = `http://${addressOf(host)}:${port}/`
  const url = `${address}?token=${encodeURIComponent(token)}`
  yield* Screen.line(out, json ? sanitizeJson({ url, host, port, token, folder: root }) : url)
  if (warning !== undefined) yield* Screen.line(err, sanitizeLine(warning))
  const isFirstRun = failure !== undefined && ChosenModel.isNoModel(failure)
  if (failure !== undefined && !isFirstRun) yield* Screen.line(err, Failure.line(failure))
  const what = failure === undefined ? `${root} with ${String(served.model.id)}` : `${root} without a model`
  yield* Screen.line(err, sanitizeLine(`vibe serves ${what}; open the address above, Ctrl-C ends it`))
  if (isFirstRun) yield* Screen.line(err, WITHOUT_MODEL)
  if (input.open) yield* Effect.catchAll(opener.open(address), (why) => Screen.line(err, sanitizeLine(why)))
  yield* Effect.never
}, Effect.scoped)

const makeServed = Effect.fnUntraced(function* (input: Input, root: string) {
  const registry = yield* ModelRegistry.ModelRegistry
  const chosen = yield* Effect.flatMap(ChosenModel.chooseForConversation(input.model), registry.open).pipe(
    Effect.map((model) => ({ model, failure: undefined })),
    Effect.catchIf(isWithoutModel(input), (failure) => Effect.succeed({ model: failing(failure), failure })),
  )
  const { failure, model } = chosen
  const { models, openModel, price } = yield* ServedModels.make(failure === undefined ? model : undefined)
  const given = yield* SystemPrompt.resolve(input, "serve")
  const offered = yield* OfferedTools.OfferedTools
  const servers = yield* ToolServers.ToolServers
  const opened = input.tools ? yield* offered(root) : undefined
  const tools =
    opened === undefined ? undefined : Effect.map(servers.open, (others) => ToolServers.join(opened.tools, others))
  const served: Served.Service = {
    server: randomBytes(9).toString("base64url"),
    folder: root,
    systemPrompt: systemPrompt(Option.getOrElse(given, () => opened?.prompt(servers.prefixes) ?? "")),
    file: yield* Effect.transposeOption(Option.map(input.document, (name) => TextFile.open(name))).pipe(
      Effect.map(Option.getOrUndefined),
    ),
    filePrompt: Option.getOrElse(given, () => ReviseDocument.systemPrompt),
    model,
    refusal: failure && (ChosenModel.isNoModel(failure) ? NO_MODEL : Failure.sentenceOnPage(failure)),
    openModel,
    models,
    price,
    tools,
    describe: Failure.sentenceOnPage,
  }
  return { failure, served }
})

/** The line in the terminal if no model is there and none is named, which is how most people start. */
const WITHOUT_MODEL =
  "The index and the forest need no model. To talk to one, see a new conversation in the page, or 'vibe models'"

/** The reason in the page why a message is refused then. */
const NO_MODEL =
  "No key is set and no Ollama answers, so there is no model to talk to yet. 'vibe models' says how to get one"

/**
 * Returns whether there is no model to talk to, in contrast to a wrong one: no key is set, or it is the offline guide.
 * The forest and the index need no model. If the command line names a model, its failure is that of the command.
 */
const isWithoutModel =
  ({ model }: Input) =>
  (failure: ConfigError | ModelError | UsageError): failure is ModelError | UsageError =>
    failure._tag === "UsageError" ||
    (Option.isNone(model) && failure._tag === "ModelError" && failure.reason._tag === "Unauthorized")

/** A model that answers nothing, in place of one that cannot be opened. */
const failing = ({ message }: ModelError | UsageError): LanguageModel.Service =>
  LanguageModel.make(
    KnownProviders.offline,
    () => new ModelError({ model: String(KnownProviders.offline), reason: new Unsupported({ message }) }),
  )

const listen = (host: string, port: number | undefined) => {
  const from = (next: number): ReturnType<typeof Server.listen> =>
    Effect.catchIf(
      Server.listen(host, next),
      ({ cause }) => cause.code === "EADDRINUSE" && next < LAST_PORT,
      () => from(next + 1),
    )
  return (port === undefined ? from(FIRST_PORT) : Server.listen(host, port)).pipe(
    Effect.mapError(
      ({ message }) => new UsageError({ message: `vibe cannot listen there: ${message}`, command: "serve" }),
    ),
  )
}

/** The address as a URL has it. If all addresses are meant, it is one that other machines reach, if there is one. */
const addressOf = (host: string): string => {
  if (host === "0.0.0.0" || /^[0:]+$/.test(host)) {
    const all = Object.values(os.networkInterfaces()).flatMap((addresses = []) => addresses)
    return all.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "localhost"
  }
  return host.includes(":") ? `[${host}]` : host
}

/** Finds the built page: beside the program, or in `dist` if vibe runs from its source. */
const findPage = Effect.suspend(() => {
  const folders = ["page", "../page", "../../../dist/page"].map((folder) => path.resolve(import.meta.dirname, folder))
  const found = folders.find((folder) => fs.existsSync(path.join(folder, "index.html")))
  return found === undefined
    ? new UsageError({ message: "the page is not built: 'npm run build' builds it", command: "serve" })
    : Effect.succeed(found)
})

/**
 * The system prompt of conversations in a page. It describes the text beside them, after the instructions of the user
 * or a project.
 */
const systemPrompt = (first: string): string =>
  `${first === "" ? "" : `${first}\n\n`}Beside this conversation is a text that the user and you work on together: a prompt, a plan, a draft. It may be empty, and many conversations need none.
- Where it is not empty, every request ends with it as it is now: [current prompt: "…"]. What is called the prompt there is the text, and the quotes are no part of it.
- [user edited prompt to: "…"], or a diff in place of the text, says that the user has changed it. What they changed is theirs: keep it, unless they ask for something else.
- To change it, where the user wants that, give all of the new text in your answer: after a line that begins with "Prompt:", or, where it has blank lines, between a line <document> and a line </document>. Otherwise leave these out.`
