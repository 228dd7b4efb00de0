/** `vibe loom generate`: appends answers of one or more models. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { type GenerateError, ToolNotFoundError, ToolsOnlySupportNSingletonError } from "../../agent/GenerateError.ts"
import * as LoomEngine from "../../agent/LoomEngine.ts"
import { inParallel } from "../../base/concurrency.ts"
import { sanitize, sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import { AnswerNotKept } from "../../conversation/SessionFailure.ts"
import * as Forest from "../../forest/Forest.ts"
import { BlankText, ForestError } from "../../forest/ForestError.ts"
import type { Node } from "../../forest/Node.ts"
import * as NodeText from "../../forest/NodeText.ts"
import * as Message from "../../message/Message.ts"
import type { ModelId } from "../../message/ModelId.ts"
import * as LanguageModel from "../../model/LanguageModel.ts"
import * as ToolRegistry from "../../tool/ToolRegistry.ts"
import * as CurrentDate from "../../toolbox/CurrentDate.ts"
import * as Introspect from "../../toolbox/Introspect.ts"
import * as LiveAnswer from "../ask/LiveAnswer.ts"
import * as AnswerOptions from "../conversation/AnswerOptions.ts"
import { addServedTools } from "../conversation/Start.ts"
import * as TurnNotices from "../conversation/TurnNotices.ts"
import * as Failure from "../Failure.ts"
import * as Screen from "../terminal/Screen.ts"
import * as MessageArguments from "./MessageArguments.ts"
import * as NodeFormat from "./NodeFormat.ts"
import type { GenerateInput } from "./writeCommands.ts"

/**
 * Stores the user's text, even if no answer follows. On a terminal a single answer is printed while it is written. With
 * several answers each is printed when it is complete, and one that fails does not end the others. Fails if there is no
 * answer at all, or if one could not be stored. Everything is one operation of the forest.
 */
export const run = (input: GenerateInput) =>
  Effect.flatMap(Forest.Forest, ({ operation }) => operation(generate(input)))

