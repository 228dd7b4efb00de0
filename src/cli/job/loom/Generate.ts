/** The work of `vibe loom generate`. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Forest from "../../../forest/Forest.ts"
import { BlankText, ForestError } from "../../../forest/ForestError.ts"
import type { Node } from "../../../forest/Node.ts"
import * as NodeText from "../../../forest/NodeText.ts"
import { type GenerateError, ToolNotFoundError, ToolsOnlySupportNSingletonError } from "../../../loom/GenerateError.ts"
import * as LoomEngine from "../../../loom/LoomEngine.ts"
import * as Message from "../../../message/Message.ts"
import type { ModelId } from "../../../message/ModelId.ts"
import { sanitize, sanitizeJson, sanitizeLine } from "../../../message/Sanitize.ts"
import * as LanguageModel from "../../../model/LanguageModel.ts"
import { AnswerNotKept } from "../../../session/AnswerNotKept.ts"
import type { ToolChoice } from "../../../tool/ToolChoice.ts"
import * as AnswerOptions from "../../conversation/AnswerOptions.ts"
import * as TurnNotices from "../../conversation/TurnNotices.ts"
import * as Failure from "../../Failure.ts"
import * as Conversation from "../../loom/Conversation.ts"
import * as Naming from "../../loom/Naming.ts"
import * as Speech from "../../loom/Speech.ts"
import * as Tools from "../../loom/Tools.ts"
import * as Screen from "../../terminal/Screen.ts"

export interface Input extends Speech.Typed, AnswerOptions.Typed {
  readonly n: Option.Option<number>
  readonly tools: ReadonlyArray<string>
  readonly toolChoice: Option.Option<ToolChoice>
  readonly json: boolean
}

/**
 * What was typed is kept, whatever becomes of the answer. Where several models answer, or one several times, each
 * answer is printed as it comes, and what fails is said without ending the others; it fails where nothing came, or an
 * answer that came could not be kept. All of it is one operation.
 */
export const run = (input: Input) => Effect.flatMap(Forest.Forest, ({ operation }) => operation(generate(input)))

const generate = Effect.fn("cli.loom.generate")(function* ({ json, tools: names, ...typed }: Input) {
  const { err, out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const tools = yield* Tools.named(forest, names)
  const { maxOutputTokens, n: usual, temperature, ...speaking } = yield* AnswerOptions.resolve(typed)
  const n = Option.getOrElse(typed.n, () => usual)
  if (n > 1 && names.length > 0) return yield* new ToolsOnlySupportNSingletonError({})
  const toolChoice = Option.getOrUndefined(typed.toolChoice)
  if (typeof toolChoice === "object" && !names.includes(toolChoice.tool)) {
    return yield* new ToolNotFoundError({ name: toolChoice.tool })
  }
  const speakers = yield* speaking.speakers
  const engine = yield* Effect.provideService(LoomEngine.make, LanguageModel.LanguageModel, speakers[0])
  const parent = yield* asked(typed)

  const answers: Array<Node> = []
  const unkept: Array<{ readonly model: string; readonly text: string }> = []
  const errors: Array<{ readonly model: ModelId; readonly error: AnswerNotKept | GenerateError }> = []
  const options = { n, tools, toolChoice, temperature, maxOutputTokens, onEvent: TurnNotices.print(err) }
  const isLater = () => answers.length + unkept.length > 1
  const ask = (model: LanguageModel.Service) => {
    /** What has come last, until it is kept. */
    let text = ""
    return Stream.runForEach(engine.generateStream(parent, { ...options, model }), (event) => {
      if (event.type === "provider_response") text = Message.text({ role: "assistant", content: event.reply.blocks })
      if (event.type === "error") {
        const isLost = event.error._tag === "ForestError" && text.trim() !== ""
        errors.push({ model: model.id, error: isLost ? new AnswerNotKept({ cause: event.error }) : event.error })
        if (!isLost) return Effect.void
        unkept.push({ model: String(model.id), text })
        return json ? Effect.void : printed(text, isLater())
      }
      if (event.type !== "assistant_node") return Effect.void
      text = ""
      if (Message.toolUses(event.node.message).length > 0) return Effect.void
      answers.push(event.node)
      return json ? Effect.void : print(event.node, isLater())
    })
  }
  yield* Effect.forEach(speakers, ask, { concurrency: "unbounded", discard: true })

  const failures = errors.map(({ error }) => error)
  const failure =
    failures.find(({ _tag }) => _tag === "AnswerNotKept") ?? (answers.length === 0 ? failures[0] : undefined)
  const { titles } = yield* Naming.of([])
  const object = {
    nodes: answers.map((node) => Conversation.object(node, titles)),
    ...(unkept.length > 0 && { unkept }),
    errors: errors.map(({ error, model }) => ({ model: String(model), ...Failure.toJson(error) })),
  }
  if (failure !== undefined && answers.length + unkept.length > 0) {
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

/** The node to answer: with a text of the user's, the one that holds it. */
const asked = Effect.fnUntraced(function* (typed: Speech.Typed) {
  const forest = yield* Forest.Forest
  const { parent, text } = yield* Speech.of(typed, { node: "@" })
  // Nothing is added, so that it is known before a model is asked whether its answer can be kept.
  if (text === "") return yield* Effect.as(forest.append(parent, []), parent)
  const [node] = yield* forest.append(parent, [{ message: Message.user(text), source: { type: "user" } }])
  return node === undefined ? yield* new ForestError({ reason: new BlankText() }) : node.id
})

/** The id for programs that go on with it, the text for whoever asked. */
const print = Effect.fnUntraced(function* (node: Node, isLater: boolean) {
  const { err } = yield* Screen.Screen
  yield* Screen.line(err, sanitizeLine(`${node.id} (${NodeText.maker(node)})`))
  yield* printed(NodeText.body(node), isLater)
})

const printed = (text: string, isLater: boolean) =>
  Effect.flatMap(Screen.Screen, ({ out }) => Screen.line(out, `${isLater ? "\n" : ""}${sanitize(text).trimEnd()}`))
