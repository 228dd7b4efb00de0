/** A conversation about a file. The user edits the file in their own editor, and the model edits it by a tool. */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import type * as LoomEngine from "../../agent/LoomEngine.ts"
import { broadcast, type Sink } from "../../agent/TurnEvent.ts"
import * as unifiedDiff from "../../base/unifiedDiff.ts"
import * as Forest from "../../forest/Forest.ts"
import type { NodeId } from "../../message/NodeId.ts"
import * as ToolRegistry from "../../tool/ToolRegistry.ts"
import * as ReviseDocument from "../document/ReviseDocument.ts"
import * as Revision from "../document/Revision.ts"
import * as Saves from "../document/Saves.ts"
import * as SharedText from "../document/SharedText.ts"
import type { TextFile } from "../document/TextFile.ts"
import * as ConversationManager from "../engines/ConversationManager.ts"
import { type Backend, openOnFirstMessage, type Position, type Reply, type SessionMode } from "../SessionMode.ts"
import type { SlashCommand } from "../slash/SlashCommand.ts"
import * as Turn from "../Turn.ts"
import * as View from "../View.ts"

export interface Options {
  readonly file: TextFile
  readonly systemPrompt: string
}

/** The owner of the conversations about a file. */
export const owner = ({ path }: TextFile): string => `document:${path}`

/** Editors write a file in several steps. It is read once no step has followed for this long. */
const SAVE_DEBOUNCE = "150 millis"

/** Fails if the file cannot be read. Notices saves until the scope closes. */
export const make = Effect.fnUntraced(function* ({ file, systemPrompt }: Options) {
  const context = yield* Effect.context<Forest.Forest | LoomEngine.LoomEngine>()
  const saves = yield* Saves.Saves
  let show: View.Opened["show"] = () => Effect.void
  const shared = yield* SharedText.make(file, (entry) => show(entry))
  yield* saves(file.path).pipe(
    Stream.debounce(SAVE_DEBOUNCE),
    Stream.runForEach(() => shared.readFile),
    Effect.forkScoped,
  )

  const mode: SessionMode = {
    owner: owner(file),
    open: (place) => {
      show = place.show
      const { from } = place
      const openManager = (from: NodeId, isNew: boolean) => (prompt: string, known: string | undefined) =>
        // The model changes the document with its tool; the text of its answer may contain anything.
        ConversationManager.make({
          owner: owner(file),
          systemPrompt,
          prompt,
          from,
          known: isNew ? undefined : known,
          extract: () => undefined,
        }).pipe(Effect.provide(context))
      const open = (from: NodeId, isNew: boolean) =>
        Effect.map(shared.attach(openManager(from, isNew)), (manager) => backendOf(file, shared, manager, place))
      const tree = { owner: owner(file), systemPrompt }
      const forest = Context.get(context, Forest.Forest)
      return from === undefined ? openOnFirstMessage(forest, tree, (root) => open(root, true)) : open(from, false)
    },
    commands: commands(file, shared),
    onReply: () => Effect.succeed("continue"),
    handleInput: () => Effect.succeed(undefined),
  }
  return mode
})

const backendOf = (
  file: TextFile,
  shared: SharedText.SharedText,
  manager: ConversationManager.Service,
  { model, tools }: Position,
): Backend => {
  const registry = ToolRegistry.join(tools, ToolRegistry.make([ReviseDocument.make(file, shared)]))
  return {
    cursor: manager.cursor,
    send: Effect.fnUntraced(function* (text, sendOptions) {
      yield* shared.readFile
      const turn = yield* Ref.make(Turn.initial)
      const record: Sink = (event) => Ref.update(turn, (turn) => Turn.step(turn, event))
      const options = {
        ...sendOptions,
        ...Turn.LIMITS,
        model,
        tools: registry,
        stopsRepeats: true,
        onEvent: broadcast(record, sendOptions.onEvent),
      }
      yield* manager.respond(text, options).pipe(
        // The file is read before the next request, so that the request includes what was saved by then.
        Stream.runForEach((event) => (event.type === "tool_result_node" ? shared.readFile : Effect.void)),
      )
      const { failure, filesWritten, isComplete, text: answer } = yield* Ref.get(turn)
      if (failure !== undefined) return yield* failure
      const reply: Reply = { text: answer, filesWritten: [...filesWritten], isComplete }
      const whole = Revision.findInAnswer(reply.text)
      if (whole === undefined) return reply
      const revised = yield* Effect.option(shared.revise((known) => Either.right(Revision.replaceWhole(known, whole))))
      return revised._tag === "Some" && revised.value.isWritten ? { ...reply, filesWritten: [file.name] } : reply
    }),
  }
}

const commands = (file: TextFile, shared: SharedText.SharedText): ReadonlyArray<SlashCommand> => {
  const makeResolution = (name: "mine" | "theirs", summary: string, done: string): SlashCommand => ({
    name,
    argument: undefined,
    summary,
    run: ({ view }) =>
      Effect.as(
        Effect.flatMap(shared.resolveConflict(name), (wasOpen) =>
          view.show(View.Entry.Noted({ text: wasOpen ? done : "there is nothing to decide" })),
        ),
        "continue",
      ),
  })
  return [
    {
      name: "document",
      argument: undefined,
      summary: "Show the document as it stands",
      isImmediate: true,
      run: ({ view }) =>
        Effect.as(
          Effect.flatMap(shared.text, (text) =>
            view.show(
              text === ""
                ? View.Entry.Noted({ text: `${file.name} is empty` })
                : View.Entry.Printed({ text, form: "text" }),
            ),
          ),
          "continue",
        ),
    },
    {
      name: "diff",
      argument: undefined,
      summary: "Show what changed in it since the session began",
      isImmediate: true,
      run: ({ view }) =>
        Effect.as(
          Effect.flatMap(shared.text, (text) => {
            const diff = unifiedDiff.unifiedDiff({ name: file.name, text: shared.initial }, { name: file.name, text })
            return view.show(
              diff === undefined
                ? View.Entry.Noted({ text: `nothing has changed in ${file.name}` })
                : View.Entry.Printed({ text: diff, form: "diff" }),
            )
          }),
          "continue",
        ),
    },
    {
      name: "write",
      argument: undefined,
      summary: "Write the document to its file, also where that is gone",
      run: ({ view }) =>
        Effect.as(
          Effect.flatMap(shared.write, (isWritten) =>
            isWritten
              ? view.show(View.Entry.Noted({ text: `${file.name} has the document as it stands` }))
              : Effect.void,
          ),
          "continue",
        ),
    },
    makeResolution(
      "theirs",
      "Take the model's lines where you both changed the same",
      "The model's lines stand now, but where you have changed yours since",
    ),
    makeResolution("mine", "Keep your lines where you both changed the same", "Your lines stand"),
  ]
}