const generate = Effect.fn("cli.loom.generate")(function* ({ json, tools: names, ...input }: GenerateInput) {
  const { err, out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const tools = yield* makeTools(forest, names)
  const { maxOutputTokens, n: defaultN, temperature, ...chosen } = yield* AnswerOptions.resolve(input)
  const n = Option.getOrElse(input.n, () => defaultN)
  if (n > 1 && names.length > 0) return yield* new ToolsOnlySupportNSingletonError({})
  const toolChoice = Option.getOrUndefined(input.toolChoice)
  if (typeof toolChoice === "object" && !names.includes(toolChoice.tool)) {
    return yield* new ToolNotFoundError({ name: toolChoice.tool })
  }
  const models = yield* chosen.openedModels
  const engine = yield* Effect.provideService(LoomEngine.make, LanguageModel.LanguageModel, models[0])
  const parent = yield* appendMessage(input)

  const answers: Array<Node> = []
  const notStored: Array<{ readonly model: string; readonly text: string }> = []
  const errors: Array<{ readonly model: ModelId; readonly error: AnswerNotKept | GenerateError }> = []
  const maxToolIterations = Option.getOrUndefined(input.toolRounds)
  const notices = TurnNotices.print(err)
  const live = out.isTerminal && !json && n === 1 && models.length === 1 ? LiveAnswer.make(out, notices) : undefined
  const onEvent = live?.onEvent ?? notices
  const options = { n, tools, toolChoice, temperature, maxOutputTokens, maxToolIterations, onEvent }
  const isLater = () => answers.length + notStored.length > 1
  const generateWith = (model: LanguageModel.Service) => {
    /** The text of the latest reply, until it is stored. */
    let text = ""
    return Stream.runForEach(engine.generateStream(parent, { ...options, model }), (event) => {
      if (event.type === "provider_response") text = Message.text({ role: "assistant", content: event.reply.blocks })
      if (event.type === "error") {
        const isLost = event.error._tag === "ForestError" && text.trim() !== ""
        errors.push({ model: model.id, error: isLost ? new AnswerNotKept({ cause: event.error }) : event.error })
        if (!isLost) return Effect.void
        notStored.push({ model: String(model.id), text })
        return json ? Effect.void : (live?.end(text) ?? printText(text, isLater()))
      }
      if (event.type !== "assistant_node") return Effect.void
      text = ""
      if (Message.toolUses(event.node.message).length > 0) return Effect.void
      answers.push(event.node)
      if (json) return Effect.void
      return live === undefined
        ? printAnswer(event.node, isLater())
        : Effect.zipRight(live.end(NodeText.body(event.node)), printId(event.node))
    })
  }
  yield* inParallel(models.map(generateWith)).pipe(Effect.ensuring(live?.end("") ?? Effect.void))

  const failures = errors.map(({ error }) => error)
  const failure =
    failures.find(({ _tag }) => _tag === "AnswerNotKept") ?? (answers.length === 0 ? failures[0] : undefined)
  const { titles } = yield* NodeFormat.loadLabels([])
  const object = {
    nodes: answers.map((node) => NodeFormat.toObject(node, titles)),
    ...(notStored.length > 0 && { unkept: notStored }),
    errors: errors.map(({ error, model }) => ({ model: String(model), ...Failure.toJson(error) })),
  }
  if (failure !== undefined && answers.length + notStored.length > 0) {
    return yield* new Failure.DetailedFailure({
      failure,
      others: failures.filter((other) => other !== failure),
      object,
    })
  }
  if (failure !== undefined) return yield* Effect.fail(failure)
  for (const error of failures) yield* Screen.line(err, Failure.line(error))
  if (json) yield* Screen.line(out, sanitizeJson(object))
})

/** Appends the user's text, if any, and returns the node to answer. */
const appendMessage = Effect.fnUntraced(function* (input: MessageArguments.MessageArguments) {
  const forest = yield* Forest.Forest
  const { parent, text } = yield* MessageArguments.resolve(input, { command: "loom generate", node: "@" })
  // Appending nothing checks that the forest is writable, before a request costs money.
  if (text === "") return yield* Effect.as(forest.append(parent, []), parent)
  const [node] = yield* forest.append(parent, [{ message: Message.user(text), source: { type: "user" } }])
  return node === undefined ? yield* new ForestError({ reason: new BlankText() }) : node.id
})

/** The id goes to stderr, the text to stdout. */
const printAnswer = (node: Node, isLater: boolean) =>
  Effect.zipRight(printId(node), printText(NodeText.body(node), isLater))

const printId = (node: Node) =>
  Effect.flatMap(Screen.Screen, ({ err }) => Screen.line(err, sanitizeLine(`${node.id} (${NodeText.maker(node)})`)))

const printText = (text: string, isLater: boolean) =>
  Effect.flatMap(Screen.Screen, ({ out }) => Screen.line(out, `${isLater ? "\n" : ""}${sanitize(text).trimEnd()}`))

/** The tools of `--tool`, each once. Tool servers start only if one of the names is not a tool of vibe. */
const makeTools = Effect.fnUntraced(function* (forest: Forest.Service, names: ReadonlyArray<string>) {
  const unique = [...new Set(names)]
  const others = unique.filter((name) => name !== "introspect")
  const own = [CurrentDate.make, Introspect.make(forest, others)]
  const isOwn = (name: string) => own.some((tool) => tool.name === name)
  const registry = ToolRegistry.make(own)
  const available = unique.every(isOwn) ? registry : yield* addServedTools(registry)
  const missing = unique.find((name) => !available.tools.some((tool) => tool.name === name))
  if (missing === undefined) return ToolRegistry.select(available, unique)
  const message = `there is no tool '${missing}'; there are ${available.tools.map(({ name }) => name).join(", ")}`
  return yield* new UsageError({ message, command: "loom generate" })
})
